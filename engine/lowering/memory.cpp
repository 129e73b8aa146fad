#include "engine/lowering/memory.h"

#include "engine/core/text.h"
#include "engine/lowering/address_sweep.h"
#include "engine/lowering/peak_owners.h"
#include "engine/lowering/tile_kinds.h"
#include "engine/lowering/tile_placer.h"
#include "engine/target/exchange.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <mutex>
#include <numeric>

namespace tilewright::lowering {

using namespace program;

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

/// Objects with scratch space, one for each thread at work. What a placer has found out about classes serves all tiles that it places.
template <typename T> class Pool {
public:
    explicit Pool(std::function<std::unique_ptr<T>()> make) : m_make(std::move(make)) {}

    /// Calls `use` with an object that no other thread uses.
    template <typename Use> auto with(Use const &use)
    {
        auto object = take();
        auto result = use(*object);
        std::lock_guard const lock(m_mutex);
        m_idle.push_back(std::move(object));
        return result;
    }

private:
    std::unique_ptr<T> take()
    {
        std::lock_guard const lock(m_mutex);
        if (m_idle.empty()) return m_make();
        auto object = std::move(m_idle.back());
        m_idle.pop_back();
        return object;
    }

    std::function<std::unique_ptr<T>()> m_make;
    std::mutex m_mutex;
    std::vector<std::unique_ptr<T>> m_idle;
};

Pool<PeakFinder> peakFinders(Liveness const &liveness)
{
    return Pool<PeakFinder>([&liveness] { return std::make_unique<PeakFinder>(liveness); });
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
    std::vector<PeakFinder::Peak> peaks(tiles.firstWith.size());
    auto finders = peakFinders(liveness);
    work.run(tiles.firstWith.size(), [&](std::size_t n) {
        auto const &kind = tiles.kinds[tiles.firstWith[n]];
        auto const items = tiles.items(kind);
        peaks[n] = finders.with([&](PeakFinder &finder) { return finder.peakOf(items); });
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
    std::vector<PeakFinder::Peak> peaks(firstWith.size());
    auto finders = peakFinders(liveness);
    Pool<TilePlacer> placers([&] { return std::make_unique<TilePlacer>(liveness, chip); });
    work.run(firstWith.size(), [&](std::size_t n) {
        auto items = tileKinds.items(kinds[firstWith[n]]);
        peaks[n] = finders.with([&](PeakFinder &finder) { return finder.peakOf(items); });
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
    auto const &layout = memory.layouts[static_cast<std::size_t>(memory.layoutOf[tile])];
    auto const live = liveAtPeak(liveness, memory, verdict.worstTile);
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
