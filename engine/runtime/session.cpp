#include "engine/runtime/session.h"

#include "engine/core/text.h"
#include "engine/graph/draw_counter.h"
#include "engine/graph/written.h"
#include "engine/model/param.h"
#include "engine/runtime/host_record.h"
#include "engine/runtime/replica_seam.h"
#include "engine/runtime/session_parts.h"
#include "engine/training/written_rates.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace tilewright::runtime {

Result<std::unique_ptr<Session>> Session::load(compiler::CompileOutcome compiled, RunRequest const &request, std::uint64_t seed,
                                               ThreadPool &pool, ReplicaSeam *seam)
{
    TW_ASSIGN(auto synthetic, config::syntheticData(request.compile.environment.flags));
    // The compiled program streams as before; only the host has nothing to prepare.
    if (request.compile.environment.flags.boolean("null_data_feed")) synthetic.infeed = true;
    TW_ASSIGN(auto executor, makeExecutor(request, compiled, seed, pool, seam));
    auto const *fault = std::getenv("TILEWRIGHT_DEVICE_FAULT");
    TW_ASSIGN(auto const requested, device::parseDeviceFault(fault ? fault : ""));
    auto session = std::make_unique<Session>(std::move(compiled), std::move(executor), synthetic, seam);
    session->m_fault = requested;
    session->m_device = request.device;
    return session;
}

Result<std::unique_ptr<Session>> Session::beside(Session &loaded, std::size_t entry)
{
    compiler::CompileOutcome compiled;
    compiled.executable = loaded.compiled().executable;
    compiled.machine = loaded.compiled().machine;
    compiled.number = entry;
    TW_ASSIGN(auto executor, loaded.executor().beside(compiled.entry()));
    return std::make_unique<Session>(std::move(compiled), std::move(executor), loaded.m_synthetic, loaded.m_seam);
}

Session::Session(compiler::CompileOutcome compiled, std::unique_ptr<Executor> executor, config::SyntheticData synthetic, ReplicaSeam *seam)
    : m_compiled(std::move(compiled)), m_synthetic(synthetic), m_executor(std::move(executor)), m_seam(seam)
{
    for (auto const &node : entry()->graph.nodes)
        if (graph::isWritten(node)) m_written[node.attrs.text(graph::kWritten)] = node.attrs.real("value");
}

void Session::feed(Feeds const &feeds, HostRecord *record)
{
    auto const fed = entry();
    m_record = record;
    m_infeed = std::make_unique<Infeed>(feeds.x, feeds.y, static_cast<float>(feeds.scale), fed->infeed, fed->batchSize, fed.replicas(),
                                        feeds.prefetch, record, feeds.classWeights,
                                        m_seam ? FedReplicas{m_seam->first(), m_seam->count()} : FedReplicas());
}

void Session::begin(std::vector<std::uint32_t> const &order, std::int64_t firstStep, std::int64_t steps)
{
    TW_CHECK(m_infeed, "a session without feeds");
    m_infeed->begin(order, firstStep, steps);
}

StreamHandlers Session::streams()
{
    StreamHandlers handlers;
    int const first = m_seam ? m_seam->first() : 0;
    handlers.toDevice = [this, first](int replica, int index, std::byte *to, std::size_t bytes) {
        if (!m_record) return m_infeed->next(replica - first, index, to, bytes);
        HostRecord::Span const span(*m_record, HostRecord::Streams, HostRecord::kCopy, index);
        return m_infeed->next(replica - first, index, to, bytes);
    };
    int const lastOutput = static_cast<int>(entry()->outfeed.size()) - 1;
    int const lastReplica = (m_seam ? first + m_seam->count() : entry().replicas()) - 1;
    handlers.fromDevice = [this, lastOutput, lastReplica](int replica, int index, std::byte const *from, std::size_t bytes) -> Status {
        TW_TRY(takeOutput(replica, index, {from, bytes}));
        if (index != lastOutput || replica != lastReplica) return {};
        m_waiting += entry()->stepsPerOutput;
        return entry()->lastOutputOnly ? Status() : giveOutputs();
    };
    return withSynthetic(std::move(handlers), m_synthetic, entry());
}

