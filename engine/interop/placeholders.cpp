#include "engine/interop/placeholders.h"

#include "engine/interop/json_members.h"
#include "engine/model/keras_json.h"
#include "engine/model/layer_spec.h"
#include "engine/model/nested.h"
#include "engine/model/placeholder.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

namespace tilewright::interop {

using model::Json;
using model::OrderedJson;

namespace {

std::string nameOf(Json const &layer)
{
    auto const name = textIn(layer, "name");
    return !name.empty() || !layer.is_object() || !layer.contains("config") ? name : textIn(layer["config"], "name");
}

/// A tensor of Keras 3: {"class_name": "__keras_tensor__", "config": {"shape", "keras_history"}}. Null: it is something else.
Json const *kerasTensor(Json const &json)
{
    if (textIn(json, "class_name") != "__keras_tensor__" || !json.contains("config") || !json["config"].is_object()) return nullptr;
    auto const &config = json["config"];
    return config.contains("keras_history") && config["keras_history"].is_array() ? &config : nullptr;
}

using LayerNames = std::set<std::string>;

/// ["dense", 0, 0] with an optional object of keyword arguments, of a layer of this model.
bool isReference(Json const &json, LayerNames const &layers)
{
    return json.is_array() && json.size() >= 3 && json.size() <= 4 && json[0].is_string() && json[1].is_number_integer()
        && json[2].is_number_integer() && layers.contains(json[0].get<std::string>()) && (json.size() == 3 || json[3].is_object());
}

/// Visits every reference in an inbound node, in order; the first argument of `visit` may be changed.
void eachReference(Json &json, LayerNames const &layers, std::function<void(Json &)> const &visit)
{
    if (kerasTensor(json)) return visit(json["config"]["keras_history"]);
    if (isReference(json, layers)) {
        visit(json);
        if (json.size() == 4) eachReference(json[3], layers, visit);
        return;
    }
    if (json.is_structured())
        for (auto &member : json) eachReference(member, layers, visit);
}

/// A Lambda of Keras holds Python code, which is never run; ours holds an expression.
bool isUnknown(std::string const &className, Json const &config)
{
    if (className.empty() || !config.is_object()) return false;
    if (!model::findLayerSpec(className) || (className == "Lambda" && !config.contains("expression"))) return true;
    // A wrapper of such a layer; a model inside is another matter.
    auto const inner = config.find("layer");
    return inner != config.end() && inner->is_object() && inner->contains("config") && !model::isModelClass(textIn(*inner, "class_name"))
        && isUnknown(textIn(*inner, "class_name"), (*inner)["config"]);
}

/// One model of the document.
class Holder {
public:
    explicit Holder(Json &config) : m_config(config) {}

    void run()
    {
        auto &layers = m_config.is_object() && m_config.contains("layers") ? m_config["layers"] : m_config;
        if (!layers.is_array()) return;
        for (auto const &layer : layers) m_names.insert(nameOf(layer));
        for (auto &layer : layers)
            if (layer.is_object() && layer.contains("inbound_nodes")) see(layer["inbound_nodes"]);
        if (m_config.is_object() && m_config.contains("output_layers")) see(m_config["output_layers"]);
        for (std::size_t i = 0; i < layers.size(); ++i) {
            auto &layer = layers[i];
            if (!layer.is_object() || !layer.contains("config")) continue;
            auto const className = textIn(layer, "class_name");
            if (model::isModelClass(className)) {
                Holder(layer["config"]).run();
            } else if (isUnknown(className, layer["config"])) {
                if (!layer.contains("inbound_nodes") && i + 1 < layers.size()) takeBuildShape(nameOf(layer), layers[i + 1]);
                hold(layer, className);
            }
        }
    }

private:
    /// Output numbers and shapes of the layers from the tensors that others take.
    void see(Json &json)
    {
        if (auto const *tensor = kerasTensor(json)) {
            auto const &history = (*tensor)["keras_history"];
            if (isReference(history, m_names) && tensor->contains("shape"))
                m_shapes.emplace(std::pair(history[0].get<std::string>(), history[2].get<std::int64_t>()), (*tensor)["shape"]);
            count(history);
            return;
        }
        if (isReference(json, m_names)) count(json);
        if (json.is_structured())
            for (auto &member : json) see(member);
    }

