#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/format.h"
#include "views/common/table_model.h"
#include "views/figures/tile_memory.h"
#include "views/insights/insight_card.h"
#include "views/insights/insights_view.h"
#include "views/insights/memory_panel.h"
#include "views/insights/use_histogram.h"
#include "views/session/selection.h"
#include "views/session/view.h"
#include "views/tiles/tile_contents.h"
#include "views/wording/labels.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>
#include <QTreeView>
#include <QtTest>

#include <map>
#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// Two IPUs in two stages, so that model, IPU and tile differ.
std::shared_ptr<ReportSnapshot const> const &twoIpus()
{
    static auto const report = tests::compiledReport(
        "gc200:tiles=16,ipus=2",
        tests::twoStages(tests::smallModel({{"training.gradient_accumulation_steps", "4"}, {"training.steps_per_execution", "4"}})));
    return report;
}

struct PanelBench {
    Session session;
    std::unique_ptr<View> view;
    MemoryPanel *panel = nullptr;
    UseHistogram *chart = nullptr;
    explicit PanelBench(QSize size = {1100, 700}, std::shared_ptr<ReportSnapshot const> const &report = twoIpus())
    {
        view.reset(insightsView().create(session, nullptr));
        view->resize(size);
        view->show();
        (void)QTest::qWaitForWindowExposed(view.get());
        session.showReport(report);
        view->refreshNow();
        panel = view->findChild<MemoryPanel *>();
        chart = view->findChild<UseHistogram *>();
        (void)QTest::qWaitFor([this] { return view->isSettled(); });
    }
    TablePane *list(QString const &name) const
    {
        for (auto *pane : panel->findChildren<TablePane *>())
            if (pane->tree().accessibleName() == name) return pane;
        return nullptr;
    }
    QToolButton *button(QString const &text) const
    {
        for (auto *found : view->findChildren<QToolButton *>())
            if (found->text() == text) return found;
        return nullptr;
    }
    QToolButton *fold() const { return button(QStringLiteral("Memory")); }
    std::vector<int> chosen()
    {
        return session.selection().current().kind == SelectionKind::Tile ? session.selection().current().ids : std::vector<int>{};
    }
};

/// The result of a SELECT: rows of numbers and texts.
QList<QVariantList> ask(QString const &sql)
{
    auto const rows = twoIpus()->query(sql);
    if (!rows.ok()) qFatal("%s", toText(rows.error()).c_str());
    return rows->rows;
}

QString metric(char const *name)
{
    return QStringLiteral("tile_values((SELECT vec FROM tile_metric WHERE name = '%1'))").arg(QLatin1String(name));
}

std::map<QString, qlonglong> byName(QList<QVariantList> const &rows)
{
    std::map<QString, qlonglong> sums;
    for (auto const &row : rows)
        if (row[1].toLongLong() > 0) sums[row[0].toString()] += row[1].toLongLong();
    return sums;
}

std::map<QString, qlonglong> byName(Ranking const &ranking)
{
    std::map<QString, qlonglong> sums;
    for (auto const &row : ranking.rows) sums[row.name] += row.bytes;
    return sums;
}

Ranking ranked(RankOf what, RankScope scope)
{
    static auto const contents = readContents(*twoIpus(), {});
    auto ranking = rankingOf(twoIpus(), what, scope, contents, {});
    bool sorted = true;
    for (std::size_t i = 1; i < ranking.rows.size(); ++i) sorted = sorted && ranking.rows[i - 1].bytes >= ranking.rows[i].bytes;
    if (!sorted || ranking.rows.empty()) qFatal("not ranked");
    return ranking;
}

} // namespace

