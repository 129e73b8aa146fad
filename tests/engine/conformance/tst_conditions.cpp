// Branches and loops that the device's numbers decide, in every way to run them: against the same nodes without them, the
// executors against the oracle, gradients of branches against those of the body that ran.
#include "engine/core/random.h"
#include "engine/passes/autodiff.h"
#include "engine/passes/decisions.h"
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

constexpr std::int64_t kRows = 3, kUnits = 5;

/// Inputs of a case: two tensors, a matrix, a row, and the scalar of the condition.
struct Inputs {
    ValueId x, y, matrix, row, decides;
    VariableId state; ///< kRows x kUnits
};

using Values = std::vector<ValueId>;

struct Kind {
    std::string name;
    bool differentiable = false;
    /// Appends the case and gives its results.
    std::function<Values(Builder &, Inputs const &)> build;
    /// The same without control flow, for this value of the condition.
    std::function<Values(Builder &, Inputs const &, double)> plain;
};

Values chosen(Builder &b, ValueId decides, std::function<Values()> const &first, std::function<Values()> const &second)
{
    IfBuilder branch(b, "branch", decides);
    branch.otherwise(first());
    return branch.finish(second());
}

ValueId layer(Builder &b, Inputs const &in, ValueId x) { return op(b, "tanh", {op(b, "add", {op(b, "matmul", {x, in.matrix}), in.row})}); }
ValueId times(Builder &b, ValueId x, double factor) { return op(b, "mul_scalar", {x}, {{"p0", factor}}); }
ValueId half(Builder &b, Inputs const &in) { return op(b, "greater", {in.decides, b.constant(0.5)}); }

/// An `if` with two given bodies.
Kind branch(std::string name, std::function<Values(Builder &, Inputs const &)> first,
            std::function<Values(Builder &, Inputs const &)> second)
{
    return {std::move(name), true,
            [first, second](Builder &b, Inputs const &in) {
                return chosen(
                    b, half(b, in), [&] { return first(b, in); }, [&] { return second(b, in); });
            },
            [first, second](Builder &b, Inputs const &in, double decides) { return decides > 0.5 ? first(b, in) : second(b, in); }};
}

/// x = f(x), `decides` times but at most `limit` times.
Kind counted(std::string name, std::int64_t limit, std::function<ValueId(Builder &, Inputs const &, ValueId)> body)
{
    return {std::move(name), true,
            [=](Builder &b, Inputs const &in) {
                WhileBuilder loop(b, "loop", limit, {b.constant(0.0), in.x});
                loop.repeatedly(op(b, "greater", {in.decides, loop.carried(0)}));
                auto const next = op(b, "add_scalar", {loop.carried(0)}, {{"p0", 1.0}});
                return loop.finish({next, body(b, in, loop.carried(1))});
            },
            [=](Builder &b, Inputs const &in, double decides) {
                double rounds = 0;
                auto x = in.x;
                for (; rounds < decides && rounds < static_cast<double>(limit); ++rounds) x = body(b, in, x);
                return Values{b.constant(rounds), x};
            }};
}

