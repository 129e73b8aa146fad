#include "engine/store/report_reader.h"
#include "engine/store/report_writer.h"
#include "tests/engine/report/insight_reports.h"
#include "tests/support/test_registry.h"

#include <nlohmann/json.hpp>

#include <QTemporaryDir>
#include <QtTest>

#include <functional>
#include <set>

using namespace tilewright;
using namespace tilewright::report;
using namespace tilewright::testing;
using Json = nlohmann::json;

class TstInsights : public QObject {
    Q_OBJECT
    /// A pipeline of two stages, four micro-batches: one task a slot, forward and back.
    static ReportData sequential()
    {
        auto data = pipelined(2, 4, 1);
        data.stageTasks.clear();
        data.bubbles.clear();
        for (int m = 0; m < 4; ++m)
            for (int position = 0; position < 4; ++position) {
                bool const back = position > 1;
                int const stage = back ? 3 - position : position, slot = 4 * m + position;
                data.stageTasks.push_back(
                    {0, stage, 2 * m + back, slot, stage, m, back ? "backward" : "forward", 10 * slot, 10 * slot + 10, 0});
                data.bubbles.push_back({0, 1 - stage, 10 * slot, 10 * slot + 10, "schedule", stage});
            }
        return data;
    }

private slots:
    void rulesHaveNamesOfTheirOwn()
    {
        std::set<std::string> names;
        for (auto const &rule : builtinInsightRules()) {
            QVERIFY(names.insert(rule.name).second);
            QVERIFY(!rule.help.empty());
            QVERIFY(rule.find);
            QVERIFY(rule.version >= 1);
        }
        QVERIFY(names.size() >= 15);
    }

    void anEmptyReportHasNoInsights() { QVERIFY(findInsights({}).empty()); }

    void compileOnlyReportsHaveNoneOfTime()
    {
        auto const compiled = analyse("gc200:tiles=8", productLoop("gc200:tiles=8"));
        for (auto const &row : findInsights(buildCompileReport(compiled.facts())))
            QVERIFY2(row.rule.starts_with("memory."), row.rule.c_str());
    }

    void tilesOverTheirLimitAreAnError()
    {
        auto const capacity = base().target.bytesPerTile;
        auto const over = of(withVerdict(capacity + 1), "memory.does-not-fit");
        QCOMPARE(over.size(), std::size_t{1});
        QCOMPARE(over[0].severity, std::string("error"));
        QCOMPARE(*over[0].gainBytes, std::int64_t{1});
        auto const numbers = Json::parse(over[0].numbers);
        QCOMPARE(numbers["tiles_over"].get<int>(), 1);
        QCOMPARE(numbers["capacity"].get<Bytes>(), capacity);
        QVERIFY(!numbers["largest"].empty());
        QVERIFY(of(withVerdict(capacity), "memory.does-not-fit").empty());
    }

    void tilesOverNineTenthsAreNearlyFull()
    {
        auto const capacity = base().target.bytesPerTile;
        QCOMPARE(of(withVerdict(capacity), "memory.nearly-full").size(), std::size_t{1});
        QCOMPARE(of(withVerdict(capacity * 91 / 100), "memory.nearly-full").size(), std::size_t{1});
        QVERIFY(of(withVerdict(capacity * 9 / 10), "memory.nearly-full").empty());
        QVERIFY(of(withVerdict(capacity + 1), "memory.nearly-full").empty());
    }