class TstMemoryPanel : public QObject {
    Q_OBJECT
private slots:
    void theShareOfAnIpuIsThatOfAQuery()
    {
        PanelBench bench;
        auto *list = bench.list(QStringLiteral("Memory used by IPU"));
        QVERIFY(list && list->isVisible());
        QAbstractItemModelTester const tester(&list->model());
        auto const rows =
            ask(QStringLiteral("SELECT v.ipu, sum(v.value), t.bytes_per_tile * t.tiles_per_ipu, (SELECT worst_tile FROM verdict WHERE "
                               "scope = 'ipu' AND scope_id = v.ipu), (SELECT max(w.value) FROM %2 w WHERE w.ipu = v.ipu) "
                               "FROM %1 v, target t GROUP BY v.ipu ORDER BY v.ipu")
                    .arg(metric("without_gaps"), metric("with_gaps")));
        QCOMPARE(rows.size(), 2);
        QCOMPARE(list->model().rowsInAll(), 2);
        for (int i = 0; i < 2; ++i) {
            auto const cell = [&](int column) { return list->model().indexOfRow(i, column).data(SortRole); };
            QCOMPARE(cell(1).toLongLong(), rows[i][1].toLongLong());
            QCOMPARE(cell(2).toDouble(), rows[i][1].toDouble() / rows[i][2].toDouble());
            QCOMPARE(cell(3).toInt(), rows[i][3].toInt());
            QCOMPARE(cell(4).toLongLong(), rows[i][4].toLongLong());
        }
        auto const worst = views::worstTileMemory(*bench.session.report());
        QVERIFY(worst);
        QVERIFY2(bench.panel->headline().startsWith(QStringLiteral("Memory fits: worst tile ") + shareText(worst->placedShare())),
                 qPrintable(bench.panel->headline()));
    }

    void theWorstTilesAreThoseOfAQueryAsManyAsAskedFor()
    {
        PanelBench bench;
        auto *list = bench.list(QStringLiteral("Worst tiles"));
        for (int const most : {5, 1, 12}) {
            bench.panel->setTilesShown(most);
            auto const rows = ask(QStringLiteral("SELECT w.tile, w.value, u.value, w.value - u.value, n.value FROM %1 w JOIN %2 u ON "
                                                 "u.tile = w.tile JOIN %3 n ON n.tile = w.tile "
                                                 "ORDER BY w.value DESC, w.tile LIMIT %4")
                                      .arg(metric("with_gaps"), metric("without_gaps"), metric("need"))
                                      .arg(most));
            QCOMPARE(list->model().rowsInAll(), most);
            for (int i = 0; i < most; ++i) {
                auto const cell = [&](int column) { return list->model().indexOfRow(i, column).data(SortRole).toLongLong(); };
                QCOMPARE(cell(0), rows[i][0].toLongLong());
                for (auto const &[column, asked] : {std::pair(1, 1), std::pair(3, 2), std::pair(4, 3), std::pair(5, 4)})
                    QCOMPARE(cell(column), rows[i][asked].toLongLong());
            }
        }
        auto const worst = ask(QStringLiteral("SELECT worst_tile FROM verdict WHERE scope = 'all'"));
        QCOMPARE(list->model().indexOfRow(0).data(SortRole).toInt(), worst[0][0].toInt());
        QCOMPARE(bench.panel->worst().selected.ids, std::vector<int>{worst[0][0].toInt()});
    }

    void theBarsCountTilesAsAQueryDoes()
    {
        PanelBench bench;
        for (bool const gaps : {false, true}) {
            bench.button(QStringLiteral("Gaps"))->setChecked(gaps);
            auto const &bins = bench.chart->bins();
            QVERIFY(bins.size() > 1);
            auto const width = bins.front().to;
            std::map<qlonglong, qlonglong> counts;
            for (auto const &row : ask(QStringLiteral("SELECT value / %1, count(*) FROM %2 GROUP BY 1")
                                           .arg(width)
                                           .arg(metric(gaps ? "with_gaps" : "without_gaps"))))
                counts[row[0].toLongLong()] = row[1].toLongLong();
            for (std::size_t i = 0; i < bins.size(); ++i)
                QCOMPARE(static_cast<qlonglong>(bins[i].tiles.size()), counts[static_cast<qlonglong>(i)]);
            // Its last bar contains the worst tile if the deciding metric is shown.
            if (gaps) QVERIFY(std::ranges::binary_search(bins.back().tiles, bench.panel->worst().selected.ids.front()));
        }
    }