std::vector<Kind> kinds()
{
    using Step = std::function<Values(Builder &, Inputs const &)>;
    Step const dense = [](Builder &b, Inputs const &in) { return Values{layer(b, in, in.x)}; };
    Step const product = [](Builder &b, Inputs const &in) { return Values{op(b, "mul", {in.x, in.row})}; };
    Step const many = [](Builder &b, Inputs const &in) {
        auto const one = layer(b, in, in.x), two = layer(b, in, one), three = op(b, "mul", {one, two});
        return Values{three, two, op(b, "sub", {one, in.y})};
    };
    Step const others = [](Builder &b, Inputs const &in) {
        auto const one = op(b, "mul", {in.y, in.row}), two = layer(b, in, one);
        return Values{one, op(b, "add", {two, in.x}), two};
    };
    return {
        branch("a branch", dense, product),
        branch("a side that computes nothing", dense, [](Builder &, Inputs const &in) { return Values{in.x}; }),
        branch("three results", many, others),
        branch(
            "results that change places",
            [](Builder &, Inputs const &in) {
                return Values{in.x, in.y};
            },
            [](Builder &, Inputs const &in) {
                return Values{in.y, in.x};
            }),
        branch(
            "a branch in a branch",
            [dense, product](Builder &b, Inputs const &in) {
                return chosen(
                    b, op(b, "greater", {op(b, "reduce_sum", {in.row}, {}), b.constant(100.0)}), [&] { return dense(b, in); },
                    [&] { return product(b, in); });
            },
            dense),
        branch(
            "a loop in a branch",
            [](Builder &b, Inputs const &in) {
                RepeatBuilder loop(b, "inner", 3, {in.x}, {});
                auto const h = layer(b, in, loop.carried(0));
                return loop.finish({h}, {});
            },
            product),
        {"a branch in a loop", true,
         [](Builder &b, Inputs const &in) {
             RepeatBuilder loop(b, "around", 4, {in.x}, {}, {}, true);
             auto const early = op(b, "greater", {in.decides, b.one("cast", {loop.index()}, {}, DType::F32)});
             auto const x = loop.carried(0);
             auto const next = chosen(
                 b, early, [&] { return Values{layer(b, in, x)}; },
                 [&] {
                     return Values{op(b, "mul", {x, in.row})};
                 });
             return loop.finish(next, {});
         },
         [](Builder &b, Inputs const &in, double decides) {
             auto x = in.x;
             for (int t = 0; t < 4; ++t) x = decides > t ? layer(b, in, x) : op(b, "mul", {x, in.row});
             return Values{x};
         }},
        {"a variable that one side assigns", false,
         [](Builder &b, Inputs const &in) {
             auto const first = b.read(in.state);
             IfBuilder branch(b, "branch", half(b, in));
             b.assign(in.state, op(b, "add", {b.read(in.state), in.x}));
             branch.otherwise({});
             branch.finish({});
             return Values{b.read(in.state), times(b, first, 2)};
         },
         [](Builder &b, Inputs const &in, double decides) {
             auto const first = b.read(in.state);
             return Values{decides > 0.5 ? op(b, "add", {first, in.x}) : times(b, first, 1), times(b, first, 2)};
         }},
        counted("as often as a number says", 9, [](Builder &b, Inputs const &in, ValueId x) { return layer(b, in, x); }),
        counted("not beyond its limit", 2, [](Builder &b, Inputs const &in, ValueId x) { return layer(b, in, x); }),
        counted("a loop in it", 4,
                [](Builder &b, Inputs const &in, ValueId x) {
                    RepeatBuilder loop(b, "inner", 2, {x}, {});
                    return loop.finish({layer(b, in, loop.carried(0))}, {})[0];
                }),
        counted("a branch in it", 4,
                [](Builder &b, Inputs const &in, ValueId x) {
                    auto const large = op(b, "greater", {op(b, "reduce_sum", {x}, {}), b.constant(0.0)});
                    return chosen(
                        b, large, [&] { return Values{times(b, layer(b, in, x), -1)}; },
                        [&] {
                            return Values{op(b, "add", {x, in.y})};
                        })[0];
                }),
        {"two values that change places", false,
         [](Builder &b, Inputs const &in) {
             WhileBuilder loop(b, "loop", 5, {b.constant(0.0), in.x, in.y});
             loop.repeatedly(op(b, "greater", {in.decides, loop.carried(0)}));
             return loop.finish(
                 {op(b, "add_scalar", {loop.carried(0)}, {{"p0", 1.0}}), loop.carried(2), op(b, "mul", {loop.carried(1), in.row})});
         },
         [](Builder &b, Inputs const &in, double decides) {
             auto x = in.x, y = in.y;
             double rounds = 0;
             for (; rounds < decides && rounds < 5; ++rounds) {
                 auto const before = x;
                 x = y;
                 y = op(b, "mul", {before, in.row});
             }
             return Values{b.constant(rounds), x, y};
         }},
        {"a test that reads a variable", false,
         [](Builder &b, Inputs const &in) {
             WhileBuilder loop(b, "loop", 6);
             auto const sum = op(b, "reduce_sum", {op(b, "abs", {b.read(in.state)})}, {});
             loop.repeatedly(op(b, "greater", {in.decides, sum}));
             b.assign(in.state, op(b, "add", {b.read(in.state), op(b, "abs", {in.x})}));
             loop.finish();
             return Values{b.read(in.state)};
         },
         [](Builder &b, Inputs const &in, double decides) { // the magnitudes are 1.5 at first and above 3 after one round
             auto const first = b.read(in.state);
             return Values{decides > 0 ? op(b, "add", {first, op(b, "abs", {in.x})}) : times(b, first, 1)};
         }},
    };
}

