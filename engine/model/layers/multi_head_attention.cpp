#include "engine/model/layers/merge_rules.h"

#include <algorithm>

namespace tilewright::model {

namespace {

std::int64_t valueDim(Layer const &layer) { return layer.integer(layer.isNull("value_dim") ? "key_dim" : "value_dim"); }

std::int64_t positions(Shape const &shape)
{
    std::int64_t n = 1;
    for (std::size_t i = 1; i + 1 < shape.size(); ++i) n *= shape[i];
    return n;
}

/// Whether attention runs along an axis of this shape: all but batch and features, unless attention_axes names some.
bool isAttended(Layer const &layer, std::size_t axis, Shape const &shape)
{
    if (axis == 0 || axis + 1 == shape.size()) return false;
    auto const axes = layer.integers("attention_axes");
    return axes.empty() || std::ranges::find(axes, static_cast<std::int64_t>(axis)) != axes.end();
}

/// Extents of the axes along which attention runs, or of the other axes between batch and features.
Shape extents(Layer const &layer, Shape const &shape, bool attended)
{
    Shape found;
    for (std::size_t axis = 1; axis + 1 < shape.size(); ++axis)
        if (isAttended(layer, axis, shape) == attended) found.push_back(shape[axis]);
    return found;
}

/// Without a key the value is the key.
Shape const &keyOf(std::span<Shape const> inputs) { return inputs[inputs.size() > 2 ? 2 : 1]; }

/// [batch, queries, keys] or [batch, heads, queries, keys]; 1 stands for all.
bool fitsScores(Shape const &mask, std::int64_t heads, std::int64_t queries, std::int64_t keys)
{
    auto const is = [&](std::size_t fromEnd, std::int64_t extent) {
        return mask[mask.size() - fromEnd] == extent || mask[mask.size() - fromEnd] == 1;
    };
    return (mask.size() == 3 || (mask.size() == 4 && is(3, heads))) && is(2, queries) && is(1, keys);
}

Result<Shape> multiHeadShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(std::int64_t const batch, commonBatch(layer, inputs));
    auto const &query = inputs[0], &value = inputs[1], &key = keyOf(inputs);
    for (auto const &input : inputs.first(std::min<std::size_t>(3, inputs.size())))
        if (input.size() < 3)
            return layerError(layer, "model.shape",
                              Message::of("input %1; MultiHeadAttention needs [batch, positions, features]", toText(input)),
                              Message::of("put a Reshape before it"));
    for (auto const axis : layer.integers("attention_axes"))
        for (auto const *input : {&query, &value, &key})
            if (axis < 1 || axis + 1 >= std::ssize(*input))
                return layerError(
                    layer, "model.shape",
                    Message::of("attention axis %1 is no axis of %2 between the batch and the features", axis, toText(*input)),
                    Message::of("count axes from the batch, which is 0"));
    for (auto const *input : {&value, &key})
        if (!layer.isNull("attention_axes") && extents(layer, *input, false) != extents(layer, query, false))
            return layerError(layer, "model.shape",
                              Message::of("inputs %1 and %2 differ along axes without attention", toText(query), toText(*input)),
                              Message::of("only the axes of attention_axes may differ"));
    if (positions(value) != positions(key))
        return layerError(layer, "model.shape",
                          Message::of("value %1 and key %2 have other numbers of positions", toText(value), toText(key)),
                          Message::of("value and key belong together, position by position"));
    std::int64_t const heads = layer.integer("num_heads");
    auto const queries = elementCount(extents(layer, query, true)), keys = elementCount(extents(layer, key, true));
    if (inputs.size() > 3 && !fitsScores(inputs[3], heads, queries, keys))
        return layerError(
            layer, "model.shape",
            Message::of("attention_mask %1 does not go with %2 queries and %3 keys", toText(inputs[3]), queries, keys),
            Message::of("give [batch, queries, keys] or [batch, heads, queries, keys]; 1 in place of one of them stands for all"));
    Shape shape(query.begin(), query.end() - 1);
    shape[0] = batch;
    auto const asked = layer.integers("output_shape");
    if (asked.empty()) shape.push_back(query.back());
    else shape.insert(shape.end(), asked.begin(), asked.end());
    return shape;
}

Result<std::vector<WeightSpec>> multiHeadWeights(Layer const &layer, std::span<Shape const> inputs)
{
    std::int64_t const heads = layer.integer("num_heads"), keyDim = layer.integer("key_dim"), values = valueDim(layer);
    TW_ASSIGN(Initializer const kernel, parseInitializer(layer.config["kernel_initializer"], layer.name));
    TW_ASSIGN(Initializer const bias, parseInitializer(layer.config["bias_initializer"], layer.name));
    std::vector<WeightSpec> weights;
    auto const add = [&](std::string const &name, Shape kernelShape, Shape biasShape) {
        weights.push_back({name + "/kernel", std::move(kernelShape), kernel});
        if (layer.flag("use_bias")) weights.push_back({name + "/bias", std::move(biasShape), bias});
    };
    add("query", {inputs[0].back(), heads, keyDim}, {heads, keyDim});
    add("key", {keyOf(inputs).back(), heads, keyDim}, {heads, keyDim});
    add("value", {inputs[1].back(), heads, values}, {heads, values});
    auto asked = layer.integers("output_shape");
    if (asked.empty()) asked.push_back(inputs[0].back());
    Shape out{heads, values};
    out.insert(out.end(), asked.begin(), asked.end());
    add("attention_output", out, asked);
    return weights;
}

double multiHeadMultiplyAdds(Layer const &layer, std::span<Shape const> inputs, Shape const &output)
{
    auto const d = [](std::int64_t n) { return static_cast<double>(n); };
    double const heads = d(layer.integer("num_heads")), keyDim = d(layer.integer("key_dim")), values = d(valueDim(layer));
    double const queries = d(positions(inputs[0])), sources = d(positions(inputs[1]));
    double const attended = d(elementCount(extents(layer, inputs[1], true)));
    double const projections =
        queries * d(inputs[0].back()) * keyDim + sources * d(keyOf(inputs).back()) * keyDim + sources * d(inputs[1].back()) * values;
    return heads * (projections + queries * attended * (keyDim + values)) + sampleElements(output) * heads * values;
}

} // namespace

