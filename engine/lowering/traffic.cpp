#include "engine/lowering/traffic.h"

#include "engine/program/pieces.h"
#include "engine/target/exchange.h"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

namespace tilewright::lowering {

using namespace program;

namespace {

/// Whether the two tiles of a bus receive the same blocks of a copied operand, so that the data goes to both
/// at once. By tile.
void markSharedBus(Layout const &layout, std::vector<std::int64_t> copies, target::Chip const &chip, std::vector<char> &shared)
{
    std::ranges::fill(shared, 0);
    std::ranges::sort(copies); // of several dimensions: neighbours one after the other
    if (copies.size() == 1 || chip.tilesPerExchangeBus != 2) return;
    layout.forEachBlock([&](Coords const &block) {
        for (std::size_t d = 0; d < static_cast<std::size_t>(layout.rank); ++d)
            if (layout.dims[d].kind == DimKind::Copy && block[d] > 0) return;
        auto const place = layout.place(block);
        for (std::size_t i = 0; i + 1 < copies.size(); ++i) {
            int const a = layout.tileAt(place + copies[i]), b = layout.tileAt(place + copies[i + 1]);
            if (a / 2 != b / 2 || a == b) continue;
            shared[static_cast<std::size_t>(a)] = shared[static_cast<std::size_t>(b)] = 1;
        }
    });
}

/// The flows of every replica on the links of the system.
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
    Traffic traffic;
    traffic.sent.assign(tiles, 0);
    traffic.received.assign(tiles, 0);
    traffic.messages.assign(tiles, 0);
    traffic.fragments.assign(tiles, 0);
    traffic.cycles.assign(tiles, 0);
    std::unordered_map<std::uint64_t, Bytes> pairs;
    std::map<std::tuple<int, int, int>, Bytes> flows; // from, to, replica
    // Links do not multicast: an exchange between IPUs sends each copy by itself.
    bool const global = std::ranges::any_of(exchange.transfers, [&](Transfer const &t) {
        return program.var(t.src).layout.on.ipu != program.var(t.dst).layout.on.ipu;
    });
    // Bytes that arrive at the full rate of a shared bus; the rest comes at a tile's own.
    std::vector<Bytes> onSharedBus(tiles, 0);
    std::vector<char> shared(tiles, 0);
    for (auto const &t : exchange.transfers) {
        Bytes const size = sizeOf(program.var(t.src).dtype);
        Layout const &src = program.var(t.src).layout, &dst = program.var(t.dst).layout;
        auto const copies = dst.copyShifts();
        auto const receivers = static_cast<std::int64_t>(copies.size());
        std::int64_t const sends = global ? receivers : 1;
        markSharedBus(dst, copies, chip, shared);
        // Copies equal each other but for their tile.
        Expansion(src, dst, t).forEach([&](Piece const &piece) {
            auto const from = static_cast<std::size_t>(piece.srcTile);
            std::int64_t const runs = piece.runs();
            Bytes const bytes = roundUp(piece.run * size, 4) * runs;
            traffic.sent[from] += bytes * sends;
            traffic.messages[from] += runs * sends;
            if (src.on.ipu != dst.on.ipu) flows[{src.on.ipu, dst.on.ipu, -1}] += bytes * receivers;
            for (auto const copy : copies) {
                int const tile = dst.tileAt(piece.dstPlace + copy);
                auto const to = static_cast<std::size_t>(tile);
                traffic.received[to] += bytes;
                traffic.fragments[to] += runs;
                if (shared[to]) onSharedBus[to] += bytes;
                if (withPairs) pairs[static_cast<std::uint64_t>(piece.srcTile) << 32 | static_cast<std::uint64_t>(tile)] += bytes;
            }
        });
    }
    for (auto const &ring : exchange.ring) {
        // Every replica sends one chunk of each block to the same tile of the next replica; a tile's port waits for the fullest.
        auto const &layout = program.var(ring.src).layout;
        Bytes const size = sizeOf(program.var(ring.src).dtype);
        std::int64_t const chunk = ceilDiv(layout.blockElements(), program.replicas);
        layout.forEachBlock([&](Coords const &block) {
            int const number = layout.tileOf(block);
            auto const tile = static_cast<std::size_t>(number);
            Bytes const bytes = roundUp(std::min(chunk, layout.boxOf(block).elements()) * size, 4);
            traffic.sent[tile] += bytes;
            traffic.received[tile] += bytes;
            ++traffic.messages[tile];
            ++traffic.fragments[tile];
            for (int r = 0; r < program.replicas; ++r) {
                auto const part = ringPart(ring, r, program.replicas, chunk, layout.boxOf(block).elements());
                if (part.elements > 0) flows[{layout.on.ipu, layout.on.ipu, r}] += roundUp(part.elements * size, 4);
            }
            if (withPairs) pairs[static_cast<std::uint64_t>(number) << 32 | static_cast<std::uint64_t>(number)] += bytes;
        });
    }
    Cycles slowest = 0;
    for (std::size_t t = 0; t < tiles; ++t) {
        traffic.totalSent += traffic.sent[t];
        traffic.totalReceived += traffic.received[t];
        traffic.cycles[t] = target::portCycles(chip, {traffic.sent[t], traffic.received[t], onSharedBus[t], traffic.messages[t], traffic.fragments[t]});
        slowest = std::max(slowest, traffic.cycles[t]);
    }
    for (auto const &[key, bytes] : flows) traffic.ipuFlows.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), bytes});
    traffic.links = linkLoads(traffic, program, machine);
    Cycles slowestLink = 0;
    for (auto const &load : traffic.links) slowestLink = std::max(slowestLink, load.cycles);
    traffic.phaseCycles = target::globalPhaseCycles(machine, slowest, slowestLink);
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