namespace {
/// A trap names the operation; the session adds the step.
Diagnostic inStep(Diagnostic error, std::int64_t step)
{
    if (error.code == "numeric.trap") error.subject = "step " + std::to_string(step);
    return error;
}

std::size_t outputBytes(graph::FeedSpec const &spec) { return static_cast<std::size_t>(elementCount(spec.shape) * sizeOf(spec.dtype)); }
} // namespace

Status Session::takeOutput(int replica, int index, std::span<std::byte const> bytes)
{
    if (!collects()) return onOutput ? onOutput(replica, index, bytes) : Status();
    // By replica, then by output, in whatever order they come; those of a later micro-batch replace what the host keeps.
    std::size_t before = 0, perReplica = 0;
    for (std::size_t i = 0; i < entry()->outfeed.size(); ++i) {
        if (static_cast<int>(i) == index) before = perReplica;
        perReplica += outputBytes(entry()->outfeed[i]);
    }
    std::size_t const place = static_cast<std::size_t>(replica - (m_seam ? m_seam->first() : 0)) * perReplica + before;
    m_outputs.resize(std::max(m_outputs.size(), place + bytes.size()));
    std::ranges::copy(bytes, m_outputs.begin() + static_cast<std::ptrdiff_t>(place));
    return {};
}

/// Gives the caller the outputs of the micro-batches that wait. With a seam: those of all replicas, in the order of one process, on every
/// worker. So all workers compute the same means and take the same decisions.
Status Session::giveOutputs()
{
    if (m_waiting == 0) return {};
    auto all = std::exchange(m_outputs, {});
    if (m_seam) { TW_ASSIGN(all, m_seam->exchange(all)); }
    for (; m_waiting > 0; --m_waiting) {
        if (collects()) TW_TRY(giveOutput(all));
        ++m_steps;
        if (onStep) onStep();
    }
    return {};
}

Status Session::giveOutput(std::span<std::byte const> all)
{
    std::size_t const replicas = static_cast<std::size_t>(entry().replicas()), outputs = entry()->outfeed.size();
    std::size_t const perReplica = all.size() / replicas;
    for (std::size_t r = 0; r < replicas && onOutput; ++r) {
        std::size_t at = r * perReplica;
        for (std::size_t i = 0; i < outputs; ++i) {
            auto const bytes = outputBytes(entry()->outfeed[i]);
            TW_TRY(onOutput(static_cast<int>(r), static_cast<int>(i), all.subspan(at, bytes)));
            at += bytes;
        }
    }
    return {};
}

namespace {
enum Stop { kGoesOn, kPredicate, kCancelled };
}

/// With a seam, the strongest reason of all workers.
Result<int> Session::agreeOnStop(bool cancelled, bool stops)
{
    int const mine = cancelled ? kCancelled : stops ? kPredicate : kGoesOn;
    if (!m_seam) return mine;
    TW_ASSIGN(auto const agreed, m_seam->agree(mine));
    return static_cast<int>(agreed);
}

