#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"

#include "views/config/schedule_preview.h"
#include "views/config/schedule_widget.h"

#include "engine/model/stages.h"

#include <QtTest>

#include <map>
#include <set>

using namespace tilewright;
using namespace tilewright::views;

namespace {

/// Stages of these multiply-adds: a backward counts twice a forward.
std::vector<model::StageCost> costing(std::vector<double> const &forward)
{
    std::vector<model::StageCost> stages;
    for (double const each : forward) {
        model::StageCost stage;
        stage.times = {each, 0, 2 * each};
        stages.push_back(stage);
    }
    return stages;
}

} // namespace

class TstSchedulePreview : public QObject {
    Q_OBJECT
private slots:
    void countsAreThoseOfTheCompiler_data()
    {
        QTest::addColumn<int>("stages");
        QTest::addColumn<int>("fills");
        for (int const stages : {1, 2, 3, 4, 8, 16})
            for (int const fills : {1, 2, 7}) QTest::addRow("%d stages, %d fills", stages, fills) << stages << fills;
    }
    void countsAreThoseOfTheCompiler()
    {
        QFETCH(int, stages);
        QFETCH(int, fills);
        PipelineSlots const table{PipelineSchedule::Grouped, stages, true};
        auto const multiple = model::pipelineDepthMultiple("grouped", stages, true);
        std::int64_t const count = multiple * fills;
        auto const preview = previewSchedule("grouped", costing(std::vector<double>(static_cast<std::size_t>(stages), 1.0)), count);
        QCOMPARE(preview.multiple, multiple);
        QVERIFY(preview.allowed);
        QVERIFY(table.accepts(count));
        QCOMPARE(preview.steps, table.slotCount(count));
        QCOMPARE(preview.rampUpSteps, static_cast<std::int64_t>(table.positions() - 1));
        QCOMPARE(preview.steadySteps, count - (table.positions() - 1));
        // Waiting micro-batches in the stash, and the one at work.
        for (int stage = 0; stage < stages; ++stage) QCOMPARE(preview.copies[static_cast<std::size_t>(stage)], table.stashDepth(stage) + 1);
    }
    void followsTheRuleInRefusals()
    {
        for (char const *schedule : {"grouped", "interleaved", "sequential"})
            for (std::int64_t count = 1; count <= 20; ++count) {
                auto const preview = previewSchedule(schedule, costing({1, 1, 1}), count);
                QCOMPARE(preview.allowed, count % model::pipelineDepthMultiple(schedule, 3, true) == 0);
            }
    }
    void everyTaskRunsOnceInOrder_data()
    {
        QTest::addColumn<QString>("schedule");
        for (char const *schedule : {"grouped", "interleaved", "sequential"}) QTest::newRow(schedule) << QString::fromLatin1(schedule);
    }
    void everyTaskRunsOnceInOrder()
    {
        QFETCH(QString, schedule);
        int const stages = 4;
        auto const preview = previewSchedule(schedule.toStdString(), costing({1, 3, 2, 1}), 8);
        QCOMPARE(preview.tasks.size(), static_cast<std::size_t>(2 * stages * 8));
        std::map<std::tuple<int, std::int64_t, StagePass>, StageTask> found;
        for (auto const &task : preview.tasks) QVERIFY(found.try_emplace({task.stage, task.microBatch, task.pass}, task).second);
        for (std::int64_t batch = 0; batch < 8; ++batch)
            for (int stage = 0; stage < stages; ++stage) {
                auto const &forward = found.at({stage, batch, StagePass::Forward}),
                           &backward = found.at({stage, batch, StagePass::Backward});
                QVERIFY(forward.end <= backward.start);
                if (stage + 1 < stages) {
                    QVERIFY(forward.end <= found.at({stage + 1, batch, StagePass::Forward}).start);
                    QVERIFY(found.at({stage + 1, batch, StagePass::Backward}).end <= backward.start);
                }
            }
        // A stage does one thing at a time.
        for (int stage = 0; stage < stages; ++stage) {
            std::map<double, double> spans;
            for (auto const &task : preview.tasks)
                if (task.stage == stage) spans[task.start] = task.end;
            double reached = 0;
            for (auto const &[start, end] : spans) {
                QVERIFY(start >= reached - 1e-9);
                reached = end;
            }
        }
    }
    void bubblesOfEqualStagesAreThoseOfTheTheory()
    {
        // As checked of compiled reports: interleaved (S-1)/(M+S-1), sequential 1 - 1/S.
        for (int const stages : {2, 4, 8})
            for (std::int64_t const count : {8, 16, 64}) {
                std::vector<double> const equal(static_cast<std::size_t>(stages), 5.0);
                double const s = stages, m = static_cast<double>(count);
                QVERIFY(std::abs(previewSchedule("sequential", costing(equal), count).bubbleShare - (1 - 1 / s)) < 1e-9);
                auto const interleaved = previewSchedule("interleaved", costing(equal), count).bubbleShare;
                // A backward counts twice a forward: in the ramps the steps are shorter than a whole period.
                QVERIFY(interleaved > 0.5 * (s - 1) / (m + s - 1) && interleaved < 1);
            }
        auto const few = previewSchedule("grouped", costing({1, 1}), 4).bubbleShare,
                   many = previewSchedule("grouped", costing({1, 1}), 400).bubbleShare;
        QVERIFY(few > many && many < 0.02);
    }
    void foldedMicroBatchesGiveTheSameShareAsAllOfThem()
    {
        // 4 stages are drawn up to 18 micro-batches: 18 in full, 19 folded.
        auto const whole = previewSchedule("grouped", costing({1, 2, 3, 4}), 18),
                   folded = previewSchedule("grouped", costing({1, 2, 3, 4}), 19);
        QCOMPARE(whole.shown, 18);
        QCOMPARE(folded.shown, 18);
        QVERIFY(folded.bubbleShare < whole.bubbleShare);
        // Steady steps of the slowest stage: 12 units for 30 of work on 4 stages.
        double const total = whole.end + 12, busy = whole.end * 4 * (1 - whole.bubbleShare) + 30;
        QVERIFY(std::abs(folded.bubbleShare - (1 - busy / (4 * total))) < 1e-9);
    }
    void cyclesAreDrawnAsTheyAre()
    {
        auto stages = costing({10, 0, 20});
        stages[0].on = 3;
        model::CutCosts costs;
        costs.unit = model::CostUnit::Cycles;
        costs.links = {{1.0, {0, 1}, {0, 1}}};
        auto const preview = previewSchedule("grouped", stages, 6, costs);
        for (auto const &task : preview.tasks)
            QCOMPARE(task.end - task.start,
                     (task.stage == 0       ? 10.0
                          : task.stage == 1 ? 0.0
                                            : 20.0)
                         * (task.pass == StagePass::Forward ? 1 : 2));
        // Transfers between stages are between the slots.
        PipelineSlots const slots_{PipelineSchedule::Grouped, 3, true};
        QCOMPARE(preview.end, pipelineEnd(slots_, model::timesOf(stages), 6, 3));
        QVERIFY(scheduleText(preview).contains(QLatin1String("cycles of the compiler")));
        QVERIFY(scheduleText(previewSchedule("grouped", stages, 6)).contains(QLatin1String("estimated from multiply-adds")));
    }
    void sixtyFourStagesAreQuick()
    {
        tests::SpentTime const spent;
        auto const preview = previewSchedule("grouped", costing(std::vector<double>(64, 1.0)), 256);
        QVERIFY2(spent.below(200), spent.text().c_str());
        QCOMPARE(preview.steps, std::int64_t{256 + 127});
    }
    void tasksAreFoundWhereTheyAreDrawn()
    {
        auto const preview = previewSchedule("grouped", costing({1, 2, 1}), 6);
        auto const place = placeSchedule(preview, {600, 200}, 60, 20);
        for (std::size_t i = 0; i < preview.tasks.size(); ++i)
            QCOMPARE(taskAt(preview, place, place.rectOf(preview.tasks[i]).center()), static_cast<int>(i));
        QCOMPARE(taskAt(preview, place, {5, 5}), -1);
    }
};

TW_REGISTER_TEST(TstSchedulePreview);
#include "tst_schedule_preview.moc"
