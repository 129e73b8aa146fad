#include "engine/report/bubble_shares.h"
#include "engine/report/build_report_bubbles.h"
#include "engine/report/build_report_run.h"
#include "engine/report/check/check_tables.h"
#include "tests/engine/report/report_test_programs.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <array>
#include <map>
#include <numeric>

using namespace tilewright;
using namespace tilewright::report;
using namespace tilewright::testing;
using lowering::Phase;

namespace {

template <typename T> T const &at(std::vector<T> const &rows, std::int64_t i) { return rows[static_cast<std::size_t>(i)]; }

struct Made {
    Compiled compiled;
    ReportData data;
    int pattern = 0, run = 0;
};

Made makeRun(Compiled compiled, std::int64_t patterns)
{
    Made made{std::move(compiled), {}, 0, 0};
    auto facts = made.compiled.facts();
    facts.samplesPerPattern = 16;
    facts.stepsPerPattern = 2;
    made.data = buildCompileReport(facts);
    made.pattern = appendPattern(made.data, facts);
    RunFacts run;
    run.run.name = "run";
    run.run.state = "done";
    run.patterns = patterns;
    made.run = appendRun(made.data, facts, made.pattern, run);
    return made;
}

std::vector<std::int64_t> metric(Made const &made, std::string const &name)
{
    for (auto const &row : made.data.runTileMetrics)
        if (row.name == name) return made.data.tileVecs.values(row.vec);
    return {};
}

std::int64_t sum(std::vector<std::int64_t> const &v) { return std::accumulate(v.begin(), v.end(), std::int64_t{0}); }

double figure(ReportData const &data, std::string const &name)
{
    for (auto const &row : data.figures)
        if (row.name == name) return row.value;
    return -1;
}

} // namespace

class TstRunTables : public QObject {
    Q_OBJECT
private slots:
    void totalsOfTilesAreThoseOfEachPhaseWalkedThrough()
    {
        auto const made = makeRun(analyse("pod16:tiles=4,ipus=6", twoIpus("pod16:tiles=4,ipus=6", 3)), 5);
        auto const &c = made.compiled;
        // Event by event, tile by tile, for one replica.
        std::vector<std::int64_t> compute(8, 0), waited(8, 0), caused(8, 0), received(8, 0);
        for (auto const &event : lowering::timelineOf(c.schedule).events) {
            auto const &step = c.program.step(event.step);
            ByTile<Cycles> const *cycles = nullptr;
            if (event.phase == Phase::Compute) cycles = &c.schedule.computeSets[step.computeSet.index].byTile;
            if (event.phase == Phase::InternalExchange || event.phase == Phase::GlobalExchange)
                cycles = &c.schedule.exchanges[step.exchange.index].cycles;
            if (!cycles) continue;
            auto const ofTile = [&](int t) { return (*cycles)[static_cast<std::size_t>(t)]; };
            Cycles most = -1;
            int culprit = 0;
            for (int t = event.ipu * 4; t < event.ipu * 4 + 4; ++t)
                if (ofTile(t) > most) {
                    most = ofTile(t);
                    culprit = t;
                }
            for (int t = event.ipu * 4; t < event.ipu * 4 + 4; ++t) {
                auto const i = static_cast<std::size_t>(t);
                if (event.phase == Phase::Compute) compute[i] += ofTile(t);
                else received[i] += c.schedule.exchanges[step.exchange.index].received[i];
                waited[i] += most - ofTile(t);
                caused[static_cast<std::size_t>(culprit)] += most - ofTile(t);
            }
        }
        auto const expected = [](std::vector<std::int64_t> const &one) {
            std::vector<std::int64_t> all;
            for (int replica = 0; replica < 3; ++replica)
                for (auto const value : one) all.push_back(value * 5);
            return all;
        };
        QCOMPARE(metric(made, "compute"), expected(compute));
        QCOMPARE(metric(made, "waited"), expected(waited));
        QCOMPARE(metric(made, "caused_wait"), expected(caused));
        // Streams receive too: 40 x 32 x 4 bytes on the first IPU of each replica.
        QCOMPARE(sum(metric(made, "bytes_received")), (sum(received) + 40 * 32 * 4) * 5 * 3);
        QVERIFY(sum(caused) > 0);
    }

