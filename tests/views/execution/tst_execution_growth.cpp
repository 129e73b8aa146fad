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

/// Reports that grow or lack something: live runs, and types of events that no table names.
class TstExecutionGrowth : public QObject {
    Q_OBJECT
private slots:
    void initTestCase()
    {
        initResources();
        QLocale::setDefault(QLocale::c());
    }

    /// The events of a growing report are read after its tables, and may have types that those lack.
    void eventsOfTypesThatTheTablesLackAreDrawnWithoutAName_data()
    {
        QTest::addColumn<int>("beyond");
        QTest::newRow("the next") << 0; // the bars of the flame have types behind those of the report
        QTest::newRow("the one after") << 1;
        QTest::newRow("far away") << (1 << 20);
    }
    void eventsOfTypesThatTheTablesLackAreDrawnWithoutAName()
    {
        QFETCH(int, beyond);
        auto data = tests::smallReport();
        data.ops.resize(1);
        data.ops[0] = {.level = "keras", .name = "dense", .kind = "Dense", .pass = "forward"};
        data.programs[2].op = 0;
        int const epoch = static_cast<int>(data.eventTypes.size()), unknown = epoch + 1 + beyond;
        data.eventTypes.push_back({"Epoch", "host", report::kNone, report::kNone, report::kNone});
        data.lanes.push_back({report::kNone, "Run", "host_thread", "ns", report::kNone, report::kNone, report::kNone, 0});
        report::LaneEvents host{0, 2, {}};
        host.events.add(0, 500, epoch, 3);
        host.events.add(500, 100, unknown, 4);
        data.events.push_back(host);
        data.events[0].events.add(800, 10, unknown, 0, report::kNone);
        auto const blocks = blocksOf(std::move(data));
        auto const lanes = hostLanes(blocks);
        QCOMPARE(lanes.set.lanes.size(), std::size_t(1));
        QCOMPARE(lanes.set.labelOf(0, 0), QStringLiteral("Epoch 3"));
        QCOMPARE(lanes.set.labelOf(0, 1), QString());
        auto const keys = styleKeys(lanes.set);
        QCOMPARE(keys.size(), qsizetype(1));
        QCOMPARE(keys[0].label, QStringLiteral("Epoch"));
        QString const headline = hostHeadline(lanes);
        QVERIFY2(headline.contains(QStringLiteral("Epoch 83")) && headline.count(QStringLiteral(" · ")) == 1, qPrintable(headline));
        Shown s(blocks->report->data());
        s.setMode(Flame); // the schedule's own bars keep their names
        QCOMPARE(s.lanes().lanes().labelOf(0, 0), nestedName(*blocks, blocks->nested.front()));
    }
    /// Of a run that goes on only the host's lanes are made again; what they have is what a report read at once has.
    void aReportThatGrewIsWhatItIsReadAtOnce()
    {
        auto data = tests::smallReport();
        data.ops.resize(1);
        data.ops[0] = {.level = "keras", .name = "dense", .kind = "Dense", .pass = "forward"};
        data.programs[2].op = 0;
        data.lanes.push_back({report::kNone, "Run thread", "host_thread", "ns", report::kNone, report::kNone, report::kNone, 0});
        int const epoch = static_cast<int>(data.eventTypes.size());
        data.eventTypes.push_back({"Epoch", "host", report::kNone, report::kNone, report::kNone});
        report::LaneEvents host{0, 2, {}};
        host.events.add(0, 500, epoch, 1);
        data.events.push_back(host);
        auto const before = blocksOf(data);
        data.events.back().events.add(500, 400, epoch, 2);
        data.runs[0].steps = 51;
        auto grown = *growBlocks(before, ReportSnapshot::ofData(data, QStringLiteral("small")), {});
        QCOMPARE(grown->lanes.at({0, 0}), before->lanes.at({0, 0}));
        QCOMPARE(grown->report->data().runs[0].steps, std::int64_t(51));
        QCOMPARE(hostLanes(grown).set.labelOf(0, 1), QStringLiteral("Epoch 2"));
        // A type more: all is made again, and has its name.
        data.eventTypes.push_back({"Validation", "host", report::kNone, report::kNone, report::kNone});
        data.events.back().events.add(900, 50, epoch + 1, 2);
        grown = *growBlocks(before, ReportSnapshot::ofData(data, QStringLiteral("small")), {});
        QCOMPARE(hostLanes(grown).set.labelOf(0, 2), QStringLiteral("Validation 2"));
        QVERIFY(before->styles.size() > static_cast<std::size_t>(before->firstNested()));
        QCOMPARE(grown->styles[static_cast<std::size_t>(grown->firstNested())].name,
                 before->styles[static_cast<std::size_t>(before->firstNested())].name);
    }
    void aRunThatGoesOnIsSaidTo()
    {
        auto data = tests::smallReport();
        data.runs[0].state = "running";
        Shown s(data);
        auto const choices = s.view->findChildren<QComboBox *>();
        QVERIFY(
            std::ranges::any_of(choices, [](QComboBox *box) { return box->itemText(0).contains(QStringLiteral("50 step(s) so far")); }));
    }

    /// Also while somebody looks at an event: lanes grow with the axis, and the event stays picked.
    void lanesGrowWithTheAxisWhileAnEventIsPicked()
    {
        Session session;
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        for (auto const &[field, value] :
             {std::pair("system.target", "gc200:tiles=8"), std::pair("data.limit", "320"), std::pair("training.epochs", "100000")})
            QVERIFY(document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok());
        std::unique_ptr<View> const view{executionView().create(session, nullptr)};
        view->resize(1000, 700);
        view->show();
        session.runs().train(RunMode::Fused);
        auto &lanes = *view->findChild<LanesWidget *>(QStringLiteral("executionLanes"));
        auto const end = [&] {
            auto const &all = lanes.lanes().lanes;
            return all.empty() || !all.front().events ? std::int64_t{0} : all.front().events->extent().end;
        };
        QTRY_VERIFY_WITH_TIMEOUT(end() > 0 && session.runs().live().step > 10, 60000);
        // The axis ends with a step, the lanes with its last event.
        auto const behind = [&] { return lanes.window().extent().end - end(); };
        auto const rest = behind();
        lanes.setCurrent({0, 1}, false);
        emit lanes.eventPicked(0, 1);
        auto const *panel = view->findChild<ExecutionPanel *>();
        QString const title = panel->facts().title;
        auto const before = lanes.window().extent().end;
        QTRY_VERIFY_WITH_TIMEOUT(lanes.window().extent().end > before, 20000);
        session.runs().pause();
        QTRY_VERIFY(session.runs().isPaused());
        QTRY_COMPARE(behind(), rest);
        QCOMPARE(panel->facts().title, title);
        QCOMPARE(lanes.current(), (LanesWidget::Picked{0, 1}));
        session.runs().stopAfterStep();
        QTRY_COMPARE_WITH_TIMEOUT(session.runs().state(), RunState::Idle, 30000);
    }

    void aLiveRunUnrollsTheScheduleOfAStep()
    {
        auto const report = ReportSnapshot::ofData(tests::smallReport(), QStringLiteral("small"));
        auto const run = livePlaces(*report, 12345);
        QVERIFY(run.live);
        QCOMPARE(run.places.front().repeats, std::int64_t(13));
        QCOMPARE(run.extent, (TimeSpan{0, 13000}));
        QCOMPARE(run.inPattern(12345), std::int64_t(345));
    }
};

TW_REGISTER_TEST(TstExecutionGrowth);
#include "tst_execution_growth.moc"
