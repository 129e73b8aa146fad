#include "engine/lowering/traffic.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

namespace tilewright::lowering {

using namespace program;

namespace {

/// Tiles of a pair receive the same data when their blocks of a copied operand are the same box.
void markSharedBus(Program const &program, Exchange const &exchange, target::Chip const &chip, std::vector<char> &shared)
{
    std::vector<char> any(shared.size(), 0);
    for (auto const &t : exchange.transfers) {
        auto const &layout = program.var(t.dst).layout;
        std::vector<Box> boxes(shared.size());
        std::vector<char> has(shared.size(), 0);
        for (auto const &placed : placements(layout)) {
            boxes[static_cast<std::size_t>(placed.tile)] = placed.box;
            has[static_cast<std::size_t>(placed.tile)] = 1;
        }
        for (std::size_t a = 0; a + 1 < shared.size(); a += static_cast<std::size_t>(chip.tilesPerExchangeBus)) {
            std::size_t const b = a + 1;
            if (!has[a] && !has[b]) continue;
            auto x = boxes[a], y = boxes[b];
            x.g0 = y.g0 = 0;
            x.g1 = y.g1 = 1;
            bool const same = layout.kind == Groups::Copies && has[a] && has[b] && x == y;
            for (std::size_t tile : {a, b}) {
                if (!any[tile]) shared[tile] = same;
                else shared[tile] = shared[tile] && same;
                any[tile] = 1;
            }
        }
    }
    // With a single transfer a lone receiver also has the bus for itself; that is rare and not claimed.
}

} // namespace

Traffic analyseTraffic(Program const &program, Exchange const &exchange, target::Machine const &machine, bool withPairs)
{
    auto const &chip = machine.chip;
    auto const tiles = static_cast<std::size_t>(program.tiles());
    Traffic traffic;
    traffic.sent.assign(tiles, 0);
    traffic.received.assign(tiles, 0);
    traffic.messages.assign(tiles, 0);
    traffic.fragments.assign(tiles, 0);
    traffic.cycles.assign(tiles, 0);
    traffic.linkBytes.assign(static_cast<std::size_t>(program.ipus), 0);
    std::unordered_map<std::uint64_t, Bytes> pairs;
    for (auto const &t : exchange.transfers) {
        Bytes const size = sizeOf(program.var(t.src).dtype);
        forEachFragment(program, t, [&](Fragment const &f) {
            auto const from = static_cast<std::size_t>(f.srcTile), to = static_cast<std::size_t>(f.dstTile);
            Bytes const bytes = roundUp(f.elements * size, 4);
            if (f.firstCopy) {
                traffic.sent[from] += bytes;
                ++traffic.messages[from];
            }
            traffic.received[to] += bytes;
            ++traffic.fragments[to];
            int const ipuFrom = f.srcTile / program.tilesPerIpu, ipuTo = f.dstTile / program.tilesPerIpu;
            if (ipuFrom != ipuTo) traffic.linkBytes[static_cast<std::size_t>(ipuFrom)] += bytes;
            if (withPairs) pairs[static_cast<std::uint64_t>(f.srcTile) << 32 | static_cast<std::uint64_t>(f.dstTile)] += bytes;
        });
    }
    for (auto const &ring : exchange.ring) {
        // Every replica sends one chunk of each block to the same tile of the next replica.
        auto const &layout = program.var(ring.src).layout;
        Bytes const size = sizeOf(program.var(ring.src).dtype);
        for (auto const &placed : placements(layout)) {
            auto const tile = static_cast<std::size_t>(placed.tile);
            std::int64_t const chunk = ceilDiv(layout.block[0] * layout.block[1] * layout.block[2], program.replicas);
            Bytes const bytes = roundUp(std::min(chunk, placed.box.elements()) * size, 4);
            traffic.sent[tile] += bytes;
            traffic.received[tile] += bytes;
            ++traffic.messages[tile];
            ++traffic.fragments[tile];
            traffic.linkBytes[static_cast<std::size_t>(placed.tile / program.tilesPerIpu)] += bytes;
            if (withPairs) pairs[static_cast<std::uint64_t>(placed.tile) << 32 | static_cast<std::uint64_t>(placed.tile)] += bytes;
        }
    }
    std::vector<char> shared(tiles, 0);
    if (!exchange.transfers.empty()) markSharedBus(program, exchange, chip, shared);
    for (std::size_t t = 0; t < tiles; ++t) {
        traffic.totalSent += traffic.sent[t];
        traffic.totalReceived += traffic.received[t];
        if (traffic.messages[t] + traffic.fragments[t] == 0) continue;
        std::int64_t const rate = chip.exchangeBytesPerCycle * (shared[t] ? chip.tilesPerExchangeBus : 1);
        Cycles const data = std::max(ceilDiv(traffic.received[t], rate), ceilDiv(traffic.sent[t], std::int64_t{chip.exchangeBytesPerCycle}));
        traffic.cycles[t] = data + chip.exchangeMessageCycles * std::max(traffic.messages[t], traffic.fragments[t]);
        traffic.phaseCycles = std::max(traffic.phaseCycles, traffic.cycles[t]);
    }
    traffic.phaseCycles += chip.exchangeLatencyCycles + chip.exchangeSpreadCycles;
    Bytes const link = *std::max_element(traffic.linkBytes.begin(), traffic.linkBytes.end());
    if (link > 0) {
        double const rate = program.replicas > 2 || program.ipus > 2 ? machine.farLinkBytesPerSecond : machine.linkBytesPerSecond;
        Cycles const onLink = static_cast<Cycles>(std::ceil(static_cast<double>(link) / rate * static_cast<double>(chip.clockHz)));
        traffic.phaseCycles = std::max(traffic.phaseCycles, onLink + machine.linkLatencyCycles);
    }
    if (withPairs) {
        for (auto const &[key, bytes] : pairs)
            traffic.pairs.push_back({static_cast<int>(key >> 32), static_cast<int>(key & 0xffffffffu), bytes});
        std::ranges::sort(traffic.pairs, [](auto const &a, auto const &b) {
            return std::tuple(-a.bytes, a.from, a.to) < std::tuple(-b.bytes, b.from, b.to);
        });
        constexpr std::size_t kKept = 4096;
        if (traffic.pairs.size() > kKept) {
            Bytes rest = 0;
            for (std::size_t i = kKept; i < traffic.pairs.size(); ++i) rest += traffic.pairs[i].bytes;
            traffic.pairs.resize(kKept);
            traffic.pairs.push_back({-1, -1, rest});
        }
    }
    return traffic;
}

} // namespace tilewright::lowering
