#include "engine/model/placeholder.h"

#include "engine/core/json_text.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tilewright::model {

namespace {

constexpr double kMostPlaceElements = 1e12;
constexpr std::size_t kMostParts = 100'000; ///< outputs or weights of one placeholder

std::string textOf(Json const &json) { return json.dump(-1, ' ', true, Json::error_handler_t::replace); }

Json shapeJson(Shape const &shape)
{
    if (shape.empty()) return nullptr;
    Json list = Json::array();
    for (auto const extent : shape) list.push_back(extent < 0 ? Json() : Json(extent));
    return list;
}

/// Empty: not a shape. `batch`: the first extent may be null.
Shape shapeFrom(Json const &json, bool batch)
{
    Shape shape;
    if (!json.is_array()) return shape;
    double elements = 1;
    for (auto const &extent : json) {
        if (extent.is_null() && batch && shape.empty()) {
            shape.push_back(-1);
            continue;
        }
        if (!extent.is_number_integer() || extent.get<double>() < 1 || extent.get<double>() > 1e9) return {};
        shape.push_back(extent.get<std::int64_t>());
        elements *= extent.get<double>();
    }
    return elements > kMostPlaceElements ? Shape() : shape;
}

Json partIn(Json const &config, char const *key)
{
    auto const found = config.find(key);
    if (found == config.end() || !found->is_string()) return Json();
    auto parsed = jsonOrDiscarded(found->get<std::string>());
    return parsed.is_discarded() ? Json() : parsed;
}

Diagnostic badFact(Layer const &layer, char const *argument)
{
    return layerError(layer, "model.bad-argument", Message::of("argument '%1' of the placeholder is not well formed", argument),
                      Message::of("import the model again"));
}

Status checkPlaceholder(Layer const &layer)
{
    auto const &config = layer.config;
    if (!partIn(config, "config").is_object()) return badFact(layer, "config");
    if (!partIn(config, "calls").is_array()) return badFact(layer, "calls");
    if (!layer.isNull("output_shape") && shapeFrom(config["output_shape"], true).empty()) return badFact(layer, "output_shape");
    auto const further = partIn(config, "further_shapes"), weights = partIn(config, "weights");
    if (!further.is_array() || further.size() > kMostParts) return badFact(layer, "further_shapes");
    for (auto const &shape : further)
        if (!shape.is_null() && shapeFrom(shape, true).empty()) return badFact(layer, "further_shapes");
    if (!weights.is_array() || weights.size() > kMostParts) return badFact(layer, "weights");
    std::set<std::string> names;
    for (auto const &weight : weights) {
        if (!weight.is_object() || !weight.contains("name") || !weight["name"].is_string() || !weight.contains("shape")
            || !weight["shape"].is_array() || !names.insert(weight["name"].get<std::string>()).second)
            return badFact(layer, "weights");
        if (!weight["shape"].empty() && shapeFrom(weight["shape"], false).empty()) return badFact(layer, "weights");
    }
    return {};
}

Result<Shape> placeholderShape(Layer const &layer, std::span<Shape const>)
{
    auto const facts = placeholderIn(layer.config);
    if (std::ranges::none_of(facts.outputs, &Shape::empty)) return facts.outputs.front();
    return layerError(layer, "model.placeholder-shape",
                      Message::of("the output shape of this layer of class %1 is not known", facts.className),
                      Message::of("import the model again with --shape %1=[…], or replace the layer", layer.name));
}

Result<std::vector<WeightSpec>> placeholderWeights(Layer const &layer, std::span<Shape const>)
{
    std::vector<WeightSpec> specs;
    auto const zeros = parseInitializer("zeros", layer.name);
    for (auto const &weight : placeholderIn(layer.config).weights) specs.push_back({weight.name, weight.shape, zeros.value()});
    return specs;
}

} // namespace

bool isPlaceholder(Layer const &layer) { return layer.className == kPlaceholderClass; }

Json placeholderConfig(Placeholder const &placeholder)
{
    Json further = Json::array(), weights = Json::array();
    for (std::size_t i = 1; i < placeholder.outputs.size(); ++i) further.push_back(shapeJson(placeholder.outputs[i]));
    for (auto const &weight : placeholder.weights) {
        Json extents = Json::array();
        for (auto const extent : weight.shape) extents.push_back(extent);
        weights.push_back({{"name", weight.name}, {"shape", std::move(extents)}});
    }
    Json config{{"class_name", placeholder.className},
                {"config", textOf(placeholder.config.is_object() ? placeholder.config : Json::object())},
                {"calls", textOf(placeholder.calls)},
                {"output_shape", placeholder.outputs.empty() ? Json() : shapeJson(placeholder.outputs.front())},
                {"further_shapes", textOf(further)},
                {"weights", textOf(weights)}};
    // The first layer of a Sequential model says its input here. A frozen layer has no trainable weights.
    auto const &original = placeholder.config;
    if (!original.is_object()) return config;
    for (auto const *key : {"batch_input_shape", "batch_shape", "input_shape"})
        if (auto const found = original.find(key); found != original.end() && found->is_array()) config[key] = *found;
    if (auto const found = original.find("trainable"); found != original.end() && found->is_boolean()) config["trainable"] = *found;
    return config;
}