LayerSpec multi_head_attentionLayer()
{
    return {
        .className = "MultiHeadAttention",
        .category = "Attention",
        .help = "Multi-head attention with projections of query, key and value per head. Inputs: query, value, key if it differs from the "
                "value, and a mask of the positions each query attends to.",
        .params = {{.name = "num_heads", .type = ParamType::Int, .min = 1, .max = 1e6, .help = "number of heads", .required = true},
                   {.name = "key_dim",
                    .type = ParamType::Int,
                    .min = 1,
                    .max = 1e6,
                    .help = "size of a head for query and key",
                    .required = true},
                   {.name = "value_dim",
                    .type = ParamType::Int,
                    .min = 1,
                    .max = 1e6,
                    .help = "size of a head for the value; null: key_dim",
                    .nullable = true},
                   {.name = "dropout",
                    .type = ParamType::Float,
                    .defaultJson = "0.0",
                    .min = 0,
                    .max = 0.999999,
                    .help = "share of the attention weights dropped in training"},
                   {.name = "use_bias", .type = ParamType::Bool, .defaultJson = "true", .help = "adds a bias to each projection"},
                   {.name = "output_shape",
                    .type = ParamType::IntList,
                    .min = 1,
                    .max = 1e9,
                    .help = "features of each output position; null: as the query",
                    .nullable = true,
                    .orInteger = true,
                    .length = 1},
                   {.name = "attention_axes",
                    .type = ParamType::IntList,
                    .help = "axes along which attention runs, counted with the batch; null: all but batch and features",
                    .nullable = true},
                   {.name = "kernel_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "GlorotUniform", "config": {"seed": null}})",
                    .help = "initializer of the projections"},
                   {.name = "bias_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "Zeros", "config": {}})",
                    .help = "initializer of the biases"},
                   {.name = "kernel_regularizer", .type = ParamType::Regularizer, .help = "penalty on the projections"},
                   {.name = "bias_regularizer", .type = ParamType::Regularizer, .help = "penalty on the biases"},
                   {.name = "activity_regularizer", .type = ParamType::Regularizer, .help = "penalty on the output"},
                   {.name = "kernel_constraint", .type = ParamType::Constraint, .help = "limit on the projections"},
                   {.name = "bias_constraint", .type = ParamType::Constraint, .help = "limit on the biases"}},
        .minInputs = 2,
        .maxInputs = 4,
        .keywordInputs = {"value", "key", "attention_mask"},
        .derivedArguments = {"query_shape", "key_shape", "value_shape"},
        .outputShape = multiHeadShape,
        .weights = multiHeadWeights,
        .check = [](Layer const &layer) -> Status {
            auto axes = layer.integers("attention_axes");
            std::ranges::sort(axes);
            if (layer.isNull("attention_axes") || (!axes.empty() && std::ranges::adjacent_find(axes) == axes.end())) return {};
            return layerError(layer, "model.bad-argument",
                              axes.empty() ? Message::of("attention_axes is an empty list") : Message::of("an axis is listed twice"),
                              Message::of("list each axis of the attention once, or give null"));
        },
        .multiplyAdds = multiHeadMultiplyAdds,
    };
}

} // namespace tilewright::model
