// Addresses and live ranges of all memory. Results that depend only on a tile's content are computed once per distinct layout and then
// copied to
// all tiles with that layout.
#include "engine/report/build_report_parts.h"

#include "engine/lowering/address_sweep.h"

#include <algorithm>
#include <bit>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace tilewright::report {

namespace {

constexpr int kPeaksKept = 16; ///< local maxima listed per curve
std::size_t partIndex(MemoryCategory category, Region region, bool overlapped)
{
    return (static_cast<std::size_t>(category) * kRegions + static_cast<std::size_t>(region)) * 2 + overlapped;
}

/// Requires: sorted by offset.
PartSums sumParts(TileLayout const &layout, Bytes executableEnd)
{
    PartSums sums;
    auto const kindOf = [](LoweredVariable const &item) { return partIndex(item.category, item.region, false) / 2; };
    lowering::sweepAddresses<kMemoryCategories * kRegions>(layout, kindOf, [&](Bytes from, Bytes to, std::uint64_t kinds, int items) {
        bool const overlapped = items > 1;
        for (auto left = kinds; left != 0; left &= left - 1)
            sums.part[static_cast<std::size_t>(std::countr_zero(left)) * 2 + overlapped] += to - from;
        if (overlapped) sums.overlapUnion += to - from;
        sums.executableUsed += std::max<Bytes>(0, std::min(to, executableEnd) - from);
    });
    return sums;
}

/// The content of the tiles of a layout, in the form of the report.
TileLayout loweredLayout(lowering::TileLayout const &placed, Bytes border)
{
    TileLayout layout(placed.items.size()), uppers;
    for (std::size_t i = 0; i < layout.size(); ++i) {
        auto const &item = placed.items[i];
        auto &lowered = layout[i];
        lowered.variable = item.variable;
        lowered.category = (item.kind);
        lowered.offset = item.offset;
        lowered.bytes = item.bytes;
        lowered.alignment = item.alignment;
        lowered.livenessClass = item.livenessClass;
        lowered.region = static_cast<Region>(item.region);
        lowered.gapReason = item.gap;
        if (item.executable) lowered.flags |= kLoweredExecutable;
        if (lowered.category == MemoryCategory::Constant) lowered.flags |= kLoweredConstant;
        bool const crosses = lowered.region != Region::Overflowed && item.offset < border && item.offset + item.bytes > border;
        if (!crosses) continue;
        // An item across the border of the regions becomes one piece in each.
        auto upper = lowered;
        lowered.bytes = border - item.offset;
        lowered.region = Region::NonInterleaved;
        upper.offset = border;
        upper.bytes = item.bytes - lowered.bytes;
        upper.region = Region::Interleaved;
        upper.gapReason = GapReason::None;
        uppers.push_back(upper);
    }
    layout.insert(layout.end(), uppers.begin(), uppers.end());
    auto const before = [](auto const &a, auto const &b) {
        return std::tie(a.offset, a.bytes, a.variable) < std::tie(b.offset, b.bytes, b.variable);
    };
    if (!std::ranges::is_sorted(layout, before)) std::ranges::sort(layout, before);
    // The first item at an address carries the size of the gap before it; splitting can change which item is first.
    for (std::size_t i = layout.size(); !uppers.empty() && i-- > 1;)
        if (layout[i].offset == layout[i - 1].offset && layout[i].gapReason != GapReason::None)
            std::swap(layout[i].gapReason, layout[i - 1].gapReason);
    return layout;
}

} // namespace

/// One layout at a time, and packed at once: all of them unpacked would be the largest part of the process's memory. Most are a difference
/// from the first one with the same variables.
void ReportBuilder::layouts()
{
    Bytes const border = facts.machine.chip.nonInterleavedBytes;
    auto const &placed = facts.memory.layouts;
    partSums.resize(placed.size());
    std::vector<PackedLayout> packed(placed.size());
    std::vector<std::uint64_t> likeness(placed.size());
    work.run(placed.size(), [&](std::size_t i) {
        auto const layout = loweredLayout(placed[i], border);
        partSums[i] = sumParts(layout, border);
        likeness[i] = likenessOf(layout);
    });
    if (work.cancelled()) return;
    std::unordered_map<std::uint64_t, std::size_t> firsts;
    std::vector<std::size_t> baseOfLayout;
    for (std::size_t i = 0; i < placed.size(); ++i) baseOfLayout.push_back(firsts.try_emplace(likeness[i], i).first->second);
    work.run(placed.size(), [&](std::size_t i) {
        auto const layout = loweredLayout(placed[i], border);
        std::optional<PackedLayout> difference;
        if (auto const base = baseOfLayout[i]; base != i)
            difference = packDifference(layout, static_cast<int>(base), loweredLayout(placed[base], border));
        packed[i] = difference ? std::move(*difference) : packLayout(layout);
    });
    for (auto &layout : packed) d.layouts.add(std::move(layout));
    d.tileLayout.assign(facts.memory.layoutOf.begin(), facts.memory.layoutOf.end());
}