struct Case {
    layers::StepGraph step;
    std::vector<VariableId> inputs, results;
    VariableId state;
};

/// Assigns results (with `gradients`: also those of their weighted sum for each input) to variables. With a value of the condition: the
/// plain form.
Case build(Kind const &kind, std::optional<double> plain, bool gradients)
{
    Case c;
    Graph &g = c.step.graph;
    g.name = "conditions";
    addRegion(g, "main");
    Builder b(g, RegionId(0));
    Values values;
    auto const input = [&](std::string name, Shape shape) {
        c.inputs.push_back(variable(g, std::move(name), std::move(shape)));
        values.push_back(b.read(c.inputs.back()));
        return values.back();
    };
    Inputs in;
    in.x = input("x", {kRows, kUnits});
    in.y = input("y", {kRows, kUnits});
    in.matrix = input("matrix", {kUnits, kUnits});
    in.row = input("row", {kUnits});
    in.decides = input("decides", {});
    in.state = c.state = variable(g, "state", {kRows, kUnits});
    auto results = plain ? kind.plain(b, in, *plain) : kind.build(b, in);
    if (gradients) {
        ValueId loss;
        for (std::size_t i = 0; i < results.size(); ++i) {
            auto const sum = op(b, "reduce_sum", {times(b, op(b, "square", {results[i]}), 0.3 + 0.2 * static_cast<double>(i))}, {});
            loss = i == 0 ? sum : op(b, "add", {loss, sum});
        }
        passes::GradientSeed const seed{loss, b.constant(1.0, {})};
        auto made = passes::appendGradients(b, ops::opLookup(), {{&seed, 1}, {}, values, true});
        if (!made.ok()) qFatal("%s", toText(made.error()).c_str());
        for (std::size_t i = 0; i < values.size(); ++i)
            results.push_back(made->values[i].valid() ? made->values[i] : b.constant(0.0, g.value(values[i]).shape));
    }
    for (std::size_t i = 0; i < results.size(); ++i) {
        c.results.push_back(variable(g, "result" + std::to_string(i), g.value(results[i]).shape));
        b.assign(c.results.back(), results[i]);
    }
    if (auto const status = verify(g, ops::opLookup()); !status.ok()) qFatal("%s", toText(status.error()).c_str());
    return c;
}

reference::RefState stateOf(Case const &c, double decides)
{
    reference::RefState state;
    std::uint64_t seed = 100;
    auto const &variables = c.step.graph.variables;
    auto const fill = [&](VariableId id, double low, double high) {
        RandomStream random(seed++);
        Tensor t{DType::F32, variables[id.index].shape, {}};
        for (std::int64_t i = 0; i < elementCount(t.shape); ++i) t.v.push_back(static_cast<float>(low + (high - low) * random.uniform()));
        state.variables[id] = t;
    };
    for (auto id : c.inputs) fill(id, -0.8, 0.8);
    fill(c.state, 0.0, 0.2);
    state.variables[c.inputs.back()].v = {decides};
    for (auto id : c.results) fill(id, 0.0, 0.0);
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

} // namespace

class TstConditions : public QObject {
    Q_OBJECT

