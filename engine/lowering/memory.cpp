#include "engine/lowering/memory.h"

#include "engine/core/text.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace tilewright::lowering {

using namespace program;

std::string_view toText(MemoryKind kind)
{
    static constexpr std::string_view kNames[kMemoryKinds] = {
        "variable", "constant", "output", "vertex_code", "vertex_state", "vertex_fields", "internal_exchange_code",
        "global_exchange_code", "host_exchange_code", "global_packet_header", "host_packet_header", "exchange_buffer",
        "rearrangement", "control_code", "control_table", "control_id", "copy_descriptor", "vector_list_descriptor", "stack",
        "instrumentation", "shared_code"};
    return kNames[static_cast<std::size_t>(kind)];
}

namespace {

MemoryKind kindOf(Category category)
{
    switch (category) {
    case Category::Variable: return MemoryKind::Variable;
    case Category::Constant: return MemoryKind::Constant;
    case Category::Output: return MemoryKind::Output;
    case Category::ExchangeBuffer: return MemoryKind::ExchangeBuffer;
    case Category::Rearrangement: return MemoryKind::Rearrangement;
    }
    return MemoryKind::Variable;
}

/// First-fit over one tile.
class TilePlacer {
public:
    TilePlacer(Liveness const &liveness, target::Chip const &chip) : m_liveness(liveness), m_chip(chip)
    {
        m_spans.reserve(liveness.classes.size());
        for (auto const &intervals : liveness.classes)
            m_spans.push_back(intervals.empty() ? Span{} : Span{intervals.front().first, intervals.back().end, intervals.size() == 1});
    }

    TileLayout place(std::vector<Placement> items)
    {
        m_placed.clear();
        m_placed.reserve(items.size());
        for (auto &item : items) placeOne(item);
        std::ranges::sort(m_placed, [](Placement const &a, Placement const &b) {
            return std::tuple(a.offset, a.bytes, a.variable) < std::tuple(b.offset, b.bytes, b.variable);
        });
        explainGaps();
        return {m_placed};
    }

private:
    /// From the first to the last step of a class; most are live all the while between.
    struct Span {
        int begin = 0, end = 0;
        bool whole = true;
    };

    bool together(Placement const &a, Placement const &b) const
    {
        if (a.livenessClass == 0 || b.livenessClass == 0) return true;
        if (a.livenessClass == b.livenessClass) return true;
        auto const classA = static_cast<std::size_t>(a.livenessClass), classB = static_cast<std::size_t>(b.livenessClass);
        auto const &spanA = m_spans[classA], &spanB = m_spans[classB];
        if (spanA.begin >= spanB.end || spanB.begin >= spanA.end) return false;
        if (spanA.whole && spanB.whole) return true;
        return intersects(m_liveness.classes[classA], m_liveness.classes[classB]);
    }

    /// Lowest address in [from, to) with room beside everything that is live at the same time; -1 = none. What is placed
    /// is in the order of its addresses, so the walk ends at the first room.
    Bytes find(Placement const &item, Bytes from, Bytes to) const
    {
        Bytes at = roundUp(from, item.alignment);
        for (auto const &other : m_placed) {
            if (other.offset >= at + item.bytes || other.offset >= to) break;
            if (other.offset + other.bytes > at && together(item, other)) at = roundUp(other.offset + other.bytes, item.alignment);
        }
        return at + item.bytes <= to ? at : -1;
    }

    void placeOne(Placement &item)
    {
        Bytes const border = m_chip.nonInterleavedBytes, top = m_chip.bytesPerTile;
        Bytes at = -1;
        if (item.region == MemoryRegion::Interleaved) {
            at = find(item, border, top);
            if (at < 0) at = find(item, 0, border); // a hint: loads fall back to 64 bits
        } else {
            at = find(item, 0, border);
            if (at < 0 && !item.executable) at = find(item, border, top);
            if (at < 0 && !item.executable) at = find(item, 0, top); // across the border
        }
        if (at < 0) {
            at = find(item, top, Bytes{1} << 40);
            item.region = MemoryRegion::Overflowed;
        } else {
            item.region = at >= border ? MemoryRegion::Interleaved : MemoryRegion::NonInterleaved;
        }
        item.offset = at;
        m_placed.insert(std::ranges::upper_bound(m_placed, at, {}, &Placement::offset), item);
    }