void ReportBuilder::variables()
{
    auto const &liveness = facts.liveness;
    std::vector<int> lastUse(p.variables.size(), kNone);
    for (std::size_t s = 0; s < liveness.steps.size(); ++s)
        for (auto const &access : liveness.accesses(s)) lastUse[access.var.index] = static_cast<int>(s);
    for (std::size_t v = 0; v < p.variables.size(); ++v) {
        auto const &variable = p.variables[v];
        auto const &intervals = liveness.intervals[v];
        VariableRow row;
        row.name = variable.name;
        row.op = variable.op >= 0 ? at(opOf, variable.op) : syntheticRoot();
        row.role = variable.role.empty() ? "other" : variable.role;
        row.dtype = std::string(tilewright::toText(variable.dtype));
        row.shape = variable.shape;
        row.elements = elementCount(variable.shape);
        row.lastUseStep = lastUse[v];
        if (!intervals.empty()) {
            std::string key(1, static_cast<char>(sizeOf(variable.dtype)));
            program::appendKey(key, variable.layout);
            auto const [known, fresh] = bytesVecs.try_emplace(std::move(key), kNone);
            if (fresh) {
                auto const classes = program::tileClasses(variable.layout, p.tiles());
                std::vector<Bytes> bytes(tiles, 0);
                for (std::size_t t = 0; t < tiles; ++t)
                    if (classes.ofTile[t] >= 0) bytes[t] = at(classes.box, classes.ofTile[t]).elements() * sizeOf(variable.dtype);
                known->second = addVec(std::move(bytes));
            }
            row.bytesVec = known->second;
            row.bytes = d.tileVecs.head(row.bytesVec).sum;
            row.alwaysLive = liveness.classOf[v] == 0;
            row.firstStep = intervals.front().first;
            row.lastStep = intervals.back().end - 1;
        }
        if (variable.home != Home::Tiles) {
            RemoteBufferRow buffer;
            buffer.name = variable.name;
            buffer.variable = static_cast<int>(v);
            buffer.bytes = program::remoteBytes(p, variable);
            buffer.rows = variable.layout.parts(); // each copied whole
            d.remoteBuffers.push_back(std::move(buffer));
        }
        d.variables.push_back(std::move(row));
    }
}

void ReportBuilder::liveness()
{
    auto const &source = facts.liveness;
    auto const steps = source.steps.size();
    for (std::size_t c = 0; c < source.classes.size(); ++c) {
        d.livenessClasses.push_back({c == 0});
        for (auto const &interval : source.classes[c]) d.livenessIntervals.push_back({static_cast<int>(c), interval.first, interval.end});
    }
    // Stage and pass of a step come from its task, otherwise from its operation.
    auto const walk = [&](auto &&self, StepId id, int stage, std::string const &pass) -> void {
        auto const &step = p.step(id);
        int const innerStage = step.stage >= 0 ? step.stage : stage;
        std::string const &innerPass = step.stage >= 0 && !step.pass.empty() ? step.pass : pass;
        if (program::isControl(step.kind)) {
            for (auto child : step.children) self(self, child, innerStage, innerPass);
            return;
        }
        auto const &op = at(d.ops, at(stepOp, id.index));
        LivenessStepRow row;
        row.program = ids.byStep[id.index];
        row.stage = !pipelined ? kNone : innerStage >= 0 ? innerStage : op.stage;
        row.pass = innerPass.empty() ? op.pass : innerPass;
        d.livenessSteps.push_back(std::move(row));
    };
    walk(walk, p.main, kNone, {});
    TW_CHECK(d.livenessSteps.size() == steps, "liveness was computed for another program");

    // Bytes by class in each scope, then the curve over the steps.
    std::size_t const classes = source.classes.size();
    auto const &placed = facts.memory.layouts;
    std::vector<std::vector<std::int64_t>> tilesWith(static_cast<std::size_t>(p.ipus), std::vector<std::int64_t>(placed.size(), 0));
    for (std::size_t t = 0; t < tiles; ++t) ++at(at(tilesWith, static_cast<std::int64_t>(t) / p.tilesPerIpu), d.tileLayout[t]);
    std::vector<Bytes> all(classes, 0);
    std::vector<std::vector<Bytes>> ofIpu(static_cast<std::size_t>(p.ipus), std::vector<Bytes>(classes, 0)),
        ofStage(d.stages.size(), std::vector<Bytes>(classes, 0));
    for (int ipu = 0; ipu < p.ipus; ++ipu) {
        auto &bytes = at(ofIpu, ipu);
        for (std::size_t l = 0; l < placed.size(); ++l)
            if (auto const n = at(tilesWith, ipu)[l]; n > 0)
                for (auto const &item : placed[l].items) at(bytes, item.livenessClass) += item.bytes * n;
        for (std::size_t c = 0; c < classes; ++c) all[c] += bytes[c];
    }
    for (std::size_t v = 0; v < d.variables.size(); ++v) {
        int const stage = at(d.ops, d.variables[v].op).stage;
        if (stage >= 0) at(ofStage, stage)[static_cast<std::size_t>(source.classOf[v])] += d.variables[v].bytes;
    }
    auto const addCurve = [&](std::string const &scope, int id, std::vector<Bytes> const &bytes) {
        LiveCurveRow curve;
        curve.scope = scope;
        curve.scopeId = id;
        curve.alwaysLive = bytes.empty() ? 0 : bytes[0];
        std::vector<Bytes> change(steps + 1, 0);
        for (std::size_t c = 1; c < classes; ++c)
            for (auto const &interval : source.classes[c]) {
                at(change, interval.first) += bytes[c];
                at(change, interval.end) -= bytes[c];
            }
        Bytes live = 0, most = 0;
        for (std::size_t s = 0; s < steps; ++s) {
            curve.notAlwaysLive.push_back(live += change[s]);
            if (live > most) {
                most = live;
                curve.peakStep = static_cast<int>(s);
            }
        }
        curve.peak = curve.alwaysLive + most;
        // Local maxima: the first step of each plateau that is higher than its neighbours.
        std::vector<LivePeakRow> peaks;
        auto const &y = curve.notAlwaysLive;
        for (std::size_t s = 0; s < steps;) {
            std::size_t end = s + 1;
            while (end < steps && y[end] == y[s]) ++end;
            bool const higher = (s == 0 || y[s - 1] < y[s]) && (end == steps || y[end] < y[s]);
            if (higher) peaks.push_back({scope, id, 0, static_cast<int>(s), curve.alwaysLive + y[s]});
            s = end;
        }
        std::ranges::stable_sort(peaks, [](auto const &a, auto const &b) { return a.bytes > b.bytes; });
        if (count(peaks) > kPeaksKept) peaks.resize(kPeaksKept);
        for (std::size_t i = 0; i < peaks.size(); ++i) peaks[i].rank = static_cast<int>(i);
        d.livePeaks.insert(d.livePeaks.end(), peaks.begin(), peaks.end());
        d.liveCurves.push_back(std::move(curve));
    };
    addCurve("all", 0, all);
    for (int ipu = 0; ipu < p.ipus; ++ipu) addCurve("ipu", ipu, at(ofIpu, ipu));
    for (int stage = 0; stage < count(d.stages); ++stage) addCurve("stage", stage, at(ofStage, stage));
}

