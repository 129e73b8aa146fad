#include "engine/layers/forward.h"
#include "engine/layers/penalties.h"
#include "engine/model/placeholder.h"

#include <algorithm>
#include <map>

namespace tilewright::layers {

using namespace graph;

Status checkBatch(model::ResolvedModel const &model, std::int64_t batch)
{
    for (auto input : model.inputs) {
        auto const fixed = model.calls[input].shape.empty() ? -1 : model.calls[input].shape[0];
        if (fixed >= 0 && fixed != batch)
            return makeError(ErrorKind::Invalid, "layers.batch", model.layerOf(input).layer.name,
                             Message::of("the input layer fixes a batch of %1, the plan has %2", fixed, batch),
                             Message::of("use the same batch size, or leave the input's open (null)"));
    }
    return {};
}

std::vector<graph::FeedSpec> inputSpecs(BuildContext const &context)
{
    std::vector<graph::FeedSpec> specs;
    for (auto input : context.resolved.inputs) {
        auto const &call = context.resolved.calls[input];
        specs.push_back({context.resolved.layerOf(input).layer.name, context.shapeOf(call), call.dtype});
    }
    return specs;
}

std::vector<ValueId> buildInfeed(BuildContext &context, std::vector<graph::FeedSpec> const &specs)
{
    auto &b = context.b;
    std::vector<Builder::Out> outs;
    for (auto const &spec : specs) outs.push_back({spec.shape, spec.dtype});
    b.layer.clear();
    b.stage = 0;
    auto const role = b.role;
    b.role = Role::Input;
    auto const values = b.add("infeed", {}, outs, {{"queue", std::string("infeed")}}, "infeed");
    b.role = role;
    for (std::size_t i = 0; i < specs.size(); ++i) context.graph().value(values[i]).name = specs[i].name;
    return values;
}

void buildOutfeed(BuildContext &context, std::vector<ValueId> const &values)
{
    auto &b = context.b;
    b.layer.clear();
    b.stage = context.graph().stages - 1;
    b.add("outfeed", values, {}, {{"queue", std::string("outfeed")}}, "outfeed");
}

namespace {

/// What counts in all inputs of the call at hand.
ValueId commonMask(BuildContext &context)
{
    ValueId common;
    for (auto const mask : context.inputMasks) {
        if (!mask.valid() || mask == common) continue;
        common = common.valid() ? context.op("mul", {common, mask}, {}, "Mask") : mask;
    }
    return common;
}

} // namespace

Result<ForwardValues> buildForward(BuildContext &context, std::span<ValueId const> inputs)
{
    auto const &model = context.resolved;
    ForwardValues forward;
    forward.calls.resize(model.calls.size());
    forward.masks.resize(model.calls.size());
    for (std::size_t i = 0; i < model.inputs.size(); ++i) forward.calls[model.inputs[i]] = inputs[i];
    std::map<std::size_t, std::vector<ValueId>> further; // of calls with several outputs
    auto &b = context.b;
    b.pass = Pass::Forward;
    b.role = Role::Activation;
    for (std::size_t i = 0; i < model.calls.size(); ++i) {
        auto const &call = model.calls[i];
        auto const &layer = model.layers[call.layer];
        if (call.tensor > 0) {
            forward.calls[i] = further.at(call.inputs[0]).at(static_cast<std::size_t>(call.tensor));
            TW_CHECK(context.value(forward.calls[i]).shape == context.shapeOf(call),
                     "layer " + layer.layer.name + " built another further output");
            if (call.masked) forward.masks[i] = forward.masks[call.inputs[0]];
            continue;
        }
        auto const *builder = findLayerBuilder(layer.layer.className);
        if (!builder && model::isPlaceholder(layer.layer)) return model::placeholderRefusal(layer.layer);
        if (!builder)
            return buildError(context, call, Message::of("layer class %1 cannot be built yet", layer.layer.className),
                              Message::of("use another layer"));
        b.layer = layer.layer.name;
        b.stage = std::max(0, call.stage);
        context.suffix = i == layer.calls.front() ? "" : "_" + std::to_string(call.node);
        std::vector<ValueId> operands;
        if (call.inputs.empty()) operands.push_back(forward.calls[i]);
        for (auto from : call.inputs) {
            auto operand = forward.calls[from];
            // Keras casts what a layer is given to the layer's type; whole numbers stay where the class keeps them.
            if (isFloating(call.dtype) && !layer.spec->takesIndices) operand = context.cast(operand, call.dtype);
            operands.push_back(operand);
        }
        context.inputMasks.clear();
        bool const drops = layer.spec->masks == model::MaskUse::Drops;
        for (auto from : call.inputs) context.inputMasks.push_back(drops ? ValueId() : forward.masks[from]);
        context.outputMask = {};
        TW_ASSIGN(auto outs, builder->build(context, call, operands));
        if (std::ranges::find(context.checkpointLayers, layer.layer.name) != context.checkpointLayers.end())
            for (auto &value : outs) value = context.checkpoint(value);
        auto const &out = context.value(outs[0]);
        TW_CHECK(out.shape == context.shapeOf(call), "layer " + layer.layer.name + " built " + toText(out.shape));
        forward.calls[i] = outs[0];
        if (i == layer.calls.front()) penalizeWeights(context, call);
        penalizeOutputs(context, layer.layer, outs);
        if (outs.size() > 1) further.emplace(i, outs);
        if (call.masked) forward.masks[i] = context.outputMask.valid() ? context.outputMask : commonMask(context);
    }
    context.suffix.clear();
    for (auto output : model.outputs) forward.outputs.push_back(forward.calls[output]);
    return forward;
}

} // namespace tilewright::layers
