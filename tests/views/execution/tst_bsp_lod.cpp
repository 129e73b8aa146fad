#include "tests/support/test_registry.h"
#include "tests/views/time/random_lane.h"
#include "views/common/theme.h"
#include "views/execution/bsp_image.h"

#include <QTest>

#include <cmath>
#include <numeric>

using namespace tilewright::views;
using namespace tilewright::tests;

namespace {

constexpr int kTiles = 37;

/// A block of random phases with a random number of repetitions, and its phases.
struct RandomBsp {
    std::vector<std::vector<std::int64_t>> vectors;
    std::vector<std::int64_t> vec;
    std::shared_ptr<LaneLod const> lod;
    BspTimeline bsp;

    RandomBsp(std::mt19937_64 &random, int events, std::int64_t repeats)
    {
        auto const lane = std::make_shared<RandomLane>(randomLane(random, events, 7));
        lod = std::make_shared<LaneLod const>(lane->spans(), phasesOf(7), lane);
        for (std::int64_t e = 0; e < lod->size(); ++e) {
            // Each event has a vector that fits its duration: the slowest tile takes all of it.
            if (random() % 4 == 0) {
                vec.push_back(-1);
                continue;
            }
            std::vector<std::int64_t> byTile;
            for (int t = 0; t < kTiles; ++t)
                byTile.push_back(
                    lod->duration(e) == 0 ? 0 : static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(lod->duration(e) + 1)));
            byTile[random() % kTiles] = lod->duration(e);
            vec.push_back(static_cast<std::int64_t>(vectors.size()));
            vectors.push_back(std::move(byTile));
        }
        bsp.events = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{lod, 0, repeats, lod->lastEnd() + 11}});
        std::vector<int> order(kTiles);
        std::iota(order.begin(), order.end(), 0);
        bsp.blocks.push_back(std::make_shared<BspBlock const>(
            lod, vec, [this](std::int64_t v) { return std::span<std::int64_t const>(vectors[static_cast<std::size_t>(v)]); }, order));
    }

    /// Busy ticks of a tile, one event after the other.
    std::pair<double, double> naive(TimeSpan span, int tile) const
    {
        double compute = 0, exchange = 0;
        auto const &place = bsp.events->placements().front();
        for (std::int64_t r = 0; r < place.repeats; ++r)
            for (std::int64_t e = 0; e < lod->size(); ++e) {
                std::int64_t const begin = r * place.period + lod->start(e);
                std::int64_t const v = vec[static_cast<std::size_t>(e)];
                std::int64_t const end =
                    begin + (v < 0 ? lod->duration(e) : vectors[static_cast<std::size_t>(v)][static_cast<std::size_t>(tile)]);
                auto const ticks = static_cast<double>(std::max<std::int64_t>(0, std::min(end, span.end) - std::max(begin, span.begin)));
                if (lod->phase(e) == LanePhase::Compute) compute += ticks;
                if (lod->phase(e) == LanePhase::InternalExchange || lod->phase(e) == LanePhase::GlobalExchange) exchange += ticks;
            }
        return {compute, exchange};
    }
};

} // namespace

class TstBspLod : public QObject {
    Q_OBJECT
private slots:
    void sumsEqualTheNaiveOnes_data()
    {
        QTest::addColumn<int>("events");
        QTest::addColumn<int>("repeats");
        QTest::newRow("few") << 5 << 1;
        QTest::newRow("levels") << 700 << 1;
        QTest::newRow("repeated") << 90 << 7;
    }
    void sumsEqualTheNaiveOnes()
    {
        QFETCH(int, events);
        QFETCH(int, repeats);
        std::mt19937_64 random(static_cast<std::uint64_t>(events));
        RandomBsp const source(random, events, repeats);
        std::int64_t const whole = source.bsp.events->extent().end;
        for (int round = 0; round < 60; ++round) {
            std::int64_t const a = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(whole));
            TimeSpan const span = round == 0
                ? TimeSpan{0, whole}
                : TimeSpan{a, a + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(round % 2 ? 40 : whole))};
            BspBlock::Sums sums(kTiles);
            int const top = round % 3 ? 0 : 5;
            source.bsp.sum(span, top, kTiles, false, sums);
            for (int tile = 0; tile < kTiles; ++tile) {
                auto const [compute, exchange] = tile < top ? std::pair(0.0, 0.0) : source.naive(span, tile);
                QVERIFY(std::abs(sums.compute[static_cast<std::size_t>(tile)] - compute) <= 1e-5 * compute + 0.01);
                QVERIFY(std::abs(sums.exchange[static_cast<std::size_t>(tile)] - exchange) <= 1e-5 * exchange + 0.01);
            }
        }
    }

    void coarseSumsKeepTheTotalOfAFrame()
    {
        std::mt19937_64 random(5);
        RandomBsp const source(random, 5000, 1);
        TimeSpan const whole{0, source.bsp.events->extent().end};
        BspBlock::Sums exact(kTiles), coarse(kTiles);
        source.bsp.sum(whole, 0, kTiles, false, exact);
        source.bsp.sum(whole, 0, kTiles, true, coarse);
        for (std::size_t t = 0; t < kTiles; ++t) QVERIFY(std::abs(exact.compute[t] - coarse.compute[t]) < 0.01 * exact.compute[t]);
    }

    void pixelsHaveTheColourOfTheirPhase()
    {
        // Two phases of 100: tile 0 computes for all of the first, tile 1 for half of it; then both exchange.
        auto const columns = std::make_shared<RandomLane>();
        columns->start = {0, 100};
        columns->duration = {100, 100};
        columns->type = {0, 1};
        auto const lod = std::make_shared<LaneLod const>(columns->spans(),
                                                         std::vector<LanePhase>{LanePhase::Compute, LanePhase::InternalExchange}, columns);
        std::vector<std::int64_t> const busy{100, 50}, vec{0, -1};
        BspTimeline bsp;
        bsp.events = std::make_shared<LaneTimeline const>(std::vector<LanePlacement>{{lod, 0, 1, 200}});
        bsp.blocks.push_back(std::make_shared<BspBlock const>(
            lod, vec, [&](std::int64_t) { return std::span<std::int64_t const>(busy); }, std::vector<int>{1, 0}));
        tilewright::ThreadPool pool(2);
        QImage image;
        paintBsp(bsp, ColumnGrid({{0, 200}, 200}), {0, 0.1}, 20, pool, image); // ten pixels a tile, tile 1 on top
        auto const is = [&](int x, int y, Token token) { return image.pixelColor(x, y) == theme()[token]; };
        QVERIFY(is(20, 5, Token::Compute));
        QVERIFY(is(80, 5, Token::Panel)); // waits
        QVERIFY(is(20, 15, Token::Compute));
        QVERIFY(is(80, 15, Token::Compute));
        QVERIFY(is(150, 5, Token::InternalExchange));
        QVERIFY(is(150, 15, Token::InternalExchange));
    }

    void rowsGoByNumberPlaceOrLoad()
    {
        QCOMPARE(tileOrder(TileOrder::Index, 3, {}, {5, 9, 7}), (std::vector<int>{0, 1, 2}));
        QCOMPARE(tileOrder(TileOrder::Load, 3, {}, {5, 9, 7}), (std::vector<int>{1, 2, 0}));
        QCOMPARE(tileOrder(TileOrder::Place, 3, {30, 20, 10}, {}), (std::vector<int>{2, 1, 0}));
        QCOMPARE(tileOrder(TileOrder::Load, 3, {}, {}), (std::vector<int>{0, 1, 2}));
    }
};

TW_REGISTER_TEST(TstBspLod);
#include "tst_bsp_lod.moc"