void ReportBuilder::tileMetrics()
{
    auto const &memory = facts.memory;
    auto const &chip = facts.machine.chip;
    auto const &sums = partSums;
    std::vector<std::int64_t> overlap, peak, peakStep(memory.peakStep.begin(), memory.peakStep.end()), headroom, room;
    for (std::size_t t = 0; t < tiles; ++t) {
        auto const &parts = at(sums, d.tileLayout[t]);
        overlap.push_back(parts.overlapUnion);
        peak.push_back(memory.need[t] - memory.alwaysLive[t]);
        headroom.push_back(chip.bytesPerTile - memory.withGaps[t]);
        room.push_back(chip.nonInterleavedBytes - parts.executableUsed);
    }
    auto const add = [&](char const *name, std::vector<std::int64_t> values) {
        d.tileMetrics.push_back({name, addVec(std::move(values))});
    };
    add("always_live", memory.alwaysLive);
    add("executable_room", std::move(room));
    add("headroom", std::move(headroom));
    add("need", memory.need);
    add("not_always_live_peak", std::move(peak));
    add("overlap_union", std::move(overlap));
    add("peak_step", std::move(peakStep));
    add("with_gaps", memory.withGaps);
    add("without_gaps", memory.withoutGaps);

    for (int category = 0; category < kMemoryCategories; ++category)
        for (int region = 0; region < kRegions; ++region)
            for (bool overlapped : {false, true}) {
                auto const part = partIndex(static_cast<MemoryCategory>(category), static_cast<Region>(region), overlapped);
                if (std::ranges::none_of(sums, [&](auto const &s) { return s.part[part] > 0; })) continue;
                std::vector<std::int64_t> values(tiles);
                for (std::size_t t = 0; t < tiles; ++t) values[t] = at(sums, d.tileLayout[t]).part[part];
                d.memoryParts.push_back(
                    {static_cast<MemoryCategory>(category), static_cast<Region>(region), overlapped, addVec(std::move(values))});
            }
}

void ReportBuilder::verdicts()
{
    auto const &memory = facts.memory;
    Bytes const capacity = facts.machine.chip.bytesPerTile;
    int worst = 0;
    for (int ipu = 0; ipu < p.ipus; ++ipu) {
        auto const &verdict = at(memory.ipus, ipu);
        int const tile = std::max(verdict.worstTile, ipu * p.tilesPerIpu);
        d.verdicts.push_back({"ipu", ipu, verdict.fits, tile, verdict.worstBytes, capacity, verdict.cause, at(memory.peakStep, tile)});
        if (verdict.worstBytes > at(d.verdicts, worst).bytes) worst = ipu;
    }
    auto all = at(d.verdicts, worst);
    all.scope = "all";
    all.scopeId = 0;
    d.verdicts.insert(d.verdicts.begin(), all);
}

} // namespace tilewright::report
