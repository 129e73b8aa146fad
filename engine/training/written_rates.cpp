#include "engine/training/written_rates.h"

#include "engine/graph/node_kind.h"
#include "engine/graph/written.h"

#include <algorithm>

namespace tilewright::training {

using namespace graph;

namespace {

/// "learning_rate" for the first optimizer, "optimizer_1/learning_rate" for the second.
std::string rateName(int optimizer)
{
    return (optimizer == 0 ? std::string() : "optimizer_" + std::to_string(optimizer) + "/") + kLearningRate;
}

/// Inserts a written scalar in front of a node and returns its value.
ValueId insertWritten(Graph &graph, RegionId region, NodeId before, std::string const &written, double value)
{
    Builder builder(graph, region);
    Node const &user = graph.node(before);
    builder.layer = user.layer;
    builder.pass = user.pass;
    builder.stage = user.stage;
    ValueId const made = builder.constant(value);
    graph.node(graph.value(made).producer).attrs.set(std::string(kWritten), written);
    auto &nodes = graph.region(region).nodes;
    std::rotate(std::ranges::find(nodes, before), nodes.end() - 1, nodes.end());
    return made;
}

} // namespace

std::map<std::string, double> writtenRate(std::string const &name, double rate)
{
    return {{name, rate}, {name + kWrittenRest, rate - static_cast<double>(static_cast<float>(rate))}};
}

std::map<std::string, double> writtenRates(model::TrainingPlan const &plan)
{
    std::map<std::string, double> all;
    int number = 0;
    auto const add = [&](model::Optimizer const &optimizer) {
        if (!optimizer.hasSchedule()) all.merge(writtenRate(rateName(number), optimizer.number("learning_rate")));
        ++number;
    };
    if (plan.loop.empty()) add(plan.optimizer);
    for (auto const &block : plan.loop)
        if (block.kind == model::LoopBlock::Kind::Apply) add(block.optimizer.empty() ? plan.optimizer : block.optimizer.front());
    return all;
}

StepPass writeRates()
{
    return {"rates", "marks learning rates that the host writes", [](layers::StepGraph &step, OpLookup const &ops) -> Status {
                auto &graph = step.graph;
                RegionId const region(0);
                std::string const name = rateName(step.optimizers - 1);
                for (auto const id : std::vector<NodeId>(graph.region(region).nodes)) {
                    auto const *op = ops(graph.node(id).op);
                    if (!op || !op->updates || graph.node(id).inputs.size() < 2) continue;
                    NodeId const maker = graph.value(graph.node(id).inputs.back()).producer;
                    auto &rate = graph.node(maker);
                    if (isWritten(rate)) continue;
                    if (is(rate, NodeKind::Constant) && graph.node(id).outputs.size() + 2 == graph.node(id).inputs.size()) {
                        rate.attrs.set(std::string(kWritten), name);
                    } else if (rate.attrs.has(kLearningRate)) {
                        double const value = rate.attrs.real(kLearningRate);
                        for (auto const &[written, part] : writtenRate(name, value)) {
                            ValueId const made = insertWritten(graph, region, maker, written, part);
                            graph.node(maker).inputs.push_back(made);
                        }
                        graph.node(maker).attrs.all().erase(std::string(kLearningRate));
                    }
                }
                return {};
            }};
}

} // namespace tilewright::training