    void aBarSelectsItsTilesABoxThoseOfSeveral()
    {
        PanelBench bench;
        auto const &bins = bench.chart->bins();
        std::vector<int> filled;
        for (int i = 0; i < static_cast<int>(bins.size()); ++i)
            if (!bins[static_cast<std::size_t>(i)].tiles.empty()) filled.push_back(i);
        QVERIFY(filled.size() >= 2);
        auto const middle = [&](int bar) { return bench.chart->elementRect(bar).center().toPoint(); };
        int const first = filled.front(), last = filled.back();
        QTest::mouseClick(bench.chart, Qt::LeftButton, {}, middle(last));
        QCOMPARE(bench.chosen(), bins[static_cast<std::size_t>(last)].tiles);
        QTRY_VERIFY(bench.chart->chosenRect(last).height() > 1);
        QVERIFY(bench.chart->chosenRect(first).height() < 1);
        QVERIFY(bench.chart->tipOf(last).contains(QLatin1String("selected")));
        // Ctrl adds.
        QTest::mouseClick(bench.chart, Qt::LeftButton, Qt::ControlModifier, middle(first));
        QCOMPARE(bench.chosen().size(),
                 bins[static_cast<std::size_t>(first)].tiles.size() + bins[static_cast<std::size_t>(last)].tiles.size());
        // A line along all of them is enough of a box.
        QRect const plot = bench.chart->plotRect().toRect();
        QTest::mousePress(bench.chart, Qt::LeftButton, {}, QPoint(plot.left() + 2, plot.center().y()));
        QTest::mouseMove(bench.chart, plot.center());
        QTest::mouseMove(bench.chart, QPoint(plot.right() - 2, plot.center().y()));
        QTest::mouseRelease(bench.chart, Qt::LeftButton, {}, QPoint(plot.right() - 2, plot.center().y()));
        QCOMPARE(bench.chosen().size(), static_cast<std::size_t>(twoIpus()->tiles()));
        QVERIFY(!bench.chart->isZoomed()); // it selects, it does not zoom
        // The keyboard does as a click.
        bench.session.selection().clear();
        bench.chart->setFocus();
        bench.chart->setCurrent(first);
        QTest::keyClick(bench.chart, Qt::Key_Return);
        QCOMPARE(bench.chosen(), bins[static_cast<std::size_t>(first)].tiles);
    }

    void oneTileBesideManyIsSeen()
    {
        PanelBench bench;
        auto const &bins = bench.chart->bins();
        for (int i = 0; i < static_cast<int>(bins.size()); ++i)
            QCOMPARE(bench.chart->barRect(i, 0).height() >= 2, !bins[static_cast<std::size_t>(i)].tiles.empty());
    }

    void liveVariablesEqualAQuery()
    {
        auto const sql = [](int step, QString const &tile, int always) {
            return QStringLiteral("SELECT n.text, l.bytes FROM live_at(%1, %2) l JOIN variable v ON v.id = l.variable JOIN name n ON n.id "
                                  "= v.name WHERE l.always_live = %3")
                .arg(step)
                .arg(tile)
                .arg(always);
        };
        auto const onlyVariables = [](Ranking ranking) {
            std::erase_if(ranking.rows, [](RankRow const &row) { return row.selected.kind != SelectionKind::Variable; });
            return byName(ranking);
        };
        int const peak = ask(QStringLiteral("SELECT peak_step FROM live_curve WHERE scope = 'all'"))[0][0].toInt();
        QCOMPARE(ranked(RankOf::PeakVariables, {}).step, peak);
        QCOMPARE(onlyVariables(ranked(RankOf::PeakVariables, {})), byName(ask(sql(peak, QStringLiteral("NULL"), 0))));
        QCOMPARE(onlyVariables(ranked(RankOf::AlwaysVariables, {})), byName(ask(sql(peak, QStringLiteral("NULL"), 1))));
        // An IPU is the sum over its tiles, at its own peak.
        for (int ipu = 0; ipu < 2; ++ipu) {
            int const step =
                ask(QStringLiteral("SELECT peak_step FROM live_curve WHERE scope = 'ipu' AND scope_id = %1").arg(ipu))[0][0].toInt();
            std::map<QString, qlonglong> sum;
            for (int tile = ipu * 16; tile < ipu * 16 + 16; ++tile)
                for (auto const &[name, bytes] : byName(ask(sql(step, QString::number(tile), 0)))) sum[name] += bytes;
            QCOMPARE(onlyVariables(ranked(RankOf::PeakVariables, {RankScope::Ipu, ipu})), sum);
        }
        auto const worst = ask(QStringLiteral("SELECT worst_tile, peak_step FROM verdict WHERE scope = 'all'"));
        RankScope const tile{RankScope::Tile, worst[0][0].toInt()};
        QCOMPARE(peakStepOf(twoIpus(), tile), worst[0][1].toInt());
        QCOMPARE(onlyVariables(ranked(RankOf::AlwaysVariables, tile)), byName(ask(sql(worst[0][1].toInt(), worst[0][0].toString(), 1))));
        // With the compiler's own bytes, the sum is the curve.
        auto const curve = twoIpus()->liveCurve("all", 0);
        QCOMPARE(ranked(RankOf::PeakVariables, {}).all + ranked(RankOf::AlwaysVariables, {}).all, curve->peak);
        QCOMPARE(ranked(RankOf::AlwaysVariables, {}).all, curve->alwaysLive);
    }

