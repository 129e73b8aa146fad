#include "engine/report/check/check_tables.h"
#include "tests/engine/store/sample_report.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <functional>
#include <set>

using namespace tilewright;
using namespace tilewright::report;
using tests::sampleReport;

namespace {

struct Mutation {
    int invariant;
    char const *name;
    std::function<void(ReportData &)> change;
};

/// Replaces a vector's value at one tile; equal vectors used elsewhere stay.
int changed(ReportData &d, int vec, int tile, std::int64_t by)
{
    auto values = d.tileVecs.values(vec);
    values[static_cast<std::size_t>(tile)] += by;
    return d.tileVecs.add(values);
}

void inLayout(ReportData &d, int id, std::function<void(TileLayout &)> const &change)
{
    auto layout = d.layouts.layout(id);
    change(layout);
    d.layouts.set(id, layout);
}

TileMetricRow &metric(ReportData &d, char const *name)
{
    return *std::find_if(d.tileMetrics.begin(), d.tileMetrics.end(), [&](auto const &m) { return m.name == name; });
}

LaneEvents &lane(ReportData &d, int pattern, int id)
{
    return *std::find_if(d.events.begin(), d.events.end(), [&](auto const &l) { return l.pattern == pattern && l.lane == id; });
}

std::vector<Mutation> const &mutations()
{
    static std::vector<Mutation> const all{
        {1, "headroom off by one", [](ReportData &d) { metric(d, "headroom").vec = changed(d, metric(d, "headroom").vec, 1, 1); }},
        {1, "fewer bytes with gaps than without",
         [](ReportData &d) { metric(d, "with_gaps").vec = changed(d, metric(d, "with_gaps").vec, 4, -50); }},
        {1, "need below always live", [](ReportData &d) { metric(d, "need").vec = changed(d, metric(d, "need").vec, 0, -60); }},
        {1, "wrong peak step of a tile", [](ReportData &d) { metric(d, "peak_step").vec = changed(d, metric(d, "peak_step").vec, 0, 1); }},
        {2, "a part too large", [](ReportData &d) { d.memoryParts[2].vec = changed(d, d.memoryParts[2].vec, 2, 8); }},
        {2, "an overlapped part over the union", [](ReportData &d) { d.memoryParts[3].vec = changed(d, d.memoryParts[3].vec, 2, 8); }},
        {2, "a part left out", [](ReportData &d) { d.memoryParts.erase(d.memoryParts.begin()); }},
        {3, "overflowed bytes with headroom", [](ReportData &d) { d.memoryParts[1].region = Region::Overflowed; }},
        {4, "a vector of another length",
         [](ReportData &d) {
             metric(d, "need").vec = d.tileVecs.add({1, 2, 3});
         }},
        {4, "a verdict that is not the worst tile", [](ReportData &d) { d.verdicts[0].worstTile = 5; }},
        {4, "a verdict of another size", [](ReportData &d) { d.verdicts[2].bytes = 97; }},
        {4, "a verdict that does not follow", [](ReportData &d) { d.verdicts[1].fits = false; }},
        {4, "a compute set against its vector", [](ReportData &d) { d.computeSets[0].activeTiles = 3; }},
        {5, "two live pieces at one address", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { l[3].livenessClass = 2; }); }},
        {5, "an always-live piece under another", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { l[1].bytes = 65; }); }},
        {6, "unsorted", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { std::swap(l[0], l[1]); }); }},
        {6, "misaligned", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { l[1].alignment = 32; }); }},
        {6, "outside its region", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { l[4].region = Region::NonInterleaved; }); }},
        {6, "code where it cannot run", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { l[4].flags = kLoweredExecutable; }); }},
        {6, "a gap without reason", [](ReportData &d) { inLayout(d, 1, [](TileLayout &l) { l[1].gapReason = GapReason::None; }); }},
        {6, "a reason without gap", [](ReportData &d) { inLayout(d, 1, [](TileLayout &l) { l[2].gapReason = GapReason::Element; }); }},
        {7, "a variable larger than its pieces", [](ReportData &d) { d.variables[0].bytes += 4; }},
        {7, "bytes on the wrong tile",
         [](ReportData &d) {
             d.variables[2].bytesVec = d.tileVecs.add({0, 0, 0, 32, 0, 32, 32, 32});
         }},
        {8, "code charged twice",
         [](ReportData &d) {
             d.ops[0].codeShared = 160;
             d.ops[0].codeAttributed += 160;
         }},
        {8, "charged less than it owns", [](ReportData &d) { d.ops[2].codeAttributed = 10; }},
        {9, "a curve off at one step",
         [](ReportData &d) {
             d.liveCurves[0].notAlwaysLive[2] -= 8;
             d.liveCurves[1].notAlwaysLive[2] -= 8;
         }},
        {9, "a stage's curve off at one step", [](ReportData &d) { d.liveCurves[4].notAlwaysLive[5] += 1; }},
        {9, "a curve too short", [](ReportData &d) { d.liveCurves[2].notAlwaysLive.pop_back(); }},
        {10, "always live yet with holes", [](ReportData &d) { d.livenessIntervals[0].endStep = 5; }},
        {10, "covers all steps yet not always live",
         [](ReportData &d) {
             d.livenessIntervals[3] = {3, 0, 6};
         }},
        {10, "overlapping intervals",
         [](ReportData &d) {
             d.livenessIntervals.insert(d.livenessIntervals.begin() + 2, {1, 2, 4});
         }},
        {10, "always-live bytes of a curve", [](ReportData &d) { d.liveCurves[3].alwaysLive += 1; }},
        {10, "a variable called always live", [](ReportData &d) { d.variables[1].alwaysLive = true; }},
        {11, "read after its end",
         [](ReportData &d) {
             d.programVariables.push_back({8, 1, "read"});
         }},
        {11, "written before it begins",
         [](ReportData &d) {
             d.programVariables.insert(d.programVariables.begin(), {1, 2, "write"});
         }},
        {11, "last use after the end", [](ReportData &d) { d.variables[1].lastUseStep = 5; }},
        {11, "first step not that of its class", [](ReportData &d) { d.variables[4].firstStep = 3; }},
        {12, "IPUs that do not sum up",
         [](ReportData &d) {
             d.liveCurves[2].notAlwaysLive[3] += 4;
             d.liveCurves[2].peak += 4;
         }},
        {12, "a peak that is not on the curve", [](ReportData &d) { d.liveCurves[0].peak += 1; }},
        {12, "another peak step", [](ReportData &d) { d.liveCurves[1].peakStep = 5; }},
        {12, "a listed peak of another size", [](ReportData &d) { d.livePeaks[1].bytes -= 1; }},
        {13, "a program in two places",
         [](ReportData &d) {
             d.programChildren.push_back({6, 2, 2, ""});
         }},
        {13, "a program in no function", [](ReportData &d) { d.programChildren.pop_back(); }},
        {13, "a function that calls itself",
         [](ReportData &d) {
             d.programs.push_back(d.programs[5]);
             d.programChildren.push_back({6, 2, 9, ""});
         }},
        {13, "steps in another order", [](ReportData &d) { std::swap(d.livenessSteps[0], d.livenessSteps[2]); }},
        {13, "a step too few",
         [](ReportData &d) {
             d.functions[1].entry = true; // reached twice
         }},
        {14, "a program of nobody", [](ReportData &d) { d.programs[3].op = kNone; }},
        {14, "a graph op without a layer", [](ReportData &d) { d.ops[3].parent = kNone; }},
        {14, "a level left out", [](ReportData &d) { d.ops[3].level = "library"; }},
        {14, "an op that is its own ancestor",
         [](ReportData &d) {
             d.ops[0].parent = 1;
             d.ops[1].parent = 0;
         }},
        {15, "bytes lost on the way", [](ReportData &d) { d.exchanges[0].bytesReceived = 120; }},
        {15, "an internal exchange that sends nothing",
         [](ReportData &d) {
             d.exchanges[0].kind = "internal";
             d.exchanges[0].bytesSent = 0;
         }},
        {15, "pairs that do not sum up",
         [](ReportData &d) {
             auto pairs = d.exchanges[0].pairs.list();
             pairs[0].bytes = 33;
             d.exchanges[0].pairs = pairs;
         }},
        {15, "tiles that send something else", [](ReportData &d) { d.exchanges[0].sentVec = changed(d, d.exchanges[0].sentVec, 0, 4); }},
        {16, "events that overlap", [](ReportData &d) { lane(d, 1, 0).events.start[2] = 119; }},
        {16, "a nested event outside its parent", [](ReportData &d) { lane(d, 1, 2).events.start[0] = 100; }},
        {17, "a split that does not sum up", [](ReportData &d) { d.ipuSplits[0].idle -= 1; }},
        {17, "tiles that work more than there is time", [](ReportData &d) { d.ipuSplits[1].tileCycles = 601; }},
        {18, "a compute event longer than its slowest tile",
         [](ReportData &d) {
             lane(d, 1, 0).events.vec[1] = d.tileVecs.add({99, 80, 60, 40, 0, 0, 0, 0});
         }},
        {18, "an executed compute set without event", [](ReportData &d) { d.eventTypes[4].program = kNone; }},
        {19, "an exchange that does not wait for a sync", [](ReportData &d) { lane(d, 1, 0).events.type[2] = 5; }},
        {19, "an exchange during compute",
         [](ReportData &d) {
             d.lanes.push_back(d.lanes[0]);
             LaneEvents second{1, 4, {}};
             second.events.add(50, 10, 3);
             d.events.push_back(second);
         }},
        {20, "programs that do not sum to the split",
         [](ReportData &d) {
             d.ipuSplits[0].compute -= 10;
             d.ipuSplits[0].idle += 10;
             d.ipuSplits[0].tileCycles = 0;
         }},
        {20, "executions against the timeline", [](ReportData &d) { d.stepStats[1].executions = 4; }},
        {20, "cycles against the timeline", [](ReportData &d) { d.stepStats[1].cyclesMax = 101; }},
        {20, "a program without statistics", [](ReportData &d) { d.stepStats.erase(d.stepStats.begin()); }},
        {21, "patterns that overlap", [](ReportData &d) { d.patternPlaces[1].period = 299; }},
        {21, "a hole in the run", [](ReportData &d) { d.patternPlaces[1].startCycle = 10; }},
        {21, "a run longer than its patterns", [](ReportData &d) { d.patternPlaces[1].repeats = 2; }},
        {21, "events past the pattern's end", [](ReportData &d) { lane(d, 1, 1).events.duration[4] = 91; }},
        {22, "a stage that starts too early", [](ReportData &d) { d.stageTasks[4].startCycle = 150; }},
        {22, "a task that runs twice", [](ReportData &d) { d.stageTasks[1].microBatch = 0; }},
        {22, "a slot that begins before the last one ends", [](ReportData &d) { d.stageTasks[2].slot = 1; }},
        {22, "a recomputation without its backward", [](ReportData &d) { d.stageTasks[4].pass = "recompute"; }},
        {22, "a hole between tasks", [](ReportData &d) { d.bubbles[0].startCycle = 310; }},
        {22, "a critical path that breaks off", [](ReportData &d) { d.criticals[1].startCycle = 110; }},
        {22, "a critical path too short", [](ReportData &d) { d.criticals[1].endCycle = 390; }},
        {23, "more bubbles than equal stages should have",
         [](ReportData &d) {
             d.bubbles[0].endCycle = 500;
             d.bubbles.push_back({2, 1, 400, 500, "ramp_down", kNone});
         }},
        {24, "an op of a stage that is not there", [](ReportData &d) { d.ops[0].stage = 7; }},
        {24, "an execute without compute set", [](ReportData &d) { d.programs[2].computeSet = kNone; }},
        {24, "an interval past the last step", [](ReportData &d) { d.livenessIntervals[3].endStep = 7; }},
        {24, "an event of an unknown type", [](ReportData &d) { lane(d, 1, 0).events.type[0] = 99; }},
        {24, "a layout with an unknown class", [](ReportData &d) { inLayout(d, 0, [](TileLayout &l) { l[0].livenessClass = 9; }); }},
    };
    return all;
}

