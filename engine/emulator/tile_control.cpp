// The control steps of tile mode. The place in the program is a value (Position), not the stack of a thread, so that it can be left and
// returned to.
#include "engine/emulator/history.h"
#include "engine/emulator/tile_machine.h"

#include <bit>
#include <cstring>
#include <optional>
#include <utility>

namespace tilewright::emulator {

using namespace program;

Result<bool> TileMachine::holds(Step const &step) const
{
    auto const &predicate = m_program.var(step.predicate);
    int const tile = predicate.layout.tileOf(Coords{}); // every tile has the same
    auto const place = static_cast<std::size_t>(tile) * static_cast<std::size_t>(m_stride) + addressOf(step.predicate, tile);
    std::optional<bool> all;
    for (int r = 0; r < m_program.replicas; ++r) {
        std::uint32_t bits = 0;
        std::memcpy(&bits, image(r) + place, static_cast<std::size_t>(sizeOf(predicate.dtype)));
        bool const one = predicate.dtype == DType::F32 ? std::bit_cast<float>(bits) != 0 : bits != 0;
        if (all.value_or(one) != one)
            return makeError(ErrorKind::Internal, "emulator.predicate", step.name,
                             Message::of("%1 differs between replicas: they would take different branches", predicate.name));
        all = one;
    }
    return *all;
}

bool TileMachine::isUpdateLoop(StepId step) const
{
    auto const outermost = m_entries[m_position.entry].outermost;
    return outermost.valid() && outermost == step;
}

void TileMachine::beginUpdate()
{
    ++m_entries[m_position.entry].updates;
    if (m_history) m_history->beginTrainingStep();
}

Status TileMachine::begin(StepId id, bool task, bool once, StreamHandlers const &streams, JobContext const &job)
{
    auto const &step = m_program.step(id);
    if (!isControl(step.kind)) {
        if (job.cancelled()) return cancelledError(step.name);
        bool const told = m_position.entry == 0 && !(m_history && m_history->isSeeking());
        if (told && beforeStep) beforeStep(id);
        TW_TRY(leaf(id, m_history && step.kind == StepKind::StreamCopy ? m_history->streams(streams) : streams));
        ++m_position.supersteps;
        m_position.last = id;
        if (m_history) m_history->afterStep();
        if (told && onStep) onStep(id); // may have moved the machine
        return {};
    }
    auto &entry = m_entries[m_position.entry];
    if (entry.round.valid() ? id == entry.round.body : id == entry.root && !entry.outermost.valid()) beginUpdate();
    if (step.kind == StepKind::Parallel || step.kind == StepKind::If) entry.clocks.barrier();
    if (task) entry.clocks.enterTask(step.ipu);
    if (step.kind == StepKind::Parallel) entry.clocks.beginSlot();
    if (step.isLane()) {
        auto const &around = m_position.frames.back();
        if (hasLanes(m_program, m_program.step(around.step))) entry.clocks.enterLane(around.next == 1);
        else entry.clocks.enterBesideTasks(step.lane.ipu);
    }
    m_position.frames.push_back({id, 0, 0, once ? 1 : step.count, task});
    return {};
}

void TileMachine::endFrame()
{
    auto const frame = m_position.frames.back();
    m_position.frames.pop_back();
    auto const &step = m_program.step(frame.step);
    auto &entry = m_entries[m_position.entry];
    if (hasLanes(m_program, step)) entry.clocks.joinLanes();
    if (frame.task) entry.clocks.leaveTask();
    else if (step.isLane() && hasLanes(m_program, m_program.step(m_position.frames.back().step))) entry.clocks.leaveLane();
    else if (step.isLane()) entry.clocks.leaveBesideTasks();
    else if (step.kind == StepKind::Parallel || step.kind == StepKind::If || frame.step == entry.root) entry.clocks.barrier();
}

/// A round is the body of a Repeat, or the test of a While and, where it holds, its body.
Status TileMachine::advanceLoop(StreamHandlers const &streams, JobContext const &job)
{
    auto &frame = m_position.frames.back();
    auto const &step = m_program.step(frame.step);
    auto &entry = m_entries[m_position.entry];
    bool const update = isUpdateLoop(frame.step);
    if (frame.next == 0) {
        if (frame.round == frame.rounds) {
            endFrame();
            return {};
        }
        if (update) beginUpdate();
    }
    bool ends = frame.next == step.children.size();
    if (step.kind == StepKind::While && frame.next == 1) {
        TW_ASSIGN(bool const again, holds(step));
        if (!again) {
            frame.round = frame.rounds - 1; // of what is left, this round was the last
            ends = true;
        }
    }
    if (!ends) return begin(step.children[frame.next++], false, false, streams, job);
    if (update) entry.clocks.barrier(); // a pattern ends with its last IPU
    frame.next = 0;
    ++frame.round;
    if (frame.round == frame.rounds) endFrame();
    return {};
}

Status TileMachine::advance(StreamHandlers const &streams, JobContext const &job)
{
    auto &frame = m_position.frames.back(); // gone once begin() or endFrame() has been called
    auto const &step = m_program.step(frame.step);
    switch (step.kind) {
    case StepKind::Repeat:
    case StepKind::While: return advanceLoop(streams, job);
    case StepKind::If: {
        if (frame.next++ > 0) break;
        TW_ASSIGN(bool const first, holds(step));
        return begin(step.children[first ? 0 : 1], false, false, streams, job);
    }
    case StepKind::Sequence:
    case StepKind::Call:
    case StepKind::Parallel: {
        if (frame.next == step.children.size()) break;
        auto const child = step.children[frame.next++];
        return begin(child, step.kind == StepKind::Parallel && m_program.step(child).stage >= 0, false, streams, job);
    }
    case StepKind::Execute:
    case StepKind::Exchange:
    case StepKind::GlobalExchange:
    case StepKind::StreamCopy:
    case StepKind::RemoteCopy:
    case StepKind::SyncExternal: TW_CHECK(false, "a leaf step among the frames");
    }
    endFrame();
    return {};
}

/// What fails, is cancelled or throws leaves the program: the next execution begins at its root.
struct TileMachine::Leave {
    TileMachine &machine;
    bool ended = false;
    ~Leave()
    {
        if (ended) return;
        machine.m_position.frames.clear();
        machine.clocks().leaveTask();
        machine.clocks().joinLanes();
        if (machine.m_history) machine.m_history->clear();
    }
};

Status TileMachine::execute(StepId id, bool once, StreamHandlers const &streams, JobContext const &job)
{
    TW_CHECK(m_position.frames.empty(), "an execution within an execution");
    Leave leave{*this};
    if (m_history) m_history->beginExecution(id, once);
    TW_TRY(begin(id, false, once, streams, job));
    leave.ended = true;
    return proceed(streams, job);
}

Status TileMachine::resume(StreamHandlers const &streams, JobContext const &job)
{
    TW_CHECK(m_paused, "nothing to resume");
    m_paused = false;
    return proceed(streams, job);
}

Status TileMachine::proceed(StreamHandlers const &streams, JobContext const &job)
{
    Leave leave{*this};
    while (true) {
        bool const replaying = m_history && m_history->isReplaying();
        if (replaying) TW_TRY(m_history->applyEvents());
        if (m_position.frames.empty()) break;
        TW_TRY(advance(streams, replaying ? JobContext() : job)); // what the host has seen is not left out by a cancelled run
        if (m_interrupted) return *std::exchange(m_interrupted, {});
        m_paused = !m_position.frames.empty() && m_pauseAt && m_position.supersteps >= *m_pauseAt;
        if (m_paused) break;
    }
    leave.ended = true;
    return {};
}

Status TileMachine::runUpdate(StreamHandlers const &streams, JobContext const &job)
{
    auto const &entry = m_entries[m_position.entry];
    if (entry.outermost.valid()) return execute(entry.outermost, true, streams, job);
    if (!entry.round.valid()) return run(entry.root, streams, job);
    struct Whole { // the rest of a round has no place of its own
        std::optional<std::int64_t> &pauseAt, kept = std::exchange(pauseAt, std::nullopt);
        ~Whole() { pauseAt = kept; }
    } const whole{m_pauseAt};
    for (auto const step : entry.round.round()) TW_TRY(run(step, streams, job));
    return {};
}

Status TileMachine::run(StepId id, StreamHandlers const &streams, JobContext const &job) { return execute(id, false, streams, job); }

void TileMachine::setUpdates(std::int64_t done)
{
    if (!m_history || !m_history->takesUpdates(done)) m_entries[m_position.entry].updates = done;
}

void TileMachine::setSeed(std::uint64_t seed)
{
    if (!m_history || !m_history->takesSeed(seed)) m_seed = seed;
}

void TileMachine::keepHistory(std::vector<TileRange> const &ranges, Bytes most, int runPerCopy)
{
    TW_CHECK(m_position.frames.empty(), "a history that begins within an execution");
    if (!m_history) m_history = std::make_unique<History>(*this, ranges, most, runPerCopy);
}

} // namespace tilewright::emulator
