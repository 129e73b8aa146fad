#include "engine/runtime/train_parts.h"

#include "engine/compiler/project_rules.h"
#include "engine/core/text.h"
#include "engine/model/resolve.h"
#include "engine/runtime/session_parts.h"
#include "engine/runtime/worker_link.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::runtime {

std::vector<DataReader::Wanted> wantedRecords(project::Project const &project, RunRequest const &request, data::Dataset const &dataset)
{
    if (!dataset.x.maker || request.epochs.value_or(project.training.epochs) < 1) return {};
    auto const machine = compiler::effectiveMachine(project, request.compile.environment);
    auto const model = model::resolve(project.model);
    if (!machine.ok() || !model.ok()) return {}; // the compiler tells
    auto const distribution = compiler::distribute(project, *model, *machine);
    if (!distribution.ok()) return {};
    auto const &plan = project.training;
    auto const count = dataset.x.count();
    std::int64_t const perStep = plan.batchSize * distribution->replicas;
    std::int64_t epochSteps = machine->isEmulated() ? count / perStep : ceilDiv(count, perStep);
    if (plan.stepsPerEpoch > 0) epochSteps = std::min(epochSteps, plan.stepsPerEpoch / distribution->replicas);
    std::int64_t const epoch = request.resume ? request.resume->epoch : plan.initialEpoch;
    std::int64_t const begun = request.resume ? std::clamp<std::int64_t>(request.resume->step - epoch * epochSteps, 0, epochSteps) : 0;
    std::int64_t steps = epochSteps - begun;
    bool const whole = !request.steps || *request.steps >= steps;
    if (!whole) steps = wholeUpdates(*request.steps, plan.gradientAccumulationSteps);
    auto order = data::epochOrder(count, static_cast<std::uint64_t>(plan.seed), epoch, plan.shuffle && project.data.shuffle);
    order.resize(static_cast<std::size_t>(std::min(count, (begun + steps) * perStep)));
    order.erase(order.begin(),
                order.begin()
                    + static_cast<std::ptrdiff_t>(std::min<std::int64_t>(begun * perStep, static_cast<std::int64_t>(order.size()))));
    if (request.link) { // those of the replicas of this worker
        auto const workers = static_cast<std::size_t>(request.link->workers()), worker = static_cast<std::size_t>(request.link->worker());
        auto const share = static_cast<std::size_t>(perStep) / workers;
        std::vector<std::uint32_t> own;
        for (std::size_t i = 0; i < order.size(); ++i)
            if (i % static_cast<std::size_t>(perStep) / share == worker) own.push_back(order[i]);
        order = std::move(own);
    }
    std::vector<DataReader::Wanted> wanted{{dataset.x, std::move(order)}};
    if (whole && !dataset.validationX.empty()) {
        std::vector<std::uint32_t> all(static_cast<std::size_t>(dataset.validationX.count()));
        std::iota(all.begin(), all.end(), 0u);
        wanted.push_back({dataset.validationX, std::move(all)});
    }
    return wanted;
}

Message remedyOfNumbers() { return Message::of("Lower training.optimizer.learning_rate, scale the data, or clip gradients."); }

std::string figureText(double value, int decimals)
{
    double const scale = std::pow(10.0, decimals);
    return std::abs(value) < 1e9 ? numberText(std::round(value * scale) / scale) : numberText(value);
}

} // namespace tilewright::runtime
