#include "app/view_list.h"
#include "tests/support/test_registry.h"
#include "views/document/document.h"
#include "views/liveness/liveness_widget.h"
#include "views/memory/memory_widget.h"
#include "views/memory/step_bar.h"
#include "views/reports/report_snapshot.h"
#include "views/runcontrol/run_controller.h"
#include "views/session/playhead.h"
#include "views/session/selection.h"
#include "views/tiles/column_chart.h"
#include "views/time/lanes_widget.h"
#include "views/time/time_pane.h"

#include <QLabel>
#include <QtTest>

#include <memory>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// Liveness, Memory, Program and Execution beside each other.
struct ShownTogether {
    Session session;
    std::unique_ptr<LivenessWidget> liveness;
    std::unique_ptr<MemoryWidget> memory;
    std::unique_ptr<View> program, execution;

    ShownTogether()
    {
        liveness = std::make_unique<LivenessWidget>(session, nullptr);
        memory = std::make_unique<MemoryWidget>(session, nullptr);
        for (auto const &descriptor : app::viewList()) {
            if (QLatin1String(descriptor.id) == QLatin1String("program")) program.reset(descriptor.create(session, nullptr));
            if (QLatin1String(descriptor.id) == QLatin1String("execution")) execution.reset(descriptor.create(session, nullptr));
        }
        for (View *view : all()) {
            view->resize(1000, 700);
            view->show();
        }
    }
    std::vector<View *> all() const { return {liveness.get(), memory.get(), program.get(), execution.get()}; }
    void open(char const *epochs)
    {
        auto &document = session.document();
        QVERIFY(document.openTemplate(QStringLiteral("mnist-mlp")).ok());
        for (auto const &[field, value] :
             {std::pair("system.target", "gc200:tiles=8"), std::pair("data.limit", "64"), std::pair("model.layers.dense.units", "32"),
              std::pair("model.layers.dense_1.units", "16"), std::pair("training.epochs", epochs)})
            QVERIFY(document.setField(QString::fromLatin1(field), QString::fromLatin1(value)).ok());
    }
    void compile()
    {
        open("1");
        session.runs().compile();
        QTRY_VERIFY_WITH_TIMEOUT(!session.runs().isActive() && session.report() && session.report()->isWhole(), 60000);
        settle();
    }
    void settle()
    {
        for (int i = 0; i < 3; ++i) {
            QCoreApplication::processEvents();
            for (View *view : all()) QTRY_VERIFY_WITH_TIMEOUT(view->isSettled(), 20000);
        }
    }
    int memoryStep() const { return memory->findChild<StepBar *>()->step(); }
    TimeWindow &time() const { return execution->findChild<TimePane *>()->window(); }
    static bool says(View const &view, QString const &text)
    {
        for (auto const *label : view.findChildren<QLabel *>())
            if (label->isVisibleTo(&view) && label->text().contains(text)) return true;
        return false;
    }
};

} // namespace

/// One moment for all views.
class TstPlayhead : public QObject {
    Q_OBJECT
private slots:
    void aStepChosenInOneViewIsShownByAll()
    {
        ShownTogether bench;
        bench.compile();
        auto const report = bench.session.report();
        auto const &steps = report->data().livenessSteps;
        QVERIFY(steps.size() > 4);
        QCOMPARE(bench.liveness->step(), bench.memoryStep()); // both begin at the peak
        QVERIFY(!bench.session.playhead().moment().isSet());

        // In Liveness, by keyboard.
        auto *chart = bench.liveness->findChild<ColumnChart *>();
        QTest::keyClick(chart, Qt::Key_Home);
        QTest::keyClick(chart, Qt::Key_Right);
        bench.settle();
        QCOMPARE(bench.liveness->step(), 1);
        QCOMPARE(bench.memoryStep(), 1);
        QCOMPARE(bench.session.playhead().moment().program, steps[1].program);

        // In Memory, by its step bar.
        emit bench.memory->findChild<StepBar *>()->stepChanged(3);
        bench.settle();
        QCOMPARE(bench.liveness->step(), 3);

        // In Execution: an event of a program step that has a liveness step.
        auto *lanes = bench.execution->findChild<LanesWidget *>();
        int lane = -1;
        std::int64_t event = -1;
        for (int l = 0; l < static_cast<int>(lanes->lanes().lanes.size()) && lane < 0; ++l) {
            auto const &events = lanes->lanes().lanes[static_cast<std::size_t>(l)].events;
            for (std::int64_t e = 0; events && e < events->size() && lane < 0; ++e) {
                int const type = events->type(e);
                if (type < 0 || type >= static_cast<int>(report->data().eventTypes.size())) continue;
                int const program = report->data().eventTypes[static_cast<std::size_t>(type)].program;
                auto const own = report->stepsOf(program);
                if (program >= 0 && !own.empty() && own.front() != 3) {
                    lane = l;
                    event = e;
                }
            }
        }
        QVERIFY(lane >= 0);
        auto const picked = lanes->lanes().lanes[static_cast<std::size_t>(lane)].events;
        int const program = report->data().eventTypes[static_cast<std::size_t>(picked->type(event))].program;
        emit lanes->eventPicked(lane, event);
        bench.settle();
        auto const moment = bench.session.playhead().moment();
        QCOMPARE(moment.program, program);
        QCOMPARE(moment.cycle, picked->span(event).begin);
        QCOMPARE(bench.time().playhead(), std::optional(picked->span(event).begin));
        QCOMPARE(bench.liveness->step(), report->stepsOf(program).front());
        QCOMPARE(bench.memoryStep(), bench.liveness->step());

        // Back and forward lead through the moments.
        bench.session.selection().back();
        bench.settle();
        QCOMPARE(bench.liveness->step(), 3);
        QCOMPARE(bench.memoryStep(), 3);
        QVERIFY(bench.time().playhead()); // of the program of that step
        bench.session.selection().forward();
        bench.settle();
        QCOMPARE(bench.session.playhead().moment(), moment);
    }

