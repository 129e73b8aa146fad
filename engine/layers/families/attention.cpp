// Attention layers, and products of two inputs.
#include "engine/layers/layer_builder.h"
#include "engine/layers/penalties.h"

#include <cmath>
#include <numeric>

namespace tilewright::layers {

using namespace graph;

namespace {

ValueId turned(BuildContext &context, ValueId value, std::vector<std::int64_t> perm)
{
    return context.op("transpose", {value}, {{"perm", std::move(perm)}}, "Transpose");
}

ValueId product(BuildContext &context, ValueId a, ValueId b, bool transposeB, std::string leaf, bool transposeA = false)
{
    return context.op("batch_matmul", {a, b}, {{"transpose_a", transposeA}, {"transpose_b", transposeB}}, std::move(leaf));
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

/// An input of Dot as a matrix per sample, with the axis that is contracted.
struct Factor {
    ValueId value;
    std::int64_t axis = 2;
};

Factor factorOf(BuildContext &context, ValueId value, std::int64_t axis)
{
    Shape const shape = context.value(value).shape;
    if (shape.size() == 2) return {context.reshape(value, {shape[0], 1, shape[1]}), 2};
    return {value, axis < 0 ? axis + 3 : axis};
}

/// Vectors of length 1 along the contracted axis; the square of the length is at least 1e-12.
ValueId normalized(BuildContext &context, Factor const &factor)
{
    auto const squares = context.op("square", {factor.value}, {}, "Square");
    auto length = context.op("reduce_sum", {squares}, {{"axes", Shape{factor.axis}}, {"keepdims", true}}, "SquareSum");
    length = context.op("rsqrt", {context.op("max_scalar", {length}, {{"p0", 1e-12}}, "Maximum")}, {}, "Rsqrt");
    return context.op("mul", {factor.value, length}, {}, "Normalize");
}

} // namespace

Result<std::vector<ValueId>> buildDot(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto axes = layer.integers("axes");
    axes.resize(2, axes.front()); // one number applies to both inputs
    auto a = factorOf(context, inputs[0], axes[0]), b = factorOf(context, inputs[1], axes[1]);
    if (layer.flag("normalize")) {
        a.value = normalized(context, a);
        b.value = normalized(context, b);
    }
    auto const dots = product(context, a.value, b.value, b.axis == 2, "Dot", a.axis == 1);
    return std::vector<ValueId>{context.reshape(dots, context.shapeOf(call))};
}

/// Attention and AdditiveAttention. Inputs: query, value, and optionally key (default: value).
Result<std::vector<ValueId>> buildAttention(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto query = inputs[0], value = inputs[1], key = inputs.back();
    // Matrices: the samples are the positions of a single sequence.
    bool const matrices = context.value(query).shape.size() == 2;
    if (matrices)
        for (auto *one : {&query, &value, &key}) {
            Shape wide = context.value(*one).shape;
            wide.insert(wide.begin(), 1);
            *one = context.reshape(*one, std::move(wide));
        }
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
    scores = masked(context, scores, matrices ? ValueId() : context.inputMasks[1], layer.flag("causal"));
    auto const weights = dropped(context, context.op("softmax", {scores}, {}, "Softmax"), layer.number("dropout"));
    auto const result = product(context, weights, value, false, "Values");
    if (matrices) return std::vector<ValueId>{context.reshape(result, context.shapeOf(call))};
    context.outputMask = context.inputMasks[0];
    if (!context.outputMask.valid()) return std::vector<ValueId>{result};
    // Masked queries give 0.
    auto const counts = context.reshape(context.cast(context.outputMask, call.dtype), {q[0], q[1], 1});
    return std::vector<ValueId>{context.op("mul", {result, counts}, {}, "QueryMask")};
}

namespace {

/// Axes of a tensor with those without attention in front: they are samples of their own.
struct AttentionOrder {
    std::vector<std::int64_t> perm, back;
    Shape moved;
    std::int64_t samples = 1, queries = 1; ///< products of the extents
};

AttentionOrder orderOf(std::vector<std::int64_t> const &axes, Shape const &shape)
{
    AttentionOrder order;
    order.back.resize(shape.size());
    auto const last = std::ssize(shape) - 1;
    for (bool const attended : {false, true})
        for (std::int64_t axis = 0; axis < last; ++axis) {
            if ((std::ranges::find(axes, axis) != axes.end()) != attended) continue;
            order.perm.push_back(axis);
            (attended ? order.queries : order.samples) *= shape[static_cast<std::size_t>(axis)];
        }
    order.perm.push_back(last);
    for (std::size_t i = 0; i < order.perm.size(); ++i) {
        order.back[static_cast<std::size_t>(order.perm[i])] = static_cast<std::int64_t>(i);
        order.moved.push_back(shape[static_cast<std::size_t>(order.perm[i])]);
    }
    return order;
}

/// The mask [batch or 1, …] for `times` samples in place of each.
ValueId repeatedMask(BuildContext &context, ValueId mask, std::int64_t batch, std::int64_t times)
{
    Shape shape = context.value(mask).shape;
    shape.insert(shape.begin() + 1, 1);
    Shape wide = shape;
    wide[0] = batch;
    wide[1] = times;
    auto const repeated = context.broadcast(context.reshape(mask, shape), wide);
    wide.erase(wide.begin() + 1);
    wide[0] *= times;
    return context.reshape(repeated, wide);
}

/// Inputs: query, value, optionally key (default: value), and a mask. Axes between batch and features are positions. `result`: its shape.
ValueId multiHead(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs, Shape const &result)
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
        penalizeOutputs(context, layer, {&y, 1}); // in Keras each projection is a layer with this penalty, beside the layer itself
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
    Shape const asked = context.value(inputs[0]).shape;
    y = context.reshape(turned(context, y, {0, 2, 1, 3}), {asked[0] * positions(asked), heads * valueDim});
    y = projected(y, elementCount(result) / (asked[0] * positions(asked)), "Output");
    return context.reshape(y, result);
}

} // namespace

Result<std::vector<ValueId>> buildMultiHeadAttention(BuildContext &context, model::ResolvedCall const &call,
                                                     std::span<ValueId const> inputs)
{
    Shape const shape = context.shapeOf(call);
    auto const axes = context.layerOf(call).integers("attention_axes");
    Shape const query = context.value(inputs[0]).shape;
    if (axes.empty() || axes.size() + 2 == query.size()) return std::vector<ValueId>{multiHead(context, call, inputs, shape)};
    auto const order = orderOf(axes, query);
    std::vector<ValueId> samples(inputs.begin(), inputs.end());
    for (std::size_t i = 0; i < std::min<std::size_t>(3, inputs.size()); ++i) {
        Shape const own = context.value(inputs[i]).shape;
        auto const places = orderOf(axes, own);
        samples[i] = context.reshape(turned(context, inputs[i], places.perm), {places.samples, places.queries, own.back()});
    }
    if (inputs.size() > 3) samples[3] = repeatedMask(context, inputs[3], query[0], order.samples / query[0]);
    // Features of the output may have several axes.
    Shape features(shape.begin() + std::ssize(query) - 1, shape.end());
    Shape flat{order.samples, order.queries, elementCount(features)}, moved = order.moved;
    auto const y = multiHead(context, call, samples, flat);
    moved.back() = flat.back();
    return std::vector<ValueId>{context.reshape(turned(context, context.reshape(y, moved), order.back), shape)};
}

} // namespace tilewright::layers
