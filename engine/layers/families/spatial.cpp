#include "engine/layers/families/rows.h"
#include "engine/layers/layer_builder.h"
#include "engine/model/layers/spatial_rules.h"

#include <algorithm>
#include <cmath>

namespace tilewright::layers {

using namespace graph;

namespace {

/// Amounts along the spatial axes, 0 along the others.
Shape onAllAxes(model::Layer const &layer, Shape const &spatial, std::size_t rank)
{
    Shape all(rank, 0);
    std::ranges::copy(spatial, all.begin() + static_cast<std::ptrdiff_t>(model::firstSpatialAxis(layer)));
    return all;
}

/// The place that output `o` of `outputs` has among `n` elements, by centres (TensorFlow 2's resize).
double placeOf(std::int64_t o, std::int64_t n, std::int64_t outputs)
{
    return (static_cast<double>(o) + 0.5) * static_cast<double>(n) / static_cast<double>(outputs);
}

/// [n, outputs] of linear interpolation between the centres of neighbours, edges repeated: TensorFlow 2's bilinear resize.
std::vector<double> interpolation(std::int64_t n, std::int64_t outputs)
{
    std::vector<double> weights(static_cast<std::size_t>(n * outputs), 0.0);
    for (std::int64_t o = 0; o < outputs; ++o) {
        double const at = std::clamp(placeOf(o, n, outputs) - 0.5, 0.0, static_cast<double>(n - 1));
        auto const low = static_cast<std::int64_t>(std::floor(at));
        auto const high = std::min(n - 1, low + 1);
        double const share = at - static_cast<double>(low);
        weights[static_cast<std::size_t>(low * outputs + o)] += 1.0 - share;
        weights[static_cast<std::size_t>(high * outputs + o)] += share;
    }
    return weights;
}

/// The axis is taken to the end, multiplied by the matrix of weights, and taken back.
ValueId interpolated(BuildContext &context, ValueId x, std::size_t axis, std::int64_t outputs)
{
    Shape const shape = context.value(x).shape;
    auto const dtype = context.value(x).dtype;
    std::int64_t const n = shape[axis];
    std::vector<std::int64_t> there, back;
    for (std::size_t i = 0; i < shape.size(); ++i)
        if (i != axis) there.push_back(static_cast<std::int64_t>(i));
    there.push_back(static_cast<std::int64_t>(axis));
    back.resize(there.size());
    for (std::size_t i = 0; i < there.size(); ++i) back[static_cast<std::size_t>(there[i])] = static_cast<std::int64_t>(i);
    auto const weights = context.b.one("constant", {}, {n, outputs}, dtype, {{"values", interpolation(n, outputs)}}, "Weights");
    ValueId y = context.op("transpose", {x}, {{"perm", there}}, "Transpose");
    Shape turned = context.value(y).shape;
    turned.back() = outputs;
    y = context.reshape(context.op("matmul", {y, weights}, {}, "Interpolate"), turned);
    return context.op("transpose", {y}, {{"perm", back}}, "Transpose");
}

/// The elements whose centres are nearest along the axis.
ValueId nearest(BuildContext &context, ValueId x, std::size_t axis, std::int64_t outputs)
{
    std::int64_t const n = context.value(x).shape[axis];
    std::vector<double> rows;
    for (std::int64_t o = 0; o < outputs; ++o) rows.push_back(std::min(std::floor(placeOf(o, n, outputs)), static_cast<double>(n - 1)));
    auto const front = axisToFront(context, x, axis);
    Shape shape = context.value(front).shape;
    auto const y = rowsOf(context, context.reshape(front, {n, elementCount(shape) / n}), std::move(rows));
    shape[0] = outputs;
    return axisFromFront(context, context.reshape(y, shape), axis);
}

/// [.., n, ..] repeated element by element: [.., n, times, ..] as one axis.
ValueId repeated(BuildContext &context, ValueId x, std::size_t axis, std::int64_t times)
{
    Shape shape = context.value(x).shape, wide = shape;
    auto const behind = wide.begin() + static_cast<std::ptrdiff_t>(axis) + 1;
    wide.insert(behind, 1);
    auto const single = context.reshape(x, wide);
    wide[axis + 1] = times;
    shape[axis] *= times;
    return context.reshape(context.broadcast(single, wide), shape);
}

} // namespace

Result<std::vector<ValueId>> buildCropping(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const starts = onAllAxes(layer, model::spatialAmounts(layer, "cropping").before, call.shape.size());
    return std::vector<ValueId>{context.op("slice", {inputs[0]}, {{"starts", starts}, {"sizes", context.shapeOf(call)}}, "Crop")};
}

Result<std::vector<ValueId>> buildZeroPadding(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const amounts = model::spatialAmounts(layer, "padding");
    return std::vector<ValueId>{context.op(
        "pad", {inputs[0]},
        {{"before", onAllAxes(layer, amounts.before, call.shape.size())}, {"after", onAllAxes(layer, amounts.after, call.shape.size())}},
        "Pad")};
}

Result<std::vector<ValueId>> buildUpSampling(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    bool const bilinear = layer.text("interpolation") == "bilinear";
    if (bilinear && !isFloating(call.dtype))
        return buildError(context, call, Message::of("whole numbers cannot be interpolated"),
                          Message::of("use interpolation nearest, or floating-point inputs"));
    Shape const before = context.value(inputs[0]).shape, after = context.shapeOf(call);
    ValueId y = inputs[0];
    for (std::size_t axis = 1; axis < before.size(); ++axis) {
        if (before[axis] == after[axis]) continue;
        y = bilinear ? interpolated(context, y, axis, after[axis]) : repeated(context, y, axis, after[axis] / before[axis]);
    }
    return std::vector<ValueId>{y};
}

Result<std::vector<ValueId>> buildResizing(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    bool const bilinear = context.layerOf(call).text("interpolation") == "bilinear";
    Shape const before = context.value(inputs[0]).shape, after = context.shapeOf(call);
    ValueId y = inputs[0];
    for (std::size_t axis = 1; axis < 3; ++axis) {
        if (before[axis] == after[axis]) continue;
        y = bilinear ? interpolated(context, y, axis, after[axis]) : nearest(context, y, axis, after[axis]);
    }
    return std::vector<ValueId>{y};
}

Result<std::vector<ValueId>> buildCenterCrop(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    Shape const before = context.value(inputs[0]).shape, after = context.shapeOf(call);
    Shape starts(before.size(), 0);
    for (std::size_t axis = 1; axis < 3; ++axis) starts[axis] = (before[axis] - after[axis]) / 2;
    return std::vector<ValueId>{context.op("slice", {inputs[0]}, {{"starts", starts}, {"sizes", after}}, "Crop")};
}

} // namespace tilewright::layers
