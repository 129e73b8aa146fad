// A layer applied to each step: steps become samples, so that it runs once.
#include "engine/layers/layer_builder.h"
#include "engine/layers/penalties.h"
#include "engine/model/layers/wrapper_rules.h"
#include "engine/model/placeholder.h"

namespace tilewright::layers {

using namespace graph;

Result<std::vector<ValueId>> buildTimeDistributed(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const inner = model::innerLayer(context.layerOf(call));
    auto const *builder = findLayerBuilder(inner.className);
    if (!builder && model::isPlaceholder(inner)) return model::placeholderRefusal(inner);
    if (!builder)
        return buildError(context, call, Message::of("layer class %1 cannot be built yet", inner.className),
                          Message::of("use another layer"));
    Shape shape = context.value(inputs[0]).shape;
    std::int64_t const steps = shape[1];
    shape.erase(shape.begin());
    shape[0] *= context.batch;
    auto const samples = context.reshape(inputs[0], shape, "Steps");
    model::ResolvedCall each = call;
    each.shape.erase(each.shape.begin() + 1);
    auto const masks = context.inputMasks;
    Result<std::vector<ValueId>> built = std::vector<ValueId>{};
    {
        BuildContext::Inside const inside(context, inner, 0, steps);
        context.inputMasks.assign(1, ValueId());
        built = builder->build(context, each, {&samples, 1});
        if (built.ok()) penalizeOutputs(context, inner, *built); // each step of a sample counts as a sample
    }
    context.inputMasks = masks;
    context.outputMask = {};
    if (!built.ok()) return built.error();
    return std::vector<ValueId>{context.reshape(built->front(), context.shapeOf(call), "Sequence")};
}

} // namespace tilewright::layers
