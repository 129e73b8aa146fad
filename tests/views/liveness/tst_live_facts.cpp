#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/liveness/live_compare.h"
#include "views/liveness/live_scene.h"
#include "views/liveness/live_steps.h"
#include "views/liveness/live_tables.h"

#include <QtTest>

#include <algorithm>
#include <map>
#include <numeric>

using namespace tilewright;
using namespace tilewright::views;

class TstLiveFacts : public QObject {
    Q_OBJECT
    struct Compiled {
        std::shared_ptr<ReportSnapshot const> report;
        std::shared_ptr<TileContents const> contents;
    };
    Compiled m_one, m_two; ///< one IPU; a pipeline of two stages

    static std::vector<LiveScope> scopesOf(Compiled const &compiled)
    {
        std::vector<LiveScope> scopes{{}};
        for (int i = 0; i < compiled.report->data().target.ipusPerReplica; ++i) scopes.push_back({LiveScope::Ipu, i});
        for (std::size_t s = 0; s < compiled.report->data().stages.size(); ++s) scopes.push_back({LiveScope::Stage, static_cast<int>(s)});
        return scopes;
    }
    static std::vector<std::int64_t> curveOfReport(Compiled const &compiled, LiveScope const &scope)
    {
        auto const row = *compiled.report->liveCurve(scopeName(scope), scope.id);
        auto curve = row.notAlwaysLive;
        for (auto &bytes : curve) bytes += row.alwaysLive;
        return curve;
    }

private slots:
    void initTestCase()
    {
        m_one.report = tests::compiledReport();
        m_two.report = tests::compiledReport(
            "gc200:tiles=16,ipus=2",
            tests::twoStages(tests::smallModel({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}})));
        for (auto *compiled : {&m_one, &m_two}) compiled->contents = readContents(*compiled->report, {});
        QCOMPARE(m_two.report->data().stages.size(), std::size_t(2));
    }

    void bandsAddUpToTheCurveAtEveryStepOfEveryScope()
    {
        for (auto const &compiled : {m_one, m_two})
            for (auto const &scope : scopesOf(compiled))
                for (int by = 0; by < kBreakdowns; ++by) {
                    auto const bands = liveBands(*compiled.report, *compiled.contents, {scope, static_cast<Breakdown>(by), -1, {}});
                    QCOMPARE(curveOf(bands, compiled.contents->lives.steps()), curveOfReport(compiled, scope));
                }
    }

    void anOpenedLayerStillAddsUp()
    {
        auto const &ops = m_one.report->data().ops;
        int opened = 0;
        for (std::size_t op = 0; op < ops.size(); ++op) {
            if (m_one.report->layerOp(static_cast<int>(op)) != static_cast<int>(op)) continue;
            auto const bands = liveBands(*m_one.report, *m_one.contents, {{}, Breakdown::Layer, static_cast<int>(op), {}});
            QCOMPARE(curveOf(bands, m_one.contents->lives.steps()), curveOfReport(m_one, {}));
            for (auto const &band : bands)
                if (band.variable >= 0)
                    QCOMPARE(m_one.report->layerOp(m_one.report->data().variables[static_cast<std::size_t>(band.variable)].op),
                             static_cast<int>(op));
            opened += bands.size() > 2;
        }
        QVERIFY(opened >= 3);
    }

    /// Steps of a longer program were looked up in a shorter one's bands, which read past their end (found by the monkey; aborts with
    /// checked vectors).
    void curvesLongerThanTheirBandsEndWithoutBands()
    {
        std::vector<LiveBand> bands(2);
        bands[0].bytes = {1, 2};
        bands[0].bytes.reserve(6);
        std::fill_n(bands[0].bytes.data() + 2, 4, 1000); // reserved, not there
        bands[1].bytes = {4, 8, 16};
        QCOMPARE(curveOf(bands, 5), (std::vector<std::int64_t>{5, 10, 16, 0, 0}));
        QCOMPARE(curveOf(bands, 1), (std::vector<std::int64_t>{5}));
    }

    void excludedVariablesAreMissingExactlyWhileLive()
    {
        auto const &d = m_one.report->data();
        auto const whole = curveOfReport(m_one, {});
        int tried = 0;
        for (std::size_t v = 0; v < d.variables.size(); v += 7) {
            auto const bands = liveBands(*m_one.report, *m_one.contents, {{}, Breakdown::Role, -1, {static_cast<int>(v)}});
            auto const rest = curveOf(bands, m_one.contents->lives.steps());
            for (int step = 0; step < m_one.contents->lives.steps(); ++step) {
                Bytes of = 0;
                for (auto const &item : liveItems(*m_one.report, *m_one.contents, {}, step))
                    if (item.variable == static_cast<int>(v)) of += item.bytes;
                QCOMPARE(whole[static_cast<std::size_t>(step)] - rest[static_cast<std::size_t>(step)], of);
            }
            ++tried;
        }
        QVERIFY(tried > 5);
    }

    // Brute force: every item of every tile, one by one.
    void itemsOfAStepAreTheLiveOnesOfAllTiles()
    {
        for (auto const &compiled : {m_one, m_two})
            for (int step = 0; step < compiled.contents->lives.steps(); step += 11) {
                std::map<int, Bytes> expected;
                Bytes made = 0;
                for (int tile = 0; tile < compiled.report->tiles(); ++tile)
                    for (auto const &placed : compiled.report->placedOn(tile)) {
                        bool live = false;
                        for (auto const &row : compiled.report->data().livenessIntervals)
                            live = live || (row.livenessClass == placed.item.livenessClass && row.firstStep <= step && step < row.endStep);
                        if (!live) continue;
                        if (placed.item.variable >= 0) expected[placed.item.variable] += placed.item.bytes;
                        else made += placed.item.bytes;
                    }
                std::map<int, Bytes> found;
                Bytes foundMade = 0;
                for (auto const &item : liveItems(*compiled.report, *compiled.contents, {}, step)) {
                    if (item.variable >= 0) found[item.variable] += item.bytes;
                    else foundMade += item.bytes;
                    if (!item.alwaysLive) QVERIFY(item.born <= step && step < item.dies);
                }
                QCOMPARE(found, expected);
                QCOMPARE(foundMade, made);
            }
    }

    void birthsAndDeathsExplainTheCurve()
    {
        auto const curve = curveOfReport(m_one, {});
        for (int step = 0; step + 1 < m_one.contents->lives.steps(); ++step) {
            Bytes dying = 0, born = 0;
            for (auto const &item : liveItems(*m_one.report, *m_one.contents, {}, step))
                if (item.dies == step + 1) dying += item.bytes;
            for (auto const &item : liveItems(*m_one.report, *m_one.contents, {}, step + 1))
                if (item.born == step + 1) born += item.bytes;
            QCOMPARE(curve[static_cast<std::size_t>(step) + 1] - curve[static_cast<std::size_t>(step)], born - dying);
        }
    }

    void changesBetweenTwoStepsAddUp()
    {
        auto const curve = curveOfReport(m_two, {});
        int const a = 3, b = m_two.report->liveCurve("all", 0)->peakStep;
        auto const there = liveChanges(liveItems(*m_two.report, *m_two.contents, {}, a), liveItems(*m_two.report, *m_two.contents, {}, b));
        Bytes sum = 0;
        for (auto const &change : there) sum += change.difference();
        QCOMPARE(sum, curve[static_cast<std::size_t>(b)] - curve[static_cast<std::size_t>(a)]);
        auto const same = liveItems(*m_two.report, *m_two.contents, {}, b);
        QVERIFY(liveChanges(same, same).empty());
    }

    void comparingEqualReportsGivesZeroEverywhere()
    {
        auto const again = tests::compiledReport();
        auto const contents = readContents(*again, {});
        auto const same = liveComparison(*m_one.report, *m_one.contents, *again, *contents, {});
        QVERIFY(same.pairs.empty());
        QVERIFY(same.text.contains(QLatin1String("the same peak")));
        auto const bigger = tests::compiledReport("gc200:tiles=8", tests::smallModel({{"model.layers.dense.units", "64"}}));
        auto const more = liveComparison(*bigger, *readContents(*bigger, {}), *m_one.report, *m_one.contents, {});
        Bytes sum = 0;
        for (auto const &pair : more.pairs) sum += pair.difference();
        QCOMPARE(sum, bigger->liveCurve("all", 0)->peak - m_one.report->liveCurve("all", 0)->peak);
        QVERIFY(std::any_of(more.pairs.begin(), more.pairs.end(),
                            [](auto const &pair) { return pair.name == QLatin1String("dense/kernel") && pair.after == 2 * pair.before; }));
        QCOMPARE(comparisonTable(more.pairs).rows, static_cast<int>(more.pairs.size()));
    }

    void peaksAreThoseOfTheReport()
    {
        for (auto const &compiled : {m_one, m_two})
            for (auto const &scope : scopesOf(compiled)) {
                auto const picture = livePicture(*compiled.report, *compiled.contents, {scope, Breakdown::Role, -1, {}}, false);
                QCOMPARE(picture.peak, compiled.report->liveCurve(scopeName(scope), scope.id)->peak);
                auto const found = localMaxima(curveOfReport(compiled, scope), 16);
                QCOMPARE(picture.peaks, found);
            }
        QCOMPARE(localMaxima({1, 3, 3, 2, 5, 5}, 9), (std::vector<int>{4, 1}));
        QVERIFY(localMaxima({}, 3).empty());
    }

    void peaksAreVisitedInTheOrderOfSteps()
    {
        std::vector<int> const peaks{90, 5, 40};
        QCOMPARE(nextPeak(peaks, 90), 5);
        QCOMPARE(nextPeak(peaks, 6), 40);
        QCOMPARE(nextPeak(peaks, 40, true), 5);
        QCOMPARE(nextPeak(peaks, 2, true), 90);
        QCOMPARE(nextPeak({}, 2), -1);
    }

    void theAxisInCyclesIsAsLongAsTheProgram()
    {
        auto const cycles = stepCycles(*m_one.report);
        auto const axis = stepAxis(*m_one.report, true);
        QCOMPARE(axis.count, static_cast<int>(m_one.report->data().livenessSteps.size()));
        QCOMPARE(axis.length(), static_cast<double>(std::accumulate(cycles.begin(), cycles.end(), std::int64_t{0})));
        QVERIFY(std::count_if(cycles.begin(), cycles.end(), [](auto c) { return c > 0; }) > axis.count * 3 / 4);
        QVERIFY(stepAxis(*m_one.report, false).edges.empty());
    }

    void lanesCoverEveryStepOnce()
    {
        for (auto const &compiled : {m_one, m_two}) {
            auto const lanes = stepLanes(*compiled.report);
            QCOMPARE(lanes.size(), compiled.report->data().stages.empty() ? std::size_t(1) : std::size_t(2));
            for (auto const &lane : lanes) {
                int next = 0;
                for (auto const &span : lane) {
                    QCOMPARE(span.first, next);
                    next = span.last + 1;
                }
                QCOMPARE(next, static_cast<int>(compiled.report->data().livenessSteps.size()));
            }
        }
    }

    void theHeadlineNamesThePeakAndItsLargestRole()
    {
        auto const curve = *m_one.report->liveCurve("all", 0);
        QString const text = livenessHeadline(*m_one.report, m_one.contents.get(), {});
        QVERIFY2(text.contains(QStringLiteral("peak at liveness step %1").arg(curve.peakStep)), qPrintable(text));
        QVERIFY2(text.contains(QLatin1Char('%')) && text.contains(QLatin1String("(modelled)")), qPrintable(text));
        auto const facts = stepFacts(*m_one.report, curve.peakStep);
        QVERIFY2(text.contains(facts.brief), qPrintable(text));
        QVERIFY(stepFacts(*m_one.report, -1).name.isEmpty());
    }

    void tablesListBirthsAndDeaths()
    {
        int const step = m_one.report->liveCurve("all", 0)->peakStep;
        auto const items = liveItems(*m_one.report, *m_one.contents, {}, step);
        auto const all = liveTable(m_one.report, items, step, LiveRows::Everything, {});
        QCOMPARE(all.rows, static_cast<int>(items.size()));
        QCOMPARE(all.columns[1].value(0).toLongLong(), items[0].bytes);
        auto const born = liveTable(m_one.report, items, step, LiveRows::Born, {});
        QCOMPARE(born.rows, static_cast<int>(std::count_if(items.begin(), items.end(), [&](auto const &i) { return i.born == step; })));
        auto const peaks = peakTable(m_one.report, {step}, curveOfReport(m_one, {}));
        QCOMPARE(peaks.columns[1].value(0).toLongLong(), m_one.report->liveCurve("all", 0)->peak);
    }
};

TW_REGISTER_TEST(TstLiveFacts);
#include "tst_live_facts.moc"
