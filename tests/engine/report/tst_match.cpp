#include "engine/report/build_report_run.h"
#include "engine/report/match.h"
#include "engine/report/quantities.h"
#include "tests/engine/report/report_test_programs.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <set>

using namespace tilewright;
using namespace tilewright::report;

namespace {

int addOp(ReportData &d, int parent, std::string level, std::string name, std::string pass = "forward")
{
    OpRow row;
    row.parent = parent;
    row.level = std::move(level);
    row.name = std::move(name);
    row.pass = std::move(pass);
    d.ops.push_back(std::move(row));
    return static_cast<int>(d.ops.size()) - 1;
}

int addStep(ReportData &d, std::string kind, std::string name, int op = kNone)
{
    ProgramRow row;
    row.kind = std::move(kind);
    row.name = std::move(name);
    row.op = op;
    d.programs.push_back(std::move(row));
    return static_cast<int>(d.programs.size()) - 1;
}

/// main: repeat { for each layer a product and two assignments of one name }. Each step takes 100 cycles plus one per letter of its layer,
/// so that a
/// shift by a row would show.
ReportData modelOf(std::vector<std::string> const &layers, int loops = 1)
{
    ReportData d;
    int const main = addStep(d, "sequence", "main");
    int inner = main;
    for (int loop = 0; loop < loops; ++loop) {
        int const repeat = addStep(d, "repeat", "loop" + std::to_string(loop));
        d.programs.back().repeatCount = 1;
        d.programChildren.push_back({inner, 0, repeat, {}});
        inner = repeat;
    }
    d.functions = {{"main", main, true}};
    d.runs = {RunRow{"train", "train", "fused", "done", 0, 1, 8}};
    d.patternPlaces = {{0, 0, 0, 0, 1, 0, 0}};
    std::vector<int> tops;
    for (auto const &layer : layers) tops.push_back(addOp(d, kNone, "keras", layer));
    int position = 0;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        auto const step = [&](std::string const &name, std::string const &pass) {
            int const op = addOp(d, tops[i], "graph", layers[i] + '/' + name, pass);
            int const program = addStep(d, "execute", layers[i] + '/' + name, op);
            d.programChildren.push_back({inner, position++, program, {}});
            StepStatRow stat;
            stat.program = program;
            stat.executions = 1;
            stat.cycles = 100 + static_cast<Cycles>(layers[i].size()) + static_cast<Cycles>(name.size());
            d.stepStats.push_back(stat);
            d.runs[0].cycles += stat.cycles;
        };
        step("MatMul", "forward");
        step("assign", "update");
        step("assign", "update");
    }
    IpuSplitRow split;
    split.compute = d.runs[0].cycles;
    d.ipuSplits = {split};
    return d;
}

struct Steps {
    ProgramTree tree;
    std::vector<NodeCost> costs;
    explicit Steps(ReportData const &d) : tree(programTree(d)), costs(nodeCosts(d, tree, costsByProgram(d, runFrame(d).run), {})) {}
};

std::vector<RunCost> ownCosts(ReportData const &d)
{
    std::vector<RunCost> costs(d.ops.size());
    auto const byProgram = costsByProgram(d, runFrame(d).run);
    for (std::size_t p = 0; p < d.programs.size(); ++p)
        if (d.programs[p].op >= 0) costs[static_cast<std::size_t>(d.programs[p].op)].add(byProgram[p]);
    return costs;
}

std::string const &nameOf(ReportData const &d, int op) { return d.ops[static_cast<std::size_t>(op)].name; }

/// Each row of either report is in exactly one pair, and sums over pairs equal sums over the reports.
void checkConserved(ReportData const &before, ReportData const &now)
{
    std::vector<int> seenBefore(before.ops.size()), seenNow(now.ops.size());
    auto const costsBefore = ownCosts(before), costs = ownCosts(now);
    Cycles sumBefore = 0, sum = 0, allBefore = 0, all = 0;
    for (auto const &cost : costsBefore) allBefore += cost.cycles;
    for (auto const &cost : costs) all += cost.cycles;
    for (auto const &pair : matchOperations(before, now)) {
        QVERIFY(pair.before >= 0 || pair.now >= 0);
        if (pair.before >= 0) {
            ++seenBefore[static_cast<std::size_t>(pair.before)];
            sumBefore += costsBefore[static_cast<std::size_t>(pair.before)].cycles;
        }
        if (pair.now >= 0) {
            ++seenNow[static_cast<std::size_t>(pair.now)];
            sum += costs[static_cast<std::size_t>(pair.now)].cycles;
        }
    }
    QVERIFY(std::ranges::all_of(seenBefore, [](int n) { return n == 1; }));
    QVERIFY(std::ranges::all_of(seenNow, [](int n) { return n == 1; }));
    QCOMPARE(sumBefore, allBefore);
    QCOMPARE(sum, all);

    Steps const a(before), b(now);
    std::vector<int> nodesBefore(a.tree.nodes.size()), nodesNow(b.tree.nodes.size());
    auto const rows = matchSteps(before, a.tree, now, b.tree);
    Cycles self = 0, selfBefore = 0;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        auto const &row = rows[i];
        QVERIFY(row.parent < static_cast<int>(i));
        if (row.before >= 0) {
            ++nodesBefore[static_cast<std::size_t>(row.before)];
            selfBefore += a.costs[static_cast<std::size_t>(row.before)].self;
        }
        if (row.now >= 0) {
            ++nodesNow[static_cast<std::size_t>(row.now)];
            self += b.costs[static_cast<std::size_t>(row.now)].self;
            // Rows of the report on show keep its tree.
            int const parent = b.tree.nodes[static_cast<std::size_t>(row.now)].parent;
            QCOMPARE(row.parent < 0 ? kNone : rows[static_cast<std::size_t>(row.parent)].now, parent);
        }
    }
    QVERIFY(std::ranges::all_of(nodesBefore, [](int n) { return n == 1; }));
    QVERIFY(std::ranges::all_of(nodesNow, [](int n) { return n == 1; }));
    Cycles expected = 0, expectedBefore = 0;
    for (auto const &cost : b.costs) expected += cost.self;
    for (auto const &cost : a.costs) expectedBefore += cost.self;
    QCOMPARE(self, expected);
    QCOMPARE(selfBefore, expectedBefore);
}

} // namespace

