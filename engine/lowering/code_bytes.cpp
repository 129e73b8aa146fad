// Bytes that the compiler itself adds to a tile: code, vertex state, exchange programs, control. Sources: poplar_execution_model.md 3.2 and
// 3.3
// (fitted to profiles of real programs). Constants calibrated on the published dense cases are marked.
#include "engine/lowering/memory.h"
#include "engine/lowering/schedule.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::lowering {

using namespace program;

std::vector<int> controlIpus(Program const &program)
{
    std::vector<int> ipus(program.steps.size(), -1);
    std::vector<char> seen(program.steps.size(), 0);
    auto const visit = [&](auto &&self, StepId id, int ipu) -> void {
        if (seen[id.index]++) return;
        auto const &step = program.step(id);
        if (step.stage >= 0) ipu = step.ipu;
        if (step.isLane()) ipu = step.lane.ipu;
        ipus[id.index] = ipu;
        for (auto child : step.children) self(self, child, ipu);
    };
    visit(visit, program.main, -1);
    return ipus;
}

CodeBytes codeBytes(Program const &program, Distinct<Traffic> const &traffic, target::Machine const &machine, bool compileIpuCode)
{
    auto const &chip = machine.chip;
    auto const tiles = static_cast<std::size_t>(program.tiles());
    CodeBytes code;
    for (auto *part : {&code.vertexCode, &code.vertexState, &code.internalExchange, &code.globalExchange, &code.hostExchange,
                       &code.hostHeader, &code.globalHeader, &code.control, &code.stack})
        part->assign(tiles, 0);
    std::vector<char> used(tiles, 0);
    // Vertices: state of each vertex, code of each distinct codelet once per tile.
    std::map<std::pair<int, std::string>, std::vector<char>> codeOn;
    using Mask = ByTile<char>;
    auto const active = distinct<Mask>(
        program.computeSets.size(), [&](std::size_t i) { return alikeKey(program, program.computeSets[i]); },
        [&](std::size_t i) {
            auto const stretch = tilesOfSet(program, program.computeSets[i]);
            return Mask(tiles, {stretch.begin, stretch.end});
        });
    std::vector<Mask> activeOn = active.rows;
    for (std::size_t row = 0; row < activeOn.size(); ++row) {
        for (auto const &family : program.computeSets[active.first[row]].families) {
            auto const *codelet = findCodelet(program.codelets[static_cast<std::size_t>(family.codelet)]);
            auto const classes = familyClasses(program, family);
            auto &present = codeOn[{family.codelet, codelet->generatedCodeBytes ? family.expr : std::string()}];
            present.resize(tiles, 0);
            std::vector<Bytes> state;
            for (auto const &shapes : classes.shapes)
                state.push_back(active.count[row] * codelet->stateBytes({shapes, family.scalars, family.expr}));
            for (std::size_t t = 0; t < tiles; ++t) {
                if (classes.ofTile[t] < 0) continue;
                code.vertexState[t] += state[static_cast<std::size_t>(classes.ofTile[t])];
                activeOn[row].at(t) = present[t] = used[t] = 1;
            }
        }
    }
    if (compileIpuCode) {
        for (auto const &[key, present] : codeOn) {
            auto const *codelet = findCodelet(program.codelets[static_cast<std::size_t>(key.first)]);
            Bytes const bytes = codelet->generatedCodeBytes ? codelet->generatedCodeBytes(key.second) : codelet->codeBytes;
            for (std::size_t t = 0; t < tiles; ++t)
                if (present[t]) code.vertexCode[t] += bytes;
        }
        for (std::size_t t = 0; t < tiles; ++t)
            if (used[t]) code.vertexCode[t] += kRuntimeCode;
    }
    // Exchange programs, on the tiles that take part.
    for (std::size_t row = 0; row < traffic.rows.size(); ++row) {
        auto const &t = traffic.rows[row];
        std::int64_t const n = traffic.count[row];
        bool const global = !t.ipuFlows.empty();
        auto &part = global ? code.globalExchange : code.internalExchange;
        for (std::size_t i = t.messages.stretch().begin; i < t.messages.stretch().end; ++i) {
            if (t.messages[i] + t.fragments[i] == 0) continue;
            part[i] += n * exchangeCodeBytes(t.messages[i], t.fragments[i]);
            if (global) code.globalHeader[i] += n * kPacketHeader * t.messages[i];
        }
    }
    // Control code: each distinct step once (calls share it), on the tiles that take part in it.
    auto const controlIpu = controlIpus(program);
    std::vector<char> seen(program.steps.size(), 0);
    auto const visit = [&](auto &&self, StepId id) -> void {
        if (seen[id.index]++) return;
        auto const &step = program.step(id);
        auto const each = static_cast<std::size_t>(program.tilesPerIpu);
        int const ipu = controlIpu[id.index];
        std::size_t const begin = ipu < 0 ? 0 : static_cast<std::size_t>(ipu) * each, end = ipu < 0 ? tiles : begin + each;
        auto const everywhere = [&](Bytes bytes) {
            for (std::size_t t = begin; t < end; ++t) code.control[t] += bytes;
        };
        switch (step.kind) {
        case StepKind::Execute: {
            auto const &mask = activeOn[active.of[step.computeSet.index]];
            for (std::size_t t = mask.stretch().begin; t < mask.stretch().end; ++t)
                if (mask[t]) code.control[t] += kExecuteControl;
            break;
        }
        case StepKind::Exchange:
        case StepKind::GlobalExchange: {
            auto const &t = traffic[step.exchange.index];
            for (std::size_t i = begin; i < end; ++i) code.control[i] += t.messages[i] + t.fragments[i] ? kExchangeControl : kSyncControl;
            break;
        }
        case StepKind::StreamCopy:
        case StepKind::RemoteCopy: {
            if (program.streams[step.stream.index].synthetic) break;
            auto const &layout = program.var(program.streams[step.stream.index].var).layout;
            layout.forEachBlock([&](Coords const &block) {
                auto const t = static_cast<std::size_t>(layout.tileOf(block));
                auto const m = matrixOf(layout, layout.boxOf(block));
                code.hostExchange[t] += kExchangePhase + kExchangeEvent * 2 * m.rows * m.groups;
                code.hostHeader[t] += kHostHeader;
            });
            everywhere(kBranchControl);
            break;
        }
        case StepKind::Repeat:
        case StepKind::If:
        case StepKind::While:
        case StepKind::Call: everywhere(kBranchControl); break;
        case StepKind::SyncExternal: everywhere(kSyncControl); break;
        case StepKind::Sequence:
        case StepKind::Parallel: break;
        }
        for (auto child : step.children) self(self, child);
    };
    visit(visit, program.main);
    // Upload and download of resident variables: one host entry each.
    for (auto const &variable : program.variables) {
        if (!variable.alwaysLive || variable.category == Category::Constant || variable.home != Home::Tiles) continue;
        variable.layout.forEachBlock(
            [&](Coords const &block) { code.hostExchange[static_cast<std::size_t>(variable.layout.tileOf(block))] += 2 * kBranchControl; });
    }
    // The depths of stacks are known only from compiled codelets.
    if (compileIpuCode) code.stack.assign(tiles, kStackBytes);
    (void)chip;
    return code;
}

} // namespace tilewright::lowering
