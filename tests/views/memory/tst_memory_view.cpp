#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "tests/views/memory/shown_view.h"
#include "views/common/table_model.h"
#include "views/common/theme.h"
#include "views/common/format.h"
#include "views/document/document.h"
#include "views/figures/tile_memory.h"
#include "views/memory/address_map_widget.h"
#include "views/memory/memory_widget.h"
#include "views/memory/tiles_page.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/session/session.h"
#include "views/tiles/column_chart.h"
#include "views/tiles/tile_map_widget.h"
#include "views/wording/insight_text.h"
#include "views/wording/tile_memory_text.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTabWidget>
#include <QTreeView>
#include <QToolButton>
#include <QtTest>

#include <sqlite3.h>

using namespace tilewright;
using namespace tilewright::views;

namespace {

struct Shown : tests::ShownView<MemoryWidget> {
    using ShownView::ShownView;
    template <typename T> T &child() { return *view.findChild<T *>(); }
    QTabWidget &tables()
    {
        for (auto *tabs : view.findChildren<QTabWidget *>())
            if (tabs->accessibleName() == QLatin1String("Tables of the chosen tiles")) return *tabs;
        qFatal("no tables");
    }
    void openTable(QString const &title)
    {
        for (int i = 0; i < tables().count(); ++i)
            if (tables().tabText(i) == title) tables().setCurrentIndex(i);
        QCOMPARE(tables().tabText(tables().currentIndex()), title);
        settle();
    }
    QLineEdit &tilesBox()
    {
        for (auto *edit : view.findChildren<QLineEdit *>())
            if (edit->accessibleName() == QLatin1String("Tiles")) return *edit;
        qFatal("no box for tiles");
    }
    void savePicture(char const *name)
    {
        if (qEnvironmentVariableIsSet("TILEWRIGHT_PICTURES"))
            view.grab().save(qEnvironmentVariable("TILEWRIGHT_PICTURES") + QLatin1Char('/') + QLatin1String(name) + QStringLiteral(".png"));
    }
};

} // namespace

