#include "engine/training/step_passes.h"

namespace tilewright::training {

using namespace graph;
using layers::StepGraph;

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
