// The steps and epochs of a training.
#include "engine/core/text.h"
#include "engine/runtime/train_parts.h"
#include "engine/runtime/training_session.h"

#include <algorithm>
#include <cmath>

namespace tilewright::runtime {

namespace {

constexpr double kTellSeconds = 0.5; ///< steps that take long update the counters by time, not by number

/// The bound at which the loop of a plan ends.
std::optional<float> lossThatEnds(model::TrainingPlan const &plan)
{
    for (auto const &block : plan.loop)
        if (block.kind == model::LoopBlock::Kind::While) return static_cast<float>(block.lossAbove);
    return {};
}

Message epochLine(EpochResult const &result)
{
    auto const seconds = [&](double value) { return Argument::figure(figureText(value, 3) + " s"); };
    auto const number = std::to_string(result.epoch);
    auto const loss = Argument::figure(figureText(result.loss, 6));
    auto line = result.device.measured ? Message::of("epoch %1: %2 steps in %3 on this computer, %4 on the tiles; loss %5", number,
                                                     result.steps, seconds(result.hostSeconds), seconds(result.device.seconds), loss)
                                       : Message::of("epoch %1: %2 steps in %3 on this computer, %4 modelled; loss %5", number,
                                                     result.steps, seconds(result.hostSeconds), seconds(result.device.seconds), loss);
    for (auto const &[name, value] : result.metrics) line += Message::of(", %1 %2", name, Argument::figure(figureText(value, 6)));
    return line;
}

} // namespace

double TrainingSession::heldSeconds() const { return m_between + (m_observer.heldSeconds ? m_observer.heldSeconds() : 0.0); }

bool TrainingSession::over() const
{
    if (!m_session || m_outcome.stopped || m_outcome.stopPlace || m_outcome.loopEnded || !m_callbacks.endedBy().empty()) return true;
    return !m_epoch && (m_noneLeft || m_nextEpoch >= m_epochs || madeAllSteps());
}

void TrainingSession::run(Stretch const &stretch)
{
    if (over()) return;
    m_between += secondsSince(m_stood);
    if (auto const ran = inHostMemory(Message::of("training"), [&] { return runStretch(stretch); }); !ran.ok()) {
        m_outcome.stopped = ran.error();
        m_epoch.reset();
    }
    m_stood = Clock::now();
}

Status TrainingSession::runStretch(Stretch const &stretch)
{
    std::int64_t const begun = m_step;
    bool asked = false;
    auto bounded = stretch;
    if (stretch.predicate) bounded.predicate = [&] { return asked = stretch.predicate(); };
    for (std::int64_t epochs = 0; !over();) {
        if (!m_epoch && !beginEpoch()) break;
        std::int64_t left = m_epoch->steps - (m_step - m_epoch->stepAtStart);
        if (stretch.steps) left = std::min(left, wholeUpdates(*stretch.steps, entry()->microBatchesPerUpdate) - (m_step - begun));
        if (left > 0 || m_session->isWithinExecution())
            if (auto const ran = runSteps(bounded, left); !ran.ok()) m_outcome.stopped = ran.error();
        agreeOnEnd();
        if (!m_outcome.stopped && m_session->isWithinExecution()) break;
        if (m_outcome.stopped || m_outcome.stopPlace || m_outcome.loopEnded || !m_callbacks.endedBy().empty()
            || m_step - m_epoch->stepAtStart >= m_epoch->steps) {
            endEpoch();
            agreeOnEnd();
            ++epochs;
        }
        if (stretch.superstep && m_session->supersteps() >= *stretch.superstep) break;
        if (asked || (stretch.epochs && epochs >= *stretch.epochs)) break;
        if (stretch.steps && m_step - begun >= wholeUpdates(*stretch.steps, entry()->microBatchesPerUpdate)) break;
    }
    return {};
}

/// The numbers of the samples of an epoch, in reading order.
Result<std::vector<std::uint32_t>> TrainingSession::orderOf(std::int64_t epoch) const
{
    auto const samples = m_dataset.x.count();
    if (!m_request.samples || !m_request.samples->order)
        return data::epochOrder(samples, static_cast<std::uint64_t>(m_project.training.seed), epoch,
                                m_project.training.shuffle && m_project.data.shuffle);
    auto order = m_request.samples->order(epoch);
    if (static_cast<std::int64_t>(order.size()) != samples || std::ranges::any_of(order, [&](auto const i) { return i >= samples; }))
        return makeError(ErrorKind::Usage, "data.order", "data",
                         Message::of("the order of epoch %1 has %2 numbers of samples; it must name each of the %3 samples.", epoch + 1,
                                     order.size(), samples));
    return order;
}

/// False if no step is left.
bool TrainingSession::beginEpoch()
{
    auto const updateSteps = entry()->microBatchesPerUpdate;
    m_epoch.emplace();
    auto &epoch = *m_epoch;
    epoch.number = m_nextEpoch;
    epoch.from = epoch.number == m_firstEpoch ? std::max<std::int64_t>(0, m_firstInEpoch) : 0;
    std::int64_t const stepsLeft = m_mostSteps ? *m_mostSteps - (m_step - m_first) : 0;
    epoch.steps = m_epochSteps - epoch.from;
    m_noneLeft = (m_mostSteps && stepsLeft < updateSteps) || (epoch.steps <= 0 && !m_tail);
    if (m_noneLeft) {
        m_epoch.reset();
        return false;
    }
    if (auto const called = m_callbacks.beginEpoch(epoch.number + 1); !called.ok()) {
        m_outcome.stopped = called.error();
        m_epoch.reset();
        return false;
    }
    if (auto ordered = orderOf(epoch.number); ordered.ok()) {
        epoch.order = std::move(ordered).value();
    } else {
        m_outcome.stopped = ordered.error();
        m_epoch.reset();
        return false;
    }
    epoch.steps = ceilDiv(epoch.steps, updateSteps) * updateSteps; // whole weight updates
    if (m_mostSteps) epoch.steps = std::min(epoch.steps, stepsLeft / updateSteps * updateSteps);
    m_session->begin(epoch.order, epoch.from, epoch.steps);
    if (epoch.from == 0) m_epochMeans->reset(); // else of a resumed epoch, from its beginning
    epoch.stepAtStart = m_step;
    epoch.cyclesBefore = m_session->cyclesSoFar();
    epoch.span.emplace(m_host, HostRecord::Main, "Epoch", epoch.number + 1);
    epoch.start = Clock::now();
    epoch.heldBefore = heldSeconds();
    return true;
}

Status TrainingSession::runSteps(Stretch const &stretch, std::int64_t steps)
{
    // A cancelled job ends between executions: a step that has begun is finished.
    auto const ran = inHostMemory(Message::of("training"), [&]() -> Status {
        TW_ASSIGN(auto const ended,
                  m_session->run({steps,
                                  [&] {
                                      afterExecution();
                                      return m_outcome.stopped || (stretch.predicate && stretch.predicate());
                                  },
                                  stretch.superstep},
                                 m_job));
        if (ended == Ended::Loop) {
            m_outcome.loopEnded = true;
            tellCounters();
        }
        return {};
    });
    if (ran.ok() || m_outcome.stopPlace) return {};
    if (ran.error().kind == ErrorKind::Cancelled) return cancelledError("training");
    std::int64_t const batch = m_epoch->from + m_step - m_epoch->stepAtStart;
    endCallsBeside(); // those of earlier steps come first
    if (ran.error().code == "numeric.loss" && m_callbacks.takesNotFinite(batch)) return {};
    return ran;
}

void TrainingSession::afterExecution()
{
    if (m_observer.between) m_observer.between(*m_session);
    watchLossScale();
    if (m_beside)
        if (auto const called = m_beside->serve(); !called.ok()) m_outcome.stopped = called.error();
    callBackWithin();
    if (m_step % 64 < entry()->stepsPerExecution || secondsSince(m_told) > kTellSeconds) tellCounters();
    // Not between the last step of an epoch and its callbacks; the end of the epoch saves.
    if (!epochIsWhole() && m_keeper.isDue(false)) {
        endCallsBeside(); // the checkpoint holds the state of the callbacks
        m_keeper.save(stateNow(), m_job);
    }
    auto const done = static_cast<double>(m_mostSteps ? m_step - m_first : m_step); // of the run, not of an epoch
    m_job.report("Train", std::min(1.0, done / static_cast<double>(m_mostSteps ? *m_mostSteps : m_epochs * m_allSteps)));
}

Diagnostic TrainingSession::notFinite(float value) const
{
    return lossNotFinite(entry(), value, "step " + std::to_string(m_step + 1),
                         remedyOfNumbers() + " " + Message::of("The weights of the last finished step are kept."));
}

Status TrainingSession::takeOutput(int index, std::span<std::byte const> bytes)
{
    auto const sums = sumsOf(bytes);
    if (index == 0 && !std::isfinite(sums.at(0))) return notFinite(sums[0]);
    m_epochMeans->add(static_cast<std::size_t>(index), sums, m_stepSamples);
    m_stepMeans->add(static_cast<std::size_t>(index), sums);
    return {};
}

void TrainingSession::endStep()
{
    ++m_step;
    m_loss = static_cast<float>(m_stepMeans->loss());
    m_report.step(m_step, m_stepMeans->loss(), m_stepMeans->metrics());
    if (m_observer.step && m_request.every > 0 && m_step % m_request.every == 0)
        m_observer.step(m_step, m_stepMeans->loss(), m_stepMeans->metrics());
    if (m_beside) callBackBeside();
    m_stepMeans->reset();
}

/// Hands the step to the calls beside the run.
void TrainingSession::callBackBeside()
{
    if (m_observer.stepBeside)
        m_beside->add(
            [&tell = m_observer.stepBeside, step = m_step, loss = m_stepMeans->loss(), metrics = m_stepMeans->metrics()]() -> Status {
                tell(step, loss, metrics);
                return {};
            });
    if (!m_project.training.asynchronousCallbacks || !m_callbacks.wantBatches()) return;
    EpochResult means;
    means.loss = m_epochMeans->loss();
    means.metrics = m_epochMeans->metrics();
    m_toldBatches = m_step;
    auto const batch = m_epoch->from + m_step - m_epoch->stepAtStart;
    m_beside->add([this, means = std::move(means), epoch = m_epoch->number + 1, batch]() -> Status {
        DiagnosticSink warnings; // that of the job belongs to the run's thread
        auto job = m_job;
        job.warnings = &warnings;
        auto const called = m_callbacks.endBatches(epoch, batch, 1, means, job);
        if (!warnings.all().empty())
            m_beside->here([&] {
                for (auto const &warning : warnings.all()) m_job.warn(warning);
            });
        return called;
    });
}

/// Waits for the calls beside the run.
void TrainingSession::endCallsBeside()
{
    if (!m_beside) return;
    if (auto const ended = m_beside->finish(); !ended.ok() && !m_outcome.stopped) m_outcome.stopped = ended.error();
}

bool TrainingSession::epochIsWhole() const { return m_epoch->from + (m_step - m_epoch->stepAtStart) >= m_epochSteps; }

void TrainingSession::runTail()
{
    if (!m_tail || !epochIsWhole() || m_outcome.stopped || m_outcome.stopPlace || m_outcome.loopEnded || madeAllSteps()) return;
    m_stepSamples = static_cast<double>(m_tail->samples());
    auto const ran = m_tail->run(*m_session, m_epoch->order);
    m_stepSamples = static_cast<double>(entry()->batchSize);
    if (!ran.ok()) m_outcome.stopped = ran.error();
    else if (auto const bound = lossThatEnds(m_project.training)) m_outcome.loopEnded = !(m_loss > *bound);
}

void TrainingSession::validate(EpochResult &result)
{
    if (!m_validates || !(result.complete || m_outcome.loopEnded) || m_outcome.stopped || m_outcome.stopPlace) return;
    if (!m_project.training.validatesEpoch(result.epoch) && !m_outcome.loopEnded) return;
    // A validation that fails or is cancelled ends the run; what was trained is kept all the same.
    HostRecord::Span const span(m_host, HostRecord::Main, "Validation", result.epoch);
    auto const val = evaluate();
    if (!val.ok()) {
        m_outcome.stopped = val.error();
        return;
    }
    result.valLoss = val->loss;
    result.valDevice = val->device;
    // The training executable is loaded again only if an earlier validation has replaced it.
    if (m_evaluator) result.valLoadingSeconds = m_evaluator->loadingSeconds() + (m_validated ? m_evaluator->loadingSeconds(*m_exe) : 0);
    m_validated = true;
    for (auto const &[name, value] : val->metrics) result.valMetrics.emplace_back("val_" + name, value);
}

void TrainingSession::keep(EpochResult const &result)
{
    logWarnings();
    m_host.log(config::LogComponent::Runtime, config::LogLevel::Info, epochLine(result));
    m_report.epoch(result);
    m_outcome.epochs.push_back(result);
    if (m_observer.epoch) m_observer.epoch(result);
    if (!m_observer.epochState) return;
    auto snapshot = m_session->state();
    snapshot.step = m_step;
    snapshot.epoch = result.epoch;
    m_observer.epochState(result, snapshot);
}

void TrainingSession::callBack(EpochResult const &result)
{
    if (m_callbacks.endedAtNotFinite() && !m_outcome.stopped)
        if (auto const called = m_callbacks.endAtNotFinite(result, m_job); !called.ok()) m_outcome.stopped = called.error();
    if (m_outcome.stopped || !result.complete) return;
    if (auto const called = m_callbacks.endEpoch(result, m_job); !called.ok()) m_outcome.stopped = called.error();
}

/// Callbacks that act within an epoch see the means so far.
void TrainingSession::callBackWithin()
{
    if (!m_callbacks.wantBatches() || m_project.training.asynchronousCallbacks) return;
    EpochResult means;
    means.loss = m_epochMeans->loss();
    means.metrics = m_epochMeans->metrics();
    auto const batch = m_epoch->from + m_step - m_epoch->stepAtStart;
    auto const more = m_step - std::exchange(m_toldBatches, m_step);
    if (auto const called = m_callbacks.endBatches(m_epoch->number + 1, batch, more, means, m_job); !called.ok())
        m_outcome.stopped = called.error();
}

void TrainingSession::endEpoch()
{
    runTail();
    endCallsBeside();
    auto &epoch = *m_epoch;
    EpochResult result;
    result.epoch = epoch.number + 1;
    result.steps = m_step - epoch.stepAtStart;
    result.loss = m_epochMeans->loss();
    result.metrics = m_epochMeans->metrics();
    result.hostSeconds = std::max(0.0, secondsSince(epoch.start) - (heldSeconds() - epoch.heldBefore));
    result.device = m_session->deviceTime(result.steps, epoch.cyclesBefore);
    result.complete = epochIsWhole();
    result.learningRate = m_session->learningRate();
    epoch.span.reset();
    validate(result);
    if (result.steps > 0) keep(result);
    callBack(result);
    if (!m_outcome.stopped && m_keeper.isDue(true)) m_keeper.save(stateNow(), m_job);
    ++m_nextEpoch;
    m_epoch.reset();
}

/// What other processes see of the device.
void TrainingSession::tellCounters()
{
    if (!m_attachment) return;
    auto const runs = entry();
    m_told = Clock::now();
    device::DeviceCounters counters;
    double const patterns = static_cast<double>(m_step - m_first) * runs->patternsPerStep();
    counters.steps = m_step - m_first;
    counters.total = static_cast<Cycles>(static_cast<double>(m_step - m_first) * runs->cyclesPerStep());
    counters.compute = static_cast<Cycles>(patterns * static_cast<double>(runs->computeCyclesPerPattern));
    counters.amp = static_cast<Cycles>(patterns * static_cast<double>(runs->ampCyclesPerPattern));
    counters.exchange = static_cast<Cycles>(patterns * static_cast<double>(runs->exchangeCyclesPerPattern));
    if (auto const measured = m_session->executor().measured()) {
        auto const of = [&](program::Phase phase) { return measured->of(phase, m_exe->program.ipus); };
        counters.total = measured->total;
        counters.compute = of(program::Phase::Compute);
        counters.amp = measured->amp;
        counters.exchange = of(program::Phase::InternalExchange) + of(program::Phase::GlobalExchange);
    }
    m_attachment->update(counters);
}

} // namespace tilewright::runtime