    void verticesAndExchangesEqualAQuery()
    {
        QCOMPARE(byName(ranked(RankOf::VertexCode, {})),
                 byName(ask(QStringLiteral(
                     "SELECT n.text, t.sum FROM vertex_type v JOIN name n ON n.id = v.name JOIN tile_vec t ON t.id = v.code_vec"))));
        QCOMPARE(byName(ranked(RankOf::VertexState, {})),
                 byName(ask(QStringLiteral("SELECT n.text, sum(u.state_bytes) FROM compute_set_vertex u JOIN vertex_type v ON v.id = "
                                           "u.vertex_type JOIN name n ON n.id = v.name GROUP BY v.id"))));
        auto const exchanges = [](QString const &what) {
            return byName(
                ask(QStringLiteral("SELECT n.text, %1 FROM exchange e JOIN program p ON p.id = e.program JOIN name n ON n.id = p.name")
                        .arg(what)));
        };
        QCOMPARE(byName(ranked(RankOf::ExchangeCode, {})), exchanges(QStringLiteral("(SELECT sum FROM tile_vec WHERE id = e.code_vec)")));
        QCOMPARE(byName(ranked(RankOf::ExchangeBytes, {})), exchanges(QStringLiteral("max(e.bytes_sent, e.bytes_received)")));
        for (int ipu = 0; ipu < 2; ++ipu) {
            RankScope const scope{RankScope::Ipu, ipu};
            auto const there = [ipu](char const *vec) {
                return QStringLiteral("(SELECT sum(value) FROM tile_values(%1) WHERE ipu = %2)").arg(QLatin1String(vec)).arg(ipu);
            };
            QCOMPARE(
                byName(ranked(RankOf::VertexCode, scope)),
                byName(ask(QStringLiteral("SELECT n.text, %1 FROM vertex_type v JOIN name n ON n.id = v.name").arg(there("v.code_vec")))));
            QCOMPARE(byName(ranked(RankOf::ExchangeCode, scope)), exchanges(there("e.code_vec")));
        }
        // The state of both IPUs is that of the model, whatever the share of each.
        auto sum = byName(ranked(RankOf::VertexState, {RankScope::Ipu, 0}));
        for (auto const &[name, bytes] : byName(ranked(RankOf::VertexState, {RankScope::Ipu, 1}))) sum[name] += bytes;
        for (auto const &[name, bytes] : byName(ranked(RankOf::VertexState, {})))
            QVERIFY2(std::abs(sum[name] - bytes) <= 64, qPrintable(name)); // rounded once a compute set
    }

    void listsFollowTheChoicesAndSelect()
    {
        PanelBench bench;
        QTRY_VERIFY(bench.view->isSettled());
        auto *list = bench.list(QStringLiteral("Largest of what is chosen"));
        QAbstractItemModelTester const tester(&list->model());
        QCOMPARE(list->model().rowsInAll(), std::min(5, static_cast<int>(bench.panel->ranking().rows.size())));
        bench.panel->choose(RankOf::VertexCode, {RankScope::Ipu, 1});
        QTRY_COMPARE(bench.panel->ranking().what, RankOf::VertexCode);
        QVERIFY(bench.panel->ranking().title.contains(QLatin1String("IPU 1")));
        QCOMPARE(byName(bench.panel->ranking()), byName(ranked(RankOf::VertexCode, {RankScope::Ipu, 1})));
        auto const first = list->proxy().index(0, 0);
        QTest::mouseClick(list->tree().viewport(), Qt::LeftButton, {}, list->tree().visualRect(first).center());
        QCOMPARE(bench.session.selection().current(), bench.panel->ranking().rows.front().selected);
        // The scope of a tile that was selected elsewhere can be chosen.
        bench.session.selection().selectIds(SelectionKind::Tile, {3});
        QTRY_VERIFY(bench.panel->findChildren<QComboBox *>().last()->findText(tileLabel(twoIpus()->data(), 3)) >= 0);
    }