    static void addKinds(std::vector<std::pair<char const *, int>> const &ways, bool differentiable = false)
    {
        QTest::addColumn<QString>("kind");
        QTest::addColumn<int>("way");
        QTest::addColumn<double>("decides");
        for (auto const &kind : kinds())
            for (auto const &[name, way] : ways)
                for (double const decides : {0.0, 3.0}) {
                    if (differentiable && !kind.differentiable) continue;
                    QTest::addRow("%s, %g%s%s", kind.name.c_str(), decides, *name ? ", " : "", name)
                        << QString::fromStdString(kind.name) << way << decides;
                }
    }

private slots:
    void oracleGoesTheRightWay_data() { addKinds({{"", 0}}); }
    void oracleGoesTheRightWay()
    {
        QFETCH(QString, kind);
        QFETCH(double, decides);
        auto const with = build(kindNamed(kind), {}, false), without = build(kindNamed(kind), decides, false);
        auto const got = inDouble(with, stateOf(with, decides)), wanted = inDouble(without, stateOf(without, decides));
        QCOMPARE(got.size(), wanted.size());
        for (std::size_t i = 0; i < got.size(); ++i) QVERIFY2(difference(got[i], wanted[i]) < 1e-14, std::to_string(i).c_str());
    }

    void gradientsAreThoseOfTheExecutedSide_data() { addKinds({{"", 0}}, true); }
    void gradientsAreThoseOfTheExecutedSide()
    {
        QFETCH(QString, kind);
        QFETCH(double, decides);
        auto const with = build(kindNamed(kind), {}, true), without = build(kindNamed(kind), decides, true);
        auto const got = inDouble(with, stateOf(with, decides)), wanted = inDouble(without, stateOf(without, decides));
        double largest = 0;
        for (std::size_t i = got.size() - with.inputs.size(); i < got.size(); ++i) {
            QVERIFY2(difference(got[i], wanted[i]) < 1e-13, std::to_string(i).c_str());
            for (double v : wanted[i].v) largest = std::max(largest, std::abs(v));
        }
        QVERIFY(largest > 0.01);
    }

    void executorsAgreeWithTheOracle_data() { addKinds({{"fused", 0}, {"8 tiles", 8}, {"64 tiles", 64}}); }
    void executorsAgreeWithTheOracle()
    {
        QFETCH(QString, kind);
        QFETCH(int, way);
        QFETCH(double, decides);
        auto const c = build(kindNamed(kind), {}, kindNamed(kind).differentiable);
        auto const machine = target::parseMachine("gc200:tiles=" + std::to_string(way ? way : 8));
        QVERIFY(machine.ok());
        auto runner = conformance::StepRunner::make(c.step, way ? Mode::Tile : Mode::Fused, *machine, 1, {});
        QVERIFY2(runner.ok(), runner.ok() ? "" : toText(runner.error()).c_str());
        for (double const now : {3.0 - decides, decides}) { // one program goes both ways
            auto const state = stateOf(c, now);
            auto const wanted = inDouble(c, state);
            for (auto const &[id, tensor] : state.variables) (*runner)->write(id, tensor);
            auto const status = (*runner)->run({}, {});
            QVERIFY2(status.ok(), status.ok() ? "" : toText(status.error()).c_str());
            for (std::size_t i = 0; i < c.results.size(); ++i) {
                auto const error = difference((*runner)->read(c.results[i]), wanted[i]);
                QVERIFY2(error < 2e-5, (c.step.graph.variable(c.results[i]).name + " differs by " + std::to_string(error)).c_str());
            }
            for (auto id : c.inputs) QVERIFY((*runner)->read(id) == state.variables.at(id));
        }
    }

    /// Text and back; the builders' graphs are compact already but for their order of ids.
    void textIsReadBack_data() { addKinds({{"", 0}}); }
    void textIsReadBack()
    {
        QFETCH(QString, kind);
        auto const graph = compact(build(kindNamed(kind), {}, kindNamed(kind).differentiable).step.graph);
        auto const back = parse(print(graph));
        QVERIFY2(back.ok(), back.ok() ? "" : toText(back.error()).c_str());
        QCOMPARE(print(*back), print(graph));
        QVERIFY(*back == graph);
    }

