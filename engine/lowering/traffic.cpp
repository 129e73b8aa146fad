#include "engine/lowering/traffic.h"

#include "engine/program/pieces.h"
#include "engine/target/exchange.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace tilewright::lowering {

using namespace program;

namespace {

/// True for tiles whose bus partner receives the same blocks of a copied operand, so that data is sent to both at once. By tile.
void markSharedBus(Layout const &layout, std::vector<std::int64_t> copies, target::Chip const &chip, ByTile<char> &shared)
{
    shared.zero();
    if (copies.size() == 1 || chip.tilesPerExchangeBus != 2) return;
    // The order of the tiles is that of the shifts on a ring: with several dimensions of copies, and across the end of the set.
    for (auto &shift : copies) shift %= layout.on.count;
    std::ranges::sort(copies);
    layout.forEachBlock([&](Coords const &block) {
        for (std::size_t d = 0; d < static_cast<std::size_t>(layout.rank); ++d)
            if (layout.dims[d].kind == DimKind::Copy && block[d] > 0) return;
        auto const place = layout.place(block);
        for (std::size_t i = 0; i < copies.size(); ++i) {
            int const a = layout.tileAt(place + copies[i]), b = layout.tileAt(place + copies[(i + 1) % copies.size()]);
            if (a / 2 != b / 2 || a == b) continue;
            shared.at(static_cast<std::size_t>(a)) = shared.at(static_cast<std::size_t>(b)) = 1;
        }
    });
}

/// Bytes by sender and receiver. A flat table instead of one node per pair, because there are hundreds of thousands.
class PairSums {
public:
    void add(int from, int to, Bytes bytes)
    {
        if (2 * (m_used + 1) > m_slots.size()) grow();
        auto &slot = slotOf(static_cast<std::uint64_t>(from) << 32 | static_cast<std::uint32_t>(to));
        m_used += slot.bytes < 0;
        slot.bytes = std::max<Bytes>(slot.bytes, 0) + bytes;
    }

    /// The `kept` largest in descending order, then the remainder as one.
    std::vector<Traffic::Pair> largest(std::size_t kept) const
    {
        std::vector<Slot> found;
        found.reserve(m_used);
        for (auto const &slot : m_slots)
            if (slot.bytes >= 0) found.push_back(slot);
        auto const before = [](Slot const &a, Slot const &b) { return a.bytes != b.bytes ? a.bytes > b.bytes : a.key < b.key; };
        Bytes rest = 0;
        bool const cut = found.size() > kept;
        if (cut) {
            auto const end = found.begin() + static_cast<std::ptrdiff_t>(kept);
            std::ranges::nth_element(found, end, before);
            for (auto it = end; it != found.end(); ++it) rest += it->bytes;
            found.resize(kept);
        }
        std::ranges::sort(found, before);
        std::vector<Traffic::Pair> pairs;
        pairs.reserve(found.size() + cut);
        for (auto const &slot : found)
            pairs.push_back({static_cast<int>(slot.key >> 32), static_cast<int>(slot.key & 0xffffffffu), slot.bytes});
        if (cut) pairs.push_back({-1, -1, rest});
        return pairs;
    }

private:
    struct Slot {
        std::uint64_t key = 0;
        Bytes bytes = -1;
    }; ///< -1: free

    Slot &slotOf(std::uint64_t key)
    {
        auto const mask = m_slots.size() - 1;
        auto i = static_cast<std::size_t>(key * 0x9E3779B97F4A7C15ull >> 32) & mask;
        while (m_slots[i].bytes >= 0 && m_slots[i].key != key) i = (i + 1) & mask;
        m_slots[i].key = key;
        return m_slots[i];
    }
    void grow()
    {
        std::vector<Slot> old(std::max<std::size_t>(64, 4 * m_slots.size()));
        std::swap(old, m_slots);
        for (auto const &slot : old)
            if (slot.bytes >= 0) slotOf(slot.key).bytes = slot.bytes;
    }

    std::vector<Slot> m_slots;
    std::size_t m_used = 0;
};

/// The flows of all replicas on the links of the system.
std::vector<target::LinkLadder::Load> linkLoads(Traffic const &traffic, Program const &program, target::Machine const &machine)
{
    if (traffic.ipuFlows.empty()) return {};
    std::vector<target::LinkLadder::Flow> flows;
    for (int replica = 0; replica < program.replicas; ++replica)
        for (auto const &flow : traffic.ipuFlows) {
            if (flow.replica >= 0 && flow.replica != replica) continue;
            int const other = flow.replica >= 0 ? (replica + 1) % program.replicas : replica;
            flows.push_back({replica * program.ipus + flow.from, other * program.ipus + flow.to, flow.bytes});
        }
    return target::LinkLadder(machine, program.ipus * program.replicas).load(flows);
}

} // namespace