    void aFullTileLeadsToItsPlaceInMemory()
    {
        PanelBench bench;
        QSignalSpy asked(&bench.session, &Session::viewRequested);
        auto *list = bench.list(QStringLiteral("Worst tiles"));
        auto const second = list->proxy().index(1, 0);
        QTest::mouseClick(list->tree().viewport(), Qt::LeftButton, {}, list->tree().visualRect(second).center());
        QCOMPARE(bench.chosen(), std::vector<int>{second.data(SortRole).toInt()});
        QCOMPARE(asked.size(), 0);
        QTest::keyClick(&list->tree(), Qt::Key_Return);
        QCOMPARE(asked.size(), 1);
        QCOMPARE(asked.first().first().toString(), QStringLiteral("memory"));
    }

    void cardsKeepTheirRoomAndFoldingIsRemembered()
    {
        // Wide: beside the cards. In a dock: folded to one line until it is opened.
        PanelBench wide({1000, 520}), narrow({320, 520});
        QVERIFY(wide.panel->isVisible());
        QVERIFY(!narrow.panel->isVisible());
        QVERIFY(narrow.fold()->isVisible());
        auto const room = [](PanelBench const &bench) {
            auto *card = bench.view->findChild<InsightCard *>();
            QWidget *viewport = card->parentWidget()->parentWidget();
            return viewport->size();
        };
        QVERIFY2(room(wide).width() >= 500 && room(wide).height() >= 380,
                 qPrintable(QStringLiteral("%1x%2").arg(room(wide).width()).arg(room(wide).height())));
        int const before = room(narrow).height();
        QTest::mouseClick(narrow.fold(), Qt::LeftButton);
        QVERIFY(narrow.panel->isVisible());
        QTRY_VERIFY(room(narrow).height() < before);
        QVERIFY2(room(narrow).height() >= 180 && narrow.panel->height() >= 120,
                 qPrintable(QStringLiteral("%1, %2").arg(room(narrow).height()).arg(narrow.panel->height())));
        QVERIFY(narrow.panel->mapTo(narrow.view.get(), QPoint()).y() > 180); // below them
        QTest::mouseClick(wide.fold(), Qt::LeftButton);
        QVERIFY(!wide.panel->isVisible());
        PanelBench again({1000, 520});
        again.panel->setTilesShown(9);
        auto state = wide.view->saveState();
        again.view->restoreState(state);
        QVERIFY(!again.panel->isVisible());
        QCOMPARE(again.panel->tilesShown(), 5); // as it was there
        again.view->restoreState(narrow.view->saveState());
        QVERIFY(again.panel->isVisible());
    }

    /// A run that goes on gives new pictures of its report all the time.
    void growingReportsAreNotReadAgain()
    {
        PanelBench bench;
        QVERIFY(!bench.panel->ranking().rows.empty());
        auto const again = ReportSnapshot::open(twoIpus()->path(), {});
        QVERIFY(again.ok());
        auto const *before = &bench.panel->ranking();
        bench.session.showReport(*again);
        bench.view->refreshNow();
        QVERIFY(bench.panel->isSettled());
        QCOMPARE(&bench.panel->ranking(), before);
        // Another one is.
        bench.session.showReport(tests::compiledReport());
        bench.view->refreshNow();
        QTRY_VERIFY(bench.panel->isSettled() && &bench.panel->ranking() != before);
        QVERIFY(!bench.list(QStringLiteral("Memory used by IPU"))->isVisible()); // with one IPU the line has the same information
    }

    void aReportWithoutTilesHasNoPanel()
    {
        report::ReportData data;
        data.parts.push_back({"insight", report::PartState::Complete, {}});
        PanelBench bench({1000, 520}, ReportSnapshot::ofData(data, QStringLiteral("bare")));
        QVERIFY(!bench.panel->isVisible());
        QVERIFY(!bench.fold()->isVisible());
    }
};

TW_REGISTER_TEST(TstMemoryPanel);
#include "tst_memory_panel.moc"
