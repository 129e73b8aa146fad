#include "engine/report/build_report_run.h"
#include "engine/report/quantities.h"
#include "tests/engine/report/report_test_programs.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::report;

namespace {

/// Two replicas of two IPUs. Layer a computes on the first IPU of a replica, b on the second, and both exchange. The first run has 10
/// steps, the second
/// 4 slower ones; views show the newest.
ReportData twoReplicas()
{
    ReportData d;
    d.target.replicas = 2;
    d.target.ipus = 4;
    d.target.ipusPerReplica = 2;
    d.ops.resize(4);
    d.ops[0] = {.level = "keras", .name = "a", .kind = "Layer", .codeAttributed = 100.4};
    d.ops[1] = {.level = "keras", .name = "b", .kind = "Layer", .codeAttributed = 50.2};
    d.ops[2] = {.parent = 0, .level = "graph", .name = "a/MatMul", .kind = "matmul", .codeAttributed = 60};
    d.ops[3] = {.level = "keras", .name = "loss", .kind = kTrainingKind, .codeAttributed = 9.4};
    d.programs.resize(4);
    d.programs[0].kind = "sequence";
    d.programs[1].kind = "execute";
    d.programs[1].op = 2;
    d.programs[1].computeSet = 0;
    d.programs[2].kind = "execute";
    d.programs[2].op = 1;
    d.programs[2].computeSet = 1;
    d.programs[3].kind = "global_exchange";
    d.programs[3].op = 1;
    d.computeSets.resize(2);
    d.computeSets[0].cyclesMax = 11;
    d.computeSets[1].cyclesMax = 12;
    d.runs.resize(2);
    d.runs[0] = {.name = "first", .cycles = 1000, .steps = 10};
    d.runs[1] = {.name = "second", .cycles = 800, .steps = 4};
    auto const stat = [&](int run, int program, int ipu, std::int64_t executions, Cycles cycles) {
        StepStatRow row;
        row.run = run;
        row.program = program;
        row.ipu = ipu;
        row.executions = executions;
        row.cycles = cycles;
        row.cyclesMin = row.cyclesMax = cycles / executions;
        d.stepStats.push_back(row);
    };
    for (int replica = 0; replica < 2; ++replica) {
        int const first = 2 * replica;
        stat(0, 1, first, 10, 500);
        stat(1, 1, first, 8, 400); // twice in a step
        stat(1, 2, first + 1, 4, 200);
        stat(1, 3, first, 4, 40);
        stat(1, 3, first + 1, 4, 60);
    }
    for (int run = 0; run < 2; ++run)
        for (int ipu = 0; ipu < 4; ++ipu) {
            IpuSplitRow row;
            row.run = run;
            row.ipu = ipu;
            row.idle = run == 0 ? 1000 : 800;
            d.ipuSplits.push_back(row);
        }
    return d;
}

} // namespace