Traffic analyseTraffic(Program const &program, Exchange const &exchange, target::Machine const &machine, bool withPairs)
{
    auto const &chip = machine.chip;
    auto const tiles = static_cast<std::size_t>(program.tiles());
    ByTile<Bytes>::Stretch stretch;
    auto const cover = [&](VarId var) {
        auto const &on = program.var(var).layout.on;
        stretch =
            stretch.with({static_cast<std::size_t>(on.begin), static_cast<std::size_t>(on.begin) + static_cast<std::size_t>(on.count)});
    };
    for (auto const &t : exchange.transfers) {
        cover(t.src);
        cover(t.dst);
    }
    for (auto const &ring : exchange.ring) cover(ring.src);
    Traffic traffic;
    for (auto *part : {&traffic.sent, &traffic.received, &traffic.messages, &traffic.fragments, &traffic.cycles}) *part = {tiles, stretch};
    PairSums pairs;
    std::map<std::tuple<int, int, int>, Bytes> flows; // from, to, replica
    // Links have no multicast: an exchange between IPUs sends each copy separately.
    bool const global = std::ranges::any_of(
        exchange.transfers, [&](Transfer const &t) { return program.var(t.src).layout.on.ipu != program.var(t.dst).layout.on.ipu; });
    // Bytes that arrive at the full rate of a shared bus; the others arrive at the tile's own rate.
    ByTile<Bytes> onSharedBus(tiles, stretch);
    ByTile<char> shared(tiles, {stretch.begin, stretch.end});
    for (auto const &t : exchange.transfers) {
        Bytes const size = sizeOf(program.var(t.src).dtype);
        Layout const &src = program.var(t.src).layout, &dst = program.var(t.dst).layout;
        auto const copies = dst.copyShifts();
        auto const receivers = static_cast<std::int64_t>(copies.size());
        std::int64_t const sends = global ? receivers : 1;
        markSharedBus(dst, copies, chip, shared);
        // Copies are equal except for their tile.
        Expansion(src, dst, t).forEach([&](Piece const &piece) {
            auto const from = static_cast<std::size_t>(piece.srcTile);
            std::int64_t const runs = piece.runs();
            Bytes const bytes = roundUp(piece.run * size, 4) * runs;
            traffic.sent.at(from) += bytes * sends;
            traffic.messages.at(from) += runs * sends;
            if (src.on.ipu != dst.on.ipu) flows[{src.on.ipu, dst.on.ipu, -1}] += bytes * receivers;
            for (auto const copy : copies) {
                int const tile = dst.tileAt(piece.dstPlace + copy);
                auto const to = static_cast<std::size_t>(tile);
                traffic.received.at(to) += bytes;
                traffic.fragments.at(to) += runs;
                if (shared[to]) onSharedBus.at(to) += bytes;
                if (withPairs) pairs.add(piece.srcTile, tile, bytes);
            }
        });
    }
    for (auto const &ring : exchange.ring) {
        // Each replica sends one chunk of each block to the same tile of the next replica; the exchange lasts as long as the tile with the
        // most bytes.
        auto const &layout = program.var(ring.src).layout;
        Bytes const size = sizeOf(program.var(ring.src).dtype);
        std::int64_t const chunk = ceilDiv(layout.blockElements(), program.replicas);
        layout.forEachBlock([&](Coords const &block) {
            int const number = layout.tileOf(block);
            auto const tile = static_cast<std::size_t>(number);
            Bytes const bytes = roundUp(std::min(chunk, layout.boxOf(block).elements()) * size, 4);
            traffic.sent.at(tile) += bytes;
            traffic.received.at(tile) += bytes;
            ++traffic.messages.at(tile);
            ++traffic.fragments.at(tile);
            for (int r = 0; r < program.replicas; ++r) {
                auto const part = ringPart(ring, r, program.replicas, chunk, layout.boxOf(block).elements());
                if (part.elements > 0) flows[{layout.on.ipu, layout.on.ipu, r}] += roundUp(part.elements * size, 4);
            }
            if (withPairs) pairs.add(number, number, bytes);
        });
    }
    Cycles slowest = 0;
    for (std::size_t t = stretch.begin; t < stretch.end; ++t) {
        traffic.totalSent += traffic.sent[t];
        traffic.totalReceived += traffic.received[t];
        traffic.cycles.at(t) =
            target::portCycles(chip, {traffic.sent[t], traffic.received[t], onSharedBus[t], traffic.messages[t], traffic.fragments[t]});
        slowest = std::max(slowest, traffic.cycles[t]);
    }
    for (auto const &[key, bytes] : flows) traffic.ipuFlows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), bytes});
    traffic.links = linkLoads(traffic, program, machine);
    Cycles slowestLink = 0;
    for (auto const &load : traffic.links) slowestLink = std::max(slowestLink, load.cycles);
    traffic.phaseCycles = target::globalPhaseCycles(machine, slowest, slowestLink);
    constexpr std::size_t kPairsKept = 4096;
    if (withPairs) traffic.pairs = pairs.largest(kPairsKept);
    return traffic;
}

} // namespace tilewright::lowering
