#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"
#include "tests/views/time/random_lane.h"

#include <QTest>

using namespace tilewright::views;
using namespace tilewright::tests;

namespace {

std::vector<LanePlacement> randomPlacements(std::mt19937_64 &random, int blocks, unsigned most = 400)
{
    std::vector<LanePlacement> placements;
    std::int64_t time = static_cast<std::int64_t>(random() % 100);
    for (int b = 0; b < blocks; ++b) {
        auto const events = std::make_shared<RandomLane>(randomLane(random, 1 + static_cast<int>(random() % most), 9));
        auto const block = std::make_shared<LaneLod const>(events->spans(), phasesOf(9), events);
        std::int64_t const period = block->lastEnd() + 1 + static_cast<std::int64_t>(random() % 20);
        std::int64_t const repeats = 1 + static_cast<std::int64_t>(random() % 6);
        placements.push_back({block, time, repeats, period});
        time += repeats * period + static_cast<std::int64_t>(random() % 500);
    }
    return placements;
}

std::int64_t inWindow(Unrolled const &all, TimeSpan window)
{
    std::int64_t count = 0;
    for (std::size_t i = 0; i < all.size(); ++i)
        count += all.start[i] < window.end && (all.end[i] > window.begin || (all.end[i] == all.start[i] && all.start[i] >= window.begin));
    return count;
}

} // namespace