class TstMemoryView : public QObject {
    Q_OBJECT
private slots:
    /// What a damaged file does not tell is said to be missing, not shown as 0.
    void damagedDataAreTold()
    {
        QTemporaryDir folder;
        QString const path = folder.filePath(QStringLiteral("damaged.twreport"));
        QVERIFY(QFile::copy(tests::compiledReport()->path(), path));
        {
            sqlite3 *file = nullptr;
            QCOMPARE(sqlite3_open(path.toUtf8().constData(), &file), SQLITE_OK);
            QCOMPARE(sqlite3_exec(file, "UPDATE tile_vec SET data = substr(data, 1, length(data) - 1)", nullptr, nullptr, nullptr),
                     SQLITE_OK);
            sqlite3_close(file);
        }
        Shown shown(nullptr);
        QSignalSpy errors(&shown.session, &Session::errorRaised);
        shown.session.openReport(path);
        QTRY_VERIFY(shown.session.report() && shown.session.report()->isWhole());
        QTRY_VERIFY(shown.says(QStringLiteral("cannot be read: numbers and pictures made of it are missing or 0")));
        QTRY_COMPARE(errors.count(), 1); // once, whatever else is asked for
        shown.view.refreshNow();
        shown.settle();
        QCOMPARE(errors.count(), 1);
    }
    /// Headline, profile and floor plan open on one base: the bytes placed. The switch says what gaps add.
    void picturesOpenOnTheBaseOfTheHeadline()
    {
        auto const report = tests::compiledReport();
        auto const worst = worstTileMemory(*report);
        QVERIFY(worst && worst->gaps && *worst->gaps > 0);
        Shown shown(report);
        auto const totals = stackTotals(shown.child<ColumnChart>().scene());
        QCOMPARE(*std::ranges::max_element(totals), worst->placed);
        QVERIFY(shown.view.headline().contains(placedText(*worst)));
        auto const gaps = bytesText(*worst->gaps);
        QVERIFY(shown.view.headline().contains(gaps));
        auto const says = [&] {
            for (auto *button : shown.view.findChildren<QToolButton *>())
                if (button->accessibleName() == QLatin1String("Gaps")) return button->text();
            return QString();
        };
        QCOMPARE(says(), QStringLiteral("Gaps (+%1)").arg(gaps));
        QTest::keyClick(&shown.view, Qt::Key_G);
        shown.settle();
        auto const used = stackTotals(shown.child<ColumnChart>().scene());
        QVERIFY(*std::ranges::max_element(used) < worst->placed);
    }
    /// Tiles that are nearly all gap would be one grey block: the picture opens without gaps until the user asks for them.
    void gapsThatWouldFillThePictureAreOffUntilAskedFor()
    {
        auto const report = tests::compiledReport("gc200");
        QVERIFY(gapsFillTiles(*report));
        QVERIFY(!gapsFillTiles(*tests::compiledReport()));
        Shown shown(report);
        auto const highest = [&] {
            auto const totals = stackTotals(shown.child<ColumnChart>().scene());
            return *std::ranges::max_element(totals);
        };
        auto const worst = worstTileMemory(*report);
        QVERIFY(!shown.view.options().gaps && highest() < worst->placed);
        QVERIFY(shown.view.headline().contains(placedText(*worst))); // which decides whether it fits
        QVERIFY(!shown.view.saveState().contains(QStringLiteral("with_gaps")));
        QTest::keyClick(&shown.view, Qt::Key_G);
        shown.settle();
        QCOMPARE(highest(), worst->placed);
        QVERIFY(shown.view.saveState().value(QStringLiteral("with_gaps")).toBool());
        shown.session.showReport(tests::compiledReport("gc200", tests::smallModel({{"training.batch_size", "16"}})));
        shown.settle();
        QVERIFY(shown.view.options().gaps);
    }
    /// As `render` does: the report is there before the view.
    void aViewCanBeMadeAfterItsReport()
    {
        Session session;
        session.showReport(tests::compiledReport());
        MemoryWidget view(session, nullptr);
        view.show();
        QTRY_VERIFY(view.isSettled() && !view.headline().isEmpty());
    }
    /// Tiles are about the whole program until somebody asks for the moment; the line above says which.
    void theTilesSayWhichMomentTheyShow()
    {
        Shown shown(tests::compiledReport());
        QVERIFY(shown.says(QStringLiteral("the tiles show the whole program;")));
        shown.session.playhead().moveToLivenessStep(2);
        shown.settle();
        QVERIFY(shown.says(QStringLiteral("\"what is live at the step\" shows liveness step 2")));
        for (auto *box : shown.view.findChildren<QComboBox *>())
            if (box->accessibleName() == QLatin1String("Show"))
                box->setCurrentIndex(box->findText(QStringLiteral("what is live at the step")));
        shown.settle();
        QVERIFY(shown.says(QStringLiteral("moment: liveness step 2 of")));
        QVERIFY(shown.says(QStringLiteral("Bytes live on each tile at liveness step 2")));
        shown.session.playhead().moveToLivenessStep(4);
        shown.settle();
        QVERIFY(shown.says(QStringLiteral("moment: liveness step 4 of")));
        QVERIFY(shown.says(QStringLiteral("Bytes live on each tile at liveness step 4")));
    }
    void withoutAReportTheViewSaysWhatWouldFillIt()
    {
        Shown shown(nullptr);
        QVERIFY(shown.says(QStringLiteral("Open a report")));
    }

    /// 64 dies at a pixel a tile: all of them beside the profile, none cut off, on a small screen.
    void allDiesOfManyIpusAreInSight()
    {
        constexpr int kIpus = 64;
        auto p = tests::mnist("pod64:ipus=64",
                              {{"training.batch_size", "4"},
                               {"data.limit", "512"},
                               {"training.gradient_accumulation_steps", "128"},
                               {"training.steps_per_execution", "128"}});
        p.model = {};
        p.model.name = "stages";
        p.model.layers.push_back(model::makeLayer("Flatten", "flatten", {{"batch_input_shape", {nullptr, 28, 28}}}));
        for (int i = 0; i < kIpus; ++i)
            p.model.layers.push_back(model::makeLayer("Dense", "dense_" + std::to_string(i), {{"units", i + 1 < kIpus ? 4 : 10}}));
        for (std::size_t i = 0; i < p.model.layers.size(); ++i) p.model.layers[i].stage = std::max(0, static_cast<int>(i) - 1);
        Shown shown(tests::compiledReport(p));
        shown.view.resize(1366, 740);
        shown.settle();
        auto &map = shown.child<TileMapWidget>();
        QCOMPARE(map.floor().ipus, kIpus);
        QRect const seen = map.visibleRegion().boundingRect();
        for (int ipu = 0; ipu < kIpus; ++ipu)
            for (int tile : {0, 1471})
                QVERIFY2(seen.contains(map.rectOf(ipu * 1472 + tile).center()), qPrintable(QStringLiteral("IPU %1").arg(ipu)));
        QVERIFY(shown.child<ColumnChart>().width() > 400);
    }