    void codeWithoutRoomIsToldOnlyWhileTheTileHasSome()
    {
        auto data = base();
        Bytes const region = data.memoryRegions[0].bytes, tile = data.target.bytesPerTile;
        setMetric(data, "executable_room", {region, region / 30, region, region, region, region, region, region});
        setMetric(data, "headroom", std::vector<std::int64_t>(8, tile / 2));
        auto const found = of(data, "memory.code-region-full");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].subjectId, 1);
        setMetric(data, "headroom", std::vector<std::int64_t>(8, tile / 5));
        QVERIFY(of(data, "memory.code-region-full").empty());
        setMetric(data, "headroom", std::vector<std::int64_t>(8, tile / 2));
        setMetric(data, "executable_room", std::vector<std::int64_t>(8, region / 10));
        QVERIFY(of(data, "memory.code-region-full").empty());
    }

    void oneFullIpuAmongEmptyOnesIsTold()
    {
        auto data = pipelined(4, 8, 1);
        Bytes const capacity = data.target.bytesPerTile;
        auto const set = [&](std::vector<Bytes> bytes) {
            for (auto &verdict : data.verdicts)
                if (verdict.scope == "ipu") verdict.bytes = bytes[static_cast<std::size_t>(verdict.scopeId)];
        };
        set({capacity * 8 / 10, capacity / 10, capacity / 10, capacity / 10});
        QCOMPARE(of(data, "memory.unequal-ipus").size(), std::size_t{1});
        QCOMPARE(of(data, "memory.unequal-ipus")[0].subjectId, 0);
        set({capacity * 4 / 10, capacity / 10, capacity / 10, capacity / 10}); // half empty: no matter
        QVERIFY(of(data, "memory.unequal-ipus").empty());
        set({capacity * 8 / 10, capacity * 7 / 10, capacity * 7 / 10, capacity * 7 / 10});
        QVERIFY(of(data, "memory.unequal-ipus").empty());
    }

    void theLargestVariablesAtThePeakAreNamed()
    {
        auto const data = base();
        auto const found = of(data, "memory.largest-at-peak");
        QCOMPARE(found.size(), std::size_t{1});
        auto const numbers = Json::parse(found[0].numbers);
        auto const &verdict = data.verdicts[0];
        // By the plainest way: all items of the tile that are live then.
        Bytes live = 0, most = 0;
        for (auto const &item : data.layouts.layout(data.tileLayout[static_cast<std::size_t>(verdict.worstTile)])) {
            bool here = false;
            for (auto const &interval : data.livenessIntervals)
                here = here
                    || (interval.livenessClass == item.livenessClass && interval.firstStep <= verdict.peakStep
                        && verdict.peakStep < interval.endStep);
            if (!here) continue;
            live += item.bytes;
            if (item.variable >= 0) most = std::max(most, item.bytes);
        }
        QCOMPARE(numbers["live"].get<Bytes>(), live);
        QCOMPARE(numbers["largest"][0]["bytes"].get<Bytes>(), most);
    }

    void muchCodeIsToldWhereItMatters()
    {
        auto data = base();
        Bytes const tile = data.target.bytesPerTile;
        for (auto &part : data.memoryParts)
            if (part.category == MemoryCategory::VertexCode) part.vec = data.tileVecs.add(std::vector<std::int64_t>(8, tile / 5));
        setMetric(data, "always_live", std::vector<std::int64_t>(8, tile / 4));
        QCOMPARE(of(data, "memory.much-code").size(), std::size_t{1});
        setMetric(data, "always_live", std::vector<std::int64_t>(8, tile / 2));
        QVERIFY(of(data, "memory.much-code").empty());
        QVERIFY(of(base(), "memory.much-code").empty()); // little code on a large tile
    }

    void halfPrecisionIsAdvisedWhereRoomIsScarce()
    {
        auto data = base();
        auto const &verdict = data.verdicts[0];
        Bytes floats = 0;
        for (auto const &item : data.layouts.layout(data.tileLayout[static_cast<std::size_t>(verdict.worstTile)])) {
            if (item.variable < 0) continue;
            auto const &variable = data.variables[static_cast<std::size_t>(item.variable)];
            bool const narrow =
                variable.role == "weight" || variable.role == "activation" || variable.role == "message" || variable.role == "input";
            bool live = false;
            for (auto const &interval : data.livenessIntervals)
                live = live
                    || (interval.livenessClass == item.livenessClass && interval.firstStep <= verdict.peakStep
                        && verdict.peakStep < interval.endStep);
            if (narrow && live) floats += item.bytes;
        }
        QVERIFY(floats > 1000);
        auto const set = [&](Bytes bytes, Bytes capacity) {
            for (auto &row : data.verdicts) {
                row.bytes = bytes;
                row.capacity = capacity;
            }
        };
        set(2 * floats, 3 * floats);
        auto const found = of(data, "memory.half-precision");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(*found[0].gainBytes, floats / 2);
        set(2 * floats + 2, 3 * floats);
        QVERIFY(of(data, "memory.half-precision").empty());
        set(2 * floats, 5 * floats);
        QVERIFY(of(data, "memory.half-precision").empty());
        set(2 * floats, 3 * floats);
        for (auto &variable : data.variables) variable.dtype = "f16";
        QVERIFY(of(data, "memory.half-precision").empty());
    }

    void unevenComputeSetsAreTold()
    {
        auto const found = of(withCompute({1000, 100, 100, 100, 100, 100, 0, 0}, 5000), "compute.uneven");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].subjectId, 0);
        QCOMPARE(*found[0].gainCycles, std::int64_t{1000 - 250}); // mean of the six active ones
        QVERIFY(of(withCompute({1000, 600, 600, 600, 600, 600, 0, 0}, 5000), "compute.uneven").empty());
        QVERIFY(of(withCompute({1000, 100, 100, 100, 100, 100, 0, 0}, 50000), "compute.uneven").empty()); // 2 % of the time
    }

    void computeSetsOnFewTilesAreTold()
    {
        auto const found = of(withCompute({1000, 0, 0, 0, 0, 0, 0, 0}, 5000), "compute.few-tiles");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(*found[0].gainCycles, std::int64_t{1000 - 125});
        QVERIFY(of(withCompute({1000, 1000, 0, 0, 0, 0, 0, 0}, 5000), "compute.few-tiles").empty());
        QVERIFY(of(withCompute({1000, 0, 0, 0, 0, 0, 0, 0}, 30000), "compute.few-tiles").empty());
    }

    void stepsBoundByExchangeAreTold()
    {
        IpuSplitRow split;
        split.compute = 4000;
        split.internalExchange = 4400;
        auto const found = of(withSplit(split, 10000), "exchange.bound");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(*found[0].gainCycles, std::int64_t{100});
        QVERIFY(Json::parse(found[0].numbers).contains("largest"));
        split.compute = 0; // an IPU without work
        QVERIFY(of(withSplit(split, 10000), "exchange.bound").empty());
        split.compute = 4000;
        split.internalExchange = 4000;
        QVERIFY(of(withSplit(split, 10000), "exchange.bound").empty());
    }

    void stepsBoundByBarriersAreTold()
    {
        IpuSplitRow split;
        split.sync = 4 * 2100;
        QCOMPARE(of(withSplit(split, 10000), "sync.bound").size(), std::size_t{1});
        split.sync = 4 * 2000;
        QVERIFY(of(withSplit(split, 10000), "sync.bound").empty());
    }

    void shortComputePhasesAreTold()
    {
        // Four compute sets of a cycle or 50 each, one execution: 4 x 90 cycles of barriers.
        auto const found = of(withCompute({50, 0, 0, 0, 0, 0, 0, 0}, 1400), "compute.short-supersteps");
        auto near = withCompute({50, 0, 0, 0, 0, 0, 0, 0}, 1500);
        auto data = withCompute({50, 0, 0, 0, 0, 0, 0, 0}, 1400);
        for (auto *report : {&data, &near})
            for (auto &set : report->computeSets) set.cyclesMax = 1;
        QCOMPARE(of(data, "compute.short-supersteps").size(), std::size_t{1});
        QVERIFY(of(near, "compute.short-supersteps").empty());
        QVERIFY(found.empty()); // the other sets are long
    }

    void whatTilesWaitForIsToldWithTileAndOperation()
    {
        // Of eight tiles the third computes five times as long as the others.
        auto const found = of(withCompute({100, 100, 500, 100, 100, 100, 100, 100}, 1000), "tiles.waiting");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(found[0].subjectKind, std::string("tile"));
        QCOMPARE(found[0].subjectId, 2);
        auto const numbers = Json::parse(found[0].numbers);
        QCOMPARE(numbers["tile"].get<int>(), 2);
        QVERIFY2(numbers["share"].get<double>() > 0.3 && numbers["balance"].get<double>() < 0.9, found[0].numbers.c_str());
        QVERIFY(!numbers["ops"].empty() && !numbers["ops"][0]["name"].get<std::string>().empty());
        QCOMPARE(numbers["ops"][0]["tile"].get<int>(), 2);
        QVERIFY(of(withCompute({100, 100, 110, 100, 100, 100, 100, 100}, 1000), "tiles.waiting").empty());
    }

    void muchExchangeIsToldByOperation()
    {
        auto const found = of(withExchange(28000), "exchange.large");
        QCOMPARE(found.size(), std::size_t{1});
        auto const numbers = Json::parse(found[0].numbers);
        QVERIFY(std::abs(numbers["share"].get<double>() - 0.28) < 0.01);
        QVERIFY(of(withExchange(10000), "exchange.large").empty());
        QVERIFY(of(withExchange(50000), "exchange.large").empty()); // that is exchange.bound
        QCOMPARE(of(withExchange(50000), "exchange.bound").size(), std::size_t{1});
    }

    /// What may help is proposed as fields of the project, of which several can be tried.
    void alternativesAreFieldsOfTheProject()
    {
        auto data = withCompute({100, 100, 500, 100, 100, 100, 100, 100}, 1000);
        for (auto &op : data.ops) op.kind = "matmul"; // with its options
        data.options.push_back({"training", "batch_size", "32", std::nullopt, "project"});
        data.options.push_back({"ipu_config", "matmuls.clear_pass_type", "False", "False", "default"});
        auto const action = Json::parse(of(data, "tiles.waiting").front().action);
        QVERIFY2(action["set"] == Json::parse(R"([{"path": "training.batch_size", "value": 64}])"), action.dump().c_str());
        QCOMPARE(action["or"], Json::parse(R"([{"set": [{"path": "ipu_config.matmuls.clear_pass_type", "value": true}]}])"));
    }

    /// Neither the cycle model nor what was measured here knows a gain of more steps per execution: then nobody offers them.
    void stepsPerExecutionAreNotOffered()
    {
        auto data = base();
        data.options.push_back({"training", "steps_per_execution", "1", "1", "default"});
        for (auto const &row : findInsights(data)) QVERIFY2(row.action.find("steps_per_execution") == std::string::npos, row.rule.c_str());
    }

    void plansBeyondTheirMemoryAreTold()
    {
        auto data = base();
        data.options.push_back({"ipu_config", "matmuls.poplar_options", R"({"availableMemoryProportion":"0.1"})", "{}", "project"});
        auto const plan = [&](bool within) {
            return Json{
                {"chosen", {{"within_memory_bound", within}, {"temporary_bytes", data.target.bytesPerTile / 4}, {"split", {{"rows", 1}}}}}}
                .dump();
        };
        data.ops[1].plan = plan(false);
        auto const found = of(data, "matmul.bound-relaxed");
        QCOMPARE(found.size(), std::size_t{1});
        QCOMPARE(Json::parse(found[0].numbers)["proportion"].get<double>(), 0.1);
        // The planner went over the bound by itself: a larger one would give the same plan, so none is proposed.
        QVERIFY(found[0].action.empty());
        QCOMPARE(found[0].severity, std::string("note"));
        data.ops[1].plan = plan(true);
        QVERIFY(of(data, "matmul.bound-relaxed").empty());
        data.ops[1].plan = "[1, 2";
        QVERIFY(of(data, "matmul.bound-relaxed").empty());
    }

    void productsFarFromThePeakAreTold()
    {
        auto data = base();
        auto const pattern = data.patterns[0].cycles;
        data.ops[1].cyclesEstimated = pattern / 10;
        data.ops[1].cyclesIdeal = pattern / 300;
        QCOMPARE(of(data, "matmul.far-from-peak").size(), std::size_t{1});
        data.ops[1].cyclesIdeal = pattern / 100;
        QVERIFY(of(data, "matmul.far-from-peak").empty());
        data.ops[1].cyclesEstimated = pattern / 30;
        data.ops[1].cyclesIdeal = 1;
        QVERIFY(of(data, "matmul.far-from-peak").empty());
    }

    void longRampsAndUnequalStagesAreToldApart()
    {
        // Four stages: 5 micro-batches leave 3 of 8 entries empty, 20 leave 3 of 23.
        auto const ramps = of(pipelined(4, 5, 1), "pipeline.long-ramps");
        QCOMPARE(ramps.size(), std::size_t{1});
        QCOMPARE(Json::parse(ramps[0].numbers)["theory"].get<double>(), 3.0 / 8.0);
        QCOMPARE(Json::parse(ramps[0].numbers)["ramps"].get<double>(), 3.0 / 8.0);
        QVERIFY(ramps[0].action.empty());
        auto data = pipelined(4, 5, 1);
        data.options.push_back({"training", "gradient_accumulation_steps", "5", std::nullopt, "project"});
        QCOMPARE(Json::parse(of(data, "pipeline.long-ramps")[0].action)["set"][0]["value"].get<int>(), 10);
        QVERIFY(of(pipelined(4, 20, 1), "pipeline.long-ramps").empty());
        QVERIFY(of(pipelined(4, 20, 1), "pipeline.unequal-stages").empty());
        auto const unequal = of(pipelined(4, 20, 3), "pipeline.unequal-stages");
        QCOMPARE(unequal.size(), std::size_t{1});
        QCOMPARE(unequal[0].subjectId, 0);
        // It is IPUs that wait: one with the long stage and one with the three others do not.
        auto shared = pipelined(4, 20, 3);
        for (std::size_t stage = 1; stage < shared.stages.size(); ++stage) shared.stages[stage].indexInReplica = 1;
        QVERIFY(of(shared, "pipeline.unequal-stages").empty());
        for (std::size_t stage = 1; stage < shared.stages.size(); ++stage) shared.stages[stage].indexInReplica = stage < 3 ? 0 : 1;
        auto const onTwo = of(shared, "pipeline.unequal-stages");
        QCOMPARE(onTwo.size(), std::size_t{1});
        QCOMPARE(onTwo[0].subjectId, 0);
        QVERIFY(*onTwo[0].gainCycles < *unequal[0].gainCycles); // three of four equal stages would still share an IPU
    }

    /// What is lost to the order of the schedule is told with the schedule that loses less, where the accumulation fits that.
    void aScheduleThatLetsIpusWaitIsTold()
    {
        auto data = sequential();
        QVERIFY(of(data, "pipeline.other-schedule").empty()); // nobody says which schedule it is
        data.options.push_back({"training", "pipeline_schedule", "\"sequential\"", std::nullopt, "project"});
        auto const found = of(data, "pipeline.other-schedule");
        QCOMPARE(found.size(), std::size_t{1});
        // 16 slots of 10 cycles; Grouped has seven, in three of which an IPU has both passes.
        QCOMPARE(*found[0].gainCycles, Cycles{160 - (10 + 10 + 20 + 20 + 20 + 10 + 10)});
        QVERIFY(found[0].action.empty());
        data.options.push_back({"training", "gradient_accumulation_steps", "4", std::nullopt, "project"});
        QCOMPARE(Json::parse(of(data, "pipeline.other-schedule")[0].action)["set"][0]["value"].get<std::string>(), std::string("grouped"));
        data.options.back().value = "3"; // Grouped wants a multiple of four
        QVERIFY(of(data, "pipeline.other-schedule")[0].action.empty());
        QVERIFY(of(data, "pipeline.long-ramps").empty());
        // One stage that takes nearly all the time takes it in every schedule.
        for (auto &task : data.stageTasks)
            if (task.stage == 1) task.endCycle = task.startCycle + 1000;
        QVERIFY(of(data, "pipeline.other-schedule").empty());
    }

    void errorsComeFirstAndEachRuleKeepsItsLargest()
    {
        auto data = withVerdict(base().target.bytesPerTile + 100);
        auto const all = findInsights(data);
        QCOMPARE(all.front().severity, std::string("error"));
        std::map<std::string, int> ranks{{"error", 0}, {"warning", 1}, {"advice", 2}, {"note", 3}};
        for (std::size_t i = 1; i < all.size(); ++i) QVERIFY(ranks[all[i - 1].severity] <= ranks[all[i].severity]);
        for (int i = 0; i < 30; ++i) {
            auto op = data.ops[1];
            op.plan = R"({"chosen": {"within_memory_bound": false}})";
            data.ops.push_back(op);
        }
        QCOMPARE(of(data, "matmul.bound-relaxed").size(), static_cast<std::size_t>(kInsightsPerRule));
    }

    void evidenceCanBeLookedAt()
    {
        // Every rule that fires on any of these has a query that runs and finds something.
        Bytes const capacity = base().target.bytesPerTile;
        IpuSplitRow split;
        split.compute = 4;
        split.internalExchange = split.stream = split.sync = 4 * 4000;
        auto relaxed = withSplit(split, 10000);
        relaxed.ops[1].plan = R"({"chosen": {"within_memory_bound": false, "temporary_bytes": 5}})";
        relaxed.ops[1].cyclesEstimated = 3000;
        relaxed.ops[1].cyclesIdeal = 1;
        for (auto &set : relaxed.computeSets) set.cyclesMax = 1;
        auto code = base();
        setMetric(code, "executable_room", std::vector<std::int64_t>(8, 0));
        setMetric(code, "headroom", std::vector<std::int64_t>(8, capacity));
        setMetric(code, "always_live", std::vector<std::int64_t>(8, 1));
        for (auto &part : code.memoryParts)
            if (part.category == MemoryCategory::VertexCode) part.vec = code.tileVecs.add(std::vector<std::int64_t>(8, capacity / 5));
        for (auto &verdict : code.verdicts) {
            verdict.bytes = 1000;
            verdict.capacity = 1001;
        }
        auto remote = split;
        remote.stream = 4 * 40000;
        auto ipus = pipelined(4, 5, 3);
        for (auto &verdict : ipus.verdicts) verdict.bytes = verdict.scopeId == 0 ? ipus.target.bytesPerTile * 8 / 10 : 1;
        auto inTurn = sequential();
        inTurn.options.push_back({"training", "pipeline_schedule", "\"sequential\"", std::nullopt, "project"});
        std::set<std::string> seen;
        auto const mnist = reportOf(mnistTraining("gc200:tiles=8"));
        for (auto const &report :
             {withVerdict(capacity + 1), withVerdict(capacity), withCompute({1000, 100, 100, 100, 100, 100, 0, 0}, 5000),
              withCompute({1000, 0, 0, 0, 0, 0, 0, 0}, 5000), withCompute({50, 0, 0, 0, 0, 0, 0, 0}, 300), relaxed, code, ipus, inTurn,
              mnist, withExchange(28000), withRemoteCopies(withSplit(remote, 100000), 4 * 40000)}) {
            auto data = report;
            data.insights = findInsights(data);
            QTemporaryDir dir;
            auto const path = std::filesystem::path(dir.filePath("i.twreport").toStdString());
            auto const written = store::writeReport(path, data);
            QVERIFY2(written.ok(), written.ok() ? "" : written.error().message.c_str());
            auto const reader = store::ReportReader::open(path);
            QVERIFY(reader.ok());
            QVERIFY((*reader)->readAll()->insights == data.insights);
            for (auto const &row : data.insights) {
                auto const result = (*reader)->query(row.evidence);
                QVERIFY2(result.ok(), (row.rule + ": " + (result.ok() ? "" : result.error().message)).c_str());
                QVERIFY2(!result->rows.empty(), row.rule.c_str());
                QVERIFY(!Json::parse(row.numbers, nullptr, false).is_discarded());
                seen.insert(row.rule);
            }
        }
        for (auto const &rule : builtinInsightRules()) QVERIFY2(seen.contains(rule.name), rule.name.c_str());
    }
};

TW_REGISTER_TEST(TstInsights);
#include "tst_insights.moc"