Result<Ended> Session::run(Until const &until, JobContext const &job, JobContext const &inside)
{
    TW_CHECK(until.steps && m_infeed, "a run without a number of steps or without feeds");
    auto const runs = entry();
    bool const pauses = m_executor->pauseAt(until.superstep);
    if (until.superstep && !pauses)
        return makeError(ErrorKind::Usage, "session.superstep", "superstep", Message::of("only a run in tile mode can stop within a step."),
                         Message::of("Add --mode tile."));
    if (until.superstep && m_executor->supersteps() >= *until.superstep) return Ended::Superstep;
    if (*until.steps <= 0 && !m_executor->isPaused()) return Ended::Steps;
    auto handlers = streams();
    std::int64_t begun = m_steps; // micro-batches whose samples the device has taken
    handlers.toDevice = [&begun, first = m_seam ? m_seam->first() : 0,
                         next = std::move(handlers.toDevice)](int replica, int index, std::byte *to, std::size_t bytes) {
        begun += index == 0 && replica == first;
        return next(replica, index, to, bytes);
    };
    std::int64_t const end = m_steps + (*until.steps <= 0 ? 0 : wholeUpdates(*until.steps, runs->microBatchesPerUpdate));
    TW_ASSIGN(int stop, agreeOnStop(job.cancelled(), false));
    while (m_steps < end || m_executor->isPaused()) {
        if (stop == kCancelled) return cancelledError(runs->kind);
        {
            std::optional<HostRecord::Span> span;
            if (m_record) span.emplace(*m_record, HostRecord::Calls, HostRecord::kExecute, m_steps);
            auto const before = begun;
            // An execution that is longer than what is left goes update by update.
            auto ran = m_executor->isPaused()              ? m_executor->resume(handlers, inside)
                : end - m_steps >= runs->stepsPerExecution ? m_executor->run(handlers, inside)
                                                           : m_executor->runUpdate(handlers, inside);
            if (ran.ok() && runs->lastOutputOnly && !m_executor->isPaused()) ran = giveOutputs();
            // An update follows the outputs of its last micro-batch.
            bool const inUpdate = begun > before && begun == m_steps;
            if (!ran.ok()) return inStep(ran.error(), inUpdate ? m_steps : m_steps + 1);
        }
        if (m_fault && m_steps >= m_fault->step) return device::faultError(*m_fault, m_device);
        if (m_executor->isPaused()) return Ended::Superstep;
        if (loopHasEnded(*m_executor, runs)) return Ended::Loop;
        bool const stops = until.predicate && until.predicate();
        TW_ASSIGN(stop, agreeOnStop(job.cancelled(), stops));
        if (stop == kPredicate || stops) return Ended::Predicate;
    }
    return Ended::Steps;
}

std::vector<std::string> Session::variables() const
{
    std::vector<std::string> names;
    for (std::size_t v = 0; v < entry()->graph.variables.size(); ++v)
        if (m_executor->has(graph::VariableId(v))) names.push_back(entry()->graph.variables[v].name);
    return names;
}

Result<graph::VariableId> Session::find(std::string_view name) const
{
    auto const &all = entry()->graph.variables;
    auto const it = std::ranges::find(all, name, &graph::Variable::name);
    graph::VariableId const id(static_cast<std::size_t>(it - all.begin()));
    if (it != all.end() && m_executor->has(id)) return id;
    return makeError(ErrorKind::Usage, "session.no-variable", std::string(name), Message::of("the executable has no such variable."),
                     model::suggestion(name, variables()));
}

Result<StateTensor> Session::read(std::string_view name) const
{
    TW_ASSIGN(auto const id, find(name));
    auto const &variable = entry()->graph.variable(id);
    return StateTensor{variable.name, variable.dtype, variable.shape, m_executor->read(id)};
}

Status Session::write(std::string_view name, std::span<std::byte const> bytes)
{
    TW_ASSIGN(auto const id, find(name));
    auto const &variable = entry()->graph.variable(id);
    std::int64_t const size = elementCount(variable.shape) * sizeOf(variable.dtype);
    if (static_cast<std::int64_t>(bytes.size()) != size)
        return makeError(ErrorKind::Usage, "session.variable-size", variable.name,
                         Message::of("the variable %1 has %2 bytes, but %3 were given.",
                                     std::string(toText(variable.dtype)) + toText(variable.shape), size,
                                     static_cast<std::int64_t>(bytes.size())));
    m_executor->write(id, bytes);
    return {};
}

std::optional<double> Session::learningRate() const
{
    auto const it = m_written.find(graph::kLearningRate);
    return it == m_written.end() ? std::nullopt : std::optional(it->second);
}

void Session::writeValues(std::map<std::string, double> const &values)
{
    for (auto const &[name, value] : values)
        if (m_executor->writeValue(name, static_cast<float>(value))) m_written[name] = value;
}

