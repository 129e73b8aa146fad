#include "engine/core/random.h"
#include "engine/lowering/tile_kinds.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <map>

using namespace tilewright;
using namespace tilewright::lowering;

namespace {

/// Variables on single IPUs, some of them alike.
program::Program programOn(int ipus, int tilesPerIpu, std::uint64_t seed)
{
    program::Program p;
    p.ipus = ipus;
    p.tilesPerIpu = tilesPerIpu;
    RandomStream random(seed);
    for (int v = 0; v < 40 * ipus; ++v) {
        program::Variable variable;
        auto on = program::tilesOf(tilesPerIpu, static_cast<int>(random.below(static_cast<std::uint64_t>(ipus))));
        auto const first = static_cast<int>(random.below(static_cast<std::uint64_t>(tilesPerIpu)));
        variable.layout = program::linearLayout(1 + static_cast<std::int64_t>(random.below(60)), 32, DType::F32, on, first);
        variable.alwaysLive = random.below(3) == 0;
        p.variables.push_back(std::move(variable));
    }
    return p;
}

CodeBytes codeOn(std::size_t tiles)
{
    CodeBytes code;
    for (auto *bytes : {&code.vertexCode, &code.vertexState, &code.internalExchange, &code.globalExchange, &code.hostExchange,
                        &code.hostHeader, &code.globalHeader, &code.control, &code.stack})
        bytes->assign(tiles, 0);
    for (std::size_t t = 0; t < tiles; ++t) code.control[t] = static_cast<Bytes>(t % 3 * 8);
    return code;
}

Liveness livenessOf(program::Program const &p)
{
    Liveness liveness;
    liveness.steps.resize(10);
    liveness.classes = {{{0, 10}}, {{2, 5}}};
    for (std::size_t v = 0; v < p.variables.size(); ++v) {
        int const c = p.variables[v].alwaysLive ? 0 : 1;
        liveness.classOf.push_back(c);
        liveness.intervals.push_back(v == 7 ? std::vector<LiveInterval>() : liveness.classes[static_cast<std::size_t>(c)]);
    }
    return liveness;
}

using Content = std::vector<std::pair<std::int32_t, Bytes>>; ///< variables and bytes of a tile, by variable

/// By tile: every block of every variable.
std::vector<Content> contentsOf(program::Program const &p, Liveness const &liveness)
{
    std::vector<Content> contents(static_cast<std::size_t>(p.tiles()));
    for (std::size_t v = 0; v < p.variables.size(); ++v) {
        auto const &layout = p.variables[v].layout;
        if (liveness.intervals[v].empty()) continue;
        layout.forEachBlock([&](program::Coords const &block) {
            contents[static_cast<std::size_t>(layout.tileOf(block))].emplace_back(static_cast<std::int32_t>(v),
                                                                                  layout.boxOf(block).elements() * 4);
        });
    }
    return contents;
}

} // namespace

/// What lies on a tile, against a list of all variables for each tile; peaks against all steps.
class TstTileKinds : public QObject {
    Q_OBJECT

private slots:
    void itemsEqualTheBlocksOfEveryTile()
    {
        bool severalOwn = false;
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            auto const p = programOn(4, 24, seed);
            auto const liveness = livenessOf(p);
            auto const contents = contentsOf(p, liveness);
            TileKinds const tiles(p, liveness, codeOn(contents.size()));
            QCOMPARE(tiles.kindOf.size(), contents.size());
            std::map<std::pair<Content, std::size_t>, std::int32_t> numbers; // of the kinds, in order of their first tile
            for (std::size_t t = 0; t < contents.size(); ++t) {
                auto const &kind = tiles.kinds[static_cast<std::size_t>(tiles.kindOf[t])];
                auto const items = tiles.items(kind);
                Content found;
                for (auto const &item : items)
                    if (item.variable >= 0) found.emplace_back(item.variable, item.bytes);
                std::ranges::sort(found);
                QVERIFY(found == contents[t]);
                QCOMPARE(items.size(), found.size() + kind.own.size());
                QCOMPARE(tiles.ownBytes(kind), static_cast<Bytes>(t % 3 * 8));
                auto const number = numbers.emplace(std::pair(contents[t], t % 3), static_cast<std::int32_t>(numbers.size())).first;
                QCOMPARE(tiles.kindOf[t], number->second);
                severalOwn = severalOwn || tiles.firstWith[kind.variables] != static_cast<std::size_t>(tiles.kindOf[t]);
            }
        }
        QVERIFY(severalOwn);
    }

    /// A layout takes room for the tiles of its own IPU, however many there are.
    void storesNothingForOtherIpus()
    {
        constexpr int kTiles = 24;
        auto const p = programOn(16, kTiles, 1);
        TileKinds const tiles(p, livenessOf(p), codeOn(static_cast<std::size_t>(p.tiles())));
        QVERIFY(tiles.storedValues() > 0);
        QVERIFY(tiles.storedValues() <= static_cast<std::int64_t>(p.variables.size()) * kTiles);
    }

    void peaksEqualASumOverAllSteps()
    {
        int late = 0;
        for (std::uint64_t seed = 1; seed <= 40; ++seed) {
            RandomStream random(seed);
            auto const steps = 1 + static_cast<int>(random.below(1000));
            Liveness liveness;
            liveness.steps.resize(static_cast<std::size_t>(steps));
            liveness.classes.push_back({{0, steps}});
            for (int c = 0; c < 20; ++c) {
                auto const first = static_cast<int>(random.below(static_cast<std::uint64_t>(steps)));
                liveness.classes.push_back(
                    {{first, first + 1 + static_cast<int>(random.below(static_cast<std::uint64_t>(steps - first)))}});
            }
            PeakFinder finder(liveness);
            for (int tile = 0; tile < 5; ++tile) { // the second tile must not see the first
                std::vector<Placement> items(random.below(8));
                for (auto &item : items) {
                    item.livenessClass = static_cast<std::int32_t>(random.below(21));
                    item.bytes = static_cast<Bytes>(random.below(4));
                }
                PeakFinder::Peak expected;
                for (int s = 0; s < steps; ++s) {
                    Bytes live = 0;
                    for (auto const &item : items)
                        if (item.livenessClass > 0)
                            for (auto const &interval : liveness.classes[static_cast<std::size_t>(item.livenessClass)])
                                live += interval.first <= s && s < interval.end ? item.bytes : 0;
                    if (live > expected.bytes) expected = {live, s};
                }
                auto const found = finder.peakOf(items);
                QCOMPARE(found.bytes, expected.bytes);
                QCOMPARE(found.step, expected.step);
                late += found.step >= 64;
            }
        }
        QVERIFY(late > 0);
    }
};

TW_REGISTER_TEST(TstTileKinds);
#include "tst_tile_kinds.moc"