    void count(Json const &reference)
    {
        if (!isReference(reference, m_names)) return;
        auto &outputs = m_outputs[reference[0].get<std::string>()];
        outputs = std::clamp<std::int64_t>(reference[2].get<std::int64_t>() + 1, outputs, 1000);
    }

    void takeBuildShape(std::string const &name, Json const &next)
    {
        if (!next.is_object() || !next.contains("build_config") || !next["build_config"].is_object()) return;
        auto const &build = next["build_config"];
        if (build.contains("input_shape") && build["input_shape"].is_array())
            m_shapes.emplace(std::pair(name, std::int64_t{0}), build["input_shape"]);
    }

    /// Extents with null where they are open; empty: some extent other than the batch is open.
    static Shape shapeFrom(Json const &json)
    {
        Shape shape;
        if (!json.is_array()) return shape;
        for (auto const &extent : json) {
            bool const open = extent.is_null() && shape.empty();
            if (!open && (!extent.is_number_integer() || extent.get<double>() < 1 || extent.get<double>() > 1e9)) return {};
            shape.push_back(open ? -1 : extent.get<std::int64_t>());
        }
        return shape;
    }

    void hold(Json &layer, std::string const &className)
    {
        auto const name = nameOf(layer);
        model::Placeholder facts;
        facts.className = className;
        facts.config = layer["config"];
        facts.config.erase("name");
        facts.outputs.resize(static_cast<std::size_t>(std::max<std::int64_t>(1, m_outputs[name])));
        for (std::size_t i = 0; i < facts.outputs.size(); ++i)
            if (auto const found = m_shapes.find(std::pair(name, static_cast<std::int64_t>(i))); found != m_shapes.end())
                facts.outputs[i] = shapeFrom(found->second);
        if (className == "Lambda" && facts.outputs.front().empty() && textIn(facts.config, "output_shape_type") == "raw")
            if (auto shape = facts.config.value("output_shape", Json()); shape.is_array() && !shape.empty()) {
                shape.insert(shape.begin(), Json());
                facts.outputs.front() = shapeFrom(shape);
            }
        if (layer.contains("inbound_nodes") && layer["inbound_nodes"].is_array()) takeNodes(layer["inbound_nodes"], facts);
        layer["class_name"] = model::kPlaceholderClass;
        layer["config"] = model::placeholderConfig(facts);
        layer["config"]["name"] = name;
    }

    /// Inbound nodes with tensors only; what else they hold stays in the facts.
    void takeNodes(Json &nodes, model::Placeholder &facts)
    {
        Json plain = Json::array(), originals = Json::array();
        bool more = false;
        for (auto &node : nodes) {
            Json tensors = Json::array();
            auto original = node.is_object() ? nodeOfKeras2(node) : node;
            eachReference(original, m_names, [&](Json &reference) {
                tensors.push_back({reference[0], reference[1], reference[2], Json::object()});
            });
            more = more || holdsMore(original, tensors);
            plain.push_back(std::move(tensors));
            originals.push_back(std::move(original));
        }
        nodes = std::move(plain);
        if (more) facts.calls = std::move(originals);
    }

    static bool holdsMore(Json node, Json const &tensors)
    {
        if (node.is_array())
            for (auto &reference : node)
                if (reference.is_array() && reference.size() == 3) reference.push_back(Json::object());
        return node != tensors;
    }

