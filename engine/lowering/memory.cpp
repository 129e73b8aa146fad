#include "engine/lowering/memory.h"

#include "engine/core/text.h"
#include "engine/lowering/address_sweep.h"
#include "engine/lowering/tile_placer.h"
#include "engine/target/exchange.h"

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <numeric>

namespace tilewright::lowering {

using namespace program;

namespace {

MemoryCategory kindOf(Category category)
{
    switch (category) {
    case Category::Variable: return MemoryCategory::Variable;
    case Category::Constant: return MemoryCategory::Constant;
    case Category::Output: return MemoryCategory::Output;
    case Category::ExchangeBuffer: return MemoryCategory::ExchangeBuffer;
    case Category::Rearrangement: return MemoryCategory::Rearrangement;
    }
    return MemoryCategory::Variable;
}

/// Peak of live bytes over the steps, on one tile.
struct Peak {
    Bytes bytes = 0;
    int step = 0;
};
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

Cycles loadingCycles(Program const &program, Memory const &memory, target::Machine const &machine)
{
    Bytes most = 0;
    for (int ipu = 0; ipu < program.ipus; ++ipu) {
        auto const first = memory.alwaysLive.begin() + std::ptrdiff_t{ipu} * program.tilesPerIpu;
        most = std::max(most, std::accumulate(first, first + program.tilesPerIpu, Bytes{0}));
    }
    return target::streamCycles(machine, most, program.replicas);
}

Bytes Memory::maxNeed(int ipu) const
{
    std::size_t const each = ipus.empty() ? 0 : need.size() / ipus.size();
    auto const first = need.begin() + static_cast<std::ptrdiff_t>(each) * ipu;
    return each == 0 ? 0 : *std::max_element(first, first + static_cast<std::ptrdiff_t>(each));
}

namespace {

/// Of one tile. What lies past its end is told apart from what is on it, as a report's regions do.
std::array<Bytes, kMemoryCategories> usedByKind(TileLayout const &layout)
{
    constexpr std::size_t kAll = static_cast<std::size_t>(kMemoryCategories) * 2;
    auto const kindOf = [](Placement const &item) {
        return static_cast<std::size_t>(item.kind) * 2 + (item.region == MemoryRegion::Overflowed);
    };
    std::array<Bytes, kMemoryCategories> used{};
    sweepAddresses<kAll>(layout.items, kindOf, [&](Bytes from, Bytes to, std::uint64_t kinds, int) {
        for (auto left = kinds; left != 0; left &= left - 1) used[static_cast<std::size_t>(std::countr_zero(left)) / 2] += to - from;
    });
    return used;
}

/// What the compiler puts on a tile itself.
std::vector<Placement> ownItems(CodeBytes const &code, std::size_t tile)
{
    std::vector<Placement> items;
    auto const add = [&](MemoryCategory kind, Bytes bytes, bool executable) {
        if (bytes <= 0) return;
        Placement p;
        p.kind = kind;
        p.bytes = roundUp(bytes, 4);
        p.executable = executable;
        items.push_back(p);
    };
    add(MemoryCategory::Stack, code.stack[tile], false);
    add(MemoryCategory::VertexCode, code.vertexCode[tile], true);
    add(MemoryCategory::ControlCode, code.control[tile], true);
    add(MemoryCategory::InternalExchangeCode, code.internalExchange[tile], true);
    add(MemoryCategory::GlobalExchangeCode, code.globalExchange[tile], true);
    add(MemoryCategory::HostExchangeCode, code.hostExchange[tile], true);
    add(MemoryCategory::HostPacketHeader, code.hostHeader[tile], false);
    add(MemoryCategory::GlobalPacketHeader, code.globalHeader[tile], false);
    add(MemoryCategory::VertexState, code.vertexState[tile], false);
    return items;
}

/// Elements of a layout's block on each tile, -1 = none.
std::vector<std::int64_t> elementsByTile(Layout const &layout, std::size_t tiles)
{
    std::vector<std::int64_t> elements(tiles, -1);
    layout.forEachBlock(
        [&](Coords const &block) { elements[static_cast<std::size_t>(layout.tileOf(block))] = layout.boxOf(block).elements(); });
    return elements;
}

} // namespace

namespace {

/// Placers, one for each thread at work: what one has found out about classes serves all tiles that it places.
class Placers {
public:
    Placers(Liveness const &liveness, target::Chip const &chip) : m_liveness(liveness), m_chip(chip) {}

