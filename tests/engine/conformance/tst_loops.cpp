// Loops that carry values, in every way to run them: the oracle against the same steps written one after the other, the
// executors against the oracle, gradients against differences.
#include "engine/core/random.h"
#include "engine/passes/autodiff.h"
#include "engine/passes/pass.h"
#include "engine/reference/interpreter.h"
#include "tests/engine/conformance/control_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>

using namespace tilewright;
using namespace tilewright::graph;
using namespace tilewright::tests;
using conformance::Mode;
using conformance::Tensor;

namespace {

constexpr std::int64_t kSteps = 4, kRows = 3, kUnits = 5;

/// One step: gets the carried values, the slices, the number of the step and the captured values; returns the next carried values, then the
/// stacked
/// ones.
struct Step {
    std::vector<ValueId> carried, slices;
    ValueId index;
    std::vector<ValueId> around;
};

struct Kind {
    std::string name;
    std::size_t carried = 1, slices = 1, stacks = 1;
    std::vector<char> reversedIn = {}, reversedOut = {};
    bool index = false;
    std::function<std::vector<ValueId>(Builder &, Step const &)> step;
};

std::vector<Kind> kinds()
{
    auto const rnn = [](Builder &b, Step const &s) {
        auto const h =
            op(b, "tanh", {op(b, "add", {op(b, "add", {s.slices[0], op(b, "matmul", {s.carried[0], s.around[0]})}), s.around[1]})});
        return std::vector<ValueId>{h, h};
    };
    return {
        {"recurrence", 1, 1, 1, {}, {}, false, rnn},
        {"from the last step", 1, 1, 1, {1}, {}, false, rnn},
        {"from the last step to the first place", 1, 1, 1, {1}, {1}, false, rnn},
        {"into the last place", 1, 1, 1, {}, {1}, false, rnn},
        {"two values that change places",
         2,
         1,
         1,
         {},
         {},
         false,
         [](Builder &b, Step const &s) {
             return std::vector<ValueId>{s.carried[1], op(b, "mul", {s.carried[0], s.slices[0]}),
                                         op(b, "sub", {s.carried[0], s.carried[1]})};
         }},
        {"updated in place",
         1,
         1,
         0,
         {},
         {},
         false,
         [](Builder &b, Step const &s) {
             return std::vector<ValueId>{op(b, "add", {op(b, "square", {s.slices[0]}), op(b, "mul", {s.carried[0], s.around[1]})})};
         }},
        {"a slice that is carried",
         2,
         1,
         2,
         {},
         {},
         false,
         [](Builder &b, Step const &s) {
             auto const sum = op(b, "add", {s.carried[0], op(b, "mul", {s.carried[1], s.slices[0]})});
             return std::vector<ValueId>{sum, s.slices[0], sum, sum};
         }},
        {"the number of the step",
         1,
         1,
         1,
         {},
         {},
         true,
         [](Builder &b, Step const &s) {
             auto const t = b.one("cast", {s.index}, {}, DType::F32);
             auto const y = op(b, "mul", {op(b, "add", {s.carried[0], s.slices[0]}), t});
             return std::vector<ValueId>{y, op(b, "square", {y})};
         }},
        {"nothing carried",
         0,
         2,
         2,
         {0, 1},
         {1, 0},
         false,
         [](Builder &b, Step const &s) {
             auto const y = op(b, "mul", {s.slices[0], s.slices[1]});
             return std::vector<ValueId>{y, op(b, "matmul", {op(b, "sigmoid", {y}), s.around[0]})};
         }},
        {"a constant and a view inside",
         1,
         1,
         1,
         {},
         {},
         false,
         [](Builder &b, Step const &s) {
             auto const half = b.constant(0.5, {kRows, kUnits});
             auto const flat = b.one("reshape", {op(b, "mul", {s.carried[0], half})}, {kRows * kUnits}, DType::F32);
             auto const back = b.one("reshape", {op(b, "mul", {flat, flat})}, {kRows, kUnits}, DType::F32);
             return std::vector<ValueId>{op(b, "add", {back, s.slices[0]}), back};
         }},
        {"cut into parts",
         2,
         1,
         1,
         {},
         {},
         false,
         [](Builder &b, Step const &s) {
             auto const both = op(b, "concat", {s.carried[0], s.slices[0]}, {{"axis", std::int64_t{1}}});
             auto const wide = op(b, "mul", {both, op(b, "concat", {s.slices[0], s.carried[1]}, {{"axis", std::int64_t{1}}})});
             auto const parts = addInferred(b, ops::opLookup(), "split", {wide}, {{"axis", std::int64_t{1}}, {"parts", std::int64_t{2}}});
             return std::vector<ValueId>{parts[1], op(b, "add", {s.carried[1], parts[0]}), parts[0]};
         }},
        {"a loop inside",
         1,
         1,
         1,
         {},
         {},
         false,
         [](Builder &b, Step const &s) {
             RepeatBuilder inner(b, "inner", 2, {s.carried[0]}, {});
             auto const h = op(b, "tanh", {op(b, "add", {op(b, "matmul", {inner.carried(0), s.around[0]}), s.slices[0]})});
             auto const out = inner.finish({h}, {h});
             auto const first = b.one(
                 "reshape", {op(b, "slice", {out[1]}, {{"axis", std::int64_t{0}}, {"start", std::int64_t{0}}, {"size", std::int64_t{1}}})},
                 {kRows, kUnits}, DType::F32);
             return std::vector<ValueId>{out[0], op(b, "mul", {first, out[0]})};
         }},
    };
}

struct Case {
    layers::StepGraph step;
    std::vector<VariableId> inputs, results;
    std::vector<Shape> shapes;
    ValueId loss;
    std::vector<ValueId> values; ///< read from the inputs
};

/// Inputs are variables; results (and, with `gradients`, the gradients of their weighted sum) are assigned to others.
Case build(Kind const &kind, bool unrolled, bool gradients)
{
    Case c;
    Graph &g = c.step.graph;
    g.name = "loop";
    addRegion(g, "main");
    Builder b(g, RegionId(0));
    auto const input = [&](std::string name, Shape shape) {
        auto const id = variable(g, std::move(name), std::move(shape));
        c.inputs.push_back(id);
        c.values.push_back(b.read(id));
        return c.values.back();
    };
    std::vector<ValueId> carried, stacked, around;
    for (std::size_t i = 0; i < kind.carried; ++i) carried.push_back(input("carried" + std::to_string(i), {kRows, kUnits}));
    for (std::size_t i = 0; i < kind.slices; ++i) stacked.push_back(input("stack" + std::to_string(i), {kSteps, kRows, kUnits}));
    around = {input("matrix", {kUnits, kUnits}), input("row", {kUnits})};
    std::vector<ValueId> results;
    auto const flag = [](std::vector<char> const &flags, std::size_t i) { return i < flags.size() && flags[i]; };
    if (!unrolled) {
        RepeatBuilder loop(b, "loop", kSteps, carried, stacked, kind.reversedIn, kind.index);
        Step step{{}, {}, kind.index ? loop.index() : ValueId(), around};
        for (std::size_t i = 0; i < kind.carried; ++i) step.carried.push_back(loop.carried(i));
        for (std::size_t i = 0; i < kind.slices; ++i) step.slices.push_back(loop.slice(i));
        auto const made = kind.step(b, step);
        auto const split = made.begin() + static_cast<std::ptrdiff_t>(kind.carried);
        results = loop.finish({made.begin(), split}, {split, made.end()}, kind.reversedOut);
    } else {
        std::vector<std::vector<ValueId>> stacks(kind.stacks, std::vector<ValueId>(kSteps));
        for (std::int64_t t = 0; t < kSteps; ++t) {
            Step step{carried, {}, {}, around};
            if (kind.index) step.index = b.constant(static_cast<double>(t), {}, DType::I32);
            for (std::size_t i = 0; i < kind.slices; ++i) {
                auto const at = flag(kind.reversedIn, i) ? kSteps - 1 - t : t;
                step.slices.push_back(
                    b.one("reshape", {op(b, "slice", {stacked[i]}, {{"axis", std::int64_t{0}}, {"start", at}, {"size", std::int64_t{1}}})},
                          {kRows, kUnits}, DType::F32));
            }
            auto const made = kind.step(b, step);
            carried.assign(made.begin(), made.begin() + static_cast<std::ptrdiff_t>(kind.carried));
            for (std::size_t i = 0; i < kind.stacks; ++i)
                stacks[i][static_cast<std::size_t>(flag(kind.reversedOut, i) ? kSteps - 1 - t : t)] =
                    b.one("reshape", {made[kind.carried + i]}, {1, kRows, kUnits}, DType::F32);
        }
        results = carried;
        for (auto const &stack : stacks) results.push_back(op(b, "concat", stack, {{"axis", std::int64_t{0}}}));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        auto const weighted = op(b, "mul_scalar", {op(b, "square", {results[i]})}, {{"p0", 0.3 + 0.2 * static_cast<double>(i)}});
        auto const sum = op(b, "reduce_sum", {weighted}, {});
        c.loss = i == 0 ? sum : op(b, "add", {c.loss, sum});
    }
    if (gradients) {
        passes::GradientSeed const seed{c.loss, b.constant(1.0, {})};
        auto made = passes::appendGradients(b, ops::opLookup(), {{&seed, 1}, {}, c.values, true});
        if (!made.ok()) qFatal("%s", toText(made.error()).c_str());
        for (std::size_t i = 0; i < c.values.size(); ++i) {
            auto value = made->values[i];
            auto const &type = g.value(c.values[i]);
            if (!value.valid()) value = b.constant(0.0, type.shape);
            results.push_back(value);
        }
    }
    results.push_back(c.loss);
    for (std::size_t i = 0; i < results.size(); ++i) {
        auto const id = variable(g, "result" + std::to_string(i), g.value(results[i]).shape);
        c.results.push_back(id);
        b.assign(id, results[i]);
    }
    if (auto const status = verify(g, ops::opLookup()); !status.ok()) qFatal("%s", toText(status.error()).c_str());
    return c;
}

Tensor randomOf(Shape const &shape, std::uint64_t seed)
{
    RandomStream random(seed);
    Tensor t{DType::F32, shape, {}};
    for (std::int64_t i = 0; i < elementCount(shape); ++i) t.v.push_back(static_cast<float>(random.uniform() * 1.6 - 0.8));
    return t;
}

reference::RefState stateOf(Case const &c)
{
    reference::RefState state;
    for (std::size_t i = 0; i < c.inputs.size(); ++i)
        state.variables[c.inputs[i]] = randomOf(c.step.graph.variable(c.inputs[i]).shape, 100 + i);
    return state;
}

std::vector<Tensor> inDouble(Case const &c, reference::RefState state)
{
    return tests::inDouble(c.step.graph, c.results, std::move(state));
}

Kind const &kindNamed(QString const &name)
{
    static auto const all = kinds();
    return named(all, name);
}

int countOf(Graph const &g, std::string_view name)
{
    int count = 0;
    for (auto const &region : g.regions)
        for (auto id : region.nodes) count += g.node(id).op == name;
    return count;
}

} // namespace

