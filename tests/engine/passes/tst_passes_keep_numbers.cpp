// Random programs with loops, state and updates: whatever a pass does, the numbers that leave stay.
#include "engine/graph/axes.h"
#include "engine/passes/storage.h"
#include "tests/engine/passes/graph_runner.h"
#include "tests/engine/passes/pass_tools.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;
using graph::ValueId;

namespace {

class Generator {
public:
    explicit Generator(std::uint64_t seed) : m_random(seed), m_ops(ops::opLookup())
    {
        addRegion(m_graph, "main");
        std::vector<Shape> const shapes{{4, 4}, {4, 6}, {6}, {4, 6}};
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            graph::Variable v;
            v.name = "w" + std::to_string(i);
            v.shape = shapes[i];
            m_variables.push_back(addVariable(m_graph, std::move(v)));
        }
    }

    graph::Graph make()
    {
        fill(graph::RegionId(0), {}, 14, 0);
        return std::move(m_graph);
    }

private:
    std::size_t pick(std::size_t n) { return static_cast<std::size_t>(m_random.below(n)); }

    void fill(graph::RegionId region, std::vector<ValueId> pool, int count, int depth)
    {
        graph::Builder b(m_graph, region);
        pool.push_back(b.add("infeed", {}, {{{4, 6}, DType::F32}})[0]);
        pool.push_back(b.constant(0.5 + static_cast<double>(pick(3)), pick(2) ? Shape{} : Shape{4, 6}));
        for (int i = 0; i < count; ++i) step(b, pool, depth);
        std::vector<ValueId> out;
        for (int i = 0; i < 3; ++i) out.push_back(pool[pick(pool.size())]);
        b.add("outfeed", out, {});
    }

    Shape const &shape(ValueId v) const { return m_graph.value(v).shape; }

    void step(graph::Builder &b, std::vector<ValueId> &pool, int depth)
    {
        auto const any = [&] { return pool[pick(pool.size())]; };
        auto const x = any();
        b.pass = pick(4) ? graph::Pass::Forward : graph::Pass::Backward;
        switch (pick(13)) {
        case 0:
        case 1:
        case 2: {
            static char const *const unary[] = {"tanh", "neg", "abs", "sigmoid", "relu", "softsign"};
            pool.push_back(addInferred(b, m_ops, unary[pick(6)], {x})[0]);
            break;
        }
        case 3:
            pool.push_back(
                addInferred(b, m_ops, pick(2) ? "mul_scalar" : "add_scalar", {x}, {{"p0", static_cast<double>(pick(3)) * 0.5}})[0]);
            break;
        case 4:
        case 5:
        case 6: {
            static char const *const binary[] = {"add", "sub", "mul", "max", "min"};
            auto const y = any();
            if (!graph::broadcastShape(std::vector{shape(x), shape(y)})) break;
            auto const z = addInferred(b, m_ops, binary[pick(5)], {x, y})[0];
            pool.push_back(addInferred(b, m_ops, "tanh", {z})[0]);
            break;
        }
        case 7: {
            auto const n = elementCount(shape(x));
            if (n % 2) break;
            pool.push_back(b.one("reshape", {x}, {2, n / 2}, DType::F32));
            break;
        }
        case 8: {
            graph::Attrs axes;
            if (auto const rank = shape(x).size(); rank > 0 && pick(3)) axes.set("axes", Shape{static_cast<std::int64_t>(pick(rank))});
            auto const sum = addInferred(b, m_ops, "reduce_sum", {x}, std::move(axes))[0];
            pool.push_back(addInferred(b, m_ops, "tanh", {sum})[0]);
            break;
        }
        case 9: {
            auto const v = m_variables[pick(m_variables.size())];
            pool.push_back(b.read(v));
            if (shape(pool.back()) == Shape{6}) pool.push_back(b.one("broadcast", {pool.back()}, {4, 6}, DType::F32));
            break;
        }
        case 10: {
            auto const v = m_variables[pick(m_variables.size())];
            for (auto value : pool)
                if (shape(value) == m_graph.variable(v).shape && pick(2)) {
                    b.assign(v, value);
                    break;
                }
            break;
        }
        case 11: {
            auto const v = m_variables[pick(m_variables.size())];
            for (auto value : pool) {
                if (shape(value) != m_graph.variable(v).shape || !pick(2)) continue;
                auto const read = b.read(v);
                if (pick(3) == 0) pool.push_back(read);
                auto const updated = pick(2) ? addInferred(b, m_ops, "opt.sgd", {read, value, b.constant(0.25)})[0]
                                             : addInferred(b, m_ops, "accumulate", {read, value}, {{"scale", 0.5}})[0];
                if (pick(4)) b.assign(v, updated);
                pool.push_back(updated);
                break;
            }
            break;
        }
        case 12: {
            if (depth > 1) break;
            b.add("repeat", {}, {}, {{"count", static_cast<std::int64_t>(1 + pick(3))}});
            graph::NodeId const node(m_graph.nodes.size() - 1);
            auto const body = addRegion(m_graph, "body");
            m_graph.node(node).regions.push_back(body);
            fill(body, pool, 6, depth + 1);
            break;
        }
        }
    }

