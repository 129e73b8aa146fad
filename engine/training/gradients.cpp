#include "engine/passes/autodiff.h"
#include "engine/training/step_passes.h"

namespace tilewright::training {

using namespace graph;
using layers::StepGraph;

StepPass differentiate(double lossScale)
{
    return {
        "differentiate", "appends the gradient of the loss for every trained weight",
        [lossScale](StepGraph &step, OpLookup const &ops) -> Status {
            Builder builder(step.graph, RegionId(0));
            builder.layer = "loss";
            builder.stage = step.graph.stages - 1;
            auto const objective = step.graph.value(step.objective); // a copy: the list of values grows
            std::vector<passes::GradientSeed> const seeds{{step.objective, builder.constant(lossScale, objective.shape, objective.dtype)}};
            TW_ASSIGN(auto const found, passes::appendGradients(builder, ops, {seeds, step.trainable, {}, true}));
            step.gradients.clear();
            for (auto weight : step.trainable) step.gradients.push_back(found.variables.at(weight));
            return {};
        }};
}

StepPass unscale(double lossScale)
{
    return {"unscale", "divides the gradients by the scale of the loss", [lossScale](StepGraph &step, OpLookup const &ops) -> Status {
                OpBuilder c(step.graph, RegionId(0), ops);
                c.b.pass = Pass::Update;
                c.b.role = Role::Gradient;
                for (std::size_t i = 0; i < step.gradients.size(); ++i) {
                    auto const &weight = step.graph.variable(step.trainable[i]);
                    c.b.layer = weight.layer;
                    c.b.stage = weight.stage;
                    std::string const name = weight.name.substr(weight.name.rfind('/') + 1) + "/Unscale";
                    step.gradients[i] = c.scaled(c.cast(step.gradients[i], DType::F32), 1.0 / lossScale, name);
                }
                return {};
            }};
}

StepPass advanceCounters()
{
    return {"count", "counts on what the random operations of a micro-batch drew", [](StepGraph &step, OpLookup const &ops) -> Status {
                OpBuilder c(step.graph, RegionId(0), ops);
                c.b.role = Role::Other;
                for (auto const &counter : step.counters) {
                    c.b.stage = counter.stage;
                    c.b.assign(counter.variable,
                               c.op("increment", {counter.read}, {{"by", std::int64_t{1}}}, step.graph.variable(counter.variable).name));
                }
                step.counters.clear();
                return {};
            }};
}

StepPass reduceOverReplicas()
{
    return {"reduce", "sums the gradients over replicas", [](StepGraph &step, OpLookup const &) -> Status {
                Graph &g = step.graph;
                Builder b(g, RegionId(0));
                b.pass = Pass::Update;
                for (int stage = 0; stage < g.stages; ++stage) {
                    std::vector<std::size_t> members;
                    for (std::size_t i = 0; i < step.trainable.size(); ++i)
                        if (g.variable(step.trainable[i]).stage == stage) members.push_back(i);
                    if (members.empty()) continue;
                    std::vector<ValueId> inputs;
                    std::vector<Builder::Out> outs;
                    for (auto i : members) {
                        inputs.push_back(step.gradients[i]);
                        outs.push_back({g.value(step.gradients[i]).shape, g.value(step.gradients[i]).dtype});
                    }
                    b.stage = stage;
                    b.role = Role::Gradient;
                    auto const sums = b.add("all_reduce", inputs, outs, {}, "AllReduce");
                    for (std::size_t k = 0; k < members.size(); ++k) step.gradients[members[k]] = sums[k];
                }
                // Sums into accumulators stay in their storage.
                b.role = Role::Accumulator;
                for (std::size_t i = 0; i < step.accumulators.size(); ++i) {
                    b.layer = g.variable(step.accumulators[i]).layer;
                    b.stage = g.variable(step.accumulators[i]).stage;
                    b.assign(step.accumulators[i], step.gradients[i]);
                }
                return {};
            }};
}

} // namespace tilewright::training
