#include "resources/resources.h"
#include "tests/support/test_registry.h"
#include "tests/views/execution/shown_execution.h"
#include "tests/views/execution/small_report.h"
#include "views/common/format.h"
#include "views/document/document.h"
#include "views/execution/bsp_canvas.h"
#include "views/execution/execution_compare.h"
#include "views/execution/execution_facts.h"
#include "views/execution/execution_modes.h"
#include "views/execution/execution_panel.h"
#include "views/execution/execution_selection.h"
#include "views/execution/execution_view.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/selection.h"
#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"
#include "views/widgets/color_keys.h"
#include "views/wording/labels.h"

#include <QApplication>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QTreeView>

using namespace tilewright::views;
using namespace tilewright;
using namespace tilewright::tests;

class TstExecutionView : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        initResources();
        QLocale::setDefault(QLocale::c());
    }

    void theHeadlineSaysWhatTilesWaitFor()
    {
        Shown s;
        QString const text = s.view->headline();
        QVERIFY2(text.contains(QStringLiteral("Compute 35 %")) && text.contains(QStringLiteral("slowest: tile 4"))
                     && text.contains(QStringLiteral("modelled")),
                 qPrintable(text));
    }

    void aRangeAddsUpExactly()
    {
        auto const blocks = blocksOf(tests::smallReport());
        auto const run = placesOf(*blocks->report, 0);
        // Three whole repetitions and the first compute of the fourth.
        auto const facts = rangeFacts(blocks, run, {0, 3100});
        QCOMPARE(facts.busy[0], std::int64_t(3 * (100 + 100 + 300 + 200) + 100));
        QCOMPARE(facts.busy[1], std::int64_t(3 * 160));
        QCOMPARE(facts.ticks, std::int64_t(2 * 3100));
        QString all;
        for (auto const &[name, value] : facts.rows) all += name + QLatin1Char('=') + value + QLatin1Char('\n');
        // In each repetition IPU 0 moves 64 bytes in and out twice.
        QVERIFY2(all.contains(QStringLiteral("384")), qPrintable(all));
        QVERIFY2(all.contains(QStringLiteral("Events that begin here=25")), qPrintable(all));
    }

    void wholeRunsComeFromTheRecord()
    {
        auto const blocks = blocksOf(tests::smallReport());
        auto const facts = runFacts(blocks, placesOf(*blocks->report, 0));
        QCOMPARE(facts.busy[0], std::int64_t(35000));
        QCOMPARE(facts.ticks, std::int64_t(100000));
        // The record and the lanes agree.
        auto const counted = rangeFacts(blocks, placesOf(*blocks->report, 0), {0, 50000});
        QCOMPARE(counted.busy[0], facts.busy[0]);
        QCOMPARE(counted.busy[1], facts.busy[1]);
        QCOMPARE(counted.busy[4], facts.busy[4]);
    }

    void pairsCountEachExecution()
    {
        auto const report = ReportSnapshot::ofData(tests::smallReport(), QStringLiteral("small"));
        Bytes rest = -1;
        auto const pairs = topPairs(*report, 0, 2, &rest);
        QCOMPARE(pairs.size(), std::size_t(2));
        QCOMPARE(pairs[0].bytes, Bytes(3200));
        QCOMPARE(std::pair(pairs[0].from, pairs[0].to), std::pair(0, 1));
        QCOMPARE(rest, Bytes(0));
    }

    /// The room in a window of 1366 x 768.
    void tablesShowRowsInASmallWindow()
    {
        Shown s;
        s.view->resize(980, 600);
        s.panel().setCurrentIndex(1); // waits
        s.settle();
        auto const *tree = s.panel().currentWidget()->findChild<QTreeView *>();
        int const row = tree->visualRect(tree->model()->index(0, 0)).height();
        QVERIFY2(row > 0 && tree->viewport()->height() >= 5 * row,
                 qPrintable(QStringLiteral("%1 of %2").arg(tree->viewport()->height()).arg(row)));
        QVERIFY2(s.lanes().height() >= 180, qPrintable(QString::number(s.lanes().height())));
    }

    /// What a tile copies within itself is priced by the engine: it is in the list, and in words.
    void whatATileSendsToItselfIsSaidInWords()
    {
        auto data = tests::smallReport();
        data.exchanges[0].pairs = {{0, 0, 48}, {0, 1, 32}, {4, 5, 16}};
        Shown s(data);
        for (int i = 0; i < s.panel().count(); ++i)
            if (s.panel().tabText(i) == QLatin1String("Traffic")) s.panel().setCurrentIndex(i);
        QTRY_VERIFY(s.says(QStringLiteral("also use its exchange port")));
        auto const *traffic = s.panel().currentWidget()->findChild<QTreeView *>();
        QCOMPARE(traffic->model()->index(0, 1).data().toString(), QStringLiteral("itself"));
        QCOMPARE(traffic->model()->index(1, 1).data().toString(), QStringLiteral("1"));
        // Between the IPUs of replicas a ring hands on to the like tile of the next one.
        data.target.replicas = 2;
        data.exchanges[0].kind = "global";
        auto const pairs = topPairs(*ReportSnapshot::ofData(data, QStringLiteral("ring")), 0, 3, nullptr);
        QVERIFY(pairs[0].toNextReplica && pairs[0].from == 0 && pairs[0].to == 0);
        QVERIFY(!pairs[1].toNextReplica);
    }

    void aClickOnAnEventSelectsItsProgramEverywhere()
    {
        Shown s;
        QTest::mouseClick(&s.lanes(), Qt::LeftButton, {}, s.pointOf(0, 150));
        QCOMPARE(s.session.selection().current().kind, SelectionKind::Program);
        QCOMPARE(s.session.selection().current().ids, (std::vector<int>{3}));
        QCOMPARE(s.panel().facts().title, QStringLiteral("move"));
        QTRY_VERIFY(s.says(QStringLiteral(" of 400 events")));
    }

    void stepsAreFoundByName()
    {
        Shown s;
        s.view->startSearch();
        auto *find = s.view->findChild<QLineEdit *>(QStringLiteral("executionFind"));
        QCOMPARE(QApplication::focusWidget() ? QApplication::focusWidget() : find, find);
        QTest::keyClicks(find, QStringLiteral("MOV"));
        QTRY_VERIFY(s.says(QStringLiteral("100 of 400 events have “MOV” in their name")));
        auto *pane = s.view->findChild<TimePane *>();
        pane->window().show({0, 110}); // before the first of them
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(pane->window().selection());
        QCOMPARE(pane->window().selection()->begin, 120);
        QVERIFY(pane->window().visible().begin <= 120 && pane->window().visible().end >= 200); // brought into view
        QTest::keyClick(find, Qt::Key_Return);
        QCOMPARE(pane->window().selection()->begin, 320);
        QTRY_VERIFY(s.says(QStringLiteral("match 2 of 100")));
        pane->window().setSelection(std::nullopt);
        QTRY_VERIFY(!s.says(QStringLiteral("match ")));
        pane->window().show({49300, 49400});
        QTest::keyClick(find, Qt::Key_Return); // the last
        QTRY_VERIFY(s.says(QStringLiteral("match 100 of 100")));
        QTest::keyClick(find, Qt::Key_Return);
        QTRY_VERIFY(s.says(QStringLiteral("match 1 of 100")));
        QCOMPARE(pane->window().selection()->begin, 120);
        find->setText(QStringLiteral("nobody"));
        QTRY_VERIFY(s.says(QStringLiteral("nothing here has “nobody” in its name")));
        find->clear();
        QTRY_VERIFY(!s.says(QStringLiteral("in their name")) && !s.says(QStringLiteral("in its name")));
        s.setMode(Bsp);
        find->setText(QStringLiteral("move"));
        QTest::keyClick(find, Qt::Key_Return);
        QVERIFY(pane->window().selection());
    }

    /// What begins together in two lanes are two matches.
    void noMatchIsPassedOver()
    {
        auto data = tests::smallReport();
        data.events[1].events = data.events[0].events;
        Shown s(data);
        auto *find = s.view->findChild<QLineEdit *>(QStringLiteral("executionFind"));
        auto *pane = s.view->findChild<TimePane *>();
        pane->window().show({0, 110});
        find->setText(QStringLiteral("move"));
        for (int i = 1; i <= 5; ++i) {
            QTest::keyClick(find, Qt::Key_Return);
            QTRY_VERIFY2(s.says(QStringLiteral("match %1 of 200").arg(i)), qPrintable(QString::number(i)));
        }
        QCOMPARE(pane->window().selection()->begin, 1120);
    }

    void aSelectionElsewhereHighlightsHere()
    {
        Shown s;
        s.session.selection().selectIds(SelectionKind::Program, {2});
        QTRY_VERIFY(s.says(QStringLiteral("100 of 400 events")));
        s.session.selection().clear();
        QTRY_VERIFY(!s.says(QStringLiteral(" of 400 events")));
    }

    void aDraggedRangeIsSelectedAndSummedUp()
    {
        Shown s;
        QPoint const from = s.pointOf(0, 400), to = s.pointOf(0, 700);
        QTest::mousePress(&s.lanes(), Qt::LeftButton, {}, from);
        QTest::mouseMove(&s.lanes(), (from + to) / 2);
        QTest::mouseMove(&s.lanes(), to);
        QTest::mouseRelease(&s.lanes(), Qt::LeftButton, {}, to);
        QTRY_COMPARE(s.session.selection().current().kind, SelectionKind::TimeRange);
        QCOMPARE(s.session.selection().current().begin, std::int64_t(400));
        QCOMPARE(s.session.selection().current().end, std::int64_t(700));
        QCOMPARE(s.panel().facts().busy[0], std::int64_t(300 + 200));
    }

    void everyModeShowsSomethingOrSaysWhyNot()
    {
        Shown s;
        s.setMode(Flame);
        QCOMPARE(s.lanes().lanes().lanes.size(), std::size_t(2)); // two IPUs: their steps alone, for this report has no operations
        QVERIFY(s.lanes().lanes().gridLines && s.lanes().lanes().gridLabel); // training steps are marked and numbered
        QCOMPARE(s.lanes().lanes().gridLabel(0), QStringLiteral("step 1"));
        QCOMPARE(s.lanes().lanes().gridLabel(2000), QStringLiteral("step 3"));
        s.setMode(Pipeline);
        QCOMPARE(s.lanes().lanes().lanes.size(), std::size_t(2));
        QVERIFY(s.view->headline().contains(QStringLiteral("bubbles 42 %")));
        s.setMode(Exchange);
        QVERIFY(s.lanes().lanes().lanes[0].chart.has_value());
        QCOMPARE(s.lanes().lanes().lanes[0].chart->up.stat(0, 7).max, 64.0 / 80);
        s.setMode(Bsp);
        QTRY_VERIFY(s.tiles().isVisible());
        s.setMode(Host);
        QVERIFY(s.says(QStringLiteral("no recording of host threads")));
        s.setMode(Flat);
        QVERIFY(s.lanes().isVisible());
    }

    /// The flat mode has the layers below each IPU; the flame begins with them, without a row that is one bar all along.
    void layersHaveALaneAndTheModelHasNone()
    {
        auto data = tests::smallReport();
        data.ops.resize(2);
        data.ops[0] = {.level = "keras", .name = "dense", .kind = "Dense", .pass = "forward"};
        data.ops[1] = {.parent = 0, .level = "graph", .name = "dense/MatMul", .kind = "matmul", .pass = "forward"};
        data.programs[2].op = data.programs[4].op = 1;
        Shown s(data);
        auto const names = [&] {
            QStringList all;
            for (auto const &lane : s.lanes().lanes().lanes) all << lane.name;
            return all;
        };
        QString const layer = QStringLiteral("layer");
        QCOMPARE(names(), (QStringList{QStringLiteral("IPU 0"), layer, QStringLiteral("IPU 1"), layer}));
        auto const &set = s.lanes().lanes();
        for (int lane : {1, 3}) {
            QCOMPARE(set.lanes[static_cast<std::size_t>(lane)].parent, lane - 1);
            QCOMPARE(set.labelOf(lane, 0), QStringLiteral("dense"));
        }
        QVERIFY(s.view->findChild<ColorKeys *>()->keys().contains(ColorKey{Token::Forward, passLabel("forward")}));
        QTest::mouseClick(&s.lanes(), Qt::LeftButton, {}, s.pointOf(1, 50));
        QTRY_COMPARE(s.session.selection().current().kind, SelectionKind::Layer);
        QCOMPARE(s.session.selection().current().name, QStringLiteral("dense"));
        s.setMode(Flame);
        for (auto const &lane : s.lanes().lanes().lanes)
            if (lane.events) QVERIFY2(lane.events->span(0).length() < 1000, qPrintable(lane.name)); // no bar as long as the weight update
        QCOMPARE(names().first(), QStringLiteral("IPU 0"));
    }

    /// A step lights its own bars and the bars that contain it: its layer in one pass, not in the others.
    void aStepLightsItsLayerInItsPassOnly()
    {
        auto data = tests::smallReport();
        data.ops.resize(3);
        data.ops[0] = {.level = "keras", .name = "dense", .kind = "Dense", .pass = "forward"};
        data.ops[1] = {.parent = 0, .level = "graph", .name = "dense/MatMul", .kind = "matmul", .pass = "forward"};
        data.ops[2] = {.parent = 0, .level = "graph", .name = "dense/MatMul_Backward", .kind = "matmul", .pass = "backward"};
        data.programs[2].op = 1;
        data.programs[4].op = 2;
        data.opPrograms = {{0, 2}, {0, 4}, {1, 2}, {2, 4}};
        data.livenessSteps.resize(1);
        data.livenessSteps[0].program = 2;
        Shown s(data);
        auto const report = s.session.report();
        auto const blocks = buildBlocks(report, {});
        QVERIFY(blocks.ok());
        auto const lit = [&](Selected const &selected) {
            QStringList names;
            auto const flags = highlightedTypes(lineageOf(*report, selected), **blocks);
            for (std::size_t row = 0; row < (*blocks)->nested.size(); ++row)
                if (flags[static_cast<std::size_t>((*blocks)->firstNested()) + row] != 0)
                    names << nestedName(**blocks, (*blocks)->nested[row]);
            names.sort();
            return names;
        };
        Selected step, layer;
        step.kind = SelectionKind::LivenessStep;
        step.ids = {0};
        QCOMPARE(lit(step).size(), 2); // the layer and the operation, forward
        QVERIFY2(!lit(step).join(u' ').contains(QStringLiteral("Backward"), Qt::CaseInsensitive), qPrintable(lit(step).join(u' ')));
        layer.kind = SelectionKind::Layer;
        layer.name = QStringLiteral("dense");
        QCOMPARE(lit(layer).size(), 4); // both passes
    }

    void pipelineModeOpensOnOneStep()
    {
        Shown s;
        auto &window = s.view->findChild<TimePane *>()->window();
        window.show({5300, 9400}); // several weight updates of 1,000 cycles
        s.setMode(Pipeline);
        QCOMPARE(window.visible().begin, std::int64_t(5000));
        QCOMPARE(window.visible().end, std::int64_t(6000));
        s.setMode(Flat);
        window.show({5300, 5500}); // a part of one keeps its place
        s.setMode(Pipeline);
        QCOMPARE(window.visible().begin, std::int64_t(5300));
    }

    /// Every mode in the light and the dark look, large and small. TILEWRIGHT_TEST_PICTURES names a folder to keep the
    /// pictures in, TILEWRIGHT_TEST_REPORT a report to show instead of the small one.
    void everyModeIsDrawnInEveryLook()
    {
        QString const folder = qEnvironmentVariable("TILEWRIGHT_TEST_PICTURES"), file = qEnvironmentVariable("TILEWRIGHT_TEST_REPORT");
        for (ThemeKind const kind : {ThemeKind::Light, ThemeKind::Dark}) {
            applyTheme(*static_cast<QApplication *>(QApplication::instance()), kind);
            Shown s;
            if (!file.isEmpty()) s.session.showReport(*ReportSnapshot::open(file, {}));
            for (QSize const size : {QSize(1200, 700), QSize(480, 320)}) {
                s.view->resize(size);
                for (int mode = 0; mode < Modes; ++mode) {
                    s.setMode(static_cast<ExecutionMode>(mode));
                    QTest::qWait(1);
                    QImage const picture = s.view->grab().toImage();
                    QCOMPARE(picture.size(), size);
                    QColor const ground = theme()[Token::Panel];
                    int drawn = 0;
                    for (int y = size.height() / 3; y < size.height() * 2 / 3; ++y)
                        for (int x = 0; x < size.width(); ++x) drawn += picture.pixelColor(x, y) != ground;
                    QVERIFY(drawn > 200);
                    if (!folder.isEmpty())
                        picture.save(QStringLiteral("%1/%2_%3_%4.png")
                                         .arg(folder, QLatin1String(kModeIds[mode]),
                                              kind == ThemeKind::Light ? QStringLiteral("light") : QStringLiteral("dark"))
                                         .arg(size.width()));
                }
            }
        }
        applyTheme(*static_cast<QApplication *>(QApplication::instance()), ThemeKind::Light);
    }

    /// Every colour and pattern of the lanes is in the legend beside them.
    void allThatIsDrawnIsExplained()
    {
        Shown s;
        auto const *legend = s.view->findChild<ColorKeys *>();
        for (auto const mode : {Flat, Flame, Pipeline}) {
            s.setMode(mode);
            QVERIFY(legend->isVisible());
            auto const has = [&](auto const &wanted) { return std::ranges::any_of(legend->keys(), wanted); };
            for (auto const &lane : s.lanes().lanes().lanes) {
                if (lane.marks) QVERIFY(has([](ColorKey const &key) { return key.look == KeyLook::Top; }));
                if (!lane.events) continue;
                auto const counts = lane.events->countByType();
                for (std::size_t type = 0; type < counts.size(); ++type) {
                    if (counts[type] == 0) continue;
                    auto const &style = s.lanes().lanes().style(static_cast<int>(type));
                    QVERIFY2(has([&](ColorKey const &key) {
                                 return key.token == style.token && (key.look == KeyLook::Hatched) == style.hatched;
                             }),
                             qPrintable(style.name));
                }
            }
            if (mode != Pipeline) continue;
            QVERIFY(has([](ColorKey const &key) { return key.look == KeyLook::Dashed; }));
            QVERIFY(has([](ColorKey const &key) {
                return key.label.contains(QStringLiteral("i imbalance")) && key.label.contains(QStringLiteral("u ramp up"))
                    && !key.label.contains(QStringLiteral("host"));
            }));
            s.session.selection().selectIds(SelectionKind::Program, {2}); // a selection takes nothing from it
            QTest::qWait(1);
            QVERIFY(legend->isVisible() && has([](ColorKey const &key) { return key.look == KeyLook::Hatched; }));
        }
    }

    void inAndOutOfExchangesHaveColoursOfTheirOwn()
    {
        auto const blocks = blocksOf(tests::smallReport());
        auto const lanes = exchangeLanes(blocks, placesOf(*blocks->report, 0));
        auto const keys = modeKeys(Exchange, true);
        for (auto const &lane : lanes.set.lanes) {
            if (!lane.chart) continue;
            QVERIFY(lane.chart->upToken != lane.chart->downToken && lane.chart->downToken != Token::Stream);
            for (Token const token : {lane.chart->upToken, lane.chart->downToken})
                QVERIFY(std::ranges::any_of(keys, [&](ColorKey const &key) { return key.token == token; }));
            QVERIFY2(lane.chart->downName.size() < 16, qPrintable(lane.chart->downName));
            // Heights say what the percentages say: both ends are the same share of what tiles can receive and send.
            auto const peak = report::exchangePeak(blocks->report->data().target);
            QVERIFY(qFuzzyCompare(lane.chart->upPeak / peak.in, lane.chart->downPeak / peak.out));
            QCOMPARE(lane.chart->peakName, shareText(lane.chart->upPeak / peak.in));
        }
    }

    void tilesOverTimeMarkTheSteps()
    {
        Shown s;
        s.setMode(Bsp);
        auto &tiles = s.tiles();
        QImage const with = tiles.grab().toImage();
        tiles.setSteps(nullptr, {});
        QVERIFY(tiles.grab().toImage() != with);
    }

    void exchangeInAnIpuHasOneName()
    {
        QCOMPARE(phaseName(LanePhase::InternalExchange),
                 QString(phaseLabel(report::Phase::InternalExchange)).replace(QLatin1Char('E'), QLatin1Char('e')));
    }

    void theHostSaysWhatWasMeasuredAndNumbersItsEpochs()
    {
        auto data = tests::smallReport();
        data.lanes.push_back({report::kNone, "Run thread", "host_thread", "ns", report::kNone, report::kNone, report::kNone, 0});
        int const compile = static_cast<int>(data.eventTypes.size());
        data.eventTypes.push_back({"Compile", "host", report::kNone, report::kNone, report::kNone});
        data.eventTypes.push_back({"Epoch", "host", report::kNone, report::kNone, report::kNone});
        report::LaneEvents host{0, 2, {}};
        host.events.add(0, 500000000, compile);
        for (int epoch = 1; epoch <= 3; ++epoch) host.events.add(500000000 * epoch, 500000000, compile + 1, epoch);
        data.events.push_back(host);
        auto const lanes = hostLanes(blocksOf(data));
        QCOMPARE(lanes.set.labelOf(0, 0), QStringLiteral("Compile"));
        QCOMPARE(lanes.set.labelOf(0, 3), QStringLiteral("Epoch 3"));
        auto const keys = styleKeys(lanes.set);
        QCOMPARE(keys.size(), qsizetype(2));
        QCOMPARE(keys[1].label, QStringLiteral("Epoch"));
        QString const headline = hostHeadline(lanes);
        QVERIFY2(headline.startsWith(QStringLiteral("2.00 s recorded · Epoch 75 %"))
                     && headline.endsWith(QStringLiteral("(measured on this computer)")),
                 qPrintable(headline));
        Shown s(data);
        s.setMode(Host);
        QCOMPARE(s.view->headline(), headline);
    }

    void aClickOnATileSelectsIt()
    {
        Shown s;
        s.setMode(Bsp);
        QTRY_VERIFY(s.tiles().isVisible());
        s.settle();
        QTest::mouseClick(&s.tiles(), Qt::LeftButton, {}, {s.tiles().gutter() + 40, s.tiles().height() * 3 / 8});
        QCOMPARE(s.session.selection().current().kind, SelectionKind::Tile);
        QCOMPARE(s.session.selection().current().ids, (std::vector<int>{1}));
    }

    void tilesZoomOnTheirOwn()
    {
        Shown s;
        s.setMode(Bsp);
        QTRY_VERIFY(s.tiles().isVisible());
        double const before = s.tiles().rowWindow().perPixel;
        auto const visible = s.tiles().window().visible();
        QTest::keyClick(&s.tiles(), Qt::Key_Up, Qt::ShiftModifier);
        QVERIFY(s.tiles().rowWindow().perPixel < before);
        QCOMPARE(s.tiles().window().visible(), visible);
    }
    /// Beside a run that goes on, a step of the other report is drawn as long as that run is.
    void theOthersStepGoesOnBesideARunThatGoesOn()
    {
        auto const other = ReportSnapshot::ofData(tests::smallReport(), QStringLiteral("other"));
        auto const blocks = blocksOf(tests::smallReport());
        auto const compared = buildCompared(other, QStringLiteral("other"), blocks, {});
        QVERIFY(compared.ok());
        RunPlaces beside = placesOf(*other, (*compared)->frame.run);
        auto const itsOwn = comparedPlaces(**compared, beside).extent.end;
        QVERIFY(itsOwn > 0);
        beside.live = true;
        beside.extent.end = 1000 * itsOwn;
        QVERIFY(comparedPlaces(**compared, beside).extent.end >= beside.extent.end);
    }

    void anotherReportsStepStandsBelow()
    {
        Shown shown;
        int const lanes = static_cast<int>(shown.lanes().layoutOfLanes().rows().size());
        auto slower = tests::smallReport();
        slower.runs[0].cycles = 100000;
        slower.patterns[0].cycles = slower.patternPlaces[0].period = 2000;
        for (auto &split : slower.ipuSplits) split.compute += 50000;
        shown.session.setBaseline(ReportSnapshot::ofData(std::move(slower), QStringLiteral("slower")));
        shown.view->refreshNow();
        shown.settle();
        // A lane for each of its IPUs, on the same axis.
        QCOMPARE(static_cast<int>(shown.lanes().layoutOfLanes().rows().size()), lanes + 2);
        QVERIFY2(shown.view->headline().contains(QLatin1String("per step")) && shown.view->headline().contains(QLatin1String("50 %")),
                 qPrintable(shown.view->headline()));
        auto const tables = shown.view->exportTables();
        auto const compared = std::ranges::find(tables, QStringLiteral("compared"), &ExportTable::name);
        QVERIFY(compared != tables.end());
        // Phases add up to the step, in both.
        std::int64_t now = 0, before = 0;
        for (auto const &row : compared->rows) {
            if (row == compared->rows.last()) break;
            now += row[1].toLongLong();
            before += row[2].toLongLong();
        }
        QCOMPARE(now, compared->rows.last()[1].toLongLong());
        QCOMPARE(before, compared->rows.last()[2].toLongLong());
        QCOMPARE(now, 1000);
        QCOMPARE(before, 2000);
        // Its events are looked at, not selected.
        QTest::mouseClick(&shown.lanes(), Qt::LeftButton, {}, shown.pointOf(lanes, 50));
        QCOMPARE(shown.session.selection().current().kind, SelectionKind::None);
        QVERIFY(shown.panel().facts().title.contains(QLatin1String("slower")));
        // Other rows say that they do not compare.
        shown.setMode(Flame);
        QVERIFY(shown.says(QStringLiteral("not compared")));
        shown.setMode(Flat);
        shown.session.setBaseline(nullptr);
        shown.view->refreshNow();
        shown.settle();
        QCOMPARE(static_cast<int>(shown.lanes().layoutOfLanes().rows().size()), lanes);
        QVERIFY(!shown.view->headline().contains(QLatin1String("a step takes")));
    }

    void tablesAreExported()
    {
        Shown s;
        s.lanes().window().show({0, 1000});
        auto const tables = s.view->exportTables();
        QVERIFY(!tables.isEmpty());
        QCOMPARE(tables.front().rows.size(), 8); // events of one repetition on both IPUs
        QCOMPARE(tables.front().rows.front(), (QStringList{"IPU 0", "0", "100", "multiply", "compute"}));
    }

    void reportsWithoutRunOrEventsSayWhatIsMissing()
    {
        auto data = tests::smallReport();
        data.parts.back().state = report::PartState::Absent;
        data.parts.back().note = "did not fit";
        Shown s(std::move(data));
        QVERIFY(s.says(QStringLiteral("did not fit")));
        auto large = tests::smallReport();
        large.parts.back().state = report::PartState::Absent;
        large.verdicts.push_back({"all", 0, false, 3, 700000, 638976, "total", 0});
        Shown doesNotFit(std::move(large));
        QVERIFY(doesNotFit.says(QStringLiteral("does not fit its tiles")));
        auto none = tests::smallReport();
        none.events.clear();
        none.runs.clear();
        none.patternPlaces.clear();
        Shown empty(std::move(none));
        QTRY_VERIFY(empty.says(QStringLiteral("no events")));
    }
};

TW_REGISTER_TEST(TstExecutionView);
#include "tst_execution_view.moc"