    void waitingIsChargedToSomeone()
    {
        auto const made = makeRun(mnistTraining("gc200:tiles=8"), 7);
        QVERIFY(sum(metric(made, "waited")) > 0);
        QCOMPARE(sum(metric(made, "waited")), sum(metric(made, "caused_wait")));
        // Compute phases leave each tile so many cycles: worked plus waited in them.
        QCOMPARE(sum(metric(made, "compute")), made.data.ipuSplits[0].tileCycles);
    }

    void runsAreExactMultiplesOfThePattern()
    {
        auto const one = makeRun(mnistTraining("gc200:tiles=8", 4), 1);
        auto const many = makeRun(mnistTraining("gc200:tiles=8", 4), 1000000000);
        QCOMPARE(many.data.runs[0].cycles, one.data.runs[0].cycles * 1000000000);
        QCOMPARE(many.data.runs[0].steps, std::int64_t{2000000000});
        QCOMPARE(many.data.runs[0].samples, std::int64_t{16000000000});
        QCOMPARE(many.data.stepStats.size(), one.data.stepStats.size());
        for (std::size_t i = 0; i < one.data.stepStats.size(); ++i) {
            QCOMPARE(many.data.stepStats[i].cycles, one.data.stepStats[i].cycles * 1000000000);
            QCOMPARE(many.data.stepStats[i].cyclesMax, one.data.stepStats[i].cyclesMax);
        }
        QVERIFY(many.data.events == one.data.events);
        QCOMPARE(many.data.patternPlaces.size(), std::size_t{1});
    }

    void aRunWithoutAStepIsEmpty()
    {
        auto const made = makeRun(analyse("gc200:tiles=8", productLoop("gc200:tiles=8")), 0);
        QCOMPARE(made.data.runs[0].cycles, Cycles{0});
        QVERIFY(made.data.patternPlaces.empty());
        for (auto const &violation : report::checkTables(made.data)) QFAIL(violation.what.c_str());
    }

    void executionsAreTheUnrolledCounts()
    {
        // The outermost loop is the pattern; what a step does inside it counts once a pattern.
        auto const made = makeRun(analyse("gc200:tiles=8", productLoop("gc200:tiles=8", 9)), 9);
        for (auto const &stat : made.data.stepStats) QCOMPARE(stat.executions, std::int64_t{9});
        int executed = 0;
        for (auto const &stat : made.data.stepStats) executed += at(made.data.programs, stat.program).kind == "execute";
        QCOMPARE(executed, 4);
    }

    void theCriticalPathFillsThePatternAndNamesTheSlowest()
    {
        auto const made = makeRun(analyse("gc200:tiles=4,ipus=2", twoIpus("gc200:tiles=4,ipus=2", 1)), 1);
        auto const &path = made.data.criticals;
        QVERIFY(!path.empty());
        QCOMPARE(path.front().startCycle, Cycles{0});
        QCOMPARE(path.back().endCycle, made.compiled.schedule.patternCycles);
        bool elsewhere = false;
        for (auto const &step : path) {
            auto const &type = at(made.data.eventTypes, step.eventType);
            elsewhere = elsewhere || at(made.data.lanes, step.lane).ipu == 1;
            if (type.phase != "compute") continue;
            auto const &cycles =
                made.data.tileVecs.values(at(made.data.computeSets, at(made.data.programs, type.program).computeSet).cyclesVec);
            QCOMPARE(at(cycles, step.culpritTile), step.endCycle - step.startCycle);
        }
        QVERIFY(elsewhere);
    }

