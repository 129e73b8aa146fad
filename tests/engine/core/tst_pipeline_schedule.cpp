#include "engine/core/pipeline_schedule.h"
#include "engine/core/pipeline_time.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>
#include <set>
#include <tuple>
#include <vector>

using namespace tilewright;

/// The slots of a pipeline, played through one by one.
class TstPipelineSchedule : public QObject {
    Q_OBJECT
    static void everyPipeline()
    {
        QTest::addColumn<int>("schedule");
        QTest::addColumn<int>("stages");
        QTest::addColumn<bool>("training");
        for (auto schedule : {PipelineSchedule::Grouped, PipelineSchedule::Interleaved, PipelineSchedule::Sequential})
            for (int const stages : {2, 3, 4, 7})
                for (bool const training : {true, false})
                    QTest::addRow("%s, %d stages, %s", std::string(toText(schedule)).c_str(), stages, training ? "training" : "inference")
                        << static_cast<int>(schedule) << stages << training;
    }
    static PipelineSlots fetched()
    {
        QFETCH(int, schedule);
        QFETCH(int, stages);
        QFETCH(bool, training);
        return {static_cast<PipelineSchedule>(schedule), stages, training};
    }

private slots:
    void theEndIsThatOfTheTasks_data() { everyPipeline(); }
    void theEndIsThatOfTheTasks()
    {
        auto const slots_ = fetched();
        std::vector<StageTimes> times;
        for (int stage = 0; stage < slots_.stages; ++stage)
            times.push_back({1.0 + stage * 3 % 4, stage % 2 * 2.0, slots_.training ? 5.0 - stage % 3 : 0.0});
        if (!slots_.training)
            for (auto &time : times) time.recompute = 0;
        for (std::int64_t count = 1; slots_.training && count <= 40; ++count)
            for (double const exchange : {0.0, 0.5}) {
                auto const played = pipelineTimes(slots_, times, count, exchange);
                QCOMPARE(pipelineEnd(slots_, times, count, exchange), played.slotEnds.back());
                double busy = 0;
                for (auto const &time : times) busy += time.all() * static_cast<double>(count);
                QCOMPARE(played.busy, busy);
                QCOMPARE(std::ssize(played.slotEnds), slots_.slotCount(count));
                // Stages that share an IPU take turns, in no less time and with as much work.
                std::vector<int> ipus;
                for (int stage = 0; stage < slots_.stages; ++stage) ipus.push_back(stage % 2);
                auto const shared = pipelineTimes(slots_, times, count, exchange, ipus);
                QCOMPARE(pipelineEnd(slots_, times, count, exchange, ipus), shared.slotEnds.back());
                QVERIFY(shared.slotEnds.back() >= played.slotEnds.back());
                QCOMPARE(shared.busy, busy);
                std::map<int, double> reached;
                for (auto const &task : shared.tasks) {
                    auto &until = reached[task.stage % 2];
                    QVERIFY(task.start >= until);
                    until = task.end;
                }
            }
    }
    void words()
    {
        for (auto schedule : {PipelineSchedule::Grouped, PipelineSchedule::Interleaved, PipelineSchedule::Sequential})
            QVERIFY(pipelineScheduleOf(toText(schedule)) == schedule);
        for (auto pass : {StagePass::Forward, StagePass::Recompute, StagePass::Backward}) QVERIFY(stagePassOf(toText(pass)) == pass);
        QVERIFY(!pipelineScheduleOf("Grouped") && !stagePassOf(""));
    }
    /// The published tables: multiples, number of slots, and kept values.
    void figuresOfTheGuide()
    {
        using enum PipelineSchedule;
        QCOMPARE((PipelineSlots{Grouped, 4, true}.multiple()), 8);
        QCOMPARE((PipelineSlots{Grouped, 4, false}.multiple()), 4);
        QCOMPARE((PipelineSlots{Interleaved, 4, true}.multiple()), 4);
        QCOMPARE((PipelineSlots{Sequential, 4, true}.multiple()), 1);
        QCOMPARE((PipelineSlots{Grouped, 4, true}.slotCount(16)), 16 + 8 - 1);
        QCOMPARE((PipelineSlots{Interleaved, 4, true}.slotCount(16)), 2 * 16 + 2 * 4 - 2);
        QCOMPARE((PipelineSlots{Interleaved, 4, false}.slotCount(16)), 16 + 4 - 1);
        QCOMPARE((PipelineSlots{Sequential, 4, true}.slotCount(16)), 16 * 8);
        for (int s = 0; s < 4; ++s) {
            QCOMPARE((PipelineSlots{Grouped, 4, true}.stashDepth(s)), 2 * (3 - s));
            QCOMPARE((PipelineSlots{Interleaved, 4, true}.stashDepth(s)), 3 - s);
            QCOMPARE((PipelineSlots{Sequential, 4, true}.stashDepth(s)), 0);
        }
    }
    void everyTaskHasItsSlot_data() { everyPipeline(); }
    /// Each position of each micro-batch once, in order; ramps and steady intervals are all slots; the steady ones are alike.
    void everyTaskHasItsSlot()
    {
        auto const table = fetched();
        for (int const fills : {1, 2, 5}) {
            std::int64_t const count = table.multiple() * fills;
            QVERIFY(table.accepts(count));
            QCOMPARE(table.accepts(count + 1), table.multiple() == 1);
            QCOMPARE(table.rampSlots() * 2 + table.steadyIntervals(count) * table.interval(), table.slotCount(count));
            QVERIFY(table.steadyIntervals(count) >= 1);
            std::set<std::pair<int, std::int64_t>> seen; // position, micro-batch
            std::map<std::int64_t, std::set<int>> positions;
            for (std::int64_t slot = 0; slot < table.slotCount(count); ++slot)
                for (int position = 0; position < table.positions(); ++position) {
                    auto const number = table.microBatchAt(position, slot);
                    if (!number || *number < 0 || *number >= count) continue;
                    QVERIFY(seen.insert({position, *number}).second);
                    positions[slot].insert(position);
                    bool const back = position >= table.stages;
                    int const stage = back ? 2 * table.stages - 1 - position : position;
                    QCOMPARE(table.slotOf(stage, back, *number), slot);
                }
            QCOMPARE(static_cast<std::int64_t>(seen.size()), table.positions() * count);
            for (std::int64_t slot = table.rampSlots(); slot + table.rampSlots() < table.slotCount(count); ++slot)
                QVERIFY(positions[slot] == positions[table.rampSlots() + (slot - table.rampSlots()) % table.interval()]);
        }
    }
    void theStashReturnsTheMicroBatchOfTheBackwardPass_data() { everyPipeline(); }
    /// A ring of stashDepth places, advanced at the end of each slot in which the stage's forward task can have run.
    void theStashReturnsTheMicroBatchOfTheBackwardPass()
    {
        auto const table = fetched();
        if (!table.training) return;
        std::int64_t const count = table.multiple() * 3;
        for (int stage = 0; stage < table.stages; ++stage) {
            int const depth = table.stashDepth(stage), forward = table.positionOf(stage, false), backward = table.positionOf(stage, true);
            std::vector<std::int64_t> ring(static_cast<std::size_t>(depth), -1);
            std::size_t at = 0;
            std::int64_t fresh = -1, out = -1, met = 0;
            for (std::int64_t slot = 0; slot < table.slotCount(count); ++slot) {
                // The way back comes first in a slot.
                if (auto const wanted = table.microBatchAt(backward, slot); wanted && *wanted >= 0 && *wanted < count) {
                    QCOMPARE(depth > 0 ? out : fresh, *wanted);
                    ++met;
                }
                if (auto const made = table.microBatchAt(forward, slot); made && *made >= 0 && *made < count) fresh = *made;
                if (slot % table.interval() != forward % table.interval() || depth == 0) continue;
                out = ring[at];
                ring[at] = fresh;
                at = (at + 1) % ring.size();
            }
            QCOMPARE(met, count);
        }
    }
};

TW_REGISTER_TEST(TstPipelineSchedule);
#include "tst_pipeline_schedule.moc"
