#pragma once

#include "engine/lowering/memory.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

/// The invariants of an allocation, each by brute force over the bytes of every tile.
namespace tilewright::tests {

/// The violation; empty if there is none.
inline std::string memoryProblem(program::Program const &p, lowering::Liveness const &liveness, lowering::Memory const &memory,
                                 target::Machine const &machine)
{
    using namespace lowering;
    auto const &chip = machine.chip;
    auto const tiles = static_cast<std::size_t>(p.tiles());
    if (memory.layoutOf.size() != tiles) return "tiles missing";
    // The required placements.
    std::vector<std::vector<Bytes>> wanted(tiles, std::vector<Bytes>(p.variables.size(), 0));
    for (std::size_t v = 0; v < p.variables.size(); ++v)
        if (!liveness.intervals[v].empty())
            for (auto const &placed : program::placements(p.variables[v].layout))
                wanted[static_cast<std::size_t>(placed.tile)][v] = placed.box.elements() * sizeOf(p.variables[v].dtype);
    auto const liveAt = [&](Placement const &item, int step) {
        if (item.livenessClass == 0) return true;
        for (auto const &interval : liveness.classes[static_cast<std::size_t>(item.livenessClass)])
            if (interval.first <= step && step < interval.end) return true;
        return false;
    };
    int const steps = static_cast<int>(liveness.steps.size());
    std::vector<bool> checked(memory.layouts.size(), false);
    std::array<Bytes, kMemoryCategories> byKind{};
    bool fits = true;
    for (std::size_t t = 0; t < tiles; ++t) {
        auto const where = " on tile " + std::to_string(t);
        auto const layoutIndex = static_cast<std::size_t>(memory.layoutOf[t]);
        auto const &items = memory.layouts[layoutIndex].items;
        std::vector<Bytes> got(p.variables.size(), 0);
        Bytes end = 0, always = 0, covered = 0, unionBytes = 0;
        std::array<Bytes, kMemoryCategories * 2> usedTo{}; // by kind, and whether past the end of the tile
        for (auto const &item : items) {
            if (item.bytes <= 0) return "an empty item" + where;
            if (item.offset % item.alignment != 0) return "a misaligned item" + where;
            if (item.variable >= 0) {
                auto &bytes = got[static_cast<std::size_t>(item.variable)];
                if (bytes != 0) return "a variable placed twice" + where;
                bytes = item.bytes;
                if (item.livenessClass != liveness.classOf[static_cast<std::size_t>(item.variable)]) return "another class" + where;
            } else if (item.livenessClass != 0) {
                return "code that is not always live" + where;
            }
            bool const overflowed = item.region == MemoryRegion::Overflowed;
            if (overflowed != (item.offset >= chip.bytesPerTile || item.offset + item.bytes > chip.bytesPerTile))
                return "overflow is not where it is said to be" + where;
            if (item.executable && !overflowed && item.offset + item.bytes > chip.nonInterleavedBytes)
                return "code outside the executable region" + where;
            if (!overflowed && (item.region == MemoryRegion::Interleaved) != (item.offset >= chip.nonInterleavedBytes))
                return "another region" + where;
            if ((item.gap != GapReason::None) != (item.offset > covered))
                return "a gap without a reason, or a reason without a gap" + where;
            unionBytes += std::max<Bytes>(0, item.offset + item.bytes - std::max(covered, item.offset));
            covered = std::max(covered, item.offset + item.bytes);
            end = std::max(end, item.offset + item.bytes);
            auto &used = usedTo[static_cast<std::size_t>(item.kind) * 2 + overflowed];
            byKind[static_cast<std::size_t>(item.kind)] += std::max<Bytes>(0, item.offset + item.bytes - std::max(used, item.offset));
            used = std::max(used, item.offset + item.bytes);
            if (item.livenessClass == 0) always += item.bytes;
        }
        if (!std::ranges::is_sorted(items, {}, &Placement::offset)) return "items out of order" + where;
        if (got != wanted[t]) return "other variables than the layouts say" + where;
        Bytes need = 0;
        for (int s = 0; s < steps; ++s) {
            Bytes live = 0;
            for (auto const &item : items) live += liveAt(item, s) ? item.bytes : 0;
            need = std::max(need, live);
        }
        need = std::max(need, always);
        if (memory.withGaps[t] != end || memory.withoutGaps[t] != unionBytes || memory.alwaysLive[t] != always || memory.need[t] != need)
            return "sums differ" + where;
        if (!(end >= unionBytes && unionBytes >= need && need >= always))
            return "with gaps >= without gaps >= need >= always live fails" + where;
        if (end > chip.bytesPerTile) fits = false;
        if (checked[layoutIndex]) continue;
        checked[layoutIndex] = true;
        for (std::size_t a = 0; a < items.size(); ++a)
            for (std::size_t b = a + 1; b < items.size() && items[b].offset < items[a].offset + items[a].bytes; ++b)
                for (int s = 0; s < std::max(1, steps); ++s)
                    if (liveAt(items[a], s) && liveAt(items[b], s)) return "two live items share an address" + where;
    }
    if (memory.fits != fits) return "the verdict is wrong";
    if (byKind != memory.byKind) return "the sums by kind are wrong";
    for (std::size_t i = 0; i < memory.ipus.size(); ++i) {
        auto const &ipu = memory.ipus[i];
        auto const n = static_cast<std::size_t>(p.tilesPerIpu);
        Bytes worst = 0, total = 0, totalWithout = 0;
        for (std::size_t t = i * n; t < (i + 1) * n; ++t) {
            worst = std::max(worst, memory.withGaps[t]);
            total += memory.withGaps[t];
            totalWithout += memory.withoutGaps[t];
        }
        if (ipu.worstBytes != worst || ipu.totalWithGaps != total || ipu.totalWithoutGaps != totalWithout
            || (worst > 0 && memory.withGaps[static_cast<std::size_t>(ipu.worstTile)] != worst) || ipu.fits != (worst <= chip.bytesPerTile)
            || ipu.fits != ipu.cause.empty())
            return "the verdict of IPU " + std::to_string(i) + " is wrong";
    }
    return {};
}

} // namespace tilewright::tests