    void brokenControlIsRefused_data()
    {
        QTest::addColumn<int>("damage");
        for (int i = 0; i < 7; ++i) QTest::addRow("%d", i) << i;
    }
    void brokenControlIsRefused()
    {
        QFETCH(int, damage);
        Case c = build(kindNamed(damage < 4 ? "three results" : "two values that change places"), {}, false);
        Graph &g = c.step.graph;
        auto const at = std::ranges::find_if(g.nodes, [](Node const &node) { return dependsOnData(node); });
        QVERIFY(at != g.nodes.end());
        auto const ends = [&](int body) -> Node & { return g.node(resultsNode(g, at->regions[static_cast<std::size_t>(body)])); };
        switch (damage) {
        case 0: ends(1).inputs.pop_back(); break;                       // a side gives less
        case 1: at->regions.pop_back(); break;                          // one side only
        case 2: at->inputs[0] = ValueId(0); break;                      // decided by a tensor
        case 3: g.value(at->outputs[0]).shape = {kUnits, kRows}; break; // results typed otherwise
        case 4: at->attrs.set("limit", std::int64_t{0}); break;         // never
        case 5: std::swap(at->regions[0], at->regions[1]); break;       // a test that gives everything
        case 6: at->inputs.pop_back(); break;                           // carries less than its body takes
        }
        QVERIFY(!verifyStructure(g).ok());
    }

    /// Only loops on the path of a gradient become loops of a fixed number of steps.
    void aLoopWithoutGradientsEndsEarly()
    {
        Graph g;
        addRegion(g, "main");
        Builder b(g, RegionId(0));
        auto const x = b.read(variable(g, "x", {}));
        WhileBuilder loop(b, "loop", 3, {x});
        loop.repeatedly(op(b, "greater", {b.constant(1.0), loop.carried(0)}));
        loop.finish({op(b, "square", {loop.carried(0)})});
        auto const y = op(b, "square", {x});
        passes::GradientSeed const seed{y, b.constant(1.0, {})};
        Values const values{x};
        auto const made = passes::appendGradients(b, ops::opLookup(), {{&seed, 1}, {}, values, true});
        QVERIFY(made.ok() && made->values[0].valid());
        QCOMPARE(g.node(loop.node()).op, std::string("while"));
    }

    /// Replicas must go the same way.
    void replicasDecideAlike_data()
    {
        QTest::addColumn<QString>("from");
        QTest::addColumn<bool>("alike");
        QTest::newRow("a sum over replicas") << "sum" << true;
        QTest::newRow("what came over the feed") << "feed" << false;
        QTest::newRow("a variable that sums are assigned to") << "variable of sums" << true;
        QTest::newRow("a variable that a feed is assigned to") << "variable of feeds" << false;
        QTest::newRow("a carried sum") << "carried" << true;
        QTest::newRow("carried and mixed with a feed") << "mixed" << false;
    }
    void replicasDecideAlike()
    {
        QFETCH(QString, from);
        QFETCH(bool, alike);
        Graph g;
        addRegion(g, "main");
        Builder b(g, RegionId(0));
        auto const fed = b.one("infeed", {}, {}, DType::F32);
        auto const sum = b.one("all_reduce", {op(b, "copy", {fed})}, {}, DType::F32);
        auto const state = variable(g, "state", {});
        if (from == "carried" || from == "mixed") {
            WhileBuilder loop(b, "loop", 3, {sum});
            loop.repeatedly(op(b, "greater", {b.constant(1.0), loop.carried(0)}));
            loop.finish({op(b, "add", {loop.carried(0), from == "mixed" ? fed : sum})});
        } else {
            if (from.startsWith("variable")) b.assign(state, from == "variable of sums" ? sum : fed);
            IfBuilder branch(b, "branch", from == "sum" ? sum : from == "feed" ? fed : b.read(state));
            branch.otherwise({});
            branch.finish({});
        }
        auto const status = passes::verifyDecisions(g, ops::opLookup());
        QCOMPARE(status.ok(), alike);
        if (!alike) QCOMPARE(status.error().code, std::string("passes.decision"));
    }
};

TW_REGISTER_TEST(TstConditions);
#include "tst_conditions.moc"