    /// A call of Keras 3 in the form of Keras 2: tensors, with the keyword arguments at the first one.
    Json nodeOfKeras2(Json node) const
    {
        Json result = Json::array();
        auto args = node.contains("args") ? node["args"] : Json::array();
        eachReference(args, m_names, [&](Json &reference) {
            result.push_back({reference[0], reference[1], reference[2], Json::object()});
        });
        if (result.empty() || !node.contains("kwargs") || !node["kwargs"].is_object()) return result;
        for (auto const &[key, value] : node["kwargs"].items()) {
            if (value.is_null()) continue;
            auto const *tensor = kerasTensor(value);
            result[0][3][key] = tensor ? (*tensor)["keras_history"] : value;
        }
        return result;
    }

    Json &m_config;
    LayerNames m_names;
    std::map<std::string, std::int64_t> m_outputs;                 ///< number of outputs that something takes
    std::map<std::pair<std::string, std::int64_t>, Json> m_shapes; ///< by layer and output
};

/// The inbound nodes of a placeholder with what they held in the file, if the layer still has as many inputs in each call.
OrderedJson originalNodes(model::Placeholder const &facts, model::Layer const &layer, OrderedJson const &plain)
{
    if (facts.calls.empty() || layer.calls.empty()) return plain;
    OrderedJson nodes = OrderedJson::array();
    for (std::size_t i = 0; i < layer.calls.size(); ++i) {
        // A layer of a model that is called several times has its calls once per call of the model.
        Json node = facts.calls[i % facts.calls.size()];
        auto const &inputs = layer.calls[i].inputs;
        std::size_t count = 0;
        LayerNames known;
        // LayerNames may have changed since: a reference is any text with two numbers that is not a constant.
        std::function<void(Json &)> const collect = [&](Json &json) {
            bool const reference = json.is_array() && json.size() >= 3 && json.size() <= 4 && json[0].is_string()
                && json[1].is_number_integer() && json[1] >= 0 && json[2].is_number_integer();
            if (reference) known.insert(json[0].get<std::string>());
            if (json.is_structured())
                for (auto &member : json) collect(member);
        };
        collect(node);
        eachReference(node, known, [&](Json &reference) {
            if (count < inputs.size()) {
                reference[0] = inputs[count].layer;
                reference[1] = inputs[count].node;
                reference[2] = inputs[count].tensor;
            }
            ++count;
        });
        if (count != inputs.size()) return plain;
        nodes.push_back(OrderedJson(node));
    }
    return nodes;
}

/// {"class_name": "Placeholder", "config"} as the layer it stands for, at any depth.
void restoreInside(OrderedJson &json)
{
    if (json.is_structured())
        for (auto &member : json) restoreInside(member);
    if (textIn(json, "class_name") != model::kPlaceholderClass || !json.contains("config")) return;
    auto const config = Json(json["config"]);
    auto const facts = model::placeholderIn(config);
    OrderedJson original = OrderedJson::object();
    auto name = textIn(config, "name");
    // Loading adds the prefix of this class again.
    constexpr std::string_view kPrefix = "tf_op_layer_";
    if (facts.className == "TensorFlowOpLayer" && name.starts_with(kPrefix)) name = name.substr(kPrefix.size());
    original["name"] = std::move(name);
    original.update(OrderedJson(facts.config));
    json["class_name"] = facts.className;
    json["config"] = std::move(original);
}

} // namespace

void holdUnknownLayers(Json &document)
{
    if (document.is_object() && document.contains("config")) Holder(document["config"]).run();
}

OrderedJson documentWithOriginals(model::Model const &model)
{
    auto document = model::modelToKeras(model);
    for (auto &entry : document["config"]["layers"])
        if (textIn(entry, "class_name") == model::kPlaceholderClass && entry.contains("inbound_nodes"))
            if (auto const *layer = model.find(textIn(entry, "name")))
                entry["inbound_nodes"] = originalNodes(model::placeholderIn(layer->config), *layer, entry["inbound_nodes"]);
    restoreInside(document["config"]["layers"]);
    return document;
}

} // namespace tilewright::interop
