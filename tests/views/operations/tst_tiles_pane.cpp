#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/common/table_model.h"
#include "views/operations/operations_view.h"
#include "views/operations/tiles_pane.h"
#include "views/reports/report_snapshot.h"
#include "views/session/selection.h"
#include "views/session/view.h"
#include "views/tiles/column_chart.h"

#include <QLabel>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTabWidget>
#include <QtTest>

#include <cmath>
#include <map>
#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

std::shared_ptr<ReportSnapshot const> const &compiled()
{
    static auto const made = tests::compiledReport();
    return made;
}

struct TilesBench {
    Session session;
    std::unique_ptr<View> view;
    TablePane *table = nullptr;
    QTabWidget *tabs = nullptr;
    OpTilesPane *byTile = nullptr;
    DurationsPane *durations = nullptr;
    explicit TilesBench(QSize size = {1100, 700})
    {
        view.reset(operationsView().create(session, nullptr));
        view->resize(size);
        view->show();
        (void)QTest::qWaitForWindowExposed(view.get());
        session.showReport(compiled());
        view->refreshNow();
        QCoreApplication::processEvents();
        table = view->findChild<TablePane *>();
        tabs = view->findChild<QTabWidget *>();
        byTile = view->findChild<OpTilesPane *>();
        durations = &byTile->durations();
    }
    /// The operation of the first row: the most expensive.
    int choose(QWidget *page)
    {
        tabs->setCurrentWidget(page);
        auto const first = table->proxy().index(0, 0);
        table->tree().setCurrentIndex(first);
        (void)QTest::qWaitFor([this] { return view->isSettled(); });
        auto const &selected = session.selection().current();
        return selected.kind == SelectionKind::Op ? selected.ids.front() : -1;
    }
};

QList<QVariantList> ask(QString const &sql)
{
    auto const rows = compiled()->query(sql);
    if (!rows.ok()) qFatal("%s", toText(rows.error()).c_str());
    return rows->rows;
}

QString below(int op)
{
    return QStringLiteral("WITH RECURSIVE b(id) AS (SELECT %1 UNION SELECT o.id FROM op o JOIN b ON o.parent = b.id) ").arg(op);
}

} // namespace

class TstTilesPane : public QObject {
    Q_OBJECT
private slots:
    void cyclesByTileAreThoseOfAQuery()
    {
        auto const &d = compiled()->data();
        auto const frame = report::runFrame(d);
        QVERIFY(frame.run >= 0);
        int compared = 0;
        for (int op = 0; op < static_cast<int>(d.ops.size()); ++op) {
            auto const found = opOnTiles(compiled(), op, frame);
            std::map<int, double> wanted;
            for (auto const &row : ask(below(op)
                                       + QStringLiteral("SELECT v.tile, sum(v.value * s.executions) FROM program p JOIN b ON b.id = p.op "
                                                        "JOIN compute_set c ON c.id = p.compute_set "
                                                        "JOIN step_stat s ON s.program = p.id AND s.run = %1 AND s.ipu = 0 JOIN "
                                                        "tile_values(c.cycles_vec) v GROUP BY v.tile")
                                             .arg(frame.run)))
                wanted[row[0].toInt()] += row[1].toDouble() / static_cast<double>(frame.steps);
            for (auto const &row : ask(below(op)
                                       + QStringLiteral("SELECT v.tile, sum(v.value * s.executions) FROM exchange e JOIN program p ON p.id "
                                                        "= e.program JOIN b ON b.id = p.op "
                                                        "JOIN step_stat s ON s.program = p.id AND s.run = %1 AND s.ipu = 0 JOIN "
                                                        "tile_values(e.cycles_vec) v WHERE e.cycles_vec IS NOT NULL GROUP BY v.tile")
                                             .arg(frame.run)))
                wanted[row[0].toInt()] += row[1].toDouble() / static_cast<double>(frame.steps);
            for (int t = 0; t < compiled()->tiles(); ++t) {
                QVERIFY2(std::abs(found->cycles.on(t) - wanted[t]) < 1e-6 * std::max(1.0, wanted[t]),
                         qPrintable(QStringLiteral("op %1 tile %2").arg(op).arg(t)));
                compared += wanted[t] > 0;
            }
        }
        QVERIFY(compared > 20);
    }