    RandomStream m_random;
    graph::OpLookup m_ops;
    graph::Graph m_graph;
    std::vector<graph::VariableId> m_variables;
};

/// The same as the micro-batch of a pipeline, its nodes dealt to three stages.
graph::Graph inStages(graph::Graph graph, std::uint64_t seed)
{
    RandomStream random(deriveSeed(seed, 3));
    auto const body = addRegion(graph, "micro_batch");
    graph.region(body).nodes = std::exchange(graph.region(graph::RegionId(0)).nodes, {});
    graph.stages = 3;
    for (auto &node : graph.nodes) node.stage = static_cast<int>(random.below(3));
    graph::Builder b(graph, graph::RegionId(0));
    b.add("pipeline", {}, {}, {{"count", std::int64_t{3}}, {"stages", std::int64_t{3}}});
    graph.nodes.back().regions.push_back(body);
    return graph;
}

struct Trace {
    std::vector<std::vector<RefTensor>> outfed;
    std::map<graph::VariableId, RefTensor> variables;
};

std::optional<Trace> trace(graph::Graph const &graph, bool physical)
{
    GraphRunner runner{graph};
    runner.physical = physical;
    std::uint64_t fed = 0;
    runner.infeed = [&](graph::Node const &node) {
        std::vector<RefTensor> values;
        for (auto output : node.outputs) values.push_back(randomTensor(graph.value(output).shape, deriveSeed(7, fed++)));
        return values;
    };
    for (std::size_t v = 0; v < graph.variables.size(); ++v)
        runner.variables[graph::VariableId(v)] = randomTensor(graph.variables[v].shape, deriveSeed(8, v));
    if (!runner.run()) {
        qWarning("%s", runner.error.c_str());
        return std::nullopt;
    }
    return Trace{runner.outfed, runner.variables};
}

/// "" when they agree within `tolerance` (0: bit for bit).
QString compare(Trace const &a, Trace const &b, double tolerance)
{
    if (a.outfed.size() != b.outfed.size()) return "other number of outfeeds";
    auto const same = [&](RefTensor const &x, RefTensor const &y) { return tolerance == 0 ? x.v == y.v : difference(x, y) <= tolerance; };
    for (std::size_t i = 0; i < a.outfed.size(); ++i)
        for (std::size_t k = 0; k < a.outfed[i].size(); ++k)
            if (!same(a.outfed[i][k], b.outfed[i][k])) return QString("outfeed %1 value %2 differs").arg(i).arg(k);
    for (auto const &[id, value] : a.variables)
        if (!same(b.variables.at(id), value)) return QString("variable %1 differs").arg(id.index);
    return {};
}

} // namespace

