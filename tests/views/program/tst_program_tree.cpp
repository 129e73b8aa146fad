#include "tests/support/spent_time.h"
#include "tests/support/test_registry.h"
#include "tests/views/memory/compiled_report.h"
#include "views/program/program_describe.h"

#include <QtTest>

#include <numeric>

using namespace tilewright;
using namespace tilewright::views;

namespace {

int addProgram(report::ReportData &data, std::string kind, std::string name, std::int64_t repeats = -1, int callee = report::kNone)
{
    report::ProgramRow row;
    row.kind = std::move(kind);
    row.name = std::move(name);
    row.repeatCount = repeats;
    row.callee = callee;
    data.programs.push_back(row);
    return static_cast<int>(data.programs.size()) - 1;
}

void hang(report::ReportData &data, int parent, std::vector<int> const &children)
{
    int position = 0;
    for (int const child : children) data.programChildren.push_back({parent, position++, child, {}});
}

/// main: repeat 3 { a, call f }, call f;  f: repeat 2 { b }.
report::ReportData twoCalls()
{
    report::ReportData d;
    int const main = addProgram(d, "sequence", "main"), loop = addProgram(d, "repeat", "loop", 3), a = addProgram(d, "execute", "a");
    int const inner = addProgram(d, "call", "first", -1, 1), outer = addProgram(d, "call", "second", -1, 1);
    int const f = addProgram(d, "sequence", "f"), twice = addProgram(d, "repeat", "twice", 2), b = addProgram(d, "execute", "b");
    hang(d, main, {loop, outer});
    hang(d, loop, {a, inner});
    hang(d, f, {twice});
    hang(d, twice, {b});
    d.functions = {{"main", main, true}, {"f", f, false}};
    d.runs.push_back({});
    d.runs[0].cycles = 100 * 3 + 8 * 11;
    d.patterns.push_back({"p", d.runs[0].cycles, true});
    d.patternPlaces.push_back({0, 0, 0, 0, 1, 0, 0});
    // b runs 3 × 2 times in the loop and 2 times after it.
    report::StepStatRow sa{0, a, 0, 3, 300, 100, 100}, sb{0, b, 0, 8, 88, 11, 11};
    d.stepStats = {sa, sb};
    report::IpuSplitRow split;
    split.compute = d.runs[0].cycles;
    d.ipuSplits.push_back(split);
    for (int const leaf : {a, b, b}) d.livenessSteps.push_back({leaf, report::kNone, {}});
    return d;
}

std::vector<int> find(report::ReportData const &data, ProgramTree const &tree, std::string const &name)
{
    std::vector<int> found;
    for (int i = 0; i < static_cast<int>(tree.nodes.size()); ++i)
        if (data.programs[static_cast<std::size_t>(tree.nodes[static_cast<std::size_t>(i)].program)].name == name) found.push_back(i);
    return found;
}

} // namespace