    void aViewSaysThatItCannotShowTheMoment()
    {
        ShownTogether bench;
        bench.compile();
        auto const report = bench.session.report();
        int barrier = -1;
        for (int p = 0; p < static_cast<int>(report->data().programs.size()) && barrier < 0; ++p)
            if (!report::isControlKind(report->data().programs[static_cast<std::size_t>(p)].kind) && report->stepsOf(p).empty())
                barrier = p;
        QVERIFY(barrier >= 0);
        bench.session.selection().selectIds(SelectionKind::LivenessStep, {2});
        bench.settle();
        bench.session.selection().selectIds(SelectionKind::Program, {barrier});
        bench.settle();
        QCOMPARE(bench.liveness->step(), 2); // stays
        QVERIFY(ShownTogether::says(*bench.liveness, QStringLiteral("no liveness step")));
        QVERIFY(ShownTogether::says(*bench.memory, QStringLiteral("no liveness step")));
        bench.session.selection().selectIds(SelectionKind::LivenessStep, {1});
        bench.settle();
        QVERIFY(!ShownTogether::says(*bench.liveness, QStringLiteral("no liveness step")));
        QVERIFY(!ShownTogether::says(*bench.memory, QStringLiteral("no liveness step")));
    }

    void aPausedRunMovesThePlayheadOfAllViews()
    {
        ShownTogether bench;
        bench.open("5000");
        auto &session = bench.session;
        auto &runs = session.runs();
        runs.train(RunMode::Tile);
        QTRY_COMPARE_WITH_TIMEOUT(runs.state(), RunState::Running, 60000);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() && session.report()->isWhole(), 60000);
        runs.pause();
        QTRY_VERIFY_WITH_TIMEOUT(runs.isPaused(), 20000);
        for (int i = 0; i < 4; ++i) {
            auto const before = runs.tileValues().superstep;
            runs.superstep();
            QTRY_VERIFY_WITH_TIMEOUT(runs.isPaused() && runs.tileValues().superstep > before, 20000);
        }
        QTRY_VERIFY(session.playhead().standing() >= 0);
        bench.settle();
        auto const moment = session.playhead().moment();
        QCOMPARE(moment.run, kLiveRun);
        QCOMPARE(moment.program, session.playhead().standing());
        if (moment.livenessStep >= 0) {
            QCOMPARE(bench.liveness->step(), moment.livenessStep);
            QCOMPARE(bench.memoryStep(), moment.livenessStep);
        }
        // A user looks at another step; the next superstep leads back to the run.
        session.selection().selectIds(SelectionKind::LivenessStep, {1});
        bench.settle();
        QCOMPARE(bench.memoryStep(), 1);
        QVERIFY(!session.playhead().isFollowing());
        auto const before = runs.tileValues().superstep;
        runs.superstep();
        QTRY_VERIFY_WITH_TIMEOUT(runs.isPaused() && runs.tileValues().superstep > before, 20000);
        QTRY_COMPARE(session.playhead().moment().program, session.playhead().standing());
        QVERIFY(session.playhead().isFollowing());
        runs.stopAfterStep();
        QTRY_VERIFY_WITH_TIMEOUT(!runs.isActive(), 20000);
    }
};

TW_REGISTER_TEST(TstPlayhead);

#include "tst_playhead.moc"