Placeholder placeholderIn(Json const &config)
{
    Placeholder facts;
    if (!config.is_object()) return facts;
    if (auto const name = config.find("class_name"); name != config.end() && name->is_string()) facts.className = name->get<std::string>();
    facts.config = partIn(config, "config");
    if (!facts.config.is_object()) facts.config = Json::object();
    if (auto calls = partIn(config, "calls"); calls.is_array()) facts.calls = std::move(calls);
    auto const first = config.find("output_shape");
    facts.outputs.push_back(first == config.end() ? Shape() : shapeFrom(*first, true));
    if (auto const further = partIn(config, "further_shapes"); further.is_array() && further.size() <= kMostParts)
        for (auto const &shape : further) facts.outputs.push_back(shapeFrom(shape, true));
    if (auto const weights = partIn(config, "weights"); weights.is_array() && weights.size() <= kMostParts)
        for (auto const &weight : weights)
            if (weight.is_object() && weight.contains("name") && weight["name"].is_string() && weight.contains("shape"))
                facts.weights.push_back({weight["name"].get<std::string>(), shapeFrom(weight["shape"], false)});
    return facts;
}

std::string shownClass(Layer const &layer) { return isPlaceholder(layer) ? placeholderIn(layer.config).className : layer.className; }

void holdPlace(Layer &layer)
{
    Placeholder facts;
    facts.className = layer.className;
    facts.config = layer.config;
    facts.outputs.resize(static_cast<std::size_t>(std::max(1, outputsOf(layer))));
    bool const says =
        std::ranges::any_of(layer.calls, [](Call const &call) { return call.arguments.is_object() && !call.arguments.empty(); });
    for (auto &call : layer.calls) {
        Json node = Json::array();
        for (auto const &ref : call.inputs)
            node.push_back({ref.layer, ref.node, ref.tensor, node.empty() && call.arguments.is_object() ? call.arguments : Json::object()});
        if (says) facts.calls.push_back(std::move(node));
        call.arguments = Json::object();
    }
    layer.className = kPlaceholderClass;
    layer.config = placeholderConfig(facts);
    normalizeLayer(layer);
}

Diagnostic placeholderRefusal(Layer const &layer)
{
    return layerError(
        layer, "model.placeholder",
        Message::of("this is a placeholder for a layer of class %1, which cannot be computed", shownClass(layer)),
        Message::of("replace it by a layer that does the same, or import the model again with --replace %1=CLASS", layer.name));
}

LayerSpec const &placeholderSpec()
{
    static LayerSpec const spec{
        .className = kPlaceholderClass,
        .category = "Core",
        .help = "Stands for a layer of an imported model that cannot be computed. It is exported unchanged.",
        .params =
            {{.name = "class_name", .type = ParamType::Text, .help = "class of the layer in the file", .required = true},
             {.name = "config", .type = ParamType::Text, .defaultJson = "\"{}\"", .help = "its arguments in the file, as JSON"},
             {.name = "calls", .type = ParamType::Text, .defaultJson = "\"[]\"", .help = "its inbound nodes in the file, as JSON"},
             {.name = "output_shape",
              .type = ParamType::Shape,
              .help = "shape of its output with the batch first; null: not known",
              .nullable = true},
             {.name = "further_shapes",
              .type = ParamType::Text,
              .defaultJson = "\"[]\"",
              .help = "shapes of its outputs after the first, as JSON"},
             {.name = "weights", .type = ParamType::Text, .defaultJson = "\"[]\"", .help = "names and shapes of its weights, as JSON"}},
        .maxInputs = 1 << 20,
        .outputShape = placeholderShape,
        .furtherOutputs = [](Layer const &layer) { return static_cast<int>(placeholderIn(layer.config).outputs.size()) - 1; },
        .furtherShape =
            [](Layer const &layer, Shape const &, int tensor) {
                auto const outputs = placeholderIn(layer.config).outputs;
                return static_cast<std::size_t>(tensor) < outputs.size() ? outputs[static_cast<std::size_t>(tensor)] : Shape();
            },
        .weights = placeholderWeights,
        .check = checkPlaceholder,
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
    return spec;
}

} // namespace tilewright::model
