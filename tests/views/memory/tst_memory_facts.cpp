#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/format.h"
#include "views/figures/tile_memory.h"
#include "views/memory/memory_headline.h"
#include "views/memory/memory_tables.h"
#include "views/memory/step_heat.h"
#include "views/reports/report_snapshot.h"
#include "views/tiles/tile_grammar.h"
#include "views/wording/tile_memory_text.h"

#include <QtTest>

#include <numeric>

using namespace tilewright;
using namespace tilewright::views;
using tests::compiledReport;

namespace {

std::int64_t at(std::vector<std::int64_t> const &values, int tile) { return values[static_cast<std::size_t>(tile)]; }

std::int64_t total(std::vector<std::int64_t> const &values) { return std::accumulate(values.begin(), values.end(), std::int64_t{0}); }

} // namespace

class TstMemoryFacts : public QObject {
    Q_OBJECT
    std::shared_ptr<ReportSnapshot const> m_report, m_two;
    std::shared_ptr<TileContents const> m_contents, m_twoContents;

private slots:
    void initTestCase()
    {
        m_report = compiledReport();
        m_contents = readContents(*m_report, {});
        m_two = compiledReport(
            "gc200:tiles=16,ipus=2",
            tests::twoStages(tests::smallModel({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}})));
        m_twoContents = readContents(*m_two, {});
        QVERIFY(m_contents && !m_contents->groups.empty());
        QCOMPARE(m_two->tiles(), 32);
    }

    // Invariants 1 and 2 as the view shows them: every breakdown adds up, tile by tile.
    void everyBreakdownAddsUpToTheMetricsOfItsTile()
    {
        for (auto const &[report, contents] : {std::pair(m_report, m_contents), std::pair(m_two, m_twoContents)})
            for (int b = 0; b < kBreakdowns; ++b)
                for (bool const gaps : {false, true}) {
                    auto const sum = sumOf(wholeProgramParts(*report, *contents, static_cast<Breakdown>(b), gaps), report->tiles());
                    QCOMPARE(sum, *report->tileMetric(gaps ? "with_gaps" : "without_gaps"));
                }
    }

    void liveBytesAtAStepAddUpToTheCurve()
    {
        for (auto const &[report, contents] : {std::pair(m_report, m_contents), std::pair(m_two, m_twoContents)}) {
            auto const curve = *report->liveCurve("all", 0);
            QVERIFY(!curve.notAlwaysLive.empty());
            for (int step = 0; step < static_cast<int>(curve.notAlwaysLive.size()); step += 3) {
                auto const live = liveByTile(*contents, step);
                QCOMPARE(total(live), curve.alwaysLive + at(curve.notAlwaysLive, step));
                for (auto const by : {Breakdown::Role, Breakdown::Layer, Breakdown::Liveness})
                    QCOMPARE(sumOf(partsAtStep(*report, *contents, by, step), report->tiles()), live);
            }
        }
    }

    void theMaximumLiveBytesAreTheNeedOfATile()
    {
        auto const &need = m_report->tileMetric("need");
        std::vector<std::int64_t> most(need.size(), 0);
        for (int step = 0; step < m_contents->lives.steps(); ++step) {
            auto const live = liveByTile(*m_contents, step);
            for (std::size_t t = 0; t < most.size(); ++t) most[t] = std::max(most[t], live[t]);
        }
        QCOMPARE(most, *need);
    }

    void theDetailsTreeAddsUp()
    {
        for (std::vector<int> const &tiles : {std::vector<int>{}, std::vector<int>{3}, std::vector<int>{0, 5, 7}}) {
            auto const rows = detailRows(*m_report, tiles);
            QVERIFY(rows.size() > 8);
            for (int parent = 0; parent < static_cast<int>(rows.size()); ++parent) {
                std::int64_t chosen = 0;
                bool any = false;
                for (auto const &row : rows)
                    if (row.parent == parent) {
                        chosen += row.chosen;
                        any = true;
                    }
                // Categories of overlapped bytes share addresses: they add up to at least the union.
                bool const overlapped = any && rows[static_cast<std::size_t>(parent)].name.contains(QLatin1String("several times"));
                if (overlapped) QVERIFY(chosen >= rows[static_cast<std::size_t>(parent)].chosen);
                else if (any) QCOMPARE(chosen, rows[static_cast<std::size_t>(parent)].chosen);
            }
        }
    }

    void sumsOverAllTilesAreTheReportsOwn()
    {
        auto const all = tileSums(m_two, {}, {});
        std::vector<int> everyTile(32);
        std::iota(everyTile.begin(), everyTile.end(), 0);
        auto const each = tileSums(m_two, everyTile, {});
        QCOMPARE(each->variableBytes, all->variableBytes);
        QCOMPARE(each->setCycles, all->setCycles);
        QCOMPARE(each->typeVertices, all->typeVertices);
        for (std::size_t e = 0; e < all->exchangeReceived.size(); ++e) // data received by the host is on no tile
            if (m_two->data().exchanges[e].kind != "host") QCOMPARE(each->exchangeReceived[e], all->exchangeReceived[e]);
        std::int64_t vertices = 0;
        for (auto const &set : m_two->data().computeSets) vertices += set.vertices;
        QCOMPARE(total(all->setVertices), vertices);
    }

    void reasonsExplainTheWholeDifferenceOfATile()
    {
        for (int tile = 0; tile < m_report->tiles(); ++tile) {
            int median = -1;
            auto const reasons = whyThisTile(*m_report, *m_contents, tile, &median);
            QVERIFY(median >= 0);
            std::int64_t difference = 0, here = 0, there = 0;
            for (auto const &reason : reasons) difference += reason.difference();
            for (auto const &item : m_contents->of(tile)->items) here += item.bytes;
            for (auto const &item : m_contents->of(median)->items) there += item.bytes;
            QCOMPARE(difference, here - there);
            QVERIFY(std::is_sorted(reasons.begin(), reasons.end(),
                                   [](auto const &a, auto const &b) { return std::abs(a.difference()) > std::abs(b.difference()); }));
        }
        QVERIFY(whyThisTile(*m_report, *m_contents, 99, nullptr).empty());
    }

    void comparingEqualReportsGivesZeroEverywhere()
    {
        auto const difference = memoryDifference(*m_report, *compiledReport(), "with_gaps");
        QVERIFY(difference.comparable);
        QCOMPARE(total(difference.bytes), 0);
        QVERIFY(std::all_of(difference.bytes.begin(), difference.bytes.end(), [](auto b) { return b == 0; }));
        QVERIFY(difference.note.contains(QLatin1String("as many bytes")));
    }

    void otherMachinesAreNotComparedTileByTile()
    {
        auto const difference = memoryDifference(*m_report, *m_two, "with_gaps");
        QVERIFY(!difference.comparable && difference.bytes.empty());
        QVERIFY(difference.note.contains(QLatin1String("32")));
    }

    void differencesAreAfterMinusBefore()
    {
        auto const bigger = compiledReport("gc200:tiles=8", tests::smallModel({{"model.layers.dense.units", "64"}}));
        auto const there = memoryDifference(*bigger, *m_report, "without_gaps"),
                   back = memoryDifference(*m_report, *bigger, "without_gaps");
        QVERIFY(total(there.bytes) > 0);
        for (std::size_t t = 0; t < there.bytes.size(); ++t) QCOMPARE(there.bytes[t], -back.bytes[t]);
    }

    void ordersArePermutations()
    {
        auto const &values = m_two->tileMetric("with_gaps");
        for (auto const order : {TileOrder::Logical, TileOrder::Physical, TileOrder::Sorted}) {
            auto tiles = orderedTiles(*m_two, order, values, -1);
            if (order == TileOrder::Sorted)
                for (std::size_t i = 1; i < tiles.size(); ++i) QVERIFY(at(values, tiles[i - 1]) >= at(values, tiles[i]));
            std::sort(tiles.begin(), tiles.end());
            for (int t = 0; t < 32; ++t) QCOMPARE(tiles[static_cast<std::size_t>(t)], t);
        }
        auto const second = orderedTiles(*m_two, TileOrder::Logical, values, 1);
        QCOMPARE(second.front(), 16);
        QCOMPARE(second.size(), std::size_t(16));
    }

    /// Of the whole program the headline gives what decides, with gaps or without; of a step, the peak of the profile.
    void theHeadlineIsPlacedOnTheWorstDrawnTile()
    {
        int elsewhere = 0; // pictures that peak on another tile than the worst one
        for (auto const &[report, contents] : {std::pair(m_report, m_contents), std::pair(m_two, m_twoContents)})
            for (auto const show : {MemoryShow::Whole, MemoryShow::AtStep})
                for (bool const gaps : {false, true})
                    for (int const ipu : {-1, 0, report->data().target.ipusPerReplica - 1}) {
                        MemoryRequest request{report, nullptr, contents, {}, 5, {}};
                        request.options.show = show;
                        request.options.gaps = gaps;
                        request.options.ipu = ipu;
                        auto const picture = memoryPicture(request);
                        auto const totals = stackTotals(*picture.scene);
                        auto const peak = static_cast<std::size_t>(std::max_element(totals.begin(), totals.end()) - totals.begin());
                        auto const &with = report->tileMetric("with_gaps");
                        int worst = picture.order.front();
                        for (int const tile : picture.order)
                            if (at(with, tile) > at(with, worst)) worst = tile;
                        bool const whole = show == MemoryShow::Whole;
                        int const tile = whole ? worst : picture.order[peak];
                        QString const text = memoryHeadline(*report, chartOf(picture, request.options, request.step));
                        QString const name = tileName(tile, report->data().target.ipusPerReplica, report->tilesPerIpu());
                        QString const bytes = bytesOfText(whole ? at(with, worst) : totals[peak], report->data().target.bytesPerTile);
                        QVERIFY2(text.contains(name) && text.contains(bytes),
                                 qPrintable(text + QStringLiteral(" | ") + name + QStringLiteral(" | ") + bytes));
                        if (whole)
                            QVERIFY2(text.startsWith(worstTileText(tileMemory(*report, worst)) + QStringLiteral(": ")), qPrintable(text));
                        elsewhere += picture.order[peak] != worst;
                    }
        QVERIFY(elsewhere > 0);
        QVERIFY(memoryCause(*m_report).isEmpty());
        QCOMPARE(tilesOverAverage(std::vector<std::int64_t>{10, 10, 10, 100}), 1);
        QCOMPARE(tilesOverAverage({}), 0);
    }

    void theHeadlineMentionsTrafficAndComparison()
    {
        MemoryRequest request{m_report, m_report, m_contents, {}, 0, {}};
        request.options.compare = true;
        QCOMPARE(memoryHeadline(*m_report, chartOf(memoryPicture(request), request.options, 0)),
                 QStringLiteral("every tile holds as many bytes as before"));
        request.baseline = m_two; // another machine
        QCOMPARE(memoryHeadline(*m_report, chartOf(memoryPicture(request), request.options, 0)),
                 QStringLiteral("not compared tile by tile"));
        request.options = {};
        request.options.show = MemoryShow::Variables;
        QCOMPARE(memoryHeadline(*m_report, chartOf(memoryPicture(request), request.options, 0)),
                 QStringLiteral("no bytes on any of the tiles shown"));
        request.variables = {0};
        QVERIFY(memoryHeadline(*m_report, chartOf(memoryPicture(request), request.options, 0))
                    .startsWith(QLatin1String("chosen variables: most on tile ")));
    }

    void thePictureShowsTheSameNumbersInProfileAndMap()
    {
        for (auto const order : {TileOrder::Logical, TileOrder::Sorted}) {
            MemoryRequest request{m_two, nullptr, m_twoContents, {}, 4, {}};
            request.options.order = order;
            for (auto const show : {MemoryShow::Whole, MemoryShow::AtStep}) {
                request.options.show = show;
                auto const picture = memoryPicture(request);
                auto const totals = stackTotals(*picture.scene);
                for (std::size_t p = 0; p < totals.size(); ++p) QCOMPARE(totals[p], at(picture.values, picture.order[p]));
                QCOMPARE(picture.values, show == MemoryShow::Whole ? *m_two->tileMetric("with_gaps") : liveByTile(*m_twoContents, 4));
            }
        }
        MemoryRequest same{m_report, m_report, m_contents, {}, 0, {}};
        same.options.compare = true;
        auto const picture = memoryPicture(same);
        QCOMPARE(picture.scale.kind, ScaleKind::Diverging);
        QCOMPARE(total(picture.values), 0);
    }

    void chosenVariablesAreDrawnWithTheirBytes()
    {
        MemoryRequest request{m_report, nullptr, m_contents, {}, 0, {0}};
        request.options.show = MemoryShow::Variables;
        auto const picture = memoryPicture(request);
        QCOMPARE(picture.values, *m_report->tileVec(m_report->data().variables[0].bytesVec));
        request.variables.clear();
        QVERIFY(!memoryPicture(request).note.isEmpty());
    }

    void heatCellsKeepTheLargestValue()
    {
        auto const order = orderedTiles(*m_report, TileOrder::Logical, {}, -1);
        auto const exact = heatCells(*m_contents, order, 1000, 1000);
        QCOMPARE(exact.rows, 8);
        QCOMPARE(exact.columns, m_contents->lives.steps());
        for (int step = 0; step < exact.steps; ++step) {
            auto const live = liveByTile(*m_contents, step);
            for (int t = 0; t < 8; ++t) QCOMPARE(exact.most[static_cast<std::size_t>(t * exact.columns + step)], at(live, t));
        }
        auto const thin = heatCells(*m_contents, order, 3, 7);
        QCOMPARE(*std::max_element(thin.most.begin(), thin.most.end()), *std::max_element(exact.most.begin(), exact.most.end()));
    }

    void theHeatMapPicksAndBrushesTilesOfItsOrder()
    {
        HeatCells cells;
        cells.rows = cells.positions = 4;
        cells.columns = cells.steps = 10;
        for (int i = 0; i < 40; ++i) cells.most.push_back(i * 100);
        StepHeat heat;
        heat.resize(600, 400);
        heat.setCells(cells, {8, 6, 4, 2}, 0);
        QSignalSpy picked(&heat, &StepHeat::picked), brushed(&heat, &StepHeat::brushed);
        auto const middle = [&heat](int row, int column) { return heat.elementRect(row * 10 + column).center().toPoint(); };
        QCOMPARE(heat.at(middle(1, 3)), std::optional(std::pair(1, 3)));
        QVERIFY(!heat.at(QPoint(1, 1)));
        QTest::mouseClick(&heat, Qt::LeftButton, Qt::ShiftModifier, middle(1, 3));
        QCOMPARE(picked.count(), 1);
        QCOMPARE(picked.front().at(0).toInt(), 6);
        QCOMPARE(picked.front().at(1).toInt(), 3);
        QVERIFY(picked.front().at(2).value<Qt::KeyboardModifiers>() & Qt::ShiftModifier);
        QTest::mousePress(&heat, Qt::LeftButton, {}, middle(1, 2));
        QTest::mouseMove(&heat, middle(2, 4));
        QTest::mouseRelease(&heat, Qt::LeftButton, {}, middle(3, 5));
        QCOMPARE(brushed.count(), 1);
        QCOMPARE(brushed.front().at(0).value<std::vector<int>>(), (std::vector<int>{2, 4, 6}));
        QCOMPARE(brushed.front().at(1).toInt(), 2);
        QCOMPARE(brushed.front().at(2).toInt(), 5);
        QVERIFY(!heat.isZoomed());
        QVERIFY(heat.tipOf(13).endsWith(QStringLiteral("live on tile 6 at liveness step 3")));
    }
};

TW_REGISTER_TEST(TstMemoryFacts);
#include "tst_memory_facts.moc"