class TstMatch : public QObject {
    Q_OBJECT
private slots:
    void equalReportsDifferNowhere()
    {
        auto const compiled = testing::mnistTraining("gc200:tiles=8", 2, 1, 2);
        auto const facts = compiled.facts();
        auto real = buildCompileReport(facts);
        appendRun(real, facts, appendPattern(real, facts), {});
        for (auto const &d : {modelOf({"a", "bb", "ccc"}), real}) {
            auto const pairs = matchOperations(d, d);
            QCOMPARE(pairs.size(), d.ops.size());
            for (std::size_t i = 0; i < pairs.size(); ++i) QCOMPARE(pairs[i], (RowPair{static_cast<int>(i), static_cast<int>(i)}));
            Steps const steps(d);
            auto const rows = matchSteps(d, steps.tree, d, steps.tree);
            QCOMPARE(rows.size(), steps.tree.nodes.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                QCOMPARE(rows[i].before, static_cast<int>(i));
                QCOMPARE(rows[i].now, static_cast<int>(i));
                QCOMPARE(rows[i].parent, steps.tree.nodes[i].parent);
            }
            checkConserved(d, d);
        }
    }
    void insertedLayersDoNotMoveOthers()
    {
        auto const before = modelOf({"a", "bb", "ccc"}), now = modelOf({"a", "extra", "bb", "ccc"});
        auto const costsBefore = ownCosts(before), costs = ownCosts(now);
        int added = 0;
        for (auto const &pair : matchOperations(before, now)) {
            QVERIFY(pair.now >= 0); // nothing is gone
            if (pair.before < 0) {
                ++added;
                QVERIFY(nameOf(now, pair.now).starts_with("extra"));
                continue;
            }
            QCOMPARE(nameOf(before, pair.before), nameOf(now, pair.now));
            QCOMPARE(costsBefore[static_cast<std::size_t>(pair.before)].cycles, costs[static_cast<std::size_t>(pair.now)].cycles);
        }
        QCOMPARE(added, 4);
        Steps const a(before), b(now);
        int inserted = 0;
        for (auto const &row : matchSteps(before, a.tree, now, b.tree)) {
            QVERIFY(row.now >= 0);
            inserted += row.before < 0;
            bool const leaf = row.both() && b.costs[static_cast<std::size_t>(row.now)].self > 0;
            if (leaf) QCOMPARE(a.costs[static_cast<std::size_t>(row.before)].self, b.costs[static_cast<std::size_t>(row.now)].self);
        }
        QCOMPARE(inserted, 3);
        checkConserved(before, now);
        checkConserved(now, before);
    }
    void removedStepsKeepTheirPosition()
    {
        auto const before = modelOf({"a", "bb", "ccc"}), now = modelOf({"a", "ccc"});
        Steps const a(before), b(now);
        std::vector<std::string> names;
        for (auto const &row : matchSteps(before, a.tree, now, b.tree)) {
            auto const &d = row.now >= 0 ? now : before;
            auto const &node =
                row.now >= 0 ? b.tree.nodes[static_cast<std::size_t>(row.now)] : a.tree.nodes[static_cast<std::size_t>(row.before)];
            names.push_back((row.now < 0 ? "-" : "") + d.programs[static_cast<std::size_t>(node.program)].name);
        }
        QCOMPARE(names,
                 (std::vector<std::string>{"main", "loop0", "a/MatMul", "a/assign", "a/assign", "-bb/MatMul", "-bb/assign", "-bb/assign",
                                           "ccc/MatMul", "ccc/assign", "ccc/assign"}));
    }
    void stepsAreFoundBelowAnotherLoop()
    {
        // Accumulating gradients puts the step into one more loop: its steps are the same.
        auto const before = modelOf({"a", "bb"}), now = modelOf({"a", "bb"}, 2);
        Steps const a(before), b(now);
        int onlyNow = 0;
        for (auto const &row : matchSteps(before, a.tree, now, b.tree)) {
            QVERIFY(row.now >= 0);
            onlyNow += row.before < 0;
        }
        QCOMPARE(onlyNow, 1); // the loop
        checkConserved(before, now);
        checkConserved(now, before);
    }
    void callsAndLoopsWithNamesMoveToo()
    {
        auto const wrapped = [](ReportData d) {
            int const inner = d.programChildren.back().parent, micro = addStep(d, "repeat", "micro_batch");
            d.programs.back().repeatCount = 1;
            for (auto &child : d.programChildren)
                if (child.parent == inner && !isControlKind(d.programs[static_cast<std::size_t>(child.child)].kind)) child.parent = micro;
            d.programChildren.push_back({inner, 0, micro, {}});
            return d;
        };
        auto const before = wrapped(modelOf({"a", "bb"})), now = wrapped(modelOf({"a", "bb"}, 2));
        Steps const a(before), b(now);
        int onlyNow = 0;
        for (auto const &row : matchSteps(before, a.tree, now, b.tree)) {
            QVERIFY(row.now >= 0);
            onlyNow += row.before < 0;
            if (row.both()) QCOMPARE(a.costs[static_cast<std::size_t>(row.before)].self, b.costs[static_cast<std::size_t>(row.now)].self);
        }
        QCOMPARE(onlyNow, 1);
        checkConserved(before, now);
        checkConserved(now, before);
    }
    void ofEqualNamesTheNeighboursDecide()
    {
        // bb loses its product's first assignment; the second one still precedes the next operation.
        auto const before = modelOf({"a", "bb", "ccc"});
        auto now = before;
        auto const gone = std::ranges::find(now.ops, "bb/assign", &OpRow::name);
        int const index = static_cast<int>(gone - now.ops.begin());
        gone->name = "bb/other";
        for (auto const &pair : matchOperations(before, now))
            if (pair.before == index + 1) QCOMPARE(pair.now, index + 1);
        checkConserved(before, now);
    }
    void theSameNameInAnotherPassIsAnother()
    {
        auto before = modelOf({"a"}), now = before;
        now.ops[1].pass = "recompute";
        int only = 0;
        for (auto const &pair : matchOperations(before, now)) only += !pair.both();
        QCOMPARE(only, 2);
    }
    void anotherMachineHasTheSameOperations()
    {
        auto const small = testing::mnistTraining("gc200:tiles=8"), large = testing::mnistTraining("gc200:tiles=64");
        auto const a = buildCompileReport(small.facts()), b = buildCompileReport(large.facts());
        checkConserved(a, b);
        std::set<std::string> unmatched;
        for (auto const &pair : matchOperations(a, b)) {
            int const op = pair.now >= 0 ? pair.now : pair.before;
            auto const &row = (pair.now >= 0 ? b : a).ops[static_cast<std::size_t>(op)];
            if (!pair.both() && (row.level == "keras" || row.level == "graph")) unmatched.insert(row.name);
        }
        QVERIFY2(unmatched.empty(), unmatched.empty() ? "" : unmatched.begin()->c_str());
    }
    void pathsOfLayers()
    {
        ReportData d;
        int const outer = addOp(d, kNone, "keras", "block"), inner = addOp(d, outer, "keras", "dense"),
                  op = addOp(d, inner, "graph", "block/dense/MatMul");
        QCOMPARE(layerPath(d, op), std::string("block/dense"));
        d.ops[0].kind = kSyntheticKind;
        QCOMPARE(layerPath(d, op), std::string("dense"));
        QCOMPARE(layerPath(d, outer), std::string());
        d.ops[0].parent = 0; // a damaged report
        QVERIFY(layerPath(d, 0).empty());
    }
    void damagedTreesTerminate()
    {
        auto d = modelOf({"a", "bb"});
        d.ops[0].parent = 0; // above itself: reached from nowhere, so it is found by its name
        d.ops[1].parent = 4711;
        auto const pairs = matchOperations(d, d);
        QCOMPARE(pairs.size(), d.ops.size());
        QVERIFY(std::ranges::all_of(pairs, [](auto const &pair) { return pair.both(); }));
    }
    void samplesShowWhetherStepsAreEqual()
    {
        ReportData a, b;
        QVERIFY(sameSamples(a, b));
        a.figures.push_back({"samples_per_step", 32, "count"});
        QVERIFY(!sameSamples(a, b));
        b.figures.push_back({"samples_per_step", 32, "count"});
        QVERIFY(sameSamples(a, b));
        QCOMPARE(samplesOfStep(a), 32.0);
    }
};

TW_REGISTER_TEST(TstMatch);
#include "tst_match.moc"
