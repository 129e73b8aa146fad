// Creates masks, and means over the steps that count.
#include "engine/layers/layer_builder.h"

namespace tilewright::layers {

using namespace graph;

Result<std::vector<ValueId>> buildMasking(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    auto const x = inputs[0];
    Shape column = context.value(x).shape;
    column.back() = 1;
    auto const value = context.b.constant(layer.number("mask_value"), {}, call.dtype);
    // A step counts if at least one of its features differs from mask_value.
    auto const same = context.cast(context.op("equal", {x, value}, {}, "Equal"), DType::F32);
    auto const equals = context.op("reduce_sum", {same}, {{"axes", Shape{-1}}}, "EqualFeatures");
    auto const others = context.op("add_scalar", {context.op("neg", {equals})},
                                   {{"p0", static_cast<double>(context.value(x).shape.back())}}, "OtherFeatures");
    context.outputMask = context.op("step", {others}, {{"p0", 0.5}}, "Mask");
    auto const beside = context.reshape(context.cast(context.outputMask, call.dtype), column);
    return std::vector<ValueId>{context.op("select", {beside, x, context.b.constant(0.0, {}, call.dtype)}, {}, "Masked")};
}

ValueId maskedMean(BuildContext &context, ValueId value, ValueId mask)
{
    // One step, of the values or of the mask, stands for all: the product broadcasts.
    Shape shape = context.value(value).shape;
    Shape const masked = context.value(mask).shape;
    if (shape[1] == 1 && masked[1] > 1) {
        shape[1] = masked[1];
        value = context.broadcast(value, shape);
    }
    auto const dtype = context.value(value).dtype;
    auto const counts = context.cast(mask, dtype);
    auto const beside = context.broadcast(context.reshape(counts, {masked[0], masked[1], 1}), {shape[0], shape[1], 1});
    auto const kept = context.op("mul", {value, beside}, {}, "Counted");
    auto const steps = context.op("reduce_sum", {counts}, {{"axes", Shape{-1}}}, "Steps");
    auto const sum = context.b.one("reduce_to", {kept}, {shape[0], 1, shape[2]}, dtype, {}, "Sum");
    return context.op("div", {context.reshape(sum, {shape[0], shape[2]}), context.reshape(steps, {shape[0], 1})}, {}, "Mean");
}

} // namespace tilewright::layers
