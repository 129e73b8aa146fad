// Attention layers, and products of two inputs.
#include "engine/layers/layer_builder.h"

#include <cmath>
#include <numeric>

namespace tilewright::layers {

using namespace graph;

namespace {

ValueId turned(BuildContext &context, ValueId value, std::vector<std::int64_t> perm)
{
    return context.op("transpose", {value}, {{"perm", std::move(perm)}}, "Transpose");
}

ValueId product(BuildContext &context, ValueId a, ValueId b, bool transposeB, std::string leaf)
{
    return context.op("batch_matmul", {a, b}, {{"transpose_a", false}, {"transpose_b", transposeB}}, std::move(leaf));
}

std::int64_t positions(Shape const &shape)
{
    return std::accumulate(shape.begin() + 1, shape.end() - 1, std::int64_t{1}, std::multiplies<>());
}

/// Keras' addend for the scores of masked values.
double unseen(DType dtype) { return dtype == DType::F16 ? -65504.0 : -1e9; }

/// Adds a large negative number to the scores where `allowed` (same type, broadcast) is 0; leaves them where it is 1.
ValueId allowedScores(BuildContext &context, ValueId scores, ValueId allowed)
{
    // low (1 - allowed)
    double const low = unseen(context.value(scores).dtype);
    auto const hidden = context.op("add_scalar", {context.scaled(allowed, -low, "Allowed")}, {{"p0", low}}, "Hidden");
    return context.op("add", {scores, context.broadcast(hidden, context.value(scores).shape)}, {}, "Mask");
}

/// Masks scores as Keras does: those of values that do not count (`mask`, if valid) and of later positions (`causal`).
ValueId masked(BuildContext &context, ValueId scores, ValueId mask, bool causal)
{
    Shape const shape = context.value(scores).shape;
    auto const dtype = context.value(scores).dtype;
    std::int64_t const queries = shape[1], keys = shape[2];
    double const low = unseen(dtype);
    // 1 where a position may attend.
    std::vector<double> seen(static_cast<std::size_t>(queries * keys), 1.0), small = seen;
    for (std::int64_t q = 0; q < queries; ++q)
        for (std::int64_t k = 0; k < keys; ++k) {
            auto const at = static_cast<std::size_t>(q * keys + k);
            seen[at] = k > q ? 0.0 : 1.0;
            small[at] = k > q ? low : 0.0;
        }
    auto const table = [&](std::vector<double> const &values) {
        return context.b.one("constant", {}, {1, queries, keys}, dtype, {{"values", values}}, "CausalMask");
    };
    if (!mask.valid()) return causal ? context.op("add", {scores, context.broadcast(table(small), shape)}, {}, "Mask") : scores;
    ValueId allowed = context.reshape(context.cast(mask, dtype), {shape[0], 1, keys});
    if (causal) allowed = context.op("mul", {context.broadcast(allowed, shape), context.broadcast(table(seen), shape)}, {}, "Seen");
    return allowedScores(context, scores, allowed);
}

/// Moves Dot's contracted axis to the end of a tensor of rank 3.
ValueId summedLast(BuildContext &context, ValueId value, std::int64_t axis)
{
    Shape const shape = context.value(value).shape;
    if (shape.size() == 2) return context.reshape(value, {shape[0], 1, shape[1]});
    return axis == 2 || axis == -1 ? value : turned(context, value, {0, 2, 1});
}

/// Vectors of length 1 along the last axis; the square of the length is at least 1e-12.
ValueId normalized(BuildContext &context, ValueId value)
{
    Shape column = context.value(value).shape;
    column.back() = 1;
    ValueId length = context.op("reduce_sum", {context.op("square", {value}, {}, "Square")}, {{"axes", Shape{-1}}}, "SquareSum");
    length = context.op("rsqrt", {context.op("max_scalar", {length}, {{"p0", 1e-12}}, "Maximum")}, {}, "Rsqrt");
    return context.op("mul", {value, context.reshape(length, column)}, {}, "Normalize");
}

} // namespace

Result<std::vector<ValueId>> buildDot(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto axes = layer.integers("axes");
    axes.resize(2, axes.front()); // one number applies to both inputs
    ValueId a = summedLast(context, inputs[0], axes[0]), b = summedLast(context, inputs[1], axes[1]);
    if (layer.flag("normalize")) {
        a = normalized(context, a);
        b = normalized(context, b);
    }
    return std::vector<ValueId>{context.reshape(product(context, a, b, true, "Dot"), context.shapeOf(call))};
}

/// Attention and AdditiveAttention. Inputs: query, value, and optionally key (default: value).
Result<std::vector<ValueId>> buildAttention(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const query = inputs[0], value = inputs[1], key = inputs.back();
    Shape const q = context.value(query).shape, k = context.value(key).shape;
    bool const scaled = layer.flag("use_scale");
    ValueId scores;
    if (layer.className == "AdditiveAttention") {
        Shape const pairs{q[0], q[1], k[1], q[2]};
        auto const left = context.broadcast(context.reshape(query, {q[0], q[1], 1, q[2]}), pairs);
        auto const right = context.broadcast(context.reshape(key, {k[0], 1, k[1], k[2]}), pairs);
        ValueId both = context.op("tanh", {context.op("add", {left, right}, {}, "Add")}, {}, "Tanh");
        if (scaled) both = context.op("mul", {both, context.weight(call, 0)}, {}, "Scale");
        scores = context.op("reduce_sum", {both}, {{"axes", Shape{-1}}}, "Sum");
    } else {
        scores = product(context, query, key, true, "Scores");
        if (scaled) scores = context.op("mul", {scores, context.weight(call, 0)}, {}, "Scale");
    }
    scores = masked(context, scores, context.inputMasks[1], layer.flag("causal"));
    auto const weights = dropped(context, context.op("softmax", {scores}, {}, "Softmax"), layer.number("dropout"));
    auto const result = product(context, weights, value, false, "Values");
    context.outputMask = context.inputMasks[0];
    if (!context.outputMask.valid()) return std::vector<ValueId>{result};
    // Masked queries give 0.
    auto const counts = context.reshape(context.cast(context.outputMask, call.dtype), {q[0], q[1], 1});
    return std::vector<ValueId>{context.op("mul", {result, counts}, {}, "QueryMask")};
}

/// Inputs: query, value, optionally key (default: value), and a mask. Axes between batch and features are positions.
Result<std::vector<ValueId>> buildMultiHeadAttention(BuildContext &context, model::ResolvedCall const &call,
                                                     std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    bool const biased = layer.flag("use_bias");
    std::int64_t const heads = layer.integer("num_heads"), keyDim = layer.integer("key_dim");
    std::int64_t const valueDim = layer.isNull("value_dim") ? keyDim : layer.integer("value_dim");
    std::size_t next = 0; // index of the next weight
    // x [rows, features] times a kernel [features, columns]; further axes of the weights are flattened.
    auto const projected = [&](ValueId x, std::int64_t columns, std::string const &leaf) {
        auto const features = context.value(x).shape.back();
        ValueId y = context.op("matmul", {x, context.reshape(context.weight(call, next++), {features, columns})}, {}, leaf);
        if (biased) y = context.op("add", {y, context.reshape(context.weight(call, next++), {columns})}, {}, leaf + "/BiasAdd");
        return y;
    };
    auto const byHead = [&](ValueId x, std::int64_t size, std::string const &leaf) {
        Shape const shape = context.value(x).shape;
        auto const y = context.reshape(projected(x, heads * size, leaf), {shape[0], positions(shape), heads, size});
        return turned(context, y, {0, 2, 1, 3});
    };
    ValueId query = byHead(inputs[0], keyDim, "Query");
    auto const key = byHead(inputs[inputs.size() > 2 ? 2 : 1], keyDim, "Key");
    auto const value = byHead(inputs[1], valueDim, "Value");
    query = context.scaled(query, 1.0 / std::sqrt(static_cast<double>(keyDim)), "Scale");
    auto scores = product(context, query, key, true, "Scores");
    if (inputs.size() > 3) {
        Shape mask = context.value(inputs[3]).shape;
        if (mask.size() == 3) mask.insert(mask.begin() + 1, 1); // for all heads
        scores = allowedScores(context, scores, context.reshape(inputs[3], mask));
    }
    scores = context.op("softmax", {scores}, {}, "Softmax");
    ValueId y = product(context, dropped(context, scores, layer.number("dropout")), value, false, "Values");
    Shape const shape = context.shapeOf(call), asked = context.value(inputs[0]).shape;
    y = context.reshape(turned(context, y, {0, 2, 1, 3}), {asked[0] * positions(asked), heads * valueDim});
    y = projected(y, elementCount(shape) / (asked[0] * positions(asked)), "Output");
    return std::vector<ValueId>{context.reshape(y, shape)};
}

} // namespace tilewright::layers