    /// Calls `use` with a placer that nobody else has.
    template <typename Use> auto with(Use const &use)
    {
        auto placer = take();
        auto result = use(*placer);
        std::lock_guard const lock(m_mutex);
        m_idle.push_back(std::move(placer));
        return result;
    }

private:
    std::unique_ptr<TilePlacer> take()
    {
        std::lock_guard const lock(m_mutex);
        if (m_idle.empty()) return std::make_unique<TilePlacer>(m_liveness, m_chip);
        auto placer = std::move(m_idle.back());
        m_idle.pop_back();
        return placer;
    }

    Liveness const &m_liveness;
    target::Chip const &m_chip;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<TilePlacer>> m_idle;
};

/// Tiles by what is on them: most differ in the compiler's own bytes alone.
struct TileKinds {
    struct Kind {
        std::size_t variables = 0; ///< tiles with equal ones have equal numbers here
        std::vector<Placement> own;
        std::size_t firstTile = 0;
        std::int64_t tiles = 0;
    };
    std::vector<Kind> kinds;            ///< by layout
    std::vector<std::size_t> firstWith; ///< by number of variables: the first kind
    std::vector<std::int32_t> kindOf;   ///< by tile

    TileKinds(Program const &program, Liveness const &liveness, CodeBytes const &code);
    /// What is to be placed: the compiler's bytes, always-live data, the rest; larger first, then by number.
    std::vector<Placement> items(Kind const &kind) const;
    Bytes ownBytes(Kind const &kind) const
    {
        return std::accumulate(kind.own.begin(), kind.own.end(), Bytes{0}, [](Bytes sum, auto const &item) { return sum + item.bytes; });
    }

private:
    std::vector<Placement> m_ofElement;             ///< one element of each variable, in the order in which they are placed
    Distinct<std::vector<std::int64_t>> m_layoutOf; ///< by place in that: elements by tile
};

TileKinds::TileKinds(Program const &program, Liveness const &liveness, CodeBytes const &code)
{
    auto const tiles = static_cast<std::size_t>(program.tiles());
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
    m_ofElement.reserve(order.size());
    for (auto const v : order) {
        auto const &variable = program.variables[v];
        Placement p;
        p.variable = static_cast<std::int32_t>(v);
        p.kind = lowering::kindOf(variable.category);
        p.bytes = sizeOf(variable.dtype);
        p.alignment = variable.interleaved ? 16 : 8;
        p.livenessClass = liveness.classOf[v];
        if (variable.interleaved) p.region = MemoryRegion::Interleaved;
        m_ofElement.push_back(p);
    }
    // Many variables lie alike: tiles are equal where the blocks of each layout are.
    m_layoutOf = distinct<std::vector<std::int64_t>>(
        order.size(),
        [&](std::size_t i) {
            std::string key;
            appendKey(key, program.variables[order[i]].layout);
            return key;
        },
        [&](std::size_t i) { return elementsByTile(program.variables[order[i]].layout, tiles); });
    std::map<std::vector<std::int64_t>, std::size_t> sameVariables;
    std::map<std::vector<std::int64_t>, std::int32_t> known;
    for (std::size_t t = 0; t < tiles; ++t) {
        std::vector<std::int64_t> elements;
        for (auto const &row : m_layoutOf.rows) elements.push_back(row[t]);
        auto const variables = sameVariables.emplace(std::move(elements), sameVariables.size()).first->second;
        std::vector<std::int64_t> key{static_cast<std::int64_t>(variables)};
        auto own = ownItems(code, t);
        for (auto const &item : own) {
            key.push_back(static_cast<int>(item.kind));
            key.push_back(item.bytes);
        }
        auto const [it, fresh] = known.emplace(std::move(key), static_cast<std::int32_t>(kinds.size()));
        kindOf.push_back(it->second);
        if (variables == firstWith.size()) firstWith.push_back(kinds.size());
        if (fresh) kinds.push_back({variables, std::move(own), t, 0});
        ++kinds[static_cast<std::size_t>(it->second)].tiles;
    }
}

std::vector<Placement> TileKinds::items(Kind const &kind) const
{
    std::vector<std::int64_t> elements; // by layout, of which there are few
    elements.reserve(m_layoutOf.rows.size());
    for (auto const &row : m_layoutOf.rows) elements.push_back(row[kind.firstTile]);
    auto items = kind.own;
    // As long as it will be: the lists of all tiles are most of what a large compile holds.
    auto const blocks = std::ranges::count_if(m_layoutOf.of, [&](std::uint32_t layout) { return elements[layout] >= 0; });
    items.reserve(items.size() + static_cast<std::size_t>(blocks));
    for (std::size_t i = 0; i < m_ofElement.size(); ++i) {
        auto const count = elements[m_layoutOf.of[i]];
        if (count < 0) continue;
        items.push_back(m_ofElement[i]);
        items.back().bytes *= count;
    }
    return items;
}

Bytes alwaysLiveBytes(std::vector<Placement> const &items)
{
    Bytes sum = 0;
    for (auto const &item : items)
        if (item.livenessClass == 0) sum += item.bytes;
    return sum;
}

} // namespace

std::optional<Memory> unplaceable(Program const &program, Liveness const &liveness, CodeBytes const &code, target::Machine const &machine,
                                  HostWork const &work)
{
    TileKinds const tiles(program, liveness, code);
    // Tiles with the same variables differ by their own bytes, all of which are there always.
    std::vector<Bytes> ofVariables(tiles.firstWith.size());
    std::vector<Peak> peaks(tiles.firstWith.size());
    work.run(tiles.firstWith.size(), [&](std::size_t n) {
        auto const &kind = tiles.kinds[tiles.firstWith[n]];
        auto const items = tiles.items(kind);
        peaks[n] = peakOf(items, liveness);
        ofVariables[n] = alwaysLiveBytes(items) - tiles.ownBytes(kind);
    });
    Memory memory;
    memory.ipus.resize(static_cast<std::size_t>(program.ipus));
    for (int ipu = 0; ipu < program.ipus; ++ipu) memory.streaming.push_back(streamingBytes(program, ipu));
    for (std::size_t t = 0; t < tiles.kindOf.size(); ++t) {
        auto const &kind = tiles.kinds[static_cast<std::size_t>(tiles.kindOf[t])];
        memory.alwaysLive.push_back(ofVariables[kind.variables] + tiles.ownBytes(kind));
        memory.need.push_back(memory.alwaysLive.back() + peaks[kind.variables].bytes);
        memory.peakStep.push_back(peaks[kind.variables].step);
        auto &ipu = memory.ipus[t / static_cast<std::size_t>(program.tilesPerIpu)];
        if (memory.need.back() <= ipu.worstBytes) continue;
        ipu.worstBytes = ipu.maxWithoutGaps = memory.need.back();
        ipu.worstTile = static_cast<int>(t);
    }
    for (auto &ipu : memory.ipus) {
        ipu.fits = ipu.worstBytes <= machine.chip.bytesPerTile;
        if (ipu.fits) continue;
        ipu.cause = "total";
        memory.fits = false;
    }
    if (memory.fits || work.cancelled()) return std::nullopt;
    memory.withGaps = memory.withoutGaps = memory.need;
    memory.code = code;
    return memory;
}

Memory allocate(Program const &program, Liveness const &liveness, CodeBytes code, target::Machine const &machine, HostWork const &work)
{
    auto const &chip = machine.chip;
    TileKinds const tileKinds(program, liveness, code);
    auto const &kinds = tileKinds.kinds;
    auto const &firstWith = tileKinds.firstWith;
    auto const &layoutOf = tileKinds.kindOf;
    Memory memory;
    memory.code = std::move(code);
    memory.layoutOf = layoutOf;
    memory.layouts.resize(kinds.size());
    std::vector<Peak> peaks(firstWith.size());
    Placers placers(liveness, chip);
    work.run(firstWith.size(), [&](std::size_t n) {
        auto items = tileKinds.items(kinds[firstWith[n]]);
        peaks[n] = peakOf(items, liveness);
        memory.layouts[firstWith[n]] = placers.with([&](TilePlacer &placer) { return placer.place(std::move(items)); });
    });
    if (work.cancelled()) return memory;
    work.run(kinds.size(), [&](std::size_t l) {
        auto const &kind = kinds[l];
        if (firstWith[kind.variables] == l) return;
        memory.layouts[l] = placers.with([&](TilePlacer &placer) {
            auto moved = placer.moved(memory.layouts[firstWith[kind.variables]], kind.own);
            return moved ? std::move(*moved) : placer.place(tileKinds.items(kind));
        });
    });
    if (work.cancelled()) return memory;
    struct Totals {
        Bytes withGaps = 0, withoutGaps = 0, always = 0;
        bool executableOverflow = false, overflow = false;
    };
    std::vector<Totals> totals;
    for (auto const &layout : memory.layouts) {
        Totals sum;
        Bytes covered = 0;
        for (auto const &item : layout.items) {
            sum.withGaps = std::max(sum.withGaps, item.offset + item.bytes);
            sum.withoutGaps += std::max<Bytes>(0, item.offset + item.bytes - std::max(covered, item.offset));
            covered = std::max(covered, item.offset + item.bytes);
            if (item.region == MemoryRegion::Overflowed) (item.executable ? sum.executableOverflow : sum.overflow) = true;
        }
        sum.always = alwaysLiveBytes(layout.items);
        totals.push_back(sum);
    }
    memory.ipus.resize(static_cast<std::size_t>(program.ipus));
    for (int ipu = 0; ipu < program.ipus; ++ipu) memory.streaming.push_back(streamingBytes(program, ipu));
    for (std::size_t t = 0; t < layoutOf.size(); ++t) {
        auto const layout = static_cast<std::size_t>(memory.layoutOf[t]);
        auto const &sum = totals[layout];
        memory.withGaps.push_back(sum.withGaps);
        memory.withoutGaps.push_back(sum.withoutGaps);
        memory.alwaysLive.push_back(sum.always);
        auto const &peak = peaks[kinds[layout].variables];
        memory.need.push_back(sum.always + peak.bytes);
        memory.peakStep.push_back(peak.step);
        auto &ipu = memory.ipus[t / static_cast<std::size_t>(program.tilesPerIpu)];
        ipu.totalWithGaps += sum.withGaps;
        ipu.totalWithoutGaps += sum.withoutGaps;
        ipu.maxWithoutGaps = std::max(ipu.maxWithoutGaps, sum.withoutGaps);
        if (sum.withGaps > ipu.worstBytes) {
            ipu.worstBytes = sum.withGaps;
            ipu.worstTile = static_cast<int>(t);
        }
    }
    std::vector<std::array<Bytes, kMemoryCategories>> used(memory.layouts.size());
    work.run(used.size(), [&](std::size_t l) { used[l] = usedByKind(memory.layouts[l]); });
    if (work.cancelled()) return memory;
    for (std::size_t l = 0; l < used.size(); ++l)
        for (std::size_t k = 0; k < used[l].size(); ++k) memory.byKind[k] += used[l][k] * kinds[l].tiles;
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
    std::vector<Message> largest;
    for (std::size_t i = 0; i < std::min<std::size_t>(10, live.size()); ++i)
        largest.push_back(Message::of("%1 %2 B", program.variables[static_cast<std::size_t>(live[i]->variable)].name, live[i]->bytes));
    int over = 0; // of this IPU
    auto const first = memory.withGaps.begin() + static_cast<std::ptrdiff_t>(ipu) * program.tilesPerIpu;
    for (auto it = first; it != first + program.tilesPerIpu; ++it) over += *it > machine.chip.bytesPerTile;
    std::string const at =
        step < static_cast<int>(liveness.steps.size()) ? program.step(liveness.steps[static_cast<std::size_t>(step)]).name : "";
    // Which room was too small, where it is not the whole tile.
    Message cause;
    if (verdict.cause == "executable_region") {
        Bytes executable = 0;
        for (auto const &item : layout.items) executable += item.executable ? item.bytes : 0;
        cause = Message::of(
            "Its code does not fit: code can only run from the first %1 bytes of a tile, which have no room for its %2 bytes of "
            "code and the data between them.",
            machine.chip.nonInterleavedBytes, executable);
    } else if (verdict.cause == "gaps") {
        cause = Message::of(
            "Its live data would fit together, but no gap between them is large enough for the data that must be placed there.");
    }
    auto const numbers = Message::of("the data do not fit: the tile needs %1 bytes at once, %2 with the gaps between them, and has %3; %4 "
                                     "of %5 tiles are over their limit.",
                                     memory.need[tile], verdict.worstBytes, machine.chip.bytesPerTile, over, program.tilesPerIpu);
    auto const peak = Message::of("The peak is at step '%1'. Largest there: %2.", at, Message::joined(largest, ", "));
    return makeError(ErrorKind::DoesNotFit, "memory.out-of-memory",
                     "IPU " + std::to_string(ipu) + " tile " + std::to_string(verdict.worstTile % program.tilesPerIpu),
                     cause.empty() ? Message::joined({numbers, peak}, " ") : Message::joined({numbers, cause, peak}, " "),
                     Message::of("More tiles or IPUs (system.target), a smaller batch size or pipeline stages change what a tile holds."));
}

} // namespace tilewright::lowering