    void aClickOnTheFloorPlanSelectsTheTileForAllViews()
    {
        Shown shown(tests::compiledReport());
        auto &map = shown.child<TileMapWidget>();
        QCOMPARE(map.floor().tiles(), 8);
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.rectOf(5).center());
        QCOMPARE(shown.session.selection().current().kind, SelectionKind::Tile);
        QCOMPARE(shown.session.selection().current().ids, std::vector<int>{5});
        QTest::mouseClick(&map, Qt::LeftButton, Qt::ControlModifier, map.rectOf(2).center());
        QCOMPARE(shown.session.selection().current().ids, (std::vector<int>{2, 5}));
        QCOMPARE(shown.tilesBox().text(), QStringLiteral("2, 5"));
        QTRY_VERIFY(shown.says(QStringLiteral("2 of 8 tiles")));
    }

    /// The fullest tile, which it opens at, is nobody's choice: it is not marked like one.
    void whatNobodyChoseIsMarkedInTheColourOfText()
    {
        Shown shown(tests::compiledReport());
        auto &map = shown.child<TileMapWidget>();
        auto &chart = shown.child<ColumnChart>();
        QVERIFY(map.currentTile() >= 0 && chart.marks().locked >= 0);
        QVERIFY(!map.isChosen() && !chart.marks().chosen);
        auto const ring = [&](Token token) {
            QImage const drawn = map.grab().toImage();
            QPoint const at = map.rectOf(map.currentTile()).topLeft() * drawn.devicePixelRatio();
            int found = 0;
            for (int y = at.y() - 4; y < at.y() + 2; ++y)
                for (int x = at.x() - 4; x < at.x() + 2; ++x) found += drawn.valid(x, y) && drawn.pixelColor(x, y) == theme()[token];
            return found;
        };
        QVERIFY(ring(Token::Text) > 0 && ring(Token::Accent) == 0);
        QTest::mouseClick(&map, Qt::LeftButton, {}, map.rectOf(5).center());
        shown.settle();
        QVERIFY(map.isChosen() && chart.marks().chosen);
        QTest::mouseMove(&map, map.rectOf(1).center()); // what is below the pointer has a ring of its own
        QVERIFY(ring(Token::Accent) > 0);
    }

    void theProfileSelectsAndBrushes()
    {
        Shown shown(tests::compiledReport());
        auto &chart = shown.child<ColumnChart>();
        auto const at = [&](int p) { return QPoint(chart.pixelOf(p), chart.plotRect().center().y()); };
        QTest::mouseClick(&chart, Qt::LeftButton, {}, at(3));
        QCOMPARE(shown.view.chosenTiles(), std::vector<int>{3});
        QTest::mousePress(&chart, Qt::LeftButton, {}, at(1));
        QTest::mouseMove(&chart, at(3));
        QTest::mouseMove(&chart, at(4));
        QTest::mouseRelease(&chart, Qt::LeftButton, {}, at(4));
        QCOMPARE(shown.view.chosenTiles(), (std::vector<int>{1, 2, 3, 4}));
    }

    void tilesAreChosenByText()
    {
        Shown shown(tests::compiledReport());
        auto &box = shown.tilesBox();
        box.setFocus();
        QTest::keyClicks(&box, QStringLiteral("0-2, worst"));
        QTest::keyClick(&box, Qt::Key_Return);
        QVERIFY(shown.view.chosenTiles().size() >= 3);
        box.selectAll();
        QTest::keyClicks(&box, QStringLiteral("0-99"));
        QTest::keyClick(&box, Qt::Key_Return);
        QVERIFY(shown.says(QStringLiteral("There is no tile 99")));
        QVERIFY(shown.view.chosenTiles().size() >= 3); // the choice stays
    }

    void keysStepTogglesAndOpen()
    {
        Shown shown(tests::compiledReport());
        auto &chart = shown.child<ColumnChart>();
        chart.setFocus();
        QTest::mouseClick(&chart, Qt::LeftButton, {}, QPoint(chart.pixelOf(3), chart.plotRect().center().y()));
        QTest::keyClick(&chart, Qt::Key_Right);
        QCOMPARE(shown.view.chosenTiles(), std::vector<int>{4});
        QTest::keyClick(&chart, Qt::Key_Left);
        QCOMPARE(shown.view.chosenTiles(), std::vector<int>{3});
        bool const gaps = shown.view.options().gaps, limit = shown.view.options().limit;
        QTest::keyClick(&chart, Qt::Key_G);
        QCOMPARE(shown.view.options().gaps, !gaps);
        QTest::keyClick(&chart, Qt::Key_L);
        QCOMPARE(shown.view.options().limit, !limit);
        QTest::keyClick(&chart, Qt::Key_O);
        QCOMPARE(shown.view.options().order, TileOrder::Physical);
        QTest::keyClick(&chart, Qt::Key_Return);
        QVERIFY(shown.child<AddressMapWidget>().isVisible());
        shown.settle();
    }

    void aLayerChosenElsewhereIsShadedByItsBytes()
    {
        auto const report = tests::compiledReport("gc200:tiles=64");
        Shown shown(report);
        auto &map = shown.child<TileMapWidget>();
        auto const whole = map.values();
        QVERIFY(shown.says(QStringLiteral("Floor plan: bytes used on each tile, without gaps"))); // which would hide all else
        shown.session.selection().selectLayer(QStringLiteral("dense_1"));
        shown.settle();
        QTRY_VERIFY(shown.says(QStringLiteral("Floor plan: bytes of Layer dense_1")));
        // Tile by tile the bytes of its variables; tiles without any are not marked.
        auto const &lineage = shown.session.selection().lineage();
        std::vector<std::int64_t> bytes(64, 0);
        for (std::size_t v = 0; v < report->data().variables.size(); ++v)
            if (Lineage::has(lineage.variables, static_cast<int>(v))) {
                auto const &one = report->tileVec(report->data().variables[v].bytesVec);
                for (std::size_t t = 0; t < one.size(); ++t) bytes[t] += one[t];
            }
        QCOMPARE(map.values(), bytes);
        QVERIFY(map.values() != whole);
        auto const holding = std::count_if(bytes.begin(), bytes.end(), [](auto b) { return b > 0; });
        QVERIFY(holding > 0);
        QTRY_COMPARE(map.marked().size(), static_cast<std::size_t>(holding));
        QVERIFY(shown.says(QStringLiteral("%1 of 64 tiles").arg(holding)));
        shown.session.selection().clear();
        shown.settle();
        QTRY_COMPARE(map.values(), whole);
    }
    void aVariableChosenElsewhereHighlightsItsTiles()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        int sparse = -1;
        for (std::size_t v = 0; v < report->data().variables.size() && sparse < 0; ++v) {
            auto const &bytes = report->tileVec(report->data().variables[v].bytesVec);
            if (std::count_if(bytes.begin(), bytes.end(), [](auto b) { return b > 0; }) == 1) sparse = static_cast<int>(v);
        }
        QVERIFY(sparse >= 0);
        shown.session.selection().selectIds(SelectionKind::Variable, {sparse});
        QTRY_COMPARE(shown.child<TileMapWidget>().marked().size(), std::size_t(1));
        QVERIFY(shown.says(QStringLiteral("1 of 8 tiles, 1 of")));
        shown.session.selection().selectIds(SelectionKind::Tile, {6});
        QTRY_COMPARE(shown.view.chosenTiles(), std::vector<int>{6});
    }

    void aRowOfTheTableSelectsItsVariable()
    {
        Shown shown(tests::compiledReport());
        struct Expected {
            char const *title;
            SelectionKind kind;
        };
        for (auto const &[title, kind] :
             {Expected{"Variables", SelectionKind::Variable}, Expected{"Compute sets", SelectionKind::ComputeSet},
              Expected{"Vertices", SelectionKind::VertexType}, Expected{"Exchanges", SelectionKind::Program}}) {
            shown.openTable(QString::fromLatin1(title));
            auto *tree = shown.tables().currentWidget()->findChild<QTreeView *>();
            QVERIFY(tree->model()->rowCount() > 5);
            QTest::mouseClick(tree->viewport(), Qt::LeftButton, {}, tree->visualRect(tree->model()->index(1, 0)).center());
            QCOMPARE(shown.session.selection().current().kind, kind);
            QCOMPARE(shown.session.selection().current().ids.size(), std::size_t(1));
        }
        shown.openTable(QStringLiteral("Why this tile"));
        QVERIFY(shown.says(QStringLiteral("the median tile")));
    }

    void anOutOfMemoryReportOpensAtItsWorstTileWithTheCause()
    {
        auto const report = tests::compiledReport("gc200:tiles=2", {});
        QVERIFY(!report->data().verdicts.front().fits);
        Shown shown(report);
        QVERIFY(shown.view.headline().startsWith(QLatin1String("Does not fit")));
        QCOMPARE(shown.view.chosenTiles(), std::vector<int>{report->data().verdicts.front().worstTile});
        QVERIFY(shown.says(QStringLiteral("more placed than its limit of 624 KiB")));
        // The largest variables are those that Insights and Summary name.
        auto const &d = report->data();
        auto const largest = largestOnWorstTile(d);
        QVERIFY(!largest.variables.empty());
        auto const first = QStringLiteral("Largest at its peak: %1 %2")
                               .arg(QString::fromStdString(d.variables[static_cast<std::size_t>(largest.variables.front().variable)].name),
                                    bytesText(largest.variables.front().bytes));
        QVERIFY2(shown.says(first), qPrintable(first));
        int telling = 0;
        for (auto const &insight : d.insights)
            if (insight.rule == "memory.does-not-fit" || insight.rule == "memory.largest-at-peak") {
                QVERIFY2(insightText(insight).message().contains(first), qPrintable(insightText(insight).message()));
                ++telling;
            }
        QCOMPARE(telling, 2);
        // What nobody has tried is not advised: Insights says beside it that the same does not help.
        for (auto const &guess : {QStringLiteral("Half precision"), QStringLiteral("micro-batch"), QStringLiteral("pipeline stages")})
            QVERIFY2(!shown.says(guess), qPrintable(guess));
        QVERIFY(shown.says(QStringLiteral("With the project open, Insights tries changes")));
        QSignalSpy asked(&shown.session, &Session::viewRequested);
        for (auto *button : shown.view.findChildren<QAbstractButton *>())
            if (button->isVisible() && button->text() == QLatin1String("What to change")) QTest::mouseClick(button, Qt::LeftButton);
        QCOMPARE(asked.count(), 1);
        shown.savePicture("memory-oom");
    }

    void comparingWithAnEqualReportShowsZeroEverywhere()
    {
        Shown shown(tests::compiledReport());
        shown.session.setBaseline(tests::compiledReport(), Session::Pin::Pinned);
        QTRY_VERIFY(shown.view.isSettled());
        QToolButton *compare = nullptr;
        for (auto *button : shown.view.findChildren<QToolButton *>())
            if (button->text() == QLatin1String("Compare")) compare = button;
        QTRY_VERIFY(compare && compare->isEnabled());
        QTest::mouseClick(compare, Qt::LeftButton);
        shown.settle();
        auto const &values = shown.child<TileMapWidget>().values();
        QCOMPARE(values.size(), std::size_t(8));
        QVERIFY(std::all_of(values.begin(), values.end(), [](auto v) { return v == 0; }));
        QVERIFY(shown.says(QStringLiteral("as many bytes")));
    }

    // A real run in tile mode, stopped between two supersteps.
    void aPausedTileRunShowsTheValuesOfTheChosenTile()
    {
        Shown shown(nullptr);
        auto &document = shown.session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        QVERIFY(document
                    .setFields(QStringLiteral("small"),
                               {{QStringLiteral("system.target"), QStringLiteral("gc200:tiles=8")},
                                {QStringLiteral("data.limit"), QStringLiteral("64")},
                                {QStringLiteral("training.epochs"), QStringLiteral("5000")},
                                {QStringLiteral("model.layers.dense.units"), QStringLiteral("32")},
                                {QStringLiteral("model.layers.dense_1.units"), QStringLiteral("16")}})
                    .ok());
        auto &runs = shown.session.runs();
        runs.train(RunMode::Tile);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, 20000);
        QTRY_VERIFY_WITH_TIMEOUT(shown.session.report() && shown.session.report()->isWhole(), 20000);
        runs.pause();
        QTRY_VERIFY_WITH_TIMEOUT(runs.isPaused(), 20000);
        shown.settle();
        shown.session.selection().selectIds(SelectionKind::Tile, {2});
        shown.openTable(QStringLiteral("Values"));
        QAbstractButton *superstep = nullptr;
        for (auto *button : shown.view.findChildren<QAbstractButton *>())
            if (button->text() == QLatin1String("One superstep")) superstep = button;
        QTRY_VERIFY(superstep && superstep->isVisible());
        // The run may stop once more before it has heard which tile is looked at; the pane then asks for another superstep.
        auto const hasValues = [&] { return runs.tileValues().tile == 2 && !runs.tileValues().bytes.empty(); };
        QElapsedTimer waited;
        for (waited.start(); !hasValues() && waited.elapsed() < 20000; QTest::qWait(200))
            if (runs.isPaused() && superstep->isVisible()) QTest::mouseClick(superstep, Qt::LeftButton);
        QVERIFY(hasValues());
        QTRY_VERIFY(shown.says(QStringLiteral("after program step")));
        auto const program = runs.tileValues().program;
        auto const before = runs.tileValues().superstep;
        QVERIFY(program >= 0);
        QTRY_VERIFY(runs.isPaused());
        QTest::mouseClick(superstep, Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(runs.tileValues().superstep > before, 20000);
        auto *tree = shown.tables().currentWidget()->findChild<QTreeView *>();
        QTRY_VERIFY(tree->isVisible() && tree->model()->rowCount() > 5);
        shown.savePicture("memory-values");
        runs.stopAfterStep();
        QTRY_VERIFY_WITH_TIMEOUT(!runs.isActive(), 20000);
    }

    void exportsHoldExactBytes()
    {
        auto const report = tests::compiledReport();
        Shown shown(report);
        auto const tables = shown.view.exportTables();
        QCOMPARE(tables.front().rows.size(), 8);
        for (int t = 0; t < 8; ++t)
            QCOMPARE(tables.front().rows[t][1].toLongLong(), report->tileMetric("with_gaps")[static_cast<std::size_t>(t)]);
    }

    void statesAreKept()
    {
        Shown shown(tests::compiledReport());
        auto state = shown.view.saveState();
        state[QStringLiteral("by")] = QStringLiteral("layer");
        state[QStringLiteral("page")] = 1;
        shown.view.restoreState(state);
        QCOMPARE(shown.view.options().by, Breakdown::Layer);
        QVERIFY(shown.child<AddressMapWidget>().isVisible());
        shown.view.restoreState({{QStringLiteral("order"), 99}, {QStringLiteral("by"), 7}}); // nonsense does no harm
        shown.settle();
    }

    /// The room that the view has in the window of a small screen, and that of a large one.
    void theFloorPlanIsLargeAndNothingIsAStrip_data()
    {
        QTest::addColumn<QString>("target");
        QTest::addColumn<QSize>("size");
        for (auto const *target : {"gc200:tiles=8", "gc200:tiles=64"})
            for (QSize const size : {QSize(860, 560), QSize(1366, 768), QSize(1500, 860)})
                QTest::addRow("%s %d x %d", target, size.width(), size.height()) << QString::fromLatin1(target) << size;
    }
    void theFloorPlanIsLargeAndNothingIsAStrip()
    {
        QFETCH(QString, target);
        QFETCH(QSize, size);
        Shown shown(tests::compiledReport(target.toStdString()), size);
        auto &map = shown.child<TileMapWidget>();
        auto &chart = shown.child<ColumnChart>();
        auto const &cell = map.rectOf(0);
        QVERIFY2(cell.width() >= 8 && cell.height() >= 4, qPrintable(QStringLiteral("%1 x %2").arg(cell.width()).arg(cell.height())));
        QVERIFY2(chart.plotRect().height() >= 110, qPrintable(QString::number(chart.plotRect().height())));
        QVERIFY(chart.plotRect().width() >= 300);
        auto *tree = shown.tables().currentWidget()->findChild<QTreeView *>();
        QVERIFY2(tree->viewport()->height() >= 4 * tree->visualRect(tree->model()->index(0, 0)).height(),
                 qPrintable(QString::number(tree->viewport()->height())));
        QVERIFY2(shown.view.headline().contains(QStringLiteral("tile %1,").arg(shown.view.focusTile())),
                 qPrintable(shown.view.headline())); // the one with the mark
        QCOMPARE(map.currentTile(), shown.view.focusTile());
        shown.savePicture(qPrintable(QStringLiteral("memory-%1-%2").arg(target.section(QLatin1Char('='), 1)).arg(size.width())));
        // All of it within the window, without scrolling.
        for (QWidget *part : {static_cast<QWidget *>(&map), static_cast<QWidget *>(&chart), static_cast<QWidget *>(tree)})
            QVERIFY(shown.view.rect().contains(QRect(part->mapTo(&shown.view, QPoint()), part->visibleRegion().boundingRect().size())));
        QVERIFY(map.visibleRegion().boundingRect().contains(map.rectOf(map.floor().tiles() - 1)));
    }

    /// The room in a window of 1366 x 768: rows to read under a picture that is none the lower for it.
    void tablesShowRowsInASmallWindow()
    {
        Shown shown(tests::compiledReport("gc200:tiles=64"), {980, 600});
        auto *tree = shown.tables().currentWidget()->findChild<QTreeView *>();
        int const row = tree->visualRect(tree->model()->index(0, 0)).height();
        QVERIFY2(tree->viewport()->height() >= 6 * row, qPrintable(QStringLiteral("%1 of %2").arg(tree->viewport()->height()).arg(row)));
        QVERIFY2(shown.child<ColumnChart>().plotRect().height() >= 170,
                 qPrintable(QString::number(shown.child<ColumnChart>().plotRect().height())));
        // The filter stands beside the tabs, and works there.
        QLineEdit *filter = nullptr;
        for (auto *edit : shown.view.findChildren<QLineEdit *>())
            if (edit->isVisible() && edit->accessibleName().contains(QStringLiteral("Filter of Details"))) filter = edit;
        QVERIFY(filter);
        QVERIFY(filter->mapTo(&shown.view, QPoint()).y() < tree->mapTo(&shown.view, QPoint()).y() - filter->height() / 2);
        QVERIFY(std::abs(filter->mapTo(&shown.view, filter->rect().center()).y()
                         - shown.tables().tabBar()->mapTo(&shown.view, shown.tables().tabBar()->rect().center()).y())
                < 10);
        int const rows = tree->model()->rowCount();
        filter->setText(QStringLiteral("nothing of that name"));
        QTRY_VERIFY(tree->model()->rowCount() < rows);
        filter->clear();
        // Another table, another filter; in a narrow window each is back over its table.
        shown.openTable(QStringLiteral("Variables"));
        QVERIFY(!filter->isVisible());
        shown.view.resize(480, 700);
        QCoreApplication::processEvents();
        auto *pane = shown.tables().currentWidget()->findChild<TablePane *>();
        if (!pane) pane = qobject_cast<TablePane *>(shown.tables().currentWidget());
        QVERIFY(pane && pane->findChild<QLineEdit *>() && pane->findChild<QLineEdit *>()->isVisible());
    }

    /// The room in a window of 1024 x 700: every tile can be pointed at.
    void theFloorPlanKeepsAUsefulHeight()
    {
        Shown shown(tests::compiledReport("gc200"), {690, 440});
        auto &map = shown.child<TileMapWidget>();
        QRect all;
        for (int tile = 0; tile < map.floor().tiles(); ++tile) all |= map.rectOf(tile);
        QVERIFY2(all.height() >= 100 && map.rectOf(0).height() >= 5,
                 qPrintable(QStringLiteral("%1, tiles %2").arg(all.height()).arg(map.rectOf(0).height())));
        QVERIFY(shown.child<ColumnChart>().plotRect().height() >= 90);
        shown.savePicture("memory-low");
    }

    void smallWindowsScrollAndClipNothing()
    {
        Shown shown(tests::compiledReport(), {420, 300});
        QVERIFY(shown.view.minimumSizeHint().width() <= 420);
        shown.savePicture("memory-small");
    }
};

TW_REGISTER_TEST(TstMemoryView);
#include "tst_memory_view.moc"
