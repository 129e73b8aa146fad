#include "engine/training/written_rates.h"

#include "engine/graph/written.h"
#include "engine/model/training_loop.h"

namespace tilewright::training {

using namespace graph;

ValueId writtenScalar(OpBuilder &builder, std::string const &name, double value)
{
    ValueId const made = builder.b.constant(value);
    auto &graph = builder.graph();
    graph.node(graph.value(made).producer).attrs.set(std::string(kWritten), name);
    return made;
}

std::string writtenName(std::string const &label, char const *value)
{
    return (label == "optimizer" ? std::string() : label + "/") + value;
}

bool writesMomentum(model::Optimizer const &optimizer)
{
    return (optimizer.className == "SGD" || optimizer.className == "RMSprop") && optimizer.number("momentum") > 0;
}

std::map<std::string, double> writtenParts(std::string const &name, double value)
{
    if (name.ends_with(kLossScale)) return {{name, value}, {name + kWrittenInverse, 1.0 / value}};
    if (name.ends_with(kMomentum)) return {{name, value}};
    return {{name, value}, {name + kWrittenRest, value - static_cast<double>(static_cast<float>(value))}};
}

bool isWrittenPart(std::string_view name) { return name.ends_with(kWrittenRest) || name.ends_with(kWrittenInverse); }

model::TrainingPlan withoutWritten(model::TrainingPlan plan)
{
    auto const leaveOut = [](model::Optimizer &optimizer) {
        if (!optimizer.hasSchedule()) optimizer.config["learning_rate"] = nullptr;
        if (writesMomentum(optimizer)) optimizer.config["momentum"] = true; // one there is
        if (auto const scaling = optimizer.lossScaling(); scaling.any() && !scaling.automatic) optimizer.config["loss_scale_factor"] = true;
    };
    leaveOut(plan.optimizer);
    for (auto &block : plan.loop)
        for (auto &optimizer : block.optimizer) leaveOut(optimizer);
    return plan;
}

std::map<std::string, double> writtenValues(model::TrainingPlan const &plan)
{
    std::map<std::string, double> all;
    int number = 0;
    auto const add = [&](model::Optimizer const &optimizer) {
        std::string const label = "optimizer" + (number == 0 ? std::string() : "_" + std::to_string(number));
        if (!optimizer.hasSchedule()) all.merge(writtenParts(writtenName(label, kLearningRate), optimizer.number("learning_rate")));
        if (writesMomentum(optimizer)) all.merge(writtenParts(writtenName(label, kMomentum), optimizer.number("momentum")));
        ++number;
    };
    auto const scaling = model::lossScalingOf(plan);
    if (scaling.any() && !scaling.automatic) all.merge(writtenParts(kLossScale, scaling.factor));
    if (plan.loop.empty()) add(plan.optimizer);
    for (auto const &block : plan.loop)
        if (block.kind == model::LoopBlock::Kind::Apply) add(block.optimizer.empty() ? plan.optimizer : block.optimizer.front());
    return all;
}

} // namespace tilewright::training
