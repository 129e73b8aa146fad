#include "engine/program/program.h"


#include <algorithm>
#include <set>

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

std::string_view toText(StepKind kind)
{
    switch (kind) {
    case StepKind::Sequence: return "sequence";
    case StepKind::Repeat: return "repeat";
    case StepKind::Parallel: return "parallel";
    case StepKind::Call: return "call";
    case StepKind::Execute: return "execute";
    case StepKind::Exchange: return "exchange";
    case StepKind::GlobalExchange: return "global_exchange";
    case StepKind::StreamCopy: return "stream_copy";
    case StepKind::SyncExternal: return "sync_external";
    }
    return "sequence";
}

namespace {

void collectLeaves(Program const &program, StepId id, std::vector<StepId> &leaves)
{
    auto const &step = program.step(id);
    switch (step.kind) {
    case StepKind::Sequence:
    case StepKind::Repeat:
    case StepKind::Parallel:
    case StepKind::Call:
        for (auto child : step.children) collectLeaves(program, child, leaves);
        return;
    case StepKind::Execute:
    case StepKind::Exchange:
    case StepKind::GlobalExchange:
    case StepKind::StreamCopy:
    case StepKind::SyncExternal: leaves.push_back(id); return;
    }
}

void note(std::vector<VarAccess> &all, VarId var, Access access)
{
    auto const it = std::ranges::find(all, var, &VarAccess::var);
    if (it == all.end()) all.push_back({var, access});
    else if (it->access != access) it->access = Access::Update;
}

Diagnostic broken(std::string subject, std::string what)
{
    return makeError(ErrorKind::Internal, "program.broken", std::move(subject),
                     "the lowered program is not well formed: " + std::move(what));
}

/// Enumerators count from 0.
template <typename E> bool isOneOf(E value, E last) { return static_cast<int>(value) >= 0 && value <= last; }

Status verifyComputeSet(Program const &program, ComputeSet const &set)
{
    // Readers and writers of one compute set run at the same time: an element written by one vertex may
    // be touched by no other. Families address whole blocks (or one group), so this is a check by
    // variable and tile.
    struct Use { VarId var; std::int32_t group; bool write; std::size_t family; };
    std::vector<Use> uses;
    for (std::size_t f = 0; f < set.families.size(); ++f) {
        auto const &family = set.families[f];
        if (family.codelet < 0 || family.codelet >= static_cast<int>(program.codelets.size()))
            return broken(set.name, "codelet does not exist");
        if (family.lead < 0 || family.lead >= static_cast<int>(family.fields.size()))
            return broken(set.name, "family has no leading field");
        for (auto const &field : family.fields) {
            if (field.var.index >= program.variables.size()) return broken(set.name, "field does not exist");
            if (!isOneOf(field.access, Access::Update)) return broken(set.name, "unknown kind of access");
            auto const &layout = program.var(field.var).layout;
            if (field.group < -1 || field.group >= layout.block[0]) return broken(set.name, "field group outside its block");
            uses.push_back({field.var, field.group, field.access != Access::Read, f});
        }
        auto const leadTiles = placements(program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout);
        for (auto const &field : family.fields) {
            auto const byTile = blockByTile(program.var(field.var).layout, program.tiles());
            for (auto const &placed : leadTiles)
                if (byTile[static_cast<std::size_t>(placed.tile)] < 0)
                    return broken(set.name, program.var(field.var).name + " has no block on tile "
                                      + std::to_string(placed.tile));
            // Liveness takes a written variable for written whole.
            if (field.access == Access::Write && program.var(field.var).layout.blocks() != static_cast<std::int64_t>(leadTiles.size()))
                return broken(set.name, "not every block of " + program.var(field.var).name + " is written");
        }
    }
    for (std::size_t a = 0; a < uses.size(); ++a)
        for (std::size_t b = a + 1; b < uses.size(); ++b)
            if (uses[a].var == uses[b].var && (uses[a].write || uses[b].write) && uses[a].family != uses[b].family
                && (uses[a].group < 0 || uses[b].group < 0 || uses[a].group == uses[b].group))
                return broken(set.name, "two vertices touch " + program.var(uses[a].var).name + ", one of them writing");
    return {};
}

Status verifyTransfer(Program const &program, Exchange const &exchange, Transfer const &t)
{
    if (t.src.index >= program.variables.size() || t.dst.index >= program.variables.size())
        return broken(exchange.name, "variable does not exist");
    auto const &src = program.var(t.src);
    auto const &dst = program.var(t.dst);
    if (sizeOf(src.dtype) != sizeOf(dst.dtype)) return broken(exchange.name, "element sizes differ");
    auto const size = [](Layout const &l) { return l.tensorRows() * l.tensorCols(); };
    auto const leaves = [&](std::int64_t start, std::int64_t stride, std::int64_t elements) {
        if (start < 0 || start >= elements || stride < 0 || t.rows > elements || t.cols > elements - start) return true;
        return t.rows > 1 && stride > 0 && (t.rows - 1) > (elements - start - t.cols) / stride;
    };
    if (t.rows < 1 || t.cols < 1 || leaves(t.src0, t.srcStride, size(src.layout)) || leaves(t.dst0, t.dstStride, size(dst.layout)))
        return broken(exchange.name, "transfer " + src.name + " to " + dst.name + " leaves its tensors");
    if (t.rows > 1 && t.dstStride < t.cols) return broken(exchange.name, "rows of " + dst.name + " overlap");
    if (t.dstGroup < -1 || t.srcGroup < -1) return broken(exchange.name, "transfer group does not exist");
    if (t.dstGroup >= dst.layout.extent[0] || t.srcGroup >= src.layout.extent[0])
        return broken(exchange.name, "transfer group does not exist");
    // All groups at once: each from its twin.
    bool const whole = dst.layout.kind == Groups::Partials && t.dstGroup < 0 && dst.layout.extent[0] > 1;
    if (whole && (src.layout.kind != Groups::Partials || (t.srcGroup < 0 && src.layout.extent[0] != dst.layout.extent[0])))
        return broken(exchange.name, "partial counts differ");
    if (!whole && src.layout.kind == Groups::Partials && src.layout.extent[0] > 1 && t.srcGroup < 0)
        return broken(exchange.name, "one of the addends of " + src.name + " would stand for their sum");
    return {};
}

Status verifyExchange(Program const &program, Exchange const &exchange)
{
    std::set<VarId> sources, destinations;
    for (auto const &t : exchange.transfers) {
        TW_TRY(verifyTransfer(program, exchange, t));
        sources.insert(t.src);
        destinations.insert(t.dst);
    }
    // All transfers of an exchange happen at the same time.
    for (auto id : destinations)
        if (sources.contains(id)) return broken(exchange.name, program.var(id).name + " is sent and received at the same time");
    for (auto const &ring : exchange.ring) {
        if (ring.src.index >= program.variables.size() || ring.dst.index >= program.variables.size())
            return broken(exchange.name, "variable does not exist");
        auto const &src = program.var(ring.src), &dst = program.var(ring.dst);
        if (sizeOf(src.dtype) != sizeOf(dst.dtype) || src.layout.blocks() != dst.layout.blocks())
            return broken(exchange.name, "ends of a ring differ");
        auto const byTile = blockByTile(dst.layout, program.tiles());
        for (auto const &placed : placements(src.layout))
            if (byTile[static_cast<std::size_t>(placed.tile)] < 0) return broken(exchange.name, "ends of a ring lie on other tiles");
    }
    return {};
}

} // namespace