class TstPassesKeepNumbers : public QObject {
    Q_OBJECT
private slots:
    void onePassAtATime()
    {
        for (std::uint64_t seed = 1; seed <= 150; ++seed) {
            auto const graph = Generator(seed).make();
            auto const wanted = trace(graph, false);
            QVERIFY(wanted);
            for (auto const &pass : passes::graphPasses()) {
                Context context;
                QVERIFY(graph::verify(graph, context.pass.ops).ok());
                auto const changed = pass.run(graph, context.pass);
                QVERIFY2(changed.ok(),
                         qPrintable(QString("seed %1 pass %2: %3")
                                        .arg(seed)
                                        .arg(pass.name.c_str(), changed.ok() ? "" : toText(changed.error()).c_str())));
                auto const status = graph::verify(*changed, context.pass.ops);
                QVERIFY2(status.ok(), qPrintable(QString("seed %1 pass %2").arg(seed).arg(pass.name.c_str())));
                auto const got = trace(*changed, pass.name == "inplace");
                QVERIFY(got);
                // Folding rewrites a division as a product; all else only moves things.
                auto const wrong = compare(*wanted, *got, pass.name == "fold" ? 1e-5 : 0.0);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1 pass %2: %3").arg(seed).arg(pass.name.c_str(), wrong)));
            }
        }
    }
    void allTogetherUnderEveryScheduler()
    {
        int reused = 0;
        for (std::uint64_t seed = 200; seed <= 280; ++seed) {
            auto const graph = Generator(seed).make();
            auto const wanted = trace(graph, false);
            QVERIFY(wanted);
            for (auto const *scheduler : {"CHOOSE_BEST", "CLUSTERING", "POST_ORDER", "LOOK_AHEAD", "SHORTEST_PATH"}) {
                Context context;
                context.pass.options.scheduler = scheduler;
                context.pass.options.recompute = seed % 2 == 0;
                auto const outcome = passes::runPasses(passes::graphPasses(), graph, context.pass);
                QVERIFY2(outcome.ok(),
                         qPrintable(QString("seed %1: %2").arg(seed).arg(outcome.ok() ? "" : toText(outcome.error()).c_str())));
                auto const got = trace(outcome->graph, true);
                QVERIFY(got);
                auto const wrong = compare(*wanted, *got, 1e-5);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1 %2: %3").arg(seed).arg(scheduler, wrong)));
                for (auto const &node : graph::compact(outcome->graph).nodes)
                    reused += node.op != "reshape" && std::ranges::any_of(node.inPlace, [](int i) { return i >= 0; });
            }
        }
        QVERIFY2(reused > 500, qPrintable(QString::number(reused))); // the check is worth something
    }
    /// Made again where it is read, or by whole stages of a pipeline: of such graphs as any, most have something of the kind.
    void recomputation()
    {
        for (bool const pipeline : {false, true}) {
            int made = 0;
            for (std::uint64_t seed = 400; seed <= 500; ++seed) {
                auto graph = Generator(seed).make();
                if (pipeline) graph = inStages(std::move(graph), seed);
                auto const wanted = trace(graph, false);
                QVERIFY(wanted);
                Context context;
                context.pass.options.recompute = true;
                auto const changed = after(passes::recomputeActivations, graph, context.pass);
                QVERIFY2(changed, qPrintable(QString("seed %1").arg(seed)));
                auto const got = trace(*changed, false);
                QVERIFY(got);
                auto const wrong = compare(*wanted, *got, 0);
                QVERIFY2(wrong.isEmpty(), qPrintable(QString("seed %1: %2").arg(seed).arg(wrong)));
                made += std::ranges::any_of(graph::compact(*changed).nodes,
                                            [](graph::Node const &node) { return node.pass == graph::Pass::Recompute; });
            }
            QVERIFY2(made >= 10, qPrintable(QString::number(made)));
        }
    }
    void twoRunsGiveTheSameText()
    {
        for (std::uint64_t seed = 300; seed <= 320; ++seed) {
            auto const graph = Generator(seed).make();
            Context context;
            auto const a = passes::runPasses(passes::graphPasses(), graph, context.pass);
            auto const b = passes::runPasses(passes::graphPasses(), graph, context.pass);
            QVERIFY(a.ok() && b.ok());
            QCOMPARE(graph::print(a->graph), graph::print(b->graph));
        }
    }
};

TW_REGISTER_TEST(TstPassesKeepNumbers);
#include "tst_passes_keep_numbers.moc"