Status Session::setLearningRate(double rate, std::string const &by)
{
    auto const before = learningRate();
    auto const refuse = [](Message what, Message remedy) {
        return makeError(ErrorKind::Usage, "session.no-rate", "learning_rate", std::move(what), std::move(remedy));
    };
    if (!before)
        return refuse(Message::of("the learning rate is not a number that can be changed: a schedule computes it on the device."),
                      Message::of("Set training.optimizer.learning_rate to a number."));
    if (!std::isfinite(rate) || rate < 0)
        return refuse(Message::of("%1 is no learning rate.", Argument::figure(numberText(rate))),
                      Message::of("Give a number of at least 0."));
    if (rate == *before) return {};
    writeValues(training::writtenParts(graph::kLearningRate, rate));
    if (onRate) onRate(*before, rate, by);
    return {};
}

Status Session::setValue(std::string const &name, double value, std::string const &by)
{
    if (name == graph::kLearningRate) return setLearningRate(value, by);
    auto const it = m_written.find(name);
    auto const refuse = [&](Message what, Message remedy) {
        return makeError(ErrorKind::Usage, "session.no-value", name, std::move(what), std::move(remedy));
    };
    if (it == m_written.end() || training::isWrittenPart(name)) {
        std::vector<std::string> names;
        for (auto const &[each, now] : m_written)
            if (!training::isWrittenPart(each)) names.push_back(each);
        return refuse(Message::of("the host writes no such value."), model::suggestion(name, names));
    }
    bool const isScale = name == graph::kLossScale, isMomentum = name.ends_with(graph::kMomentum);
    if (!std::isfinite(value) || (isScale ? !(value >= 1e-30 && value <= 1e30) : !(value >= 0 && (!isMomentum || value <= 1))))
        return refuse(Message::of("%1 is out of its range.", Argument::figure(numberText(value))),
                      isScale          ? Message::of("Give a number from 1e-30 to 1e30.")
                          : isMomentum ? Message::of("Give a number from 0 to 1.")
                                       : Message::of("Give a number of at least 0."));
    double const before = it->second;
    if (value == before) return {};
    writeValues(training::writtenParts(name, value));
    if (onValue) onValue(name, before, value, by);
    return {};
}

std::uint64_t Session::seed() const { return m_executor->seed(); }

void Session::resetSeed(std::uint64_t seed, std::string const &by)
{
    auto const before = m_executor->seed();
    continueSeed(seed, 0);
    auto const &variables = entry()->graph.variables;
    for (std::size_t v = 0; v < variables.size(); ++v) {
        graph::VariableId const id(v);
        if (!graph::isDrawCounter(variables[v]) || !m_executor->has(id)) continue;
        std::int32_t const none = 0;
        m_executor->write(id, std::as_bytes(std::span(&none, 1)));
    }
    if (onSeed) onSeed(before, seed, by);
}

void Session::continueSeed(std::uint64_t seed, std::int64_t stepsSince)
{
    m_executor->setSeed(seed);
    m_executor->setUpdates(stepsSince / std::max<std::int64_t>(1, entry()->microBatchesPerUpdate));
}

void Session::resumeAt(std::int64_t step)
{
    m_steps = step;
    m_executor->setUpdates(step / std::max<std::int64_t>(1, entry()->microBatchesPerUpdate));
}

TrainingState Session::state() const { return saveState(*m_executor, entry()); }
Status Session::loadState(TrainingState const &state) { return runtime::loadState(*m_executor, entry(), state); }
Status Session::loadWeights(TrainingState const &state) { return runtime::loadWeights(*m_executor, entry(), state); }

DeviceTime Session::deviceTime(std::int64_t steps, Cycles before) const
{
    return runtime::deviceTime(m_compiled, *m_executor, steps, before);
}
Cycles Session::cyclesSoFar() const { return measuredSoFar(*m_executor); }

} // namespace tilewright::runtime
