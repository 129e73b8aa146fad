#pragma once

#include "engine/model/keras_json.h"

#include <nlohmann/json.hpp>

#include <QtTest>

#include <vector>

/// Models of the functional API, layer by layer.
namespace tilewright::tests {

using Json = nlohmann::ordered_json;

/// The first output of a layer as an inbound node.
inline Json outputOf(char const *name) { return Json{name, 0, 0, Json::object()}; }

inline Json inputLayer(char const *name, Shape const &shape, char const *type)
{
    Json extents{nullptr};
    for (auto extent : shape) extents.push_back(extent);
    return {{"class_name", "InputLayer"},
            {"name", name},
            {"inbound_nodes", Json::array()},
            {"config", {{"name", name}, {"batch_input_shape", extents}, {"dtype", type}}}};
}

inline Json layerOf(char const *className, char const *name, Json config, std::vector<char const *> const &inputs)
{
    config["name"] = name;
    Json call = Json::array();
    for (auto const *input : inputs) call.push_back(outputOf(input));
    return {{"class_name", className}, {"name", name}, {"config", config}, {"inbound_nodes", Json::array({call})}};
}

inline model::Model functional(Json const &layers, std::vector<char const *> const &inputs, std::vector<char const *> const &outputs)
{
    Json heads = Json::array(), tails = Json::array();
    for (auto const *name : inputs) heads.push_back({name, 0, 0});
    for (auto const *name : outputs) tails.push_back({name, 0, 0});
    Json const json{{"class_name", "Functional"},
                    {"config", {{"name", "m"}, {"layers", layers}, {"input_layers", heads}, {"output_layers", tails}}}};
    auto parsed = model::parseKerasJson(json.dump());
    if (!parsed.ok()) qFatal("%s", toText(parsed.error()).c_str());
    return std::move(parsed).value();
}

} // namespace tilewright::tests