class TstLaneLod : public QObject {
    Q_OBJECT
private slots:
    void longestIsTheLongestOfAnyRange()
    {
        std::mt19937_64 random(1);
        auto const lane = randomLane(random, 3000, 5);
        LaneLod const lod(lane.spans(), phasesOf(5), nullptr);
        for (int round = 0; round < 2000; ++round) {
            std::int64_t const a = static_cast<std::int64_t>(random() % 3000),
                               b = a + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(3000 - a));
            auto const best = lod.longest(a, b);
            QVERIFY(best.index >= a && best.index < b);
            QCOMPARE(best.ticks, lod.duration(best.index));
            QCOMPARE(best.type, lod.type(best.index));
            QCOMPARE(best.ticks, *std::max_element(lane.duration.begin() + a, lane.duration.begin() + b));
        }
    }

    void searchFindsTheFirstStartFromAnyCursor()
    {
        std::mt19937_64 random(2);
        auto const lane = randomLane(random, 2000, 5);
        LaneLod const lod(lane.spans(), phasesOf(5), nullptr);
        for (int round = 0; round < 3000; ++round) {
            std::int64_t const from = static_cast<std::int64_t>(random() % 2000);
            std::int64_t const time =
                lane.start[static_cast<std::size_t>(from)] + static_cast<std::int64_t>(random() % (round % 2 ? 300 : 2000000)) - 20;
            auto const found = std::lower_bound(lane.start.begin() + from, lane.start.end(), time);
            QCOMPARE(lod.lowerBound(time, from), std::int64_t(found - lane.start.begin()));
        }
    }

    void appendingGivesWhatBuildingGives()
    {
        std::mt19937_64 random(3);
        auto const lane = randomLane(random, 1500, 5);
        LaneLod const whole(lane.spans(), phasesOf(5), nullptr);
        LaneLod grown({}, phasesOf(5), nullptr);
        for (std::size_t at = 0; at < 1500;) {
            std::size_t const n = std::min<std::size_t>(1500 - at, 1 + random() % 60);
            auto const part = lane.spans();
            grown.append({part.start.subspan(at, n), part.duration.subspan(at, n), part.type.subspan(at, n)});
            at += n;
        }
        QCOMPARE(grown.size(), whole.size());
        QCOMPARE(grown.countByType(), whole.countByType());
        for (int round = 0; round < 500; ++round) {
            std::int64_t const a = static_cast<std::int64_t>(random() % 1500),
                               b = a + 1 + static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(1500 - a));
            QCOMPARE(grown.longest(a, b).index, whole.longest(a, b).index);
            QVERIFY(grown.busyBefore(whole.start(a) + 3) == whole.busyBefore(whole.start(a) + 3));
            QCOMPARE(grown.lowerBound(whole.start(a) + 1), whole.lowerBound(whole.start(a) + 1));
        }
    }

    void damagedColumnsAreRepaired()
    {
        std::vector<std::int64_t> const start{50, 10, 20}, duration{5, 100, -3}, type{1, 0};
        LaneLod const lod({start, duration, type}, phasesOf(2), nullptr);
        QCOMPARE(lod.size(), std::int64_t(2));
        QCOMPARE(lod.start(0), std::int64_t(10));
        QCOMPARE(lod.end(0), std::int64_t(50));
    }

    void busyTicksAddUpExactly()
    {
        std::mt19937_64 random(4);
        for (int round = 0; round < 20; ++round) {
            LaneTimeline const lane(randomPlacements(random, 3));
            auto const all = unroll(lane.placements());
            for (int k = 0; k < 30; ++k) {
                std::int64_t const a = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(lane.extent().end + 50));
                TimeSpan const span{a, a + static_cast<std::int64_t>(random() % 20000)};
                PhaseTicks expected{};
                for (std::size_t i = 0; i < all.size(); ++i)
                    expected[static_cast<std::size_t>(lane.phaseOfType(static_cast<int>(all.type[i])))] +=
                        std::max<std::int64_t>(0, std::min(all.end[i], span.end) - std::max(all.start[i], span.begin));
                QVERIFY(lane.busy(span) == expected);
            }
        }
    }

    void repeatedBlocksAreNumberedLikeTheUnrolledRow()
    {
        std::mt19937_64 random(5);
        LaneTimeline const lane(randomPlacements(random, 4));
        auto const all = unroll(lane.placements());
        QCOMPARE(lane.size(), std::int64_t(all.size()));
        for (std::size_t i = 0; i < all.size(); i += 7) {
            auto const event = static_cast<std::int64_t>(i);
            QCOMPARE(lane.span(event), (TimeSpan{all.start[i], all.end[i]}));
            QCOMPARE(std::int64_t(lane.type(event)), all.type[i]);
            std::int64_t const time = all.start[i] + static_cast<std::int64_t>(random() % 40) - 20;
            QCOMPARE(lane.lowerBound(time), std::int64_t(std::ranges::lower_bound(all.start, time) - all.start.begin()));
        }
    }

    /// The four promises of zooming, by brute force: one answer per column, counts conserved, the longest wins,
    /// nothing vanishes.
    void boxesKeepTheirInvariants()
    {
        std::mt19937_64 random(6);
        for (int round = 0; round < 72; ++round) {
            // The last dozen have columns of hundreds of events.
            LaneTimeline const lane(randomPlacements(random, 1 + round % 4, round < 60 ? 400 : 9000));
            auto const all = unroll(lane.placements());
            for (int zoom = 0; zoom < 8; ++zoom) {
                std::int64_t const length = std::max<std::int64_t>(8, lane.extent().end >> (2 * zoom));
                std::int64_t const begin = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(lane.extent().end));
                ColumnGrid const grid({{zoom == 0 ? 0 : begin, (zoom == 0 ? 0 : begin) + length}, 1 + static_cast<int>(random() % 700)});
                auto const boxes = lane.boxes(grid);
                int free = 0;
                std::int64_t count = 0, next = -1;
                for (auto const &box : boxes) {
                    QVERIFY(box.x0 >= free && box.x1 > box.x0 && box.x1 <= grid.width());
                    free = box.x1;
                    count += box.count;
                    QVERIFY(next < 0 || box.first == next); // none is left out
                    next = box.first + box.count;
                    QVERIFY(box.count == 1 || box.x1 - box.x0 == 1);
                    for (std::int64_t e = box.first; e < next; ++e) {
                        QVERIFY(lane.span(e).length() <= lane.span(box.event).length());
                        // Where it is drawn is where it is, give or take one column.
                        int const column = grid.column(lane.span(e).begin);
                        QVERIFY(std::abs(column - box.x0) <= 1);
                    }
                    QCOMPARE(box.type, lane.type(box.event));
                }
                QCOMPARE(count, inWindow(all, grid.axis().window));
            }
        }
    }

    /// Dense columns against a plain scan of all events: their contents and the longest event.
    void binsSummariseTheirEvents()
    {
        std::mt19937_64 random(11);
        for (int round = 0; round < 20; ++round) {
            auto const lane = randomLane(random, 300 + static_cast<int>(random() % 6000), 7);
            LaneBins bins;
            bins.build(lane.start, lane.duration, lane.type);
            std::int64_t const extent = lane.start.back() - lane.start.front();
            int dense = 0;
            for (int width : {5, 20, 60, 200}) {
                std::int64_t const column = std::max<std::int64_t>(2, extent / width);
                int const level = bins.levelFor(column);
                if (level < 0) continue;
                std::int64_t index = 0, bin = bins.binFrom(level, 0, lane.start[0]);
                for (std::int64_t border = lane.start[0] + column; index < bins.size(); border += column) {
                    auto const found = bins.column(level, index, bin, border, border + column);
                    if (!found) break;
                    ++dense;
                    auto const at = [](std::int64_t i) { return static_cast<std::size_t>(i); };
                    QVERIFY(found->to - index >= LaneBins::kDense);
                    QVERIFY(lane.start[at(found->to)] >= border && lane.start[at(found->to)] < border + column);
                    QVERIFY(lane.start[at(found->to) - 1] < border + (column + 1) / 2); // moved by half a column at most
                    QVERIFY(found->head >= index && found->head <= found->to);
                    if (found->head < found->to) {
                        QCOMPARE(found->ticks, *std::max_element(lane.duration.begin() + found->head, lane.duration.begin() + found->to));
                        QCOMPARE(lane.duration[at(found->longest)], found->ticks);
                        QCOMPARE(std::int64_t(found->type), lane.type[at(found->longest)]);
                    }
                    index = found->to;
                    bin = found->bin;
                }
            }
            QVERIFY(dense > 0);
        }
    }
    void zoomingInAlwaysReveals()
    {
        std::mt19937_64 random(8);
        LaneTimeline const lane(randomPlacements(random, 2));
        auto const all = unroll(lane.placements());
        for (int round = 0; round < 200; ++round) {
            // Zoomed onto any event that lasts, that event has a box of its own.
            std::size_t const i = random() % all.size();
            if (all.end[i] - all.start[i] < kShortestWindow) continue;
            ColumnGrid const grid({{all.start[i], all.end[i]}, 300});
            auto const boxes = lane.boxes(grid);
            QVERIFY(std::ranges::any_of(
                boxes, [&](LaneBox const &b) { return b.count == 1 && b.event == static_cast<std::int64_t>(i) && b.x1 - b.x0 > 290; }));
        }
    }

    void tenThousandMillionEventsAnswerAtOnce()
    {
        std::mt19937_64 random(9);
        auto const events = std::make_shared<RandomLane>(randomLane(random, 1000, 5));
        auto const block = std::make_shared<LaneLod const>(events->spans(), phasesOf(5), events);
        LaneTimeline const lane({{block, 0, 10000000, block->lastEnd() + 10}});
        QCOMPARE(lane.size(), std::int64_t(10000000000));
        ColumnGrid const grid({lane.extent(), 1000});
        tilewright::tests::SpentTime const spent;
        auto const boxes = lane.boxes(grid);
        QVERIFY2(spent.below(100), spent.text().c_str());
        std::int64_t count = 0;
        for (auto const &box : boxes) count += box.count;
        QCOMPARE(count, lane.size());
        std::int64_t const event = 7654321987;
        QCOMPARE(lane.lowerBound(lane.span(event).begin), lane.span(event - 1).begin == lane.span(event).begin ? event - 1 : event);
    }

    void mergedColumnsJoinIntoOneMark()
    {
        std::vector<LaneBox> const boxes{{0, 1, 0, 3, 0, 0}, {1, 2, 3, 2, 3, 0}, {2, 9, 5, 1, 5, 0}, {20, 21, 6, 4, 6, 0}};
        QCOMPARE(mergedRuns(boxes), (std::vector<MergedRun>{{0, 2, 5}, {20, 21, 4}}));
    }
};

TW_REGISTER_TEST(TstLaneLod);
#include "tst_lane_lod.moc"