    void explainGaps()
    {
        Bytes used = 0;
        for (auto &item : m_placed) {
            if (item.offset > used) {
                bool const crosses = used < m_chip.nonInterleavedBytes && item.offset >= m_chip.nonInterleavedBytes;
                bool const atEnd = used <= m_chip.bytesPerTile && item.offset >= m_chip.bytesPerTile;
                if (crosses || atEnd) item.gap = GapReason::RegionEnd;
                else if (item.offset - used < item.alignment) item.gap = GapReason::Alignment;
                else item.gap = GapReason::Fragmentation;
            }
            used = std::max(used, item.offset + item.bytes);
        }
    }

    Liveness const &m_liveness;
    target::Chip const &m_chip;
    std::vector<Span> m_spans; ///< by liveness class
    std::vector<Placement> m_placed; ///< by address
};

/// Peak of live bytes over the steps, on one tile.
struct Peak { Bytes bytes = 0; int step = 0; };
Peak peakOf(std::vector<Placement> const &items, Liveness const &liveness)
{
    std::vector<Bytes> change(liveness.steps.size() + 1, 0);
    for (auto const &item : items) {
        if (item.livenessClass == 0) continue;
        for (auto const &interval : liveness.classes[static_cast<std::size_t>(item.livenessClass)]) {
            change[static_cast<std::size_t>(interval.first)] += item.bytes;
            change[static_cast<std::size_t>(interval.end)] -= item.bytes;
        }
    }
    Peak peak;
    Bytes live = 0;
    for (std::size_t s = 0; s < liveness.steps.size(); ++s) {
        live += change[s];
        if (live > peak.bytes) peak = {live, static_cast<int>(s)};
    }
    return peak;
}

} // namespace

Bytes Memory::addressOf(VarId var, int tile) const
{
    auto const &layout = layouts[static_cast<std::size_t>(layoutOf[static_cast<std::size_t>(tile)])];
    for (auto const &item : layout.items)
        if (item.variable == static_cast<std::int32_t>(var.index)) return item.offset;
    TW_CHECK(false, "variable has no block on tile " + std::to_string(tile));
    return -1;
}