class TstQuantities : public QObject {
    Q_OBJECT
private slots:
    void theNewestRunIsWhatViewsShow()
    {
        auto const d = twoReplicas();
        auto const frame = runFrame(d);
        QCOMPARE(frame.run, 1);
        QCOMPARE(frame.steps, std::int64_t(4));
        QCOMPARE(frame.cyclesOfStep(), 200.0);
        QCOMPARE(frame.ipuCycles(), 3200.0);
        QCOMPARE(frame.ipuCycles(2), 800.0);
        QCOMPARE(runsWithStatistics(d), (std::vector<int>{0, 1}));
        QCOMPARE(runFrame(d, 0).steps, std::int64_t(10));
        QCOMPARE(runFrame(ReportData{}).run, kNone);
    }
    void cyclesOfALayerAreThoseOfAStepOfAReplica()
    {
        auto const d = twoReplicas();
        auto const frame = runFrame(d);
        auto const byProgram = costsByProgram(d, frame.run);
        auto const byOp = costsByOp(d, byProgram);
        QCOMPARE(byOp[0], byOp[2]); // all of a is its product
        QCOMPARE(cyclesPerStep(frame, byOp[0].cycles), 100.0);
        QCOMPARE(cyclesPerStep(frame, byOp[1].cycles), 50.0 + 10.0 + 15.0);
        // One IPU alone, on request.
        auto const ofOne = costsByOp(d, costsByProgram(d, frame.run, 1));
        QCOMPARE(cyclesPerStep(frame, ofOne[1].cycles, 1), 50.0 + 15.0);
        QCOMPARE(cyclesPerStep(frame, ofOne[0].cycles, 1), 0.0);
        // Shares of all layers and of waiting add up.
        QCOMPARE(static_cast<double>(byOp[0].cycles + byOp[1].cycles) / frame.ipuCycles(), (100.0 + 75.0) / (2 * 200.0));
        std::vector<int> const programs{1, 1, 2};
        QCOMPARE(costOf(byProgram, programs).cycles, byProgram[1].cycles + byProgram[2].cycles);
        QCOMPARE(cyclesPerStep({}, 100), 0.0);
    }
    void sharesOfAStepHaveOneWhole()
    {
        auto const d = twoReplicas();
        auto const frame = runFrame(d);
        auto const byOp = costsByOp(d, costsByProgram(d, frame.run));
        QCOMPARE(shareOfStep(frame, byOp[0].cycles), (StepShare{100, 2 * 200.0, 2}));
        QCOMPARE(shareOfStep(frame, byOp[0].cycles).share(), 0.25);
        // On request of one IPU: its own cycles, of a step there.
        auto const ofOne = costsByOp(d, costsByProgram(d, frame.run, 1));
        QCOMPARE(shareOfStep(frame, ofOne[1].cycles, 1), (StepShare{65, 200, 1}));
        QCOMPARE(shareOfStep({}, 100).share(), 0.0);
    }
    void oneExecutionIsTheMeanOnTheSlowestIpu()
    {
        auto const d = twoReplicas();
        auto const newest = cyclesOfExecution(d, runFrame(d).run);
        QCOMPARE(newest, (std::vector<Cycles>{-1, 50, 50, 15}));
        // Without statistics: the values of the compile.
        QCOMPARE(cyclesOfExecution(d, kNone), (std::vector<Cycles>{-1, 11, 12, -1}));
        auto const cost = costsByProgram(d, 1)[1];
        QCOMPARE(cost.executions, std::int64_t(8));
        QCOMPARE(cost.mean(), 50.0); // not times the replicas
    }
    void layersStepsAndCode()
    {
        auto d = twoReplicas();
        QCOMPARE(layerCount(d), std::int64_t(2)); // the loss does not count
        d.figures.push_back({"layers", 3, "count"});
        QCOMPARE(layerCount(d), std::int64_t(3)); // an input has no operation of its own
        QCOMPARE(programSteps(d), std::int64_t(3));
        QCOMPARE(codeOf(d.ops[0]), Bytes(100));
        QCOMPARE(codeOnTiles(d), Bytes(160));
    }
    void operationsAreThoseOfTheGraph()
    {
        QCOMPARE(operationCount(twoReplicas()), std::int64_t(1)); // layers and the loss do not count
    }
    /// A broadcast is sent once and received by many; the bytes moved are those received, counted once.
    void bytesMovedAreCountedOnce()
    {
        auto d = twoReplicas();
        for (auto &stat : d.stepStats)
            if (stat.program == 3) {
                stat.bytesIn = 700;
                stat.bytesOut = 100;
            }
        auto const costs = costsByProgram(d, 1);
        QCOMPARE(costs[3].bytesMoved, Bytes(2800)); // on four IPUs
        QCOMPARE(costsByOp(d, costs)[1].bytesMoved, Bytes(2800));
        QCOMPARE(costs[1].bytesMoved, Bytes(0));
    }
    void moreCanComeInThanGoesOut()
    {
        TargetRow target;
        target.architecture = "ipu2";
        target.tilesPerIpu = 64;
        target.exchangeBytesPerCycle = 4;
        QCOMPARE(exchangePeak(target).out, 256.0);
        QCOMPARE(exchangePeak(target).in, 512.0); // two neighbours hear the same words
    }
    void memoryOfATileHasFourFigures()
    {
        VerdictRow verdict;
        verdict.worstTile = 2;
        verdict.bytes = 212;
        verdict.capacity = 624;
        std::vector<std::int64_t> const with{1, 2, 212}, without{1, 2, 19}, need{1, 2, 17};
        TileMetrics const metrics{with, without, need};
        auto const worst = tileMemory(verdict, metrics);
        QCOMPARE(worst.need.value(), Bytes(17));
        QCOMPARE(worst.placed, Bytes(212));
        QCOMPARE(worst.gaps.value(), Bytes(193));
        QCOMPARE(worst.used(), Bytes(19));
        QCOMPARE(worst.limit, Bytes(624));
        QCOMPARE(worst.placedShare(), 212.0 / 624);
        QVERIFY(worst == tileMemory(2, 624, metrics));
        QVERIFY(!tileMemory(2, 200, metrics).fits);
        // Of a head, only what decides is known.
        QVERIFY(!tileMemory(verdict).gaps && !tileMemory(verdict).need);
        QCOMPARE(tileMemory(verdict).used(), Bytes(212));
    }
    /// On a compiled program: the code categories of memory equal the sum over the operations, and all levels of operations have the same
    /// cycles.
    void aCompiledReportAgreesWithItself()
    {
        auto const compiled = testing::mnistTraining("gc200:tiles=64");
        auto facts = compiled.facts();
        facts.layers = {"flatten", "dense", "dense_1", "dense_2"};
        auto data = buildCompileReport(facts);
        QCOMPARE(layerCount(data), std::int64_t(4));
        RunFacts run;
        run.patterns = 3;
        appendRun(data, facts, appendPattern(data, facts), run);
        Bytes code = 0;
        for (auto const &part : data.memoryParts)
            if (isCode(part.category)) code += data.tileVecs.head(part.vec).sum;
        QCOMPARE(codeOnTiles(data), code);
        // Live on a tile: each variable once, the largest first; the rest is code and buffers.
        auto const *verdict = verdictOfAll(data);
        QVERIFY(verdict && verdict->peakStep >= 0);
        auto const live = liveOnTile(data, verdict->worstTile, verdict->peakStep);
        QVERIFY(live.variables.size() > 1);
        Bytes sum = 0;
        std::set<int> seen;
        for (auto const &one : live.variables) {
            QVERIFY(seen.insert(one.variable).second);
            QVERIFY(one.bytes <= live.variables.front().bytes);
            sum += one.bytes;
        }
        QVERIFY(sum <= live.bytes);
        QVERIFY(liveOnTile(data, -1, 0).variables.empty());
        auto const frame = runFrame(data);
        auto const byProgram = costsByProgram(data, frame.run);
        auto const byOp = costsByOp(data, byProgram);
        // Events and statistics agree on the bytes of exchanges.
        Bytes ofEvents = 0, ofStats = 0;
        auto const isExchange = [](std::string_view phase) { return phase == "internal_exchange" || phase == "global_exchange"; };
        for (auto const &[pattern, lane, events] : data.events) {
            if (data.lanes[static_cast<std::size_t>(lane)].kind != "ipu") continue;
            for (std::size_t e = 0; e < events.size(); ++e)
                if (isExchange(data.eventTypes[static_cast<std::size_t>(events.type[e])].phase)) ofEvents += events.argument[e];
        }
        for (std::size_t p = 0; p < byProgram.size(); ++p)
            if (isExchange(phaseOfProgramKind(data.programs[p].kind))) ofStats += byProgram[p].bytesMoved;
        QVERIFY(ofEvents > 0);
        QCOMPARE(ofStats, run.patterns * ofEvents);
        Cycles tops = 0, all = 0;
        for (std::size_t op = 0; op < byOp.size(); ++op)
            if (data.ops[op].parent < 0) tops += byOp[op].cycles;
        for (auto const &cost : byProgram) all += cost.cycles;
        QCOMPARE(tops, all);
        auto const split = splitOf(data, frame.run);
        QCOMPARE(all, static_cast<Cycles>(frame.ipuCycles()) - split[static_cast<std::size_t>(report::Phase::Idle)]);
    }
};

TW_REGISTER_TEST(TstQuantities);
#include "tst_quantities.moc"