    void flowsAndLinksShowWhatGoesBetweenIpus()
    {
        auto const made = makeRun(analyse("pod16:tiles=4,ipus=6", twoIpus("pod16:tiles=4,ipus=6", 3)), 1);
        std::map<std::string, int> kinds;
        for (auto const &flow : made.data.flows) {
            ++kinds[flow.kind];
            if (flow.kind != "activation") continue;
            QCOMPARE(flow.bytes, Bytes{2 * 40 * 32 * 4}); // two copies
            QCOMPARE(at(made.data.lanes, flow.fromLane).ipu + 1, at(made.data.lanes, flow.toLane).ipu);
        }
        QCOMPARE(kinds["activation"], 3);
        QCOMPARE(kinds["collective"], 3); // IPU 0 to 2, 2 to 4, 4 back to 0
        QCOMPARE(kinds["stream"], 6);
        // The copy takes the rung of each pair; the ring the rails, the way back both of them.
        std::map<std::pair<int, int>, Bytes> onLink;
        for (auto const &lane : made.data.events) {
            auto const &row = at(made.data.lanes, lane.lane);
            if (row.kind != "link") continue;
            auto const &link = at(made.data.links, row.link);
            for (auto const bytes : lane.events.argument) onLink[{link.ipuA, link.ipuB}] += bytes;
        }
        QCOMPARE(onLink.size(), std::size_t{5});
        auto const &gather = made.compiled.schedule.exchanges[made.compiled.schedule.exchanges.size() - 1];
        QCOMPARE(gather.ipuFlows.size(), std::size_t{3});
        std::array<Bytes, 3> ring{}; // by replica; the last chunk of a block is a little shorter
        for (auto const &flow : gather.ipuFlows) ring[static_cast<std::size_t>(flow.replica)] = flow.bytes;
        QVERIFY(ring[0] > 0 && ring[1] > 0 && ring[2] > 0);
        QCOMPARE((onLink[{0, 1}]), Bytes{2 * 40 * 32 * 4});
        QCOMPARE((onLink[{0, 2}]), ring[0] + ring[2]);
        QCOMPARE((onLink[{2, 4}]), ring[1] + ring[2]);
        QCOMPARE(onLink.count({1, 3}), std::size_t{0});
    }

    void equalStagesWaitAsTheoryHasIt()
    {
        auto const made = makeRun(analyse("pod4:tiles=4", pipeline("pod4:tiles=4", 4, 12)), 1);
        QCOMPARE(figure(made.data, "bubble_share_theory"), 3.0 / 15.0);
        QCOMPARE(figure(made.data, "bubble_share"), 3.0 / 15.0);
        Cycles up = 0, down = 0;
        for (auto const &bubble : made.data.bubbles) {
            QVERIFY(bubble.cause == "ramp_up" || bubble.cause == "ramp_down");
            (bubble.cause == "ramp_up" ? up : down) += bubble.endCycle - bubble.startCycle;
        }
        QCOMPARE(up, down);
        Cycles const slot = made.compiled.schedule.patternCycles / 15;
        QCOMPARE(up, slot * (1 + 2 + 3));
        for (auto const &task : made.data.stageTasks) QCOMPARE(task.slack, Cycles{0});
    }

    void fasterStagesWaitForTheSlowest()
    {
        auto const made = makeRun(analyse("pod4:tiles=4", pipeline("pod4:tiles=4", 3, 5, 3)), 1);
        Cycles imbalance = 0;
        for (auto const &bubble : made.data.bubbles) {
            if (bubble.cause != "imbalance") continue;
            imbalance += bubble.endCycle - bubble.startCycle;
            QCOMPARE(bubble.waitingFor, 0);
        }
        QVERIFY(imbalance > 0);
        // Slack of a task is what its slot leaves it.
        Cycles slack = 0;
        for (auto const &task : made.data.stageTasks) {
            if (task.stage == 0) QCOMPARE(task.slack, Cycles{0});
            slack += task.slack;
        }
        QCOMPARE(slack, imbalance);
        // The figure of the compile and the tables of the run say one number.
        auto const shares = bubbleShares(made.data.stageTasks, made.data.bubbles);
        QCOMPARE(figure(made.data, "bubble_share"), shares.all);
        QCOMPARE(figure(made.data, "bubble_share_theory"), shares.theory);
        double causes = 0;
        for (auto const &[cause, share] : shares.byCause) causes += share;
        QCOMPARE(causes, shares.all);
    }