std::vector<StepId> leafSteps(Program const &program)
{
    std::vector<StepId> leaves;
    collectLeaves(program, program.main, leaves);
    return leaves;
}

std::vector<VarAccess> accesses(Program const &program, Step const &step)
{
    std::vector<VarAccess> all;
    if (step.kind == StepKind::Execute) {
        for (auto const &family : program.computeSets[step.computeSet.index].families)
            for (auto const &field : family.fields)
                note(all, field.var, field.group >= 0 && field.access == Access::Write ? Access::Update : field.access);
    } else if (step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) {
        auto const &exchange = program.exchanges[step.exchange.index];
        // A destination is overwritten when the transfers of this exchange cover it together.
        for (auto const &t : exchange.transfers) note(all, t.src, Access::Read);
        for (auto const &ring : exchange.ring) {
            note(all, ring.src, Access::Read);
            note(all, ring.dst, ring.inChunk ? Access::Update : Access::Write);
        }
        std::vector<std::pair<VarId, std::int64_t>> covered;
        for (auto const &t : exchange.transfers) {
            auto it = std::ranges::find(covered, t.dst, &std::pair<VarId, std::int64_t>::first);
            if (it == covered.end()) it = covered.insert(covered.end(), {t.dst, 0});
            auto const &layout = program.var(t.dst).layout;
            bool const allGroups = t.dstGroup < 0;
            it->second += t.rows * t.cols * (allGroups && layout.kind != Groups::Columns ? layout.extent[0] : 1);
        }
        for (auto const &[var, elements] : covered)
            note(all, var, elements >= program.var(var).layout.elements() ? Access::Write : Access::Update);
    } else if (step.kind == StepKind::StreamCopy) {
        auto const &stream = program.streams[step.stream.index];
        note(all, stream.var, stream.toDevice ? Access::Write : Access::Read);
    }
    return all;
}