Memory allocate(Program const &program, Liveness const &liveness, CodeBytes code, target::Machine const &machine)
{
    auto const &chip = machine.chip;
    auto const tiles = static_cast<std::size_t>(program.tiles());
    std::vector<std::vector<Placement>> items(tiles);
    for (std::size_t t = 0; t < tiles; ++t) {
        auto const add = [&](MemoryKind kind, Bytes bytes, bool executable) {
            if (bytes <= 0) return;
            Placement p;
            p.kind = kind;
            p.bytes = roundUp(bytes, 4);
            p.executable = executable;
            items[t].push_back(p);
        };
        add(MemoryKind::Stack, code.stack[t], false);
        add(MemoryKind::VertexCode, code.vertexCode[t], true);
        add(MemoryKind::ControlCode, code.control[t], true);
        add(MemoryKind::InternalExchangeCode, code.internalExchange[t], true);
        add(MemoryKind::GlobalExchangeCode, code.globalExchange[t], true);
        add(MemoryKind::HostExchangeCode, code.hostExchange[t], true);
        add(MemoryKind::HostPacketHeader, code.hostHeader[t], false);
        add(MemoryKind::GlobalPacketHeader, code.globalHeader[t], false);
        add(MemoryKind::VertexState, code.vertexState[t], false);
    }
    // Order of placement: the compiler's bytes, always-live data, the rest; larger first, then by number.
    std::vector<std::uint32_t> order;
    for (std::uint32_t v = 0; v < program.variables.size(); ++v)
        if (!liveness.intervals[v].empty()) order.push_back(v);
    auto const blockBytes = [&](std::uint32_t v) {
        auto const &variable = program.variables[v];
        return variable.layout.blockElements() * sizeOf(variable.dtype);
    };
    std::ranges::stable_sort(order, [&](std::uint32_t a, std::uint32_t b) {
        bool const liveA = liveness.classOf[a] == 0, liveB = liveness.classOf[b] == 0;
        if (liveA != liveB) return liveA;
        return blockBytes(a) > blockBytes(b);
    });
    for (auto v : order) {
        auto const &variable = program.variables[v];
        variable.layout.forEachBlock([&](Coords const &block) {
            Placement p;
            p.variable = static_cast<std::int32_t>(v);
            p.kind = kindOf(variable.category);
            p.bytes = variable.layout.boxOf(block).elements() * sizeOf(variable.dtype);
            p.alignment = variable.interleaved ? 16 : 8;
            p.livenessClass = liveness.classOf[v];
            if (variable.interleaved) p.region = MemoryRegion::Interleaved;
            items[static_cast<std::size_t>(variable.layout.tileOf(block))].push_back(p);
        });
    }
    Memory memory;
    memory.code = std::move(code);
    memory.layoutOf.assign(tiles, 0);
    std::map<std::vector<std::int64_t>, std::int32_t> known;
    TilePlacer placer(liveness, chip);
    std::vector<Peak> peaks;
    for (std::size_t t = 0; t < tiles; ++t) {
        std::vector<std::int64_t> key;
        key.reserve(items[t].size() * 2);
        for (auto const &item : items[t]) {
            key.push_back(item.variable >= 0 ? item.variable : -1 - static_cast<int>(item.kind));
            key.push_back(item.bytes);
        }
        auto const [it, fresh] = known.emplace(std::move(key), static_cast<std::int32_t>(memory.layouts.size()));
        if (fresh) {
            peaks.push_back(peakOf(items[t], liveness));
            memory.layouts.push_back(placer.place(std::move(items[t])));
        }
        memory.layoutOf[t] = it->second;
    }
    struct Totals { Bytes withGaps = 0, withoutGaps = 0, always = 0; bool executableOverflow = false, overflow = false; };
    std::vector<Totals> totals;
    for (auto const &layout : memory.layouts) {
        Totals sum;
        Bytes covered = 0;
        for (auto const &item : layout.items) {
            sum.withGaps = std::max(sum.withGaps, item.offset + item.bytes);
            sum.withoutGaps += std::max<Bytes>(0, item.offset + item.bytes - std::max(covered, item.offset));
            covered = std::max(covered, item.offset + item.bytes);
            if (item.livenessClass == 0) sum.always += item.bytes;
            if (item.region == MemoryRegion::Overflowed) (item.executable ? sum.executableOverflow : sum.overflow) = true;
        }
        totals.push_back(sum);
    }
    memory.ipus.resize(static_cast<std::size_t>(program.ipus));
    for (std::size_t t = 0; t < tiles; ++t) {
        auto const layout = static_cast<std::size_t>(memory.layoutOf[t]);
        auto const &sum = totals[layout];
        memory.withGaps.push_back(sum.withGaps);
        memory.withoutGaps.push_back(sum.withoutGaps);
        memory.alwaysLive.push_back(sum.always);
        memory.need.push_back(sum.always + peaks[layout].bytes);
        memory.peakStep.push_back(peaks[layout].step);
        auto &ipu = memory.ipus[t / static_cast<std::size_t>(program.tilesPerIpu)];
        ipu.totalWithGaps += sum.withGaps;
        ipu.totalWithoutGaps += sum.withoutGaps;
        ipu.maxWithoutGaps = std::max(ipu.maxWithoutGaps, sum.withoutGaps);
        if (sum.withGaps > ipu.worstBytes) {
            ipu.worstBytes = sum.withGaps;
            ipu.worstTile = static_cast<int>(t);
        }
        for (auto const &item : memory.layouts[layout].items) memory.byKind[static_cast<std::size_t>(item.kind)] += item.bytes;
    }
    for (auto &ipu : memory.ipus) {
        ipu.fits = ipu.worstBytes <= chip.bytesPerTile;
        if (ipu.fits) continue;
        memory.fits = false;
        auto const worst = static_cast<std::size_t>(ipu.worstTile);
        auto const &sum = totals[static_cast<std::size_t>(memory.layoutOf[worst])];
        if (sum.executableOverflow && !sum.overflow) ipu.cause = "executable_region";
        else if (memory.need[worst] <= chip.bytesPerTile) ipu.cause = "gaps";
        else ipu.cause = "total";
    }
    return memory;
}

