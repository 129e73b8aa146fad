#include "engine/layers/forward.h"
#include "engine/passes/autodiff.h"
#include "engine/training/step_passes.h"

namespace tilewright::training {

using namespace graph;
using namespace layers;

Result<StepGraph> buildWithCotangents(model::ResolvedModel const &model, std::int64_t batch, bool training, OpLookup const &ops)
{
    TW_TRY(checkBatch(model, batch));
    StepGraph step;
    step.graph.name = model.name + "/cotangents";
    addRegion(step.graph, "main");
    BuildContext c(model, step.graph, ops, batch, training);
    step.weights = c.weights();
    step.trainable = c.trainable();
    c.b.pass = Pass::Forward;
    step.infeed = inputSpecs(c);
    std::size_t const inputs = step.infeed.size();
    for (std::size_t i = 0; i < model.outputs.size(); ++i) {
        auto const &call = model.calls[model.outputs[i]];
        step.infeed.push_back({"cotangent:" + outputName(model, i), c.shapeOf(call), call.dtype});
    }
    auto const fed = buildInfeed(c, step.infeed);
    TW_ASSIGN(auto const forward, buildForward(c, std::span(fed).first(inputs)));
    std::vector<passes::GradientSeed> seeds;
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) seeds.push_back({forward.outputs[i], fed[inputs + i]});
    std::vector<ValueId> wanted;
    for (std::size_t i = 0; i < inputs; ++i)
        if (isFloating(step.infeed[i].dtype)) wanted.push_back(fed[i]);
    TW_ASSIGN(auto const gradients, passes::appendGradients(c.b, ops, {seeds, step.weights, wanted, false}));

    std::vector<ValueId> results;
    auto const give = [&](std::string name, ValueId value) {
        step.outfeed.push_back({std::move(name), c.value(value).shape, c.value(value).dtype});
        results.push_back(value);
    };
    auto const orZeros = [&](ValueId gradient, Shape const &shape, DType dtype) {
        return gradient.valid() ? gradient : c.b.constant(0.0, shape, dtype);
    };
    c.b.layer.clear();
    c.b.pass = Pass::Backward;
    for (std::size_t i = 0; i < forward.outputs.size(); ++i) give("output:" + outputName(model, i), forward.outputs[i]);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        auto const shape = c.value(wanted[i]).shape;
        give("grad:" + c.value(wanted[i]).name, orZeros(gradients.values[i], shape, c.value(wanted[i]).dtype));
    }
    for (auto weight : step.weights) {
        auto const it = gradients.variables.find(weight);
        Variable const variable = c.graph().variable(weight);
        give("grad:" + variable.name, orZeros(it == gradients.variables.end() ? ValueId() : it->second, variable.shape, variable.dtype));
    }
    buildOutfeed(c, results);
    step.counters = c.randomCounters();
    TW_TRY(advanceCounters().run(step, ops));
    // A plain loop even for a model with stages, because one micro-batch needs no schedule.
    TW_TRY(loop("micro_batch", 1).run(step, ops));
    TW_TRY(graph::verify(step.graph, ops));
    return step;
}

} // namespace tilewright::training