namespace {

/// Numbers that a computation with them cannot overflow, whatever the file they came from says.
constexpr std::int64_t kMaxTiles = std::int64_t{1} << 20;
constexpr std::int64_t kMaxElements = std::int64_t{1} << 40;

/// Everything that placements() and verify() itself compute with.
Status verifyLayout(Program const &program, Variable const &variable)
{
    auto const &layout = variable.layout;
    if (!isOneOf(layout.kind, Groups::Ring) || !isOneOf(variable.dtype, DType::Bool)
        || !isOneOf(variable.category, Category::Rearrangement))
        return broken(variable.name, "unknown kind of variable");
    if (layout.tiles != program.tilesPerIpu || layout.ipu < 0 || layout.ipu >= program.ipus)
        return broken(variable.name, "placed on another machine");
    std::int64_t elements = 1;
    for (std::size_t d = 0; d < 3; ++d) {
        if (layout.extent[d] < 1 || layout.block[d] < 1) return broken(variable.name, "empty layout");
        if (layout.extent[d] > kMaxElements / elements || layout.block[d] > kMaxElements)
            return broken(variable.name, "more elements than any machine holds");
        elements *= layout.extent[d];
        if (layout.stride[d] < 0) return broken(variable.name, "tiles in a negative stride");
    }
    if (layout.first < 0) return broken(variable.name, "starts on a negative tile");
    if (!isInjective(layout)) return broken(variable.name, "two blocks on one tile: " + toText(layout));
    std::int64_t tensor = 1;
    for (auto extent : variable.shape) {
        if (extent < 1 || extent > kMaxElements / tensor) return broken(variable.name, "empty or too large a shape");
        tensor *= extent;
    }
    // A whole tensor in each group, all groups together (Columns), or a tensor in each slot (Ring).
    if (layout.tensorRows() * layout.tensorCols() != tensor) return broken(variable.name, "layout does not hold its tensor");
    return {};
}

} // namespace