Diagnostic outOfMemory(Program const &program, Liveness const &liveness, Memory const &memory, target::Machine const &machine)
{
    std::size_t ipu = 0;
    for (std::size_t i = 0; i < memory.ipus.size(); ++i)
        if (memory.ipus[i].worstBytes > memory.ipus[ipu].worstBytes) ipu = i;
    auto const &verdict = memory.ipus[ipu];
    auto const tile = static_cast<std::size_t>(verdict.worstTile);
    int const step = memory.peakStep[tile];
    std::vector<Placement const *> live;
    auto const &layout = memory.layouts[static_cast<std::size_t>(memory.layoutOf[tile])];
    for (auto const &item : layout.items) {
        if (item.variable < 0) continue;
        auto const &intervals = liveness.classes[static_cast<std::size_t>(item.livenessClass)];
        if (item.livenessClass == 0 || intersects(intervals, {{step, step + 1}})) live.push_back(&item);
    }
    std::ranges::stable_sort(live, [](auto const *a, auto const *b) { return a->bytes > b->bytes; });
    std::string list;
    for (std::size_t i = 0; i < std::min<std::size_t>(10, live.size()); ++i)
        list += (i ? ", " : "") + program.variables[static_cast<std::size_t>(live[i]->variable)].name + " "
            + groupedDigits(live[i]->bytes) + " B";
    int over = 0; // of this IPU
    auto const first = memory.withGaps.begin() + static_cast<std::ptrdiff_t>(ipu) * program.tilesPerIpu;
    for (auto it = first; it != first + program.tilesPerIpu; ++it) over += *it > machine.chip.bytesPerTile;
    std::string const at = step < static_cast<int>(liveness.steps.size())
        ? program.step(liveness.steps[static_cast<std::size_t>(step)]).name : "";
    // Which room was too small, where it is not the whole tile.
    std::string cause;
    if (verdict.cause == "executable_region") {
        Bytes executable = 0;
        for (auto const &item : layout.items) executable += item.executable ? item.bytes : 0;
        cause = " Its code is what does not fit: code runs from the first " + groupedDigits(machine.chip.nonInterleavedBytes)
            + " bytes of a tile only, where its " + groupedDigits(executable) + " bytes of code and what lies between them find no room.";
    } else if (verdict.cause == "gaps") {
        cause = " The bytes alone would fit: no gap between what is live is as large as what is to be placed there.";
    }
    return makeError(ErrorKind::DoesNotFit, "memory.out-of-memory",
                     "IPU " + std::to_string(ipu) + " tile " + std::to_string(verdict.worstTile % program.tilesPerIpu),
                     "cannot fit all data: the tile needs " + groupedDigits(memory.need[tile]) + " bytes ("
                         + groupedDigits(verdict.worstBytes) + " with gaps) and has " + groupedDigits(machine.chip.bytesPerTile)
                         + "; " + groupedDigits(over) + " of " + groupedDigits(program.tilesPerIpu)
                         + " tiles are over." + cause + " The peak is at step '" + at + "'. Largest there: " + list + ".",
                     "More tiles or IPUs (system.target), a smaller batch size or pipeline stages change what a tile holds.");
}

} // namespace tilewright::lowering