class TstProgramTree : public QObject {
    Q_OBJECT
private slots:
    void leavesComeInTheOrderOfTheLivenessSteps()
    {
        for (auto const &report :
             {tests::compiledReport(),
              tests::compiledReport("pod4:tiles=8,ipus=2",
                                    tests::smallModel(tests::twoStages(
                                        {{"training.steps_per_execution", "4"}, {"training.gradient_accumulation_steps", "4"}})))}) {
            auto const &d = report->data();
            auto const tree = programTree(d);
            std::vector<int> leaves;
            for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                auto const &node = tree.nodes[i];
                QVERIFY(node.parent < static_cast<int>(i));
                if (node.step >= 0) leaves.push_back(node.program);
            }
            std::vector<int> steps;
            for (auto const &step : d.livenessSteps) steps.push_back(step.program);
            QCOMPARE(leaves, steps);
            QVERIFY(!steps.empty());
        }
    }

    void topFunctionsAddUpToTheSplit()
    {
        for (auto const &report :
             {tests::compiledReport(),
              tests::compiledReport("pod4:tiles=8,ipus=2",
                                    tests::smallModel(tests::twoStages(
                                        {{"training.steps_per_execution", "4"}, {"training.gradient_accumulation_steps", "4"}})))}) {
            auto const &d = report->data();
            auto const frame = runFrame(d);
            auto const tree = programTree(d);
            auto const costs = nodeCosts(d, tree, costsByProgram(d, frame.run), {});
            Cycles top = 0;
            for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
                auto const &node = tree.nodes[i];
                if (node.parent < 0 && tree.calls[static_cast<std::size_t>(node.function)] == 0) top += costs[i].total;
            }
            auto const split = splitOf(d, frame.run);
            QCOMPARE(top, std::accumulate(split.begin(), split.end() - 1, Cycles{0}));
        }
    }

    void aBarrierPrecedesItsExchangeSoThatMainIsTheWholeStep()
    {
        auto const report = tests::compiledReport();
        auto const &d = report->data();
        auto const frame = runFrame(d);
        auto const tree = programTree(d);
        auto const costs = nodeCosts(d, tree, costsByProgram(d, frame.run), {});
        auto const kind = [&](std::size_t i) { return d.programs[static_cast<std::size_t>(tree.nodes[i].program)].kind; };
        int exchanges = 0, barriers = 0;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            barriers += kind(i) == "sync_internal";
            if (kind(i) != "exchange") continue;
            ++exchanges;
            QCOMPARE(kind(i - 1), std::string("sync_internal"));
            QCOMPARE(tree.nodes[i - 1].parent, tree.nodes[i].parent);
            QCOMPARE(tree.nodes[i - 1].times, tree.nodes[i].times);
        }
        QVERIFY(exchanges > 0 && exchanges == barriers);
        // The one function at the top is the whole step, as the operations are together.
        QCOMPARE(costs[0].total, frame.cycles);
        Cycles operations = 0;
        auto const byOp = costsByOp(d, costsByProgram(d, frame.run));
        for (std::size_t op = 0; op < d.ops.size(); ++op)
            if (d.ops[op].parent < 0) operations += byOp[op].cycles;
        QCOMPARE(costs[0].total, operations);
    }

    void repeatsMultiplyThroughAndCallsOpen()
    {
        auto const d = twoCalls();
        auto const tree = programTree(d);
        auto const costs = nodeCosts(d, tree, costsByProgram(d, 0), {10, 30, 20});
        auto const b = find(d, tree, "b");
        QCOMPARE(b.size(), std::size_t{3}); // in the loop, after it, and in the function on top
        auto const &first = tree.nodes[static_cast<std::size_t>(b[0])], &second = tree.nodes[static_cast<std::size_t>(b[1])];
        QCOMPARE(first.times, std::int64_t{6});
        QCOMPARE(second.times, std::int64_t{2});
        QCOMPARE(costs[static_cast<std::size_t>(b[0])].executions, std::int64_t{6});
        QCOMPARE(costs[static_cast<std::size_t>(b[0])].self, Cycles{66});
        QCOMPARE(costs[static_cast<std::size_t>(b[1])].self, Cycles{22});
        QCOMPARE(costs[static_cast<std::size_t>(b[2])].self, Cycles{88});
        QCOMPARE(costs[0].total, Cycles{388});
        QCOMPARE(costs[0].self, Cycles{0});
        QCOMPARE(tree.calls, (std::vector<int>{0, 2}));
        // Live bytes are those of the step; a parent shows the maximum below it.
        QCOMPARE(costs[static_cast<std::size_t>(b[0])].live, Bytes{30});
        QCOMPARE(costs[static_cast<std::size_t>(b[1])].live, Bytes{20});
        QCOMPARE(costs[0].live, Bytes{30});
    }

    void sharesOfOddCyclesStillAddUp()
    {
        auto d = twoCalls();
        d.stepStats[1].cycles = 91;
        auto const tree = programTree(d);
        auto const costs = nodeCosts(d, tree, costsByProgram(d, 0), {});
        auto const b = find(d, tree, "b");
        QCOMPARE(costs[static_cast<std::size_t>(b[0])].self + costs[static_cast<std::size_t>(b[1])].self, Cycles{91});
    }

    void loopsOverDataHaveNoKnownCount()
    {
        auto d = twoCalls();
        d.programs[1].repeatCount = -1;
        auto const tree = programTree(d);
        QVERIFY(!tree.nodes[static_cast<std::size_t>(find(d, tree, "a")[0])].timesKnown);
        QVERIFY(tree.nodes[static_cast<std::size_t>(find(d, tree, "second")[0])].timesKnown);
    }

    void aFunctionThatCallsItselfEnds()
    {
        auto d = twoCalls();
        int const again = addProgram(d, "call", "again", -1, 1);
        hang(d, 6, {again});
        auto const tree = programTree(d);
        QVERIFY(tree.nodes.size() < 30);
    }

    void callsBeyondTheLimitStayClosed()
    {
        auto const d = twoCalls();
        auto const tree = programTree(d, 4);
        QVERIFY(tree.cut);
        QVERIFY(!find(d, tree, "second").empty());
    }

    void aMillionStepsAreLaidOutInMoments()
    {
        report::ReportData d;
        int const main = addProgram(d, "sequence", "main");
        d.functions = {{"main", main, true}};
        for (int group = 0; group < 1000; ++group) {
            int const sequence = addProgram(d, "sequence", "group");
            d.programChildren.push_back({main, group, sequence, {}});
            for (int i = 0; i < 1000; ++i) d.programChildren.push_back({sequence, i, addProgram(d, "execute", "step"), {}});
        }
        tests::SpentTime const spent;
        auto const tree = programTree(d, 2'000'000);
        QCOMPARE(tree.nodes.size(), std::size_t{1'001'001});
        QVERIFY2(spent.below(2000), spent.text().c_str());
    }

    void detailsOfAStepLeadUpToItsLayer()
    {
        auto const report = tests::compiledReport();
        auto const &d = report->data();
        auto const frame = runFrame(d);
        auto const tree = programTree(d);
        auto const byProgram = costsByProgram(d, frame.run);
        auto const costs = nodeCosts(d, tree, byProgram, {});
        int computed = 0, exchanged = 0, streamed = 0;
        for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
            auto const &node = tree.nodes[i];
            auto const &program = d.programs[static_cast<std::size_t>(node.program)];
            auto const sections = describeStep(*report, node, costs[i], byProgram[static_cast<std::size_t>(node.program)], frame);
            QVERIFY(!sections.isEmpty());
            auto const has = [&](QString const &title) {
                return std::ranges::any_of(sections,
                                           [&](auto const &section) { return section.title == title && !section.facts.isEmpty(); });
            };
            computed += program.kind == "execute" && has(QStringLiteral("Compute set"));
            exchanged += program.kind == "exchange" && has(QStringLiteral("Exchange"));
            streamed += program.kind == "stream_copy";
            if (program.kind != "execute" || report->layerOf(program.op).isEmpty()) continue;
            bool layer = false;
            for (auto const &section : sections)
                for (auto const &line : section.facts)
                    layer =
                        layer || (line.to.selected.kind == SelectionKind::Layer && line.to.selected.name == report->layerOf(program.op));
            QVERIFY(layer);
        }
        QVERIFY(computed > 0 && exchanged > 0 && streamed > 0);
        QVERIFY(programHeadline(d, frame, 1).contains(QLatin1String(" steps in 1 function")));
    }
};

TW_REGISTER_TEST(TstProgramTree);
#include "tst_program_tree.moc"