class TstLoops : public QObject {
    Q_OBJECT

    static void addKinds(std::vector<std::pair<char const *, int>> const &ways)
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("way");
        for (auto const &kind : kinds())
            for (auto const &[name, way] : ways)
                QTest::addRow("%s%s%s", kind.name.c_str(), *name ? ", " : "", name) << QString::fromStdString(kind.name) << way;
    }

private slots:
    void oracleRunsTheStepsInTheirOrder_data() { addKinds({{"", 0}}); }
    void oracleRunsTheStepsInTheirOrder()
    {
        QFETCH(QString, kind);
        auto const loop = build(kindNamed(kind), false, false), steps = build(kindNamed(kind), true, false);
        auto const got = inDouble(loop, stateOf(loop)), wanted = inDouble(steps, stateOf(steps));
        QCOMPARE(got.size(), wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) QVERIFY2(difference(got[i], wanted[i]) < 1e-14, std::to_string(i).c_str());
    }

    void gradientsAreDifferences_data() { addKinds({{"", 0}}); }
    void gradientsAreDifferences()
    {
        QFETCH(QString, kind);
        auto const c = build(kindNamed(kind), false, true);
        auto const state = stateOf(c);
        auto const results = inDouble(c, state);
        std::size_t const first = c.results.size() - 1 - c.inputs.size();
        double largest = 0;
        for (std::size_t i = 0; i < c.inputs.size(); ++i)
            for (std::size_t k = 0; k < state.variables.at(c.inputs[i]).v.size(); ++k) {
                auto moved = state;
                constexpr double h = 1e-5;
                moved.variables[c.inputs[i]].v[k] += h;
                double const up = inDouble(c, moved).back().v[0];
                moved.variables[c.inputs[i]].v[k] -= 2 * h;
                double const slope = (up - inDouble(c, moved).back().v[0]) / (2 * h), got = results[first + i].v[k];
                largest = std::max(largest, std::abs(slope));
                QVERIFY2(std::abs(slope - got) <= 1e-6 * std::max(1.0, std::abs(slope)),
                         (c.step.graph.variable(c.inputs[i]).name + ": " + std::to_string(got) + " instead of " + std::to_string(slope))
                             .c_str());
            }
        QVERIFY(largest > 0.01);
        // The gradient is a loop itself: nothing was unrolled.
        bool const nested = kind == "a loop inside";
        QCOMPARE(countOf(c.step.graph, "repeat"), nested ? 4 : 2);
    }

    void executorsAgreeWithTheOracle_data() { addKinds({{"fused", 0}, {"8 tiles", 8}, {"64 tiles", 64}}); }
    void executorsAgreeWithTheOracle()
    {
        QFETCH(QString, kind);
        QFETCH(int, way);
        auto const c = build(kindNamed(kind), false, true);
        auto const machine = target::parseMachine("gc200:tiles=" + std::to_string(way ? way : 8));
        QVERIFY(machine.ok());
        auto runner = conformance::StepRunner::make(c.step, way ? Mode::Tile : Mode::Fused, *machine, 1, {});
        QVERIFY2(runner.ok(), runner.ok() ? "" : toText(runner.error()).c_str());
        auto const state = stateOf(c);
        auto const wanted = inDouble(c, state);
        for (int run = 0; run < 2; ++run) { // the second run starts from the beginning
            for (auto id : c.inputs) (*runner)->write(id, state.variables.at(id));
            auto const status = (*runner)->run({}, {});
            QVERIFY2(status.ok(), status.ok() ? "" : toText(status.error()).c_str());
            for (std::size_t i = 0; i < c.results.size(); ++i) {
                auto const error = difference((*runner)->read(c.results[i]), wanted[i]);
                QVERIFY2(error < 2e-5, (c.step.graph.variable(c.results[i]).name + " differs by " + std::to_string(error)).c_str());
            }
            for (auto id : c.inputs) QVERIFY((*runner)->read(id) == state.variables.at(id)); // nothing is written into a stack that is read
        }
    }

    /// y = f(f(x)) with f(x) = tanh(x w) + x: two calls of one body, against the same nodes twice.
    void callsOfOneBodyAgreeWithItsNodes_data()
    {
        QTest::addColumn<int>("way");
        QTest::newRow("oracle") << -1;
        QTest::newRow("fused") << 0;
        QTest::newRow("8 tiles") << 8;
        QTest::newRow("64 tiles") << 64;
    }
    void callsOfOneBodyAgreeWithItsNodes()
    {
        QFETCH(int, way);
        auto const make = [](bool calls) {
            Case c;
            Graph &g = c.step.graph;
            g.name = "calls";
            addRegion(g, "main");
            Builder b(g, RegionId(0));
            for (auto const &[name, shape] : {std::pair<char const *, Shape>{"x", {kRows, kUnits}}, {"w", {kUnits, kUnits}}}) {
                c.inputs.push_back(variable(g, name, shape));
                c.values.push_back(b.read(c.inputs.back()));
            }
            auto const f = [&](ValueId x, ValueId w) { return op(b, "add", {op(b, "tanh", {op(b, "matmul", {x, w})}), x}); };
            RegionId body;
            if (calls) {
                body = addRegion(g, "f");
                b.setRegion(body);
                auto const given = b.add("parameters", {}, {{{kRows, kUnits}, DType::F32}, {{kUnits, kUnits}, DType::F32}});
                b.add("results", {f(given[0], given[1])}, {});
                b.setRegion(RegionId(0));
            }
            ValueId y = c.values[0];
            for (int k = 0; k < 2; ++k) {
                if (!calls) {
                    y = f(y, c.values[1]);
                    continue;
                }
                y = b.one("call", {y, c.values[1]}, {kRows, kUnits}, DType::F32);
                g.nodes.back().regions = {body};
            }
            c.loss = op(b, "reduce_sum", {op(b, "square", {y})}, {});
            passes::GradientSeed const seed{c.loss, b.constant(1.0, {})};
            auto const made = passes::appendGradients(b, ops::opLookup(), {{&seed, 1}, {}, c.values, true});
            if (!made.ok()) qFatal("%s", toText(made.error()).c_str());
            for (auto value : {y, made->values[0], made->values[1], c.loss}) {
                c.results.push_back(variable(g, "result" + std::to_string(c.results.size()), g.value(value).shape));
                b.assign(c.results.back(), value);
            }
            if (auto const status = verify(g, ops::opLookup()); !status.ok()) qFatal("%s", toText(status.error()).c_str());
            return c;
        };
        auto const calls = make(true), nodes = make(false);
        // One body forward, one backward, each called twice; products in them and nowhere else.
        QCOMPARE(countOf(calls.step.graph, "call"), 4);
        QCOMPARE(countOf(calls.step.graph, "matmul"), 3);
        QCOMPARE(countOf(nodes.step.graph, "matmul"), 6);
        auto const wanted = inDouble(nodes, stateOf(nodes));
        if (way < 0) {
            auto const got = inDouble(calls, stateOf(calls));
            for (std::size_t i = 0; i < wanted.size(); ++i) QVERIFY(difference(got[i], wanted[i]) < 1e-14);
            return;
        }
        auto const machine = target::parseMachine("gc200:tiles=" + std::to_string(way ? way : 8));
        auto runner = conformance::StepRunner::make(calls.step, way ? Mode::Tile : Mode::Fused, *machine, 1, {});
        QVERIFY2(runner.ok(), runner.ok() ? "" : toText(runner.error()).c_str());
        for (auto id : calls.inputs) (*runner)->write(id, stateOf(calls).variables.at(id));
        auto const status = (*runner)->run({}, {});
        QVERIFY2(status.ok(), status.ok() ? "" : toText(status.error()).c_str());
        for (std::size_t i = 0; i < wanted.size(); ++i)
            QVERIFY2(difference((*runner)->read(calls.results[i]), wanted[i]) < 2e-5, std::to_string(i).c_str());
    }

    void inPlaceUpdatesOfOneStepAreNotCopied()
    {
        auto c = build(kindNamed("updated in place"), false, false);
        JobContext const job;
        auto const passed = passes::runPasses(passes::graphPasses(), c.step.graph, {ops::opLookup(), {}, job});
        QVERIFY2(passed.ok(), passed.ok() ? "" : toText(passed.error()).c_str());
        bool inPlace = false;
        for (auto const &region : passed->graph.regions)
            for (auto id : region.nodes) {
                auto const &node = passed->graph.node(id);
                for (std::size_t o = 0; o < node.inPlace.size(); ++o)
                    inPlace = inPlace
                        || (node.inPlace[o] >= 0
                            && passed->graph.node(passed->graph.value(node.inputs[static_cast<std::size_t>(node.inPlace[o])]).producer).op
                                == "parameters");
            }
        QVERIFY(inPlace);
    }

    /// A product with a captured operand becomes one product after the loop.
    void sumsOverStepsLeaveTheLoop()
    {
        auto const c = build(kindNamed("recurrence"), false, true);
        auto const &g = c.step.graph;
        int inside = 0, outside = 0;
        for (std::size_t r = 0; r < g.regions.size(); ++r)
            for (auto id : g.regions[r].nodes)
                if (g.node(id).op == "matmul" && g.node(id).attrs.flag("transpose_a")) (r == 0 ? outside : inside) += 1;
        QCOMPARE(inside, 0);
        QCOMPARE(outside, 1);
    }
};

TW_REGISTER_TEST(TstLoops);
#include "tst_loops.moc"
