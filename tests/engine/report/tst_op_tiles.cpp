#include "engine/report/op_tiles.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <random>

using namespace tilewright;
using namespace tilewright::report;

namespace {

/// Two IPUs of three tiles. Operation 1, a part of layer 0, has two compute sets and an exchange, layer 2 a compute set
/// that shares the codelet of the first.
ReportData smallProgram(bool measured)
{
    ReportData d;
    d.target.ipus = d.target.ipusPerReplica = 2;
    d.target.tilesPerIpu = 3;
    d.ops.resize(3);
    d.ops[0] = {.level = "keras", .name = "a", .codeAttributed = 176};
    d.ops[1] = {.parent = 0, .level = "graph", .name = "a/MatMul", .codeAttributed = 170};
    d.ops[2] = {.level = "keras", .name = "b", .codeAttributed = 100};
    auto const vec = [&d](std::vector<std::int64_t> values) { return d.tileVecs.add(std::move(values)); };
    d.programs.resize(5);
    d.programs[0].kind = "sequence";
    for (int p : {1, 2, 4}) d.programs[static_cast<std::size_t>(p)].kind = "execute";
    d.programs[3].kind = "exchange";
    d.programs[1].op = d.programs[2].op = d.programs[3].op = 1;
    d.programs[4].op = 2;
    d.programs[1].computeSet = 0;
    d.programs[2].computeSet = 1;
    d.programs[4].computeSet = 2;
    d.programs[1].controlCodeVec = vec({10, 10, 0, 0, 0, 0});
    d.computeSets.resize(3);
    d.computeSets[0] = {.name = "x", .op = 1, .vertices = 2, .cyclesVec = vec({100, 50, 0, 0, 0, 0}), .cyclesMax = 100, .activeTiles = 2};
    d.computeSets[1] = {.name = "y", .op = 1, .vertices = 2, .cyclesVec = vec({0, 0, 0, 30, 40, 0}), .cyclesMax = 40, .activeTiles = 2};
    d.computeSets[2] = {.name = "z", .op = 2, .vertices = 2, .cyclesVec = vec({7, 0, 0, 0, 0, 0}), .cyclesMax = 7, .activeTiles = 1};
    d.vertexTypes.resize(2);
    d.vertexTypes[0] = {.name = "Shared", .codeBytes = 60, .codeVec = vec({60, 60, 0, 0, 0, 0})};
    d.vertexTypes[1] = {.name = "Own", .codeBytes = 20, .codeVec = vec({0, 0, 0, 20, 20, 0})};
    d.computeSetVertices = {
        {0, 0, 2, vec({1, 1, 0, 0, 0, 0}), 16}, {1, 1, 2, vec({0, 0, 0, 1, 1, 0}), 16}, {2, 0, 1, vec({1, 0, 0, 0, 0, 0}), 8}};
    ExchangeRow exchange;
    exchange.program = 3;
    exchange.cyclesVec = vec({5, 6, 0, 0, 0, 0});
    exchange.codeVec = vec({8, 12, 0, 0, 0, 0});
    d.exchanges = {exchange};
    d.runs.resize(1);
    d.runs[0].mode = measured ? "tile" : "fused";
    d.runs[0].steps = 10;
    d.runs[0].cycles = 5000;
    if (measured) d.figures.push_back({std::string(kMeasuredCyclesPerStep), 500, "cycles", "measured"});
    auto const stat = [&d](int program, int ipu, std::int64_t executions, Cycles each) {
        StepStatRow row;
        row.program = program;
        row.ipu = ipu;
        row.executions = executions;
        row.cycles = executions * each;
        row.cyclesMin = row.cyclesMax = each;
        d.stepStats.push_back(row);
    };
    stat(1, 0, 20, 100); // twice a step
    stat(2, 1, 10, 40);
    stat(3, 0, 20, 9); // including the time before and after
    stat(4, 0, 10, 7);
    d.ipuSplits.push_back({.run = 0, .ipu = 0});
    d.ipuSplits.push_back({.run = 0, .ipu = 1});
    return d;
}

std::vector<double> onAll(ReportData const &data, auto const &what)
{
    std::vector<double> values;
    for (int t = 0; t < data.target.ipusPerReplica * data.target.tilesPerIpu; ++t) values.push_back(what.on(t));
    return values;
}

} // namespace

class TstOpTiles : public QObject {
    Q_OBJECT
private slots:
    void percentilesAreThoseOfASort()
    {
        std::mt19937 random(11);
        for (int round = 0; round < 300; ++round) {
            std::vector<std::int64_t> all;
            std::vector<Weighted> weighted;
            int const kinds = 1 + round % 7;
            for (int k = 0; k < kinds; ++k) {
                Weighted const one{std::uniform_int_distribution<std::int64_t>(0, 50)(random),
                                   std::uniform_int_distribution<std::int64_t>(0, 150)(random)};
                weighted.push_back(one);
                all.insert(all.end(), static_cast<std::size_t>(one.times), one.value);
            }
            std::ranges::sort(all);
            auto const found = distributionOf(weighted);
            QCOMPARE(found.count, static_cast<std::int64_t>(all.size()));
            if (all.empty()) {
                QCOMPARE(found, Distribution{});
                continue;
            }
            // The rank is the least whole number that is not below the share.
            auto const ranked = [&](int percent) {
                std::size_t rank = 0;
                while (rank * 100 < all.size() * static_cast<std::size_t>(percent)) ++rank;
                return all[rank - 1];
            };
            QCOMPARE(found.median, ranked(50));
            QCOMPARE(found.p75, ranked(75));
            QCOMPARE(found.p90, ranked(90));
            QCOMPARE(found.p99, ranked(99));
            QCOMPARE(found.least, all.front());
            QCOMPARE(found.most, all.back());
            double sum = 0;
            for (auto const value : all) sum += static_cast<double>(value);
            QVERIFY(std::abs(found.mean - sum / static_cast<double>(all.size())) < 1e-9);
        }
    }