    void codeByTileAddsUpToTheOperationsCode()
    {
        auto const &d = compiled()->data();
        auto const byTile = [](QString const &sql) {
            std::map<int, double> bytes;
            for (auto const &row : ask(sql)) bytes[row[0].toInt()] = row[1].toDouble();
            return bytes;
        };
        std::vector<double> vertex(static_cast<std::size_t>(compiled()->tiles()), 0);
        int told = 0;
        for (int op = 0; op < static_cast<int>(d.ops.size()); ++op) {
            auto const found = opOnTiles(compiled(), op, {});
            QVERIFY2(found->code.elsewhere > -0.5, d.ops[static_cast<std::size_t>(op)].name.c_str()); // never more than it has
            told += found->code.onTiles() > 0;
            if (d.ops[static_cast<std::size_t>(op)].parent >= 0) continue;
            for (std::size_t t = 0; t < vertex.size(); ++t) vertex[t] += found->code.vertex[t];
        }
        QVERIFY(told > 5);
        // All codelets on a tile belong to operations. The remaining code is the loader's.
        auto codelets =
            byTile(QStringLiteral("SELECT v.tile, sum(v.value) FROM vertex_type t JOIN tile_values(t.code_vec) v GROUP BY v.tile"));
        auto placed = byTile(QStringLiteral(
            "SELECT v.tile, sum(v.value) FROM memory_part m JOIN tile_values(m.vec) v WHERE m.category = 'vertex_code' GROUP BY v.tile"));
        for (int t = 0; t < compiled()->tiles(); ++t) {
            QVERIFY2(std::abs(vertex[static_cast<std::size_t>(t)] - codelets[t]) < 1e-6 * codelets[t],
                     qPrintable(QStringLiteral("tile %1: %2 of %3").arg(t).arg(vertex[static_cast<std::size_t>(t)]).arg(codelets[t])));
            QVERIFY(codelets[t] > 0 && codelets[t] <= placed[t]);
        }
    }