Status verify(Program const &program)
{
    if (program.ipus < 1 || program.replicas < 1 || program.tilesPerIpu < 1 || program.replicas > kMaxTiles
        || std::int64_t{program.ipus} * program.tilesPerIpu > kMaxTiles)
        return broken(program.name, "no such machine");
    for (auto const &variable : program.variables) TW_TRY(verifyLayout(program, variable));
    for (auto const &set : program.computeSets) TW_TRY(verifyComputeSet(program, set));
    for (auto const &exchange : program.exchanges) TW_TRY(verifyExchange(program, exchange));
    for (auto const &stream : program.streams)
        if (stream.var.index >= program.variables.size()) return broken(stream.name, "variable does not exist");
    std::vector<char> onPath(program.steps.size(), 0), done(program.steps.size(), 0);
    auto const visit = [&](auto &&self, StepId id) -> Status {
        if (id.index >= program.steps.size()) return broken(program.name, "step does not exist");
        if (onPath[id.index]) return broken(program.step(id).name, "step contains itself");
        if (done[id.index]) return {};
        auto const &step = program.step(id);
        if (!isOneOf(step.kind, StepKind::SyncExternal)) return broken(step.name, "unknown kind of step");
        if (step.kind == StepKind::Repeat && step.count < 0) return broken(step.name, "repeats less than never");
        if (step.kind == StepKind::Execute && step.computeSet.index >= program.computeSets.size())
            return broken(step.name, "compute set does not exist");
        if ((step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange)
            && step.exchange.index >= program.exchanges.size())
            return broken(step.name, "exchange does not exist");
        if (step.kind == StepKind::StreamCopy && step.stream.index >= program.streams.size())
            return broken(step.name, "stream does not exist");
        onPath[id.index] = 1;
        for (auto child : step.children) TW_TRY(self(self, child));
        onPath[id.index] = 0;
        done[id.index] = 1;
        return {};
    };
    return visit(visit, program.main);
}

namespace {

void printStep(Program const &program, StepId id, std::string const &indent, std::string &out)
{
    auto const &step = program.step(id);
    out += indent + std::string(toText(step.kind)) + " \"" + step.name + "\"";
    if (step.kind == StepKind::Repeat) out += " x" + std::to_string(step.count);
    if (step.slot >= 0) out += " slot " + std::to_string(step.slot);
    out += "\n";
    if (step.kind == StepKind::Execute) {
        for (auto const &family : program.computeSets[step.computeSet.index].families) {
            out += indent + "    " + program.codelets[static_cast<std::size_t>(family.codelet)] + " x"
                + std::to_string(program.var(family.fields[static_cast<std::size_t>(family.lead)].var).layout.blocks());
            for (auto const &field : family.fields) {
                static constexpr char const *kAccess[] = {" <", " >", " <>"};
                out += std::string(kAccess[static_cast<int>(field.access)]) + program.var(field.var).name;
                if (field.group >= 0) out += "#" + std::to_string(field.group);
            }
            if (!family.expr.empty()) out += " {" + family.expr + "}";
            out += "\n";
        }
    } else if (step.exchange.valid()) {
        auto const &exchange = program.exchanges[step.exchange.index];
        for (auto const &t : exchange.transfers)
            out += indent + "    " + program.var(t.src).name + " -> " + program.var(t.dst).name + " " + std::to_string(t.rows)
                + "x" + std::to_string(t.cols) + "\n";
        for (auto const &r : exchange.ring)
            out += indent + "    ring " + program.var(r.src).name + " -> " + program.var(r.dst).name + " chunk "
                + std::to_string(r.chunk) + "\n";
    }
    for (auto child : step.children) printStep(program, child, indent + "  ", out);
}

} // namespace

std::string print(Program const &program)
{
    std::string out = "program \"" + program.name + "\" ipus " + std::to_string(program.ipus) + " replicas "
        + std::to_string(program.replicas) + " tiles " + std::to_string(program.tilesPerIpu) + "\n";
    for (auto const &variable : program.variables)
        out += "var \"" + variable.name + "\" " + std::string(tilewright::toText(variable.dtype)) + tilewright::toText(variable.shape)
            + " " + variable.role + " " + std::string(toText(variable.category)) + (variable.alwaysLive ? " always-live" : "")
            + (variable.interleaved ? " interleaved" : "") + " " + toText(variable.layout) + "\n";
    printStep(program, program.main, "", out);
    return out;
}

} // namespace tilewright::program
