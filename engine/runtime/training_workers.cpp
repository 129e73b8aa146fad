// A training whose replicas several workers own: where the workers meet outside the steps.
#include "engine/compiler/project_rules.h"
#include "engine/core/text.h"
#include "engine/model/resolve.h"
#include "engine/runtime/train_parts.h"
#include "engine/runtime/training_session.h"

#include <algorithm>

namespace tilewright::runtime {

namespace {

constexpr auto kProcessCount = "experimental.multi_replica_distribution.process_count";

Diagnostic stoppedElsewhere(std::string code, Message what)
{
    return makeError(ErrorKind::Device, std::move(code), "training", std::move(what), Message::of("Its message tells why."));
}

} // namespace

Result<int> checkWorkers(project::Project const &project, RunRequest const &request)
{
    int const workers = request.link ? request.link->workers() : 1;
    auto const wanted = project.config.integer(kProcessCount);
    if (wanted > 0 && wanted != workers)
        return makeError(ErrorKind::Invalid, "workers.count", "ipu_config." + std::string(kProcessCount),
                         Message::of("the replicas are to be shared by %1 processes, but the run has %2.", wanted, workers),
                         Message::of("Start it with `mpirun -n %1 tilewright train …`, or set the option to 0.", wanted));
    if (workers == 1) return 0;
    if (request.mode == Mode::Tile)
        return makeError(ErrorKind::Invalid, "workers.tile", "--mode",
                         Message::of("several workers cannot run in tile mode yet: its tiles are in the memory of one process."),
                         Message::of("Use --mode fused, or one process."));
    TW_ASSIGN(auto const machine, compiler::effectiveMachine(project, request.compile.environment));
    TW_ASSIGN(auto const model, model::resolve(project.model));
    TW_ASSIGN(auto const distribution, compiler::distribute(project, model, machine));
    int const replicas = distribution.replicas;
    if (replicas % workers != 0)
        return makeError(ErrorKind::Invalid, "workers.replicas", "training.replicas",
                         Message::of("%1 replicas cannot be divided among %2 workers.", replicas, workers),
                         Message::of("Use a number of workers that divides training.replicas."));
    return replicas;
}

/// Every worker begins, or none.
Status TrainingSession::meetWorkers(Status const &prepared)
{
    bool const ready = prepared.ok() && m_session;
    std::byte const mine{ready ? std::uint8_t{1} : std::uint8_t{0}};
    auto const begins = m_seam->exchange({&mine, 1});
    if (!begins.ok()) return !prepared.ok() ? prepared : ready ? endEarly(begins.error()) : Status();
    bool const all = std::ranges::find(*begins, std::byte{0}) == begins->end();
    // Worker 0 usually refuses for the same reason, and tells it.
    if (!prepared.ok() && (isFirstWorker() || begins->front() != std::byte{0})) return prepared;
    if (!prepared.ok()) return stoppedElsewhere("workers.refused", Message::of("another worker could not begin."));
    if (!ready) return {};
    if (!all) return endEarly(stoppedElsewhere("workers.refused", Message::of("another worker could not begin.")));
    log(config::LogComponent::Runtime, config::LogLevel::Info,
        Message::of("worker %1 of %2 owns the replicas %3 to %4", m_seam->worker(), m_seam->workers(), m_seam->first(),
                    m_seam->first() + m_seam->count() - 1));
    return {};
}

/// A run that has stopped on one worker stops on all.
void TrainingSession::agreeOnEnd()
{
    enum { kGoesOn, kFailed, kCancelled };
    if (!m_seam) return;
    auto const &stopped = m_outcome.stopped;
    auto const agreed = m_seam->agree(!stopped ? kGoesOn : stopped->kind == ErrorKind::Cancelled ? kCancelled : kFailed);
    if (stopped) return;
    if (!agreed.ok()) m_outcome.stopped = agreed.error();
    else if (*agreed == kCancelled) m_outcome.stopped = cancelledError("training");
    else if (*agreed == kFailed) m_outcome.stopped = stoppedElsewhere("workers.stopped", Message::of("another worker stopped the run."));
}

void TrainingSession::logReductions()
{
    if (!m_seam) return;
    auto const &cost = m_seam->cost();
    auto const seconds = cost.reductions > 0 ? cost.seconds / static_cast<double>(cost.reductions) : 0.0;
    log(config::LogComponent::Runtime, config::LogLevel::Info,
        Message::of("sums over the replicas of %1 workers: %2 times, %3 s, %4 ms each, %5 bytes sent by each worker", m_seam->workers(),
                    cost.reductions, Argument::figure(figureText(cost.seconds, 3)), Argument::figure(figureText(seconds * 1e3, 3)),
                    cost.bytes));
}

/// The state of the first replica of the run.
Result<TrainingState> TrainingSession::stateForAll()
{
    auto state = m_session->state();
    if (m_seam) TW_TRY(m_seam->broadcast(state));
    return state;
}

/// Of the validation samples. All workers take part in an entry of the training's executable; an executable of its own has one replica
/// and runs on worker 0, which tells the others its figures.
Result<EvaluateOutcome> TrainingSession::evaluate()
{
    if (!m_seam || (m_evaluator && m_evaluator->isShared())) {
        TW_ASSIGN(auto const state, stateForAll());
        return m_evaluator->run(state, m_job);
    }
    auto figures = m_epochMeans->metrics();
    std::vector<double> told(figures.size() + 2, 0); // whether it has run, the loss, the metrics
    Result<EvaluateOutcome> outcome = EvaluateOutcome();
    if (isFirstWorker()) {
        outcome = m_evaluator->run(m_session->state(), m_job);
        if (outcome.ok()) {
            TW_CHECK(outcome->metrics.size() == figures.size(), "a validation with other metrics than the training");
            told[0] = 1;
            told[1] = outcome->loss;
            for (std::size_t i = 0; i < figures.size(); ++i) told[i + 2] = outcome->metrics[i].second;
        }
    }
    TW_TRY(m_seam->broadcast(std::as_writable_bytes(std::span(told))));
    if (isFirstWorker()) return outcome;
    if (told[0] == 0) return stoppedElsewhere("workers.stopped", Message::of("another worker stopped the run."));
    outcome->loss = told[1];
    for (std::size_t i = 0; i < figures.size(); ++i) figures[i].second = told[i + 2];
    outcome->metrics = std::move(figures);
    return outcome;
}

} // namespace tilewright::runtime