    void manyTimesAreExactToo()
    {
        // A hundred times 10¹⁵: 99 % of them are exactly the first value, one more is not.
        std::int64_t const many = 1'000'000'000'000'000;
        auto found = distributionOf({{1, 99 * many}, {2, many}});
        QCOMPARE(found.count, 100 * many);
        QCOMPARE(found.p99, std::int64_t{1});
        QCOMPARE(found.most, std::int64_t{2});
        found = distributionOf({{1, 99 * many - 1}, {2, many + 1}});
        QCOMPARE(found.p99, std::int64_t{2});
    }

    void binsHoldEveryValueOnce()
    {
        std::vector<Weighted> const values{{0, 3}, {7, 1}, {8, 2}, {31, 5}};
        QCOMPARE(binWidth(31, 4), std::int64_t{8});
        QCOMPARE(countsByBin(values, 8), (std::vector<std::int64_t>{4, 2, 0, 5}));
        QVERIFY(countsByBin({}, 8).empty());
    }

    void codeOfTilesIsTheOperationsOwn()
    {
        auto const d = smallProgram(false);
        auto const code = opCode(d, 1, tileVecsOf(d));
        // On tile 0 the shared codelet has two users, on tile 1 one.
        QCOMPARE(code.vertex, (std::vector<double>{30, 60, 0, 20, 20, 0}));
        QCOMPARE(code.exchange, (std::vector<double>{8, 12, 0, 0, 0, 0}));
        QCOMPARE(code.control, (std::vector<double>{10, 10, 0, 0, 0, 0}));
        QCOMPARE(code.onTiles() + code.elsewhere, d.ops[1].codeAttributed);
        QCOMPARE(code.elsewhere, 0.0);
        QCOMPARE(opCode(d, 0, tileVecsOf(d)).elsewhere, 6.0); // other code of the layer, of no tile
        QCOMPARE(opCode(d, 2, tileVecsOf(d)).vertex, (std::vector<double>{30, 0, 0, 0, 0, 0}));
        QVERIFY(opCode(d, kNone, tileVecsOf(d)).vertex.empty());
        QVERIFY(opCode(d, 99, tileVecsOf(d)).vertex.empty());
    }

    void cyclesCountEachExecutionOfAStep()
    {
        auto const d = smallProgram(false);
        auto const of = [&d](int op, RunFrame const &frame) { return opCycles(d, op, frame, tileVecsOf(d)); };
        auto const cycles = of(1, runFrame(d));
        QVERIFY(cycles.ofStep);
        QCOMPARE(cycles.compute, (std::vector<double>{200, 100, 0, 30, 40, 0}));
        QCOMPARE(cycles.exchange, (std::vector<double>{10, 12, 0, 0, 0, 0}));
        QCOMPARE(onAll(d, cycles), onAll(d, of(0, runFrame(d)))); // a layer includes everything below it
        auto const once = of(1, {});
        QVERIFY(!once.ofStep);
        QCOMPARE(once.compute, (std::vector<double>{100, 50, 0, 30, 40, 0}));
        // The slowest tile of a compute set has the cycles of the step.
        auto const costs = costsByProgram(d, 0, 0);
        auto const alone = of(2, runFrame(d));
        QCOMPARE(*std::ranges::max_element(alone.compute), cyclesPerStep(runFrame(d), costs[4].cycles, 0));
    }

    void schedulesHaveTileDurationsButNoExecutions()
    {
        auto const d = smallProgram(false);
        auto const found = opDurations(d, 1, runFrame(d), tileVecsOf(d));
        QCOMPARE(found.over, OpDurations::Over::Tiles);
        QCOMPARE(found.values, (std::vector<Weighted>{{5, 1}, {6, 1}, {30, 1}, {40, 1}, {50, 1}, {100, 1}}));
        QCOMPARE(found.steps, std::int64_t{3});
        QCOMPARE(found.tiles, std::int64_t{4});
        QCOMPARE(found.executions, std::int64_t{50});
        QVERIFY(opDurations(d, 1, {}, tileVecsOf(d)).executions == 0);
    }

    void measuredExecutionsAreCountedWhereAllTookAsLong()
    {
        auto d = smallProgram(true);
        auto found = opDurations(d, 1, runFrame(d), tileVecsOf(d));
        QCOMPARE(found.over, OpDurations::Over::TilesAndExecutions);
        QCOMPARE(found.values, (std::vector<Weighted>{{5, 20}, {6, 20}, {30, 10}, {40, 10}, {50, 20}, {100, 20}}));
        QCOMPARE(distributionOf(found.values).count, std::int64_t{100});
        // One that took longer: neither the tile nor the number of executions is known.
        d.stepStats[0].cyclesMax = 120;
        found = opDurations(d, 1, runFrame(d), tileVecsOf(d));
        QCOMPARE(found.over, OpDurations::Over::Tiles);
        QCOMPARE(distributionOf(found.values).count, std::int64_t{6});
        // All took as long, but not as long as the schedule has it.
        d.stepStats[0].cyclesMin = 120;
        QCOMPARE(opDurations(d, 1, runFrame(d), tileVecsOf(d)).over, OpDurations::Over::Tiles);
        // Another operation is not affected.
        QCOMPARE(opDurations(d, 2, runFrame(d), tileVecsOf(d)).over, OpDurations::Over::TilesAndExecutions);
    }
};

TW_REGISTER_TEST(TstOpTiles);
#include "tst_op_tiles.moc"