bool tells(std::vector<Violation> const &violations, int invariant)
{
    return std::any_of(violations.begin(), violations.end(), [&](auto const &v) { return v.invariant == invariant; });
}

std::string listed(std::vector<Violation> const &violations)
{
    std::string text;
    for (auto const &v : violations) text += std::to_string(v.invariant) + " " + v.subject + ": " + v.what + "\n";
    return text;
}

} // namespace

class TstCheckTables : public QObject {
    Q_OBJECT

private slots:
    void theSampleKeepsEveryInvariant()
    {
        auto const violations = checkTables(sampleReport());
        QVERIFY2(violations.empty(), listed(violations).c_str());
    }
    void emptyReportsBreakNothing() { QVERIFY(checkTables({}).empty()); }
    void everyInvariantNoticesItsBreach_data()
    {
        QTest::addColumn<int>("index");
        int index = 0;
        for (auto const &m : mutations()) QTest::newRow((std::to_string(m.invariant) + " " + m.name).c_str()) << index++;
    }
    void everyInvariantNoticesItsBreach()
    {
        QFETCH(int, index);
        auto const &mutation = mutations()[static_cast<std::size_t>(index)];
        auto d = sampleReport();
        mutation.change(d);
        auto const violations = checkTables(d);
        QVERIFY2(tells(violations, mutation.invariant), ("not told; told instead:\n" + listed(violations)).c_str());
        for (auto const &v : violations) QVERIFY(!v.what.empty());
    }
    void everyInvariantOfTheListIsChecked()
    {
        std::set<int> checked;
        for (auto const &m : mutations()) checked.insert(m.invariant);
        for (int i = 1; i <= 24; ++i) QVERIFY2(checked.count(i), std::to_string(i).c_str());
    }
    void manyBreachesAreSummedUp()
    {
        auto d = sampleReport();
        for (int i = 0; i < 100; ++i) {
            OpRow op;
            op.level = "graph";
            d.ops.push_back(op);
        }
        auto const violations = checkTables(d);
        QCOMPARE(std::count_if(violations.begin(), violations.end(), [](auto const &v) { return v.invariant == 14; }),
                 kViolationsListed + 1);
        QVERIFY(violations.back().what.find("80 more") != std::string::npos);
    }
};

TW_REGISTER_TEST(TstCheckTables);
#include "tst_check_tables.moc"