    void bubblesAreToldApartByWhatTheIpuDoesInThem()
    {
        lowering::Timeline timeline;
        // One slot: IPU 0 works 10 to 50; IPU 1 10 to 20, exchanges 20 to 25, streams 30 to 32, waits.
        timeline.patternCycles = 70;
        timeline.tasks = {{0, 0, 0, 0, StagePass::Forward, 10, 50}, {1, 0, 1, 0, StagePass::Forward, 10, 20}};
        timeline.events = {{0, Phase::Stream, program::StepId(0), 0, 4},
                           {1, Phase::GlobalExchange, program::StepId(0), 20, 5},
                           {1, Phase::Stream, program::StepId(0), 30, 2}};
        auto const spans = findBubbles(timeline, 2);
        std::vector<BubbleSpan> const expected{{0, 0, 4, "host", -1},    {0, 4, 10, "update", -1},    {0, 50, 70, "update", -1},
                                               {1, 0, 10, "update", -1}, {1, 20, 25, "transfer", -1}, {1, 25, 30, "imbalance", 0},
                                               {1, 30, 32, "host", -1},  {1, 32, 50, "imbalance", 0}, {1, 50, 70, "update", -1}};
        QCOMPARE(spans.size(), expected.size());
        for (std::size_t i = 0; i < spans.size(); ++i) QVERIFY2(spans[i] == expected[i], std::to_string(i).c_str());
    }

    /// A stage that has nothing to do on the way back has its task all the same: what is before it ends there.
    void aTaskWithoutCyclesPartsBubbles()
    {
        lowering::Timeline timeline;
        timeline.patternCycles = 40;
        timeline.tasks = {{0, 0, 0, 0, StagePass::Forward, 0, 10},
                          {1, 1, 1, 0, StagePass::Forward, 12, 20},
                          {1, 2, 1, 0, StagePass::Backward, 22, 22},
                          {0, 3, 0, 0, StagePass::Backward, 24, 40}};
        timeline.events = {{1, Phase::GlobalExchange, program::StepId(0), 20, 2}, {1, Phase::GlobalExchange, program::StepId(0), 22, 2}};
        bool parted = false;
        for (auto const &span : findBubbles(timeline, 2)) {
            QVERIFY(span.ipu != 1 || span.end <= 22 || span.start >= 22);
            parted = parted || (span.ipu == 1 && span.start == 22 && span.cause == "transfer");
        }
        QVERIFY(parted);
    }

    void aPlaceWithoutTaskIsARamp()
    {
        // Forward and backward share slots: IPU 0 has in slot 0 a forward only, in slot 1 no forward any more.
        lowering::Timeline timeline;
        timeline.patternCycles = 40;
        timeline.tasks = {{0, 0, 0, 0, StagePass::Forward, 0, 10},   {1, 0, 1, 0, StagePass::Forward, 0, 10},
                          {1, 0, 1, 0, StagePass::Backward, 10, 20}, {0, 1, 0, 0, StagePass::Backward, 20, 24},
                          {1, 1, 1, 1, StagePass::Forward, 20, 30},  {1, 1, 1, 1, StagePass::Backward, 30, 32}};
        auto const spans = findBubbles(timeline, 2);
        std::vector<BubbleSpan> const expected{
            {0, 10, 20, "ramp_up", 1}, {0, 24, 32, "ramp_down", 1}, {0, 32, 40, "update", -1}, {1, 32, 40, "update", -1}};
        QCOMPARE(spans.size(), expected.size());
        for (std::size_t i = 0; i < spans.size(); ++i) QVERIFY2(spans[i] == expected[i], std::to_string(i).c_str());
    }

    void bubblesAreOfTheBatch()
    {
        std::vector<StageTaskRow> const tasks{{0, 0, 0, 0, 0, 0, "forward", 10, 20, 0}, {0, 1, 0, 1, 1, 0, "forward", 20, 40, 0}};
        std::vector<BubbleRow> const bubbles{{0, 0, 0, 10, "update", kNone},  {0, 0, 20, 40, "ramp_down", 1},
                                             {0, 0, 40, 50, "update", kNone}, {0, 1, 0, 10, "host", kNone},
                                             {0, 1, 10, 20, "ramp_up", 0},    {0, 1, 40, 50, "update", kNone}};
        auto const shares = bubbleShares(tasks, bubbles);
        QCOMPARE(shares.all, 0.5);
        QCOMPARE(shares.ramps(), 0.5);
        QCOMPARE(shares.share("host"), 0.0); // before the first task
        QCOMPARE(shares.outside, 0.4);
        QCOMPARE(shares.theory, 0.5);
        QCOMPARE(shares.cycles, Cycles{30});
    }
};

TW_REGISTER_TEST(TstRunTables);
#include "tst_run_tables.moc"
