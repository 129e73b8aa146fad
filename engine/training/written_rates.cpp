#include "engine/training/written_rates.h"

#include "engine/graph/written.h"

namespace tilewright::training {

using namespace graph;

ValueId writtenScalar(OpBuilder &builder, std::string const &name, double value)
{
    ValueId const made = builder.b.constant(value);
    auto &graph = builder.graph();
    graph.node(graph.value(made).producer).attrs.set(std::string(kWritten), name);
    return made;
}

std::string rateName(std::string const &label) { return (label == "optimizer" ? std::string() : label + "/") + kLearningRate; }

std::map<std::string, double> writtenRate(std::string const &name, double rate)
{
    return {{name, rate}, {name + kWrittenRest, rate - static_cast<double>(static_cast<float>(rate))}};
}

std::map<std::string, double> writtenRates(model::TrainingPlan const &plan)
{
    std::map<std::string, double> all;
    int number = 0;
    auto const add = [&](model::Optimizer const &optimizer) {
        std::string const label = "optimizer" + (number == 0 ? std::string() : "_" + std::to_string(number));
        if (!optimizer.hasSchedule()) all.merge(writtenRate(rateName(label), optimizer.number("learning_rate")));
        ++number;
    };
    if (plan.loop.empty()) add(plan.optimizer);
    for (auto const &block : plan.loop)
        if (block.kind == model::LoopBlock::Kind::Apply) add(block.optimizer.empty() ? plan.optimizer : block.optimizer.front());
    return all;
}

} // namespace tilewright::training
