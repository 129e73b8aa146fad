#include "views/inspector/silicon.h"

#include "views/wording/run_costs.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace tilewright::views {

using namespace report;

namespace {

constexpr char const *kPasses[] = {"forward", "recompute", "backward", "update", "other"};

void mergeFlags(std::vector<char> &into, std::vector<char> const &more)
{
    if (into.size() < more.size()) into.resize(more.size());
    for (std::size_t i = 0; i < more.size(); ++i) into[i] = static_cast<char>(into[i] || more[i]);
}

std::vector<int> idsOf(std::vector<char> const &flags)
{
    std::vector<int> ids;
    for (std::size_t i = 0; i < flags.size(); ++i)
        if (flags[i]) ids.push_back(static_cast<int>(i));
    return ids;
}

/// Cycles of the programs by the pass of their operation, and the bytes they move, for one step. False without statistics.
bool cyclesOfRun(ReportData const &data, std::vector<char> const &programs, SiliconFacts &out)
{
    auto const frame = runFrame(data);
    if (frame.run == kNone || frame.steps <= 0) return false;
    auto const costs = costsByProgram(data, frame.run);
    std::map<std::string, std::vector<int>> byPass;
    for (int program = 0; program < static_cast<int>(data.programs.size()); ++program) {
        if (!Lineage::has(programs, program)) continue;
        int const op = data.programs[static_cast<std::size_t>(program)].op;
        byPass[op >= 0 ? data.ops[static_cast<std::size_t>(op)].pass : std::string("other")].push_back(program);
    }
    Cycles all = 0;
    for (char const *pass : kPasses) {
        auto const it = byPass.find(pass);
        Cycles const cycles = it == byPass.end() ? 0 : costOf(costs, it->second).cycles;
        if (cycles > 0) out.passCycles.emplace_back(pass, std::llround(cyclesPerStep(frame, cycles)));
        all += cycles;
    }
    out.cycles = std::llround(cyclesPerStep(frame, all));
    out.movedBytes = bytesPerStep(frame, costOf(costs, idsOf(programs)).bytesMoved);
    out.step = shareOfStep(frame, all);
    out.ofRun = true;
    out.measured = frame.measured;
    return true;
}

} // namespace

Result<SiliconFacts> siliconOf(ReportSnapshot const &report, QStringList const &layers, JobContext const &job)
{
    auto const &data = report.data();
    SiliconFacts out;
    Lineage all;
    for (auto const &name : layers) {
        if (job.cancelled()) return cancelledError("inspector");
        Selected selected;
        selected.kind = SelectionKind::Layer;
        selected.name = name;
        auto const one = lineageOf(report, selected);
        mergeFlags(all.ops, one.ops);
        mergeFlags(all.computeSets, one.computeSets);
        mergeFlags(all.programs, one.programs);
    }
    for (int const id : idsOf(all.ops)) {
        out.found = true;
        auto const &op = data.ops[static_cast<std::size_t>(id)];
        if (isOperation(op)) out.ops.push_back(id);
        if (op.level == "keras") out.codeBytes += codeOf(op);
    }
    out.computeSets = idsOf(all.computeSets);
    for (std::size_t i = 0; i < data.variables.size(); ++i)
        if (Lineage::has(all.ops, data.variables[i].op)) out.variables.push_back(static_cast<int>(i));
    out.tileBytes.assign(static_cast<std::size_t>(std::max(0, report.tiles())), 0);
    for (int const id : out.variables) {
        if (job.cancelled()) return cancelledError("inspector");
        auto const &row = data.variables[static_cast<std::size_t>(id)];
        out.variableBytes += row.bytes;
        if (row.alwaysLive) out.alwaysBytes += row.bytes;
        if (row.bytesVec < 0) continue;
        auto const &bytes = report.tileVec(row.bytesVec);
        for (std::size_t tile = 0; tile < bytes.size() && tile < out.tileBytes.size(); ++tile) out.tileBytes[tile] += bytes[tile];
    }
    out.tilesUsed = static_cast<int>(std::ranges::count_if(out.tileBytes, [](auto bytes) { return bytes > 0; }));
    std::map<std::string, Cycles> planned;
    for (int const id : out.ops) {
        auto const &op = data.ops[static_cast<std::size_t>(id)];
        out.opCodeBytes += codeOf(op);
        planned[op.pass] += op.cyclesEstimated;
    }
    for (auto const &exchange : data.exchanges)
        if (Lineage::has(all.programs, exchange.program)) {
            out.movedBytes += bytesMoved(exchange);
            ++out.exchanges;
        }
    if (!cyclesOfRun(data, all.programs, out))
        for (char const *pass : kPasses)
            if (auto const it = planned.find(pass); it != planned.end() && it->second > 0) {
                out.passCycles.emplace_back(pass, it->second);
                out.cycles += it->second;
            }
    std::ranges::stable_sort(out.variables, [&](int a, int b) {
        return data.variables[static_cast<std::size_t>(a)].bytes > data.variables[static_cast<std::size_t>(b)].bytes;
    });
    std::ranges::stable_sort(out.computeSets, [&](int a, int b) {
        return data.computeSets[static_cast<std::size_t>(a)].cyclesMax > data.computeSets[static_cast<std::size_t>(b)].cyclesMax;
    });
    return out;
}

} // namespace tilewright::views
