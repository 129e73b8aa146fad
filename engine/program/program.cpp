#include "engine/program/program.h"

#include "engine/program/phase.h"

#include <algorithm>

namespace tilewright::program {

std::string_view toText(Category category)
{
    switch (category) {
    case Category::Variable: return "variable";
    case Category::Constant: return "constant";
    case Category::Output: return "output";
    case Category::ExchangeBuffer: return "exchange_buffer";
    case Category::Rearrangement: return "rearrangement";
    }
    return "variable";
}

std::string_view toText(Phase phase)
{
    switch (phase) {
    case Phase::Compute: return "compute";
    case Phase::InternalExchange: return "internal_exchange";
    case Phase::GlobalExchange: return "global_exchange";
    case Phase::Stream: return "stream";
    case Phase::Sync: return "sync";
    case Phase::Idle: return "idle";
    }
    return "idle";
}

void StepCost::add(Cycles duration, std::int64_t times, Cycles overlap)
{
    least = executions == 0 ? duration : std::min(least, duration);
    most = std::max(most, duration);
    cycles += times * duration;
    overlapped += times * overlap;
    executions += times;
}

Cycles MeasuredCycles::of(Phase phase, int ipus) const
{
    Cycles sum = 0;
    for (auto const &cost : steps)
        if (cost.phase == phase) sum += cost.cycles - cost.overlapped;
    return sum / std::max(1, ipus);
}

std::string_view toText(StepKind kind)
{
    switch (kind) {
    case StepKind::Sequence: return "sequence";
    case StepKind::Repeat: return "repeat";
    case StepKind::Parallel: return "parallel";
    case StepKind::Call: return "call";
    case StepKind::If: return "if";
    case StepKind::While: return "while";
    case StepKind::Execute: return "execute";
    case StepKind::Exchange: return "exchange";
    case StepKind::GlobalExchange: return "global_exchange";
    case StepKind::StreamCopy: return "stream_copy";
    case StepKind::RemoteCopy: return "remote_copy";
    case StepKind::SyncExternal: return "sync_external";
    }
    return "sequence";
}

bool isControl(StepKind kind)
{
    switch (kind) {
    case StepKind::Sequence:
    case StepKind::Repeat:
    case StepKind::Parallel:
    case StepKind::Call:
    case StepKind::If:
    case StepKind::While: return true;
    case StepKind::Execute:
    case StepKind::Exchange:
    case StepKind::GlobalExchange:
    case StepKind::StreamCopy:
    case StepKind::RemoteCopy:
    case StepKind::SyncExternal: return false;
    }
    return false;
}

namespace {

void collectLeaves(Program const &program, StepId id, std::vector<StepId> &leaves)
{
    auto const &step = program.step(id);
    if (!isControl(step.kind)) leaves.push_back(id);
    for (auto child : step.children) collectLeaves(program, child, leaves);
}

void note(std::vector<VarAccess> &all, VarId var, Access access)
{
    auto const it = std::ranges::find(all, var, &VarAccess::var);
    if (it == all.end()) all.push_back({var, access});
    else if (it->access != access) it->access = Access::Update;
}

} // namespace

StepId outermostLoop(Program const &program, std::size_t entry)
{
    auto const &root = program.step(program.root(entry));
    if (root.children.size() != 1) return {};
    auto const kind = program.step(root.children[0]).kind;
    return kind == StepKind::Repeat || kind == StepKind::While ? root.children[0] : StepId();
}

bool hasLanes(Program const &program, Step const &step)
{
    return step.kind == StepKind::Parallel && step.slot < 0
        && std::ranges::any_of(step.children, [&](StepId id) { return program.step(id).isLane(); });
}

std::vector<StepId> OverlappedLoop::round() const
{
    std::vector<StepId> steps{fill, load, body};
    if (drain.valid()) steps.insert(steps.end(), {unload, drain});
    return steps;
}

OverlappedLoop overlappedLoop(Program const &program, std::size_t entry)
{
    auto const &root = program.step(program.root(entry));
    if (root.children.size() != 1) return {};
    auto const &parts = program.step(root.children[0]);
    if (parts.kind != StepKind::Sequence || parts.children.size() < 3) return {};
    auto const &first = program.step(parts.children[1]);
    if (first.kind != StepKind::Sequence || first.children.size() != 2) return {};
    auto const &lanes = program.step(first.children[1]);
    if (!hasLanes(program, lanes)) return {};
    auto const callee = [&](StepId call) { return program.step(call).children[0]; };
    auto const inLane = [&](std::size_t lane) { return callee(program.step(lanes.children[lane]).children[0]); };
    OverlappedLoop loop;
    loop.load = callee(first.children[0]);
    loop.body = inLane(0);
    loop.fill = inLane(1);
    if (program.step(parts.children.back()).kind == StepKind::Call) {
        loop.unload = callee(parts.children[parts.children.size() - 2]);
        loop.drain = callee(parts.children.back());
    }
    return loop;
}

bool costDependsOnData(Program const &program)
{
    auto const loop = outermostLoop(program);
    auto const visit = [&](auto &&self, StepId id) -> bool {
        auto const &step = program.step(id);
        if (step.kind == StepKind::If || (step.kind == StepKind::While && id != loop)) return true;
        return std::ranges::any_of(step.children, [&](StepId child) { return self(self, child); });
    };
    return visit(visit, program.root());
}

std::vector<StepId> leafSteps(Program const &program)
{
    std::vector<StepId> leaves;
    collectLeaves(program, program.main, leaves);
    return leaves;
}

Bytes bytesOf(Program const &program, Stream const &stream)
{
    auto const &variable = program.var(stream.var);
    return stream.synthetic ? 0 : variable.layout.elements() * sizeOf(variable.dtype);
}

Bytes remoteBytes(Program const &program, Variable const &variable)
{
    switch (variable.home) {
    case Home::Tiles: break;
    case Home::Streaming: return elementCount(variable.shape) * sizeOf(variable.dtype) * variable.layout.parts();
    case Home::Shards: return shardLayout(variable.layout, program.replicas).elements() * sizeOf(variable.dtype);
    }
    return 0;
}

Layout shardLayout(Layout const &layout, int replicas) { return besideBlocks(layout, ceilDiv(layout.blockElements(), replicas)); }

Bytes streamingBytes(Program const &program, int ipu)
{
    Bytes sum = 0;
    for (auto const &variable : program.variables)
        if ((ipu < 0 || variable.layout.on.ipu == ipu)) sum += remoteBytes(program, variable);
    return sum;
}

std::int64_t elementsOf(Program const &program, Transfer const &transfer)
{
    if (transfer.loops.empty()) return program.var(transfer.dst).layout.indexElements();
    std::int64_t n = 1;
    for (auto const &loop : transfer.loops) n *= loop.count;
    return n;
}

std::vector<VarAccess> accesses(Program const &program, Step const &step)
{
    std::vector<VarAccess> all;
    if (step.kind == StepKind::Execute) {
        for (auto const &family : program.computeSets[step.computeSet.index].families)
            for (auto const &field : family.fields)
                note(all, field.var,
                     field.access == Access::Regroup || (field.access == Access::Write && field.slice >= 0) ? Access::Update
                                                                                                            : field.access);
    } else if (step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) {
        auto const &exchange = program.exchanges[step.exchange.index];
        for (auto const &t : exchange.transfers) note(all, t.src, Access::Read);
        for (auto const &ring : exchange.ring) {
            note(all, ring.src, Access::Read);
            note(all, ring.dst, ring.inChunk ? Access::Update : Access::Write);
        }
        // The transfers of one exchange can together overwrite a destination. They do not overlap (verify), so the destination is covered
        // if they have
        // as many elements as it has.
        std::vector<std::pair<VarId, std::int64_t>> covered;
        for (auto const &t : exchange.transfers) {
            auto it = std::ranges::find(covered, t.dst, &std::pair<VarId, std::int64_t>::first);
            if (it == covered.end()) it = covered.insert(covered.end(), {t.dst, 0});
            it->second += elementsOf(program, t) * (t.dstPart < 0 ? program.var(t.dst).layout.parts() : 1);
        }
        for (auto const &[var, elements] : covered) {
            auto const &layout = program.var(var).layout;
            note(all, var, elements >= layout.indexElements() * layout.parts() ? Access::Write : Access::Update);
        }
    } else if (step.kind == StepKind::StreamCopy || step.kind == StepKind::RemoteCopy) {
        auto const &stream = program.streams[step.stream.index];
        note(all, stream.var, stream.toDevice ? Access::Write : Access::Read);
        auto const stores = stream.counter.valid() ? Access::Update : Access::Write; // one of the slots
        if (stream.remote.valid()) note(all, stream.remote, stream.toDevice ? Access::Read : stores);
        if (stream.counter.valid()) note(all, stream.counter, Access::Read);
    }
    return all;
}

FinishedSums finishedBy(Program const &program, Step const &step)
{
    if (step.kind == StepKind::Execute) return program.computeSets[step.computeSet.index].finished;
    bool const moves = step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange;
    return moves ? program.exchanges[step.exchange.index].finished : FinishedSums();
}

} // namespace tilewright::program
