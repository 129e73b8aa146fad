#include "engine/lowering/traffic.h"
#include "tests/engine/program/random_transfer.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <tuple>

using namespace tilewright;
using namespace tilewright::program;

namespace {

constexpr int kTiles = 300;

using Told = std::vector<std::tuple<Bytes, int, int>>; // bytes, from, to

Told told(std::vector<lowering::Traffic::Pair> const &pairs)
{
    Told list;
    for (auto const &pair : pairs) list.emplace_back(pair.bytes, pair.from, pair.to);
    return list;
}

/// The 4,096 largest, largest first, and the rest in one.
Told largest(std::map<std::pair<int, int>, Bytes> const &pairs)
{
    Told list;
    for (auto const &[tiles, bytes] : pairs) list.emplace_back(-bytes, tiles.first, tiles.second);
    std::ranges::sort(list);
    Bytes rest = 0;
    for (; list.size() > 4096; list.pop_back()) rest -= std::get<0>(list.back());
    for (auto &[bytes, from, to] : list) bytes = -bytes;
    if (rest > 0) list.emplace_back(rest, -1, -1);
    return list;
}

/// Traffic of a whole copy between two variables of one IPU.
lowering::Traffic trafficOf(target::Machine const &machine, Shape const &shape, Layout const &from, Layout const &to, bool withPairs)
{
    Program program;
    program.tilesPerIpu = machine.chip.tiles;
    Variable src, dst;
    src.name = "src";
    dst.name = "dst";
    src.shape = dst.shape = shape;
    src.layout = from;
    dst.layout = to;
    program.variables = {src, dst};
    Transfer t;
    t.src = VarId(0);
    t.dst = VarId(1);
    Exchange exchange;
    exchange.transfers = {t};
    return lowering::analyseTraffic(program, exchange, machine, withPairs);
}

} // namespace

class TstTransfers : public QObject {
    Q_OBJECT
private slots:
    void trafficCountsEveryRun()
    {
        auto const machine = target::parseMachine("gc200:tiles=300,ipus=2").value();
        int inside = 0;
        for (std::uint64_t seed = 0; seed < 600; ++seed) {
            RandomStream random(deriveSeed(22, seed));
            auto const [p, t] = tests::randomTransfer(random, kTiles);
            auto const traffic = lowering::analyseTraffic(p, p.exchanges[0], machine, true);
            auto const tiles = static_cast<std::size_t>(p.tiles());
            bool const global = p.var(t.dst).layout.on.ipu != 0;
            inside += !global;
            std::vector<Bytes> sent(tiles, 0), received(tiles, 0);
            std::vector<std::int64_t> messages(tiles, 0), fragments(tiles, 0);
            std::map<std::pair<int, int>, Bytes> pairs;
            Bytes total = 0;
            tests::forEachRun(p, t, [&](int from, int to, std::int64_t, std::int64_t, std::int64_t run, bool firstCopy) {
                Bytes const bytes = run * 4;
                // A multicast leaves its sender once; over a link each copy goes by itself.
                if (firstCopy || global) {
                    sent[static_cast<std::size_t>(from)] += bytes;
                    ++messages[static_cast<std::size_t>(from)];
                }
                received[static_cast<std::size_t>(to)] += bytes;
                ++fragments[static_cast<std::size_t>(to)];
                pairs[{from, to}] += bytes;
                total += bytes;
            });
            QVERIFY2(traffic.sent == sent && traffic.received == received && traffic.messages == messages && traffic.fragments == fragments,
                     qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(traffic.totalReceived, total);
            Bytes between = 0;
            for (auto const &flow : traffic.ipuFlows) between += flow.bytes;
            QCOMPARE(between, global ? total : 0);
            QCOMPARE(traffic.links.empty(), !global);
            for (auto const &load : traffic.links) {
                QCOMPARE(load.bytes, total); // one link, one direction
                QVERIFY(traffic.phaseCycles >= load.cycles + machine.linkLatencyCycles);
            }
            QVERIFY2(told(traffic.pairs) == largest(pairs), qPrintable(QString("seed %1").arg(seed)));
            for (std::size_t tile = 0; tile < tiles; ++tile) {
                // Never faster than a shared bus, never slower than alone with every message.
                QVERIFY(traffic.cycles[tile] * 8 >= received[tile]);
                QVERIFY(traffic.cycles[tile]
                        <= std::max(received[tile], sent[tile]) / 4 + 3 * std::max(messages[tile], fragments[tile]) + 2);
            }
        }
        QVERIFY(inside > 200 && inside < 400);
    }

    void theLargestPairsAreKeptWithARemainder()
    {
        // Rows become columns: every tile sends to every other, the same to each.
        auto const machine = target::parseMachine("gc200:tiles=128").value();
        auto layout = onIpu(128, 0);
        layout.add(cut(128, 128, 0));
        layout.add(cut(381, 3, 1));
        auto const traffic = trafficOf(machine, {128, 381}, rowLayout(128, 381, tilesOf(128, 0), 128), layout, true);
        std::map<std::pair<int, int>, Bytes> pairs;
        for (int from = 0; from < 128; ++from)
            for (int to = 0; to < 127; ++to) pairs[{from, to}] = 3 * 4;
        QVERIFY(pairs.size() > 4096);
        QVERIFY(told(traffic.pairs) == largest(pairs));
    }

    void neighboursShareTheirBusOnlyForTheSameBlocks()
    {
        auto const machine = target::parseMachine("gc200:tiles=64").value();
        auto const cyclesOf = [&](std::int32_t strideOfCopies, std::int32_t strideOfRows) {
            auto layout = onIpu(64, 0);
            layout.add(cut(4, 1, strideOfCopies, DimKind::Copy));
            layout.add(cut(8, 1, strideOfRows));
            layout.add(cut(100, 100, 0));
            auto const traffic = trafficOf(machine, {8, 100}, rowLayout(8, 100, tilesOf(64, 0), 40), layout, false);
            Cycles slowest = 0;
            for (std::size_t tile = 0; tile < 32; ++tile) slowest = std::max(slowest, traffic.cycles[tile]);
            return slowest;
        };
        QCOMPARE(cyclesOf(1, 4), Cycles{100 / 2 + 3}); // copies side by side
        QCOMPARE(cyclesOf(8, 1), Cycles{100 + 3});     // different rows side by side
    }

    /// The first and the last copy are on one bus as well.
    void copiesOnAllTilesShareTheirBusWhereverTheyBegin()
    {
        auto const machine = target::parseMachine("gc200:tiles=64").value();
        auto layout = onIpu(64, 0);
        layout.first = 3;
        layout.add(cut(64, 1, 1, DimKind::Copy));
        layout.add(cut(1, 1, 0));
        layout.add(cut(100, 100, 0));
        auto const traffic = trafficOf(machine, {1, 100}, rowLayout(1, 100, tilesOf(64, 0), 0), layout, false);
        for (std::size_t tile = 1; tile < 64; ++tile) QCOMPARE(traffic.cycles[tile], Cycles{100 / 2 + 3}); // tile 0 sends
    }
};

TW_REGISTER_TEST(TstTransfers);
#include "tst_transfers.moc"