    void theChartShowsTheChosenOneAndAClickChoosesATile()
    {
        TilesBench bench;
        int const op = bench.choose(bench.byTile);
        QVERIFY(op >= 0);
        auto const direct = opOnTiles(compiled(), op, report::runFrame(compiled()->data()));
        auto &chart = bench.byTile->chart();
        QVERIFY(!chart.scene().bands.empty());
        QCOMPARE(chart.scene().axis.count, compiled()->tiles());
        for (int t = 0; t < compiled()->tiles(); ++t) {
            std::int64_t sum = 0;
            for (auto const &band : chart.scene().bands) sum += band.values[static_cast<std::size_t>(t)];
            QVERIFY(std::abs(static_cast<double>(sum) - direct->cycles.on(t)) <= 1);
        }
        QVERIFY(chart.tip(0).contains(QLatin1String("cycles")) || chart.tip(0).contains(QLatin1String("no part")));
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(chart.pixelOf(3), chart.plotRect().center().y()));
        QCOMPARE(bench.session.selection().current().kind, SelectionKind::Tile);
        QCOMPARE(bench.session.selection().current().ids, std::vector<int>{3});
        QTRY_COMPARE(chart.marks().locked, 3);
        QVERIFY(!chart.scene().bands.empty()); // the operation is still the one shown
        // Code instead; it is remembered.
        bench.byTile->setShown(OpTilesPane::Show::Code);
        QVERIFY(chart.tip(0).contains(QLatin1String(" B")) || chart.tip(0).contains(QLatin1String("no code")));
        TilesBench again;
        again.view->restoreState(bench.view->saveState());
        QCOMPARE(again.byTile->shown(), OpTilesPane::Show::Code);
        QCOMPARE(again.tabs->currentWidget(), static_cast<QWidget *>(again.byTile));
    }

    void durationsNameTheirScope()
    {
        TilesBench bench;
        int const op = bench.choose(bench.byTile);
        QVERIFY(op >= 0);
        QVERIFY(!bench.durations->isVisible());
        bench.byTile->setShown(OpTilesPane::Show::Durations);
        QVERIFY(bench.durations->isVisible() && !bench.byTile->chart().isVisible());
        auto const direct = opOnTiles(compiled(), op, report::runFrame(compiled()->data()));
        QCOMPARE(direct->durations.over, report::OpDurations::Over::Tiles); // a compile alone: nothing was measured
        QVERIFY2(bench.durations->words().contains(QLatin1String("Over tiles:")), qPrintable(bench.durations->words()));
        QVERIFY(bench.durations->words().contains(QLatin1String("median")));
        // The very values, by a query.
        std::vector<report::Weighted> values;
        for (auto const &row :
             ask(below(op)
                 + QStringLiteral("SELECT v.value FROM program p JOIN b ON b.id = p.op JOIN compute_set c ON c.id = p.compute_set JOIN "
                                  "tile_values(c.cycles_vec) v WHERE v.value > 0 "
                                  "UNION ALL SELECT v.value FROM exchange e JOIN program p ON p.id = e.program JOIN b ON b.id = p.op JOIN "
                                  "tile_values(e.cycles_vec) v WHERE e.cycles_vec IS NOT NULL AND v.value > 0")))
            values.push_back({row[0].toLongLong(), 1});
        QVERIFY(!values.empty());
        QCOMPARE(direct->spread, report::distributionOf(values));
        std::int64_t drawn = 0;
        for (auto const count : report::countsByBin(direct->durations.values, report::binWidth(direct->spread.most, 24))) drawn += count;
        QCOMPARE(drawn, static_cast<std::int64_t>(values.size()));
        QVERIFY(bench.durations->chart().elements() > 0);
    }

    /// The room of a window of 1366 x 768, where texts wrap: the page scrolls, nothing is pushed out below.
    void longWordsDoNotMakeTheViewHigher()
    {
        TilesBench bench({965, 583});
        bench.choose(bench.byTile);
        for (auto const what : {OpTilesPane::Show::Cycles, OpTilesPane::Show::Code, OpTilesPane::Show::Durations}) {
            bench.byTile->setShown(what);
            QCoreApplication::processEvents();
            QVERIFY2(bench.view->minimumSizeHint().height() <= 583, qPrintable(QString::number(bench.view->minimumSizeHint().height())));
            QTRY_COMPARE(bench.byTile->verticalScrollBar()->maximum(), 0); // there is room for all of it
            QWidget *drawn =
                what == OpTilesPane::Show::Durations ? static_cast<QWidget *>(&bench.durations->chart()) : &bench.byTile->chart();
            QVERIFY2(drawn->height() >= 120, qPrintable(QString::number(drawn->height())));
        }
    }

    void hiddenPagesReadNothing()
    {
        TilesBench bench;
        bench.tabs->setCurrentIndex(0);
        auto const first = bench.table->proxy().index(0, 0);
        bench.table->tree().setCurrentIndex(first);
        QCoreApplication::processEvents();
        QVERIFY(bench.byTile->chart().scene().bands.empty());
        bench.tabs->setCurrentWidget(bench.byTile);
        QTRY_VERIFY(!bench.byTile->chart().scene().bands.empty());
        // A visible page shows the next one.
        auto const words = [&bench] {
            QString all;
            for (auto *label : bench.byTile->findChildren<QLabel *>()) all += label->text();
            return all;
        };
        QString const before = words();
        bench.table->tree().setCurrentIndex(bench.table->proxy().index(1, 0));
        QTRY_VERIFY(words() != before);
    }
};

TW_REGISTER_TEST(TstTilesPane);
#include "tst_tiles_pane.moc"
