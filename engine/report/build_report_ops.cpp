// The tree of origins: layers, graph operations, library routines, compute sets. Also stages, data flow between operations, and sums over
// the tree.
#include "engine/report/build_report_parts.h"
#include "engine/report/quantities.h"

#include <algorithm>
#include <array>
#include <set>

namespace tilewright::report {

namespace {

constexpr std::array<char const *, 4> kLevels{"keras", "graph", "library", "compute_set"};

int levelOf(std::string_view level)
{
    for (int i = 0; i < 4; ++i)
        if (level == kLevels[static_cast<std::size_t>(i)]) return i;
    return 1;
}

std::string passOf(std::string const &pass)
{
    for (char const *known : {"forward", "recompute", "backward", "update"})
        if (pass == known) return pass;
    return "other";
}

bool isSynthetic(program::Op const &op) { return op.level == "keras" && (op.kind == "Synthetic" || op.kind == kSyntheticKind); }

} // namespace

void ReportBuilder::stages()
{
    int last = 0;
    std::map<int, int> ipuOf;
    for (auto const &op : p.ops) last = std::max(last, op.stage);
    for (auto const &step : p.steps) {
        if (step.stage < 0) continue;
        pipelined = true;
        last = std::max(last, step.stage);
        if (step.ipu >= 0) ipuOf.emplace(step.stage, step.ipu);
    }
    pipelined = pipelined || last > 0;
    if (!pipelined) return;
    for (auto const &variable : p.variables)
        if (variable.op >= 0) ipuOf.emplace(at(p.ops, variable.op).stage, variable.layout.on.ipu);
    for (int stage = 0; stage <= last; ++stage) {
        auto const known = ipuOf.find(stage);
        int const ipu = known == ipuOf.end() ? stage % p.ipus : known->second;
        d.stages.push_back({"Stage " + std::to_string(stage), std::clamp(ipu, 0, p.ipus - 1)});
    }
}

int ReportBuilder::addOp(OpRow row)
{
    d.ops.push_back(std::move(row));
    return count(d.ops) - 1;
}

/// The op for everything without a layer.
int ReportBuilder::syntheticRoot()
{
    if (root >= 0) return root;
    OpRow row;
    row.level = "keras";
    row.name = "program";
    row.kind = kSyntheticKind;
    return root = addOp(std::move(row));
}

/// The op one level above `level` that contains something of `candidate`: an ancestor, or a filler op for skipped levels.
int ReportBuilder::parentFor(int level, int candidate)
{
    while (candidate >= 0 && levelOf(at(d.ops, candidate).level) >= level) candidate = at(d.ops, candidate).parent;
    if (candidate < 0) candidate = syntheticRoot();
    while (levelOf(at(d.ops, candidate).level) < level - 1) {
        auto const known = fillers.find(candidate);
        if (known != fillers.end()) {
            candidate = known->second;
            continue;
        }
        OpRow row;
        auto const &parent = at(d.ops, candidate);
        row.parent = candidate;
        row.level = kLevels[static_cast<std::size_t>(levelOf(parent.level)) + 1];
        row.name = parent.name + "/own";
        row.kind = kSyntheticKind;
        row.pass = parent.pass;
        row.stage = parent.stage;
        int const filler = addOp(std::move(row));
        fillers[candidate] = filler;
        candidate = filler;
    }
    return candidate;
}

void ReportBuilder::operations()
{
    opOf.assign(p.ops.size(), kNone);
    auto const convert = [&](std::size_t i) {
        auto const &op = p.ops[i];
        OpRow row;
        row.level = kLevels[static_cast<std::size_t>(levelOf(op.level))];
        row.name = op.name;
        bool const ofTraining = op.level == "keras" && op.kind != program::kFunctionOp && !facts.layers.empty()
            && std::ranges::find(facts.layers, op.name) == facts.layers.end();
        row.kind = isSynthetic(op) ? kSyntheticKind : ofTraining ? kTrainingKind : op.kind;
        row.pass = passOf(op.pass);
        row.stage = pipelined ? op.stage : kNone;
        row.flops = op.flops;
        row.cyclesEstimated = op.estimatedCycles;
        row.cyclesIdeal = op.idealCycles;
        if (!op.plan.empty()) row.plan = op.plan;
        int const level = levelOf(op.level);
        int const above = op.parent >= 0 ? at(opOf, op.parent) : kNone;
        if (level > 0) row.parent = parentFor(level, above);
        else if (above >= 0 && at(d.ops, above).level == "keras") row.parent = above;
        opOf[i] = addOp(std::move(row));
    };
    // The op for everything without a layer comes first; all ops without a parent are put below it.
    for (std::size_t i = 0; i < p.ops.size() && root < 0; ++i)
        if (isSynthetic(p.ops[i]) && p.ops[i].parent < 0) {
            convert(i);
            root = opOf[i];
        }
    for (std::size_t i = 0; i < p.ops.size(); ++i)
        if (opOf[i] < 0) convert(i);
    // One library op per routine of an operation; below it one op per compute set, exchange and transfer.
    stepOp.assign(p.steps.size(), kNone);
    setOp.assign(p.computeSets.size(), kNone);
    std::vector<int> exchangeOp(p.exchanges.size(), kNone);
    for (StepId const id : ids.order) {
        auto const &step = p.step(id);
        int const own = step.op >= 0 ? at(opOf, step.op) : kNone;
        int *shared = nullptr;
        if (program::isControl(step.kind)) {
            stepOp[id.index] = own >= 0 ? own : syntheticRoot();
            continue;
        }
        if (step.kind == StepKind::Execute) shared = &setOp[step.computeSet.index];
        else if (step.exchange.valid()) shared = &exchangeOp[step.exchange.index];
        int const op = shared && *shared >= 0 ? *shared : leafOp(own, step.name, routineOf(step));
        if (shared) *shared = op;
        stepOp[id.index] = op;
    }
    for (std::size_t c = 0; c < p.computeSets.size(); ++c) {
        if (setOp[c] >= 0) continue;
        program::Step step;
        step.kind = StepKind::Execute;
        step.computeSet = program::ComputeSetId(c);
        auto const &set = p.computeSets[c];
        setOp[c] = leafOp(set.op >= 0 ? at(opOf, set.op) : kNone, set.name, routineOf(step));
    }
}

std::string ReportBuilder::routineOf(program::Step const &step) const
{
    switch (step.kind) {
    case StepKind::Execute: {
        auto const &set = p.computeSets[step.computeSet.index];
        return set.families.empty() ? std::string("Empty") : at(p.codelets, set.families.front().codelet);
    }
    case StepKind::Exchange: return "Exchange";
    case StepKind::GlobalExchange: return p.exchanges[step.exchange.index].ring.empty() ? "GlobalExchange" : "Collective";
    case StepKind::StreamCopy: return "HostTransfer";
    case StepKind::RemoteCopy: return "RemoteTransfer";
    case StepKind::SyncExternal: return "Sync";
    case StepKind::Sequence:
    case StepKind::Repeat:
    case StepKind::Parallel:
    case StepKind::Call:
    case StepKind::If:
    case StepKind::While: break;
    }
    return "Control";
}

int ReportBuilder::leafOp(int owner, std::string const &name, std::string const &routine)
{
    int library = owner >= 0 && at(d.ops, owner).level == "library" ? owner : kNone;
    if (library < 0) {
        int const graphOp = parentFor(2, owner);
        auto const known = libraryOps.find({graphOp, routine});
        if (known != libraryOps.end()) {
            library = known->second;
        } else {
            OpRow row;
            row.parent = graphOp;
            row.level = "library";
            row.name = at(d.ops, graphOp).name + "/" + routine;
            row.kind = routine;
            row.pass = at(d.ops, graphOp).pass;
            row.stage = at(d.ops, graphOp).stage;
            library = addOp(std::move(row));
            libraryOps[{graphOp, routine}] = library;
        }
    }
    OpRow row;
    row.parent = library;
    row.level = "compute_set";
    row.name = name.empty() ? at(d.ops, library).name : name;
    row.kind = routine;
    row.pass = at(d.ops, library).pass;
    row.stage = at(d.ops, library).stage;
    return addOp(std::move(row));
}

std::vector<int> ReportBuilder::ancestry(int op) const
{
    std::vector<int> chain;
    for (; op >= 0; op = at(d.ops, op).parent) chain.push_back(op);
    return chain;
}

/// Writer of each value read, between graph operations, in one pass through the program. Values of the previous iteration make no edges.
void ReportBuilder::opEdges()
{
    std::vector<std::vector<int>> writers(p.variables.size());
    std::set<std::tuple<int, int, int>> edges;
    for (std::size_t s = 0; s < facts.liveness.steps.size(); ++s) {
        int op = at(stepOp, facts.liveness.steps[s].index);
        while (op >= 0 && levelOf(at(d.ops, op).level) > 1) op = at(d.ops, op).parent;
        for (auto const &access : facts.liveness.accesses(s))
            if (access.access != program::Access::Write)
                for (int const writer : writers[access.var.index])
                    if (writer != op) edges.insert({writer, op, static_cast<int>(access.var.index)});
        for (auto const &access : facts.liveness.accesses(s)) {
            auto &known = writers[access.var.index];
            if (access.access == program::Access::Write) known.clear();
            if (access.access != program::Access::Read && std::ranges::find(known, op) == known.end()) known.push_back(op);
        }
    }
    for (auto const &[from, to, variable] : edges) d.opEdges.push_back({from, to, variable});
    std::set<std::pair<int, int>> owned;
    for (int program = 0; program < count(d.programs); ++program)
        for (int const op : ancestry(at(d.programs, program).op)) owned.insert({op, program});
    for (auto const &[op, program] : owned) d.opPrograms.push_back({op, program});
}

/// Flops, bytes of variables and bytes of vertex state of an op, including all ops below it.
void ReportBuilder::rollUp()
{
    std::vector<Bytes> variableBytes(d.ops.size(), 0), stateBytes(d.ops.size(), 0);
    std::vector<std::int64_t> flops(d.ops.size(), 0);
    auto const add = [&](auto &sums, int op, std::int64_t amount) {
        if (amount == 0) return;
        for (; op >= 0; op = at(d.ops, op).parent) at(sums, op) += amount;
    };
    for (auto const &variable : d.variables) add(variableBytes, variable.op, variable.bytes);
    for (auto const &use : d.computeSetVertices) add(stateBytes, at(d.computeSets, use.computeSet).op, use.stateBytes);
    // If an op states its own flops, they include those of its parts.
    for (int op = count(d.ops); op-- > 0;) {
        at(flops, op) = std::max(at(flops, op), at(d.ops, op).flops);
        if (int const parent = at(d.ops, op).parent; parent >= 0) at(flops, parent) += at(flops, op);
    }
    for (int op = 0; op < count(d.ops); ++op) {
        auto &row = at(d.ops, op);
        row.variableBytes = at(variableBytes, op);
        row.vertexStateBytes = at(stateBytes, op);
        row.flops = at(flops, op);
    }
}

} // namespace tilewright::report
