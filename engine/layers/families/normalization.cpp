#include "engine/layers/layer_builder.h"
#include "engine/model/layers/norm_rules.h"

#include <algorithm>

namespace tilewright::layers {

using namespace graph;

namespace {

/// An extent of the operand, and whether statistics run over it.
struct Part {
    std::int64_t extent;
    bool reduced;
};

/// [outer, reduced, kept, inner] of norm.whiten; empty where the parts alternate more often.
std::vector<std::int64_t> viewOf(std::vector<Part> const &parts)
{
    std::vector<std::int64_t> view(4, 1);
    std::size_t at = 0;
    for (auto const &part : parts) {
        if (part.extent == 1) continue;
        while (at < 4 && (at % 2 == 1) != part.reduced) ++at;
        if (at == 4) return {};
        view[at] *= part.extent;
    }
    return view;
}

struct Whitened {
    ValueId value, mean, variance;
};

/// Parts that alternate more often than norm.whiten's view are the axes of x.
Whitened whiten(BuildContext &context, model::ResolvedCall const &call, ValueId x, std::vector<Part> const &parts)
{
    auto const &layer = context.layerOf(call);
    auto const whitened = [&](ValueId value, std::vector<std::int64_t> const &view) {
        auto const outs = addInferred(context.b, context.ops, "norm.whiten", {value},
                                      {{"view", view}, {"epsilon", layer.number("epsilon")}}, "Whiten" + context.suffix);
        return Whitened{outs[0], outs[1], outs[2]};
    };
    if (auto const view = viewOf(parts); !view.empty()) return whitened(x, view);
    // Axes that alternate more often: reduced ones behind the others, and the result back.
    std::vector<Part> ordered;
    std::vector<std::int64_t> perm, back(parts.size());
    for (bool const reduced : {false, true})
        for (std::size_t axis = 0; axis < parts.size(); ++axis) {
            if (parts[axis].reduced != reduced) continue;
            back[axis] = std::ssize(perm);
            perm.push_back(static_cast<std::int64_t>(axis));
            ordered.push_back(parts[axis]);
        }
    auto result = whitened(context.op("transpose", {x}, {{"perm", perm}}, "Transpose"), viewOf(ordered));
    result.value = context.op("transpose", {result.value}, {{"perm", back}}, "Transpose");
    return result;
}

/// The mean of a statistic over the replicas.
ValueId meanOverReplicas(BuildContext &context, ValueId own)
{
    auto const shape = context.value(own).shape;
    auto const kept = context.op("copy", {own}, {}, "Statistic"); // the sum reuses the storage of its operand
    auto const sum = context.b.one("all_reduce", {kept}, shape, DType::F32, {}, "AllReduceStatistic");
    return context.scaled(sum, 1.0 / context.normReplicas, "MeanStatistic");
}

/// With statistics of the batches of all replicas, in float32. A second pass over the elements gives the variance.
Whitened whitenOverReplicas(BuildContext &context, model::ResolvedCall const &call, ValueId x, std::vector<Part> const &parts)
{
    std::vector<std::int64_t> reduced;
    for (std::size_t axis = 0; axis < parts.size(); ++axis)
        if (parts[axis].reduced) reduced.push_back(static_cast<std::int64_t>(axis));
    auto const statistic = [&](ValueId value, std::string const &leaf) {
        return meanOverReplicas(context, context.op("reduce_mean", {value}, {{"axes", reduced}, {"keepdims", true}}, leaf));
    };
    auto const mean = statistic(context.cast(x, DType::F32), "Mean");
    auto const apart = context.op("sub", {context.cast(x, DType::F32), mean}, {}, "Center");
    auto const variance = statistic(context.op("square", {apart}, {}, "Square"), "Variance");
    auto const inverse =
        context.op("rsqrt", {context.op("add_scalar", {variance}, {{"p0", context.layerOf(call).number("epsilon")}}, "AddEpsilon")}, {},
                   "InverseStdDeviation");
    auto const flat = [&](ValueId value) { return context.reshape(value, {elementCount(context.value(value).shape)}); };
    return {context.cast(context.op("mul", {apart, inverse}, {}, "Whiten"), context.value(x).dtype), flat(mean), flat(variance)};
}

/// y op weight, where the weight has the extents of `axes` of y.
ValueId alongAxes(BuildContext &context, std::string const &op, ValueId y, ValueId weight, std::vector<std::size_t> const &axes,
                  std::string const &leaf)
{
    auto const shape = context.value(y).shape;
    auto const n = elementCount(context.value(weight).shape);
    if (axes.back() + 1 == shape.size() && axes.back() - axes.front() + 1 == axes.size()) {
        // The last axes together are one row.
        auto const flat = context.reshape(y, {elementCount(shape) / n, n});
        return context.reshape(context.op(op, {flat, context.reshape(weight, {n})}, {}, leaf), shape);
    }
    Shape along(shape.size(), 1);
    for (auto const axis : axes) along[axis] = shape[axis];
    return context.op(op, {y, context.broadcast(context.reshape(weight, along), shape)}, {}, leaf);
}

/// gamma and beta, which come first among the weights.
ValueId scaleAndOffset(BuildContext &context, model::ResolvedCall const &call, ValueId y, std::vector<std::size_t> const &axes)
{
    auto const &layer = context.layerOf(call);
    std::size_t next = 0;
    if (layer.flag("scale")) y = alongAxes(context, "mul", y, context.weight(call, next++), axes, "Scale");
    if (layer.flag("center")) y = alongAxes(context, "add", y, context.weight(call, next++), axes, "Offset");
    return y;
}

std::vector<Part> partsOf(Shape const &shape, std::vector<std::size_t> const &axes, bool reduced)
{
    std::vector<Part> parts;
    for (std::size_t k = 0; k < shape.size(); ++k)
        parts.push_back({shape[k], std::ranges::find(axes, k) != axes.end() ? reduced : !reduced});
    return parts;
}

/// A moving statistic takes over its share of this batch's. It belongs to the forward pass: gradients do not change it.
void moveOn(BuildContext &context, model::ResolvedCall const &call, std::size_t index, ValueId statistic, double factor)
{
    auto const variable = context.variableOf(call.layer, index);
    auto const type = context.graph().variable(variable).dtype;
    double const momentum = context.layerOf(call).number("momentum");
    auto const role = context.b.role;
    context.b.role = Role::Temporary;
    // Read here, not once: a shared layer moves on with each of its calls.
    auto const before = context.cast(context.b.read(variable), DType::F32);
    auto const after = context.op("axpby", {before, statistic}, {{"p0", momentum}, {"p1", (1.0 - momentum) * factor}}, "Move");
    context.b.assign(variable, context.cast(after, type));
    context.b.role = role;
}

} // namespace

/// In training with the batch's statistics, else with the moving ones. A frozen layer is never in training.
Result<std::vector<ValueId>> buildBatchNormalization(BuildContext &context, model::ResolvedCall const &call,
                                                     std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const shape = context.value(inputs[0]).shape;
    TW_ASSIGN(auto const axes, model::normAxes(layer, "axis", shape));
    std::size_t const moving = (layer.flag("scale") ? 1u : 0u) + (layer.flag("center") ? 1u : 0u);
    if (context.training && layer.flag("trainable")) {
        auto const whitened = context.normReplicas > 1 ? whitenOverReplicas(context, call, inputs[0], partsOf(shape, axes, false))
                                                       : whiten(context, call, inputs[0], partsOf(shape, axes, false));
        // Keras's fused form, for images and volumes, keeps the variance of a sample: n / (n - 1).
        auto const n = static_cast<double>(context.normReplicas * elementCount(shape) / shape[axes[0]]);
        std::size_t const rank = shape.size();
        bool const fused = (rank == 4 || rank == 5) && (axes[0] == 1 || axes[0] + 1 == rank);
        moveOn(context, call, moving, whitened.mean, 1.0);
        moveOn(context, call, moving + 1, whitened.variance, fused ? n / std::max(1.0, n - 1.0) : 1.0);
        return std::vector<ValueId>{scaleAndOffset(context, call, whitened.value, axes)};
    }
    // 1 / deviation in the weights' own type, before anything is rounded to that of the layer.
    auto const statistic = [&](std::size_t index) { return context.readOnce(context.variableOf(call.layer, index)); };
    auto const variance = context.op("add_scalar", {statistic(moving + 1)}, {{"p0", layer.number("epsilon")}}, "AddEpsilon");
    auto const inverse = context.op("rsqrt", {variance}, {}, "InverseStdDeviation");
    auto y = alongAxes(context, "sub", inputs[0], context.cast(statistic(moving), call.dtype), axes, "Center");
    y = alongAxes(context, "mul", y, context.cast(inverse, call.dtype), axes, "Whiten");
    return std::vector<ValueId>{scaleAndOffset(context, call, y, axes)};
}

Result<std::vector<ValueId>> buildLayerNormalization(BuildContext &context, model::ResolvedCall const &call,
                                                     std::span<ValueId const> inputs)
{
    auto const shape = context.value(inputs[0]).shape;
    TW_ASSIGN(auto const axes, model::normAxes(context.layerOf(call), "axis", shape));
    auto const whitened = whiten(context, call, inputs[0], partsOf(shape, axes, true));
    return std::vector<ValueId>{scaleAndOffset(context, call, whitened.value, axes)};
}

/// GroupNormalization, and InstanceNormalization with a group for each channel.
Result<std::vector<ValueId>> buildGroupNormalization(BuildContext &context, model::ResolvedCall const &call,
                                                     std::span<ValueId const> inputs)
{
    auto const shape = context.value(inputs[0]).shape;
    TW_ASSIGN(auto const groups, model::channelGroups(context.layerOf(call), shape));
    std::vector<Part> parts;
    for (std::size_t k = 0; k < shape.size(); ++k) {
        if (k != groups.axis) {
            parts.push_back({shape[k], k > 0});
            continue;
        }
        Part const group{groups.groups, false}, member{shape[k] / groups.groups, true};
        parts.insert(parts.end(), {groups.strided ? member : group, groups.strided ? group : member});
    }
    auto const whitened = whiten(context, call, inputs[0], parts);
    return std::vector<ValueId>{scaleAndOffset(context, call, whitened.value, {groups.axis})};
}

} // namespace tilewright::layers
