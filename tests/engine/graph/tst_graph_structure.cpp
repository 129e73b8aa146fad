#include "engine/graph/control.h"
#include "tests/engine/graph/random_graph.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>

using namespace tilewright;
using namespace tilewright::graph;
using namespace tilewright::tests;

namespace {

/// x = infeed; w = read; y = matmul(x, w); repeat { z = relu(y); assign w }.
Graph sample()
{
    Graph g;
    g.name = "sample";
    addRegion(g, "main");
    Builder b(g, RegionId(0));
    auto const w = addVariable(g, {"w", {4, 4}, DType::F32, Role::Weight, "dense", "", true, 0});
    auto const x = b.one("infeed", {}, {4, 4}, DType::F32);
    auto const read = b.read(w);
    auto const y = b.one("matmul", {x, read}, {4, 4}, DType::F32);
    b.add("repeat", {}, {}, {{"count", std::int64_t{3}}});
    auto const body = addRegion(g, "body");
    g.nodes.back().regions = {body};
    b.setRegion(body);
    b.one("relu", {y}, {4, 4}, DType::F32);
    b.assign(w, y);
    return g;
}

/// s, ys = repeat 3 times(s, xs) { s' = add(s, x); stacks s' }; then two calls of one body that doubles.
Graph withBodies()
{
    Graph g;
    g.name = "bodies";
    addRegion(g, "main");
    Builder b(g, RegionId(0));
    auto const s = b.constant(1.0, {4}), xs = b.constant(2.0, {3, 4});
    RepeatBuilder loop(b, "loop", 3, {s}, {xs});
    auto const next = b.one("add", {loop.carried(0), loop.slice(0)}, {4}, DType::F32);
    auto const out = loop.finish({next}, {next}, {1});
    auto const twice = addRegion(g, "twice");
    b.setRegion(twice);
    auto const given = b.add("parameters", {}, {{{4}, DType::F32}});
    b.add("results", {b.one("add", {given[0], given[0]}, {4}, DType::F32)}, {});
    b.setRegion(RegionId(0));
    for (auto value : {s, out[0]}) {
        b.one("call", {value}, {4}, DType::F32);
        g.nodes.back().regions = {twice};
    }
    return g;
}

Node &nodeOf(Graph &g, std::string_view op) { return *std::ranges::find(g.nodes, op, &Node::op); }

struct Damage {
    char const *name;
    std::function<void(Graph &)> break_;
};

} // namespace

class TstGraphStructure : public QObject {
    Q_OBJECT

    static std::vector<Damage> damages()
    {
        return {
            {"no entry region", [](Graph &g) { g.regions.clear(); }},
            {"a node that does not exist", [](Graph &g) { g.regions[0].nodes.push_back(NodeId(99)); }},
            {"a node listed twice", [](Graph &g) { g.regions[0].nodes.push_back(g.regions[0].nodes[0]); }},
            {"a node listed in two regions", [](Graph &g) { g.regions[1].nodes.push_back(g.regions[0].nodes[0]); }},
            {"an input that does not exist", [](Graph &g) { g.nodes[2].inputs[0] = ValueId(99); }},
            {"an input without an id", [](Graph &g) { g.nodes[2].inputs[0] = ValueId(); }},
            {"a use before the definition", [](Graph &g) { std::swap(g.regions[0].nodes[0], g.regions[0].nodes[2]); }},
            {"a value of an inner region used outside",
             [](Graph &g) {
                 Builder b(g, RegionId(0));
                 b.one("relu", {g.nodes[4].outputs[0]}, {4, 4}, DType::F32);
             }},
            {"an output that does not exist", [](Graph &g) { g.nodes[2].outputs[0] = ValueId(99); }},
            {"a read into a value that does not exist", [](Graph &g) { g.nodes[1].outputs[0] = ValueId(std::size_t{1} << 30); }},
            {"a value defined twice", [](Graph &g) { g.nodes[2].outputs.push_back(g.nodes[2].outputs[0]); }},
            {"an output with another producer", [](Graph &g) { g.value(g.nodes[2].outputs[0]).producer = NodeId(0); }},
            {"a region that does not exist", [](Graph &g) { g.nodes[3].regions[0] = RegionId(9); }},
            {"a region used twice", [](Graph &g) { g.nodes[3].regions.push_back(g.nodes[3].regions[0]); }},
            {"a region inside itself", [](Graph &g) { g.nodes[4].regions.push_back(RegionId(1)); }},
            {"the entry region inside another", [](Graph &g) { g.nodes[4].regions.push_back(RegionId(0)); }},
            {"a read without a variable", [](Graph &g) { g.nodes[1].variable = VariableId(); }},
            {"a read of a variable that does not exist", [](Graph &g) { g.nodes[1].variable = VariableId(7); }},
            {"a variable on another op", [](Graph &g) { g.nodes[2].variable = VariableId(0); }},
            {"a read of another shape", [](Graph &g) { g.value(g.nodes[1].outputs[0]).shape = {4}; }},
            {"a read of another type", [](Graph &g) { g.value(g.nodes[1].outputs[0]).dtype = DType::F16; }},
            {"an assignment of another shape",
             [](Graph &g) {
                 g.variables[0].shape = {2, 2};
             }},
            {"a read with two results",
             [](Graph &g) {
                 g.values.push_back({"extra", {4, 4}, DType::F32, Role::Weight, NodeId(1)});
                 g.nodes[1].outputs.push_back(ValueId(g.values.size() - 1));
             }},
            {"in-place entries of another number",
             [](Graph &g) {
                 g.nodes[2].inPlace = {0, 1};
             }},
            {"in-place of an input that is not there", [](Graph &g) { g.nodes[2].inPlace = {2}; }},
            {"in-place below -1", [](Graph &g) { g.nodes[2].inPlace = {-2}; }},
        };
    }

    static std::vector<Damage> bodyDamages()
    {
        return {
            {"no step", [](Graph &g) { nodeOf(g, "repeat").attrs.set("count", std::int64_t{0}); }},
            {"a count that is no whole number", [](Graph &g) { nodeOf(g, "repeat").attrs.set("count", 3.0); }},
            {"another count than slices", [](Graph &g) { nodeOf(g, "repeat").attrs.set("count", std::int64_t{4}); }},
            {"more carried than there is", [](Graph &g) { nodeOf(g, "repeat").attrs.set("carried", std::int64_t{3}); }},
            {"a stack that is carried", [](Graph &g) { nodeOf(g, "repeat").attrs.set("carried", std::int64_t{2}); }},
            {"an order for some of the stacks", [](Graph &g) { nodeOf(g, "repeat").attrs.set("reversed", std::vector<std::int64_t>{1}); }},
            {"a number of the step that nobody takes", [](Graph &g) { nodeOf(g, "repeat").attrs.set("index", true); }},
            {"an operand that nobody takes", [](Graph &g) { nodeOf(g, "repeat").inputs.push_back(ValueId(1)); }},
            {"a result that nobody gives", [](Graph &g) { g.node(resultsNode(g, nodeOf(g, "repeat").regions[0])).inputs.pop_back(); }},
            {"a first value of another shape", [](Graph &g) { g.value(nodeOf(g, "repeat").inputs[0]).shape = {5}; }},
            {"a carried result of another type", [](Graph &g) { g.value(nodeOf(g, "repeat").outputs[0]).dtype = DType::F16; }},
            {"a stack of another type",
             [](Graph &g) {
                 g.value(nodeOf(g, "repeat").outputs[1]).shape = {3, 5};
             }},
            {"parameters in the middle",
             [](Graph &g) {
                 auto &nodes = g.region(nodeOf(g, "repeat").regions[0]).nodes;
                 nodes.insert(nodes.begin(), NodeId(g.nodes.size()));
                 g.nodes.push_back({"made_up"});
             }},
            {"results before the end",
             [](Graph &g) {
                 g.region(nodeOf(g, "repeat").regions[0]).nodes.push_back(NodeId(g.nodes.size()));
                 g.nodes.push_back({"made_up"});
             }},
            {"parameters of the entry",
             [](Graph &g) {
                 auto &nodes = g.regions[0].nodes;
                 nodes.insert(nodes.begin(), NodeId(g.nodes.size()));
                 g.nodes.push_back({"parameters"});
             }},
            {"parameters of another op's body", [](Graph &g) { nodeOf(g, "repeat").op = "pipeline"; }},
            {"two bodies", [](Graph &g) { nodeOf(g, "repeat").regions.push_back(addRegion(g, "second")); }},
            {"a call of what a loop repeats", [](Graph &g) { nodeOf(g, "call").regions = nodeOf(g, "repeat").regions; }},
            {"a call with another number of operands", [](Graph &g) { nodeOf(g, "call").inputs.clear(); }},
            {"a call with another operand", [](Graph &g) { nodeOf(g, "call").inputs[0] = nodeOf(g, "repeat").inputs[1]; }},
            {"a called body that reads around its call",
             [](Graph &g) {
                 auto const body = nodeOf(g, "call").regions[0];
                 g.node(g.region(body).nodes[1]).inputs[1] = nodeOf(g, "repeat").inputs[0];
             }},
            {"a body that calls itself",
             [](Graph &g) {
                 auto const body = nodeOf(g, "call").regions[0];
                 Builder b(g, body);
                 auto const end = g.region(body).nodes.back();
                 g.region(body).nodes.pop_back();
                 b.one("call", {g.node(end).inputs[0]}, {4}, DType::F32);
                 g.nodes.back().regions = {body};
                 g.region(body).nodes.push_back(end);
             }},
        };
    }

private slots:
    void aSoundGraphPasses() { QVERIFY(verifyStructure(sample()).ok()); }
    void eachDamageIsRefused_data()
    {
        QTest::addColumn<int>("index");
        auto const all = damages();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) QTest::newRow(all[static_cast<std::size_t>(i)].name) << i;
    }
    void eachDamageIsRefused()
    {
        QFETCH(int, index);
        auto g = sample();
        damages()[static_cast<std::size_t>(index)].break_(g);
        auto const status = verifyStructure(g);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("graph.broken"));
        QVERIFY(status.error().kind == ErrorKind::Internal);
    }
    void bodiesArePrintedOnceAndReadBack()
    {
        auto const g = compact(withBodies());
        QVERIFY(verifyStructure(g).ok());
        auto const text = print(g);
        QCOMPARE(QString::fromStdString(text).count("\"twice\" {"), 1);
        QCOMPARE(QString::fromStdString(text).count("uses r"), 1);
        auto const parsed = parse(text);
        QVERIFY2(parsed.ok(), parsed.ok() ? "" : toText(parsed.error()).c_str());
        QVERIFY(*parsed == g);
        QVERIFY(compact(*parsed) == g);
    }
    void eachDamageToABodyIsRefused_data()
    {
        QTest::addColumn<int>("index");
        auto const all = bodyDamages();
        for (int i = 0; i < static_cast<int>(all.size()); ++i) QTest::newRow(all[static_cast<std::size_t>(i)].name) << i;
    }
    void eachDamageToABodyIsRefused()
    {
        QFETCH(int, index);
        auto g = withBodies();
        QVERIFY(verifyStructure(g).ok());
        bodyDamages()[static_cast<std::size_t>(index)].break_(g);
        auto const status = verifyStructure(g);
        QVERIFY(!status.ok());
        QCOMPARE(status.error().code, std::string("graph.broken"));
    }
    void valuesOfOuterRegionsAreSeenInside()
    {
        auto const g = sample();
        QCOMPARE(g.nodes[4].inputs[0], g.nodes[2].outputs[0]); // the relu in the body reads the product outside
        QVERIFY(verifyStructure(g).ok());
    }
    void compactingDropsWhatNoRegionHoldsAndKeepsTheRest()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            auto const whole = RandomGraph(seed).make();
            auto g = whole;
            // Dead nodes between the living ones, listed nowhere.
            RandomStream random(seed);
            Graph padded = g;
            padded.nodes.insert(padded.nodes.end(), 3, Node{});
            padded.values.insert(padded.values.end(), 5, Value{});
            padded.regions.push_back({"dead", {}});
            auto const compacted = compact(padded);
            QVERIFY2(compacted == whole, qPrintable(QString("seed %1").arg(seed)));
            QVERIFY(compact(compacted) == compacted);
        }
    }
    void compactingRenumbersInRegionOrder()
    {
        auto g = sample();
        // An unused node goes, and with it its value: numbers move up.
        g.regions[1].nodes.erase(g.regions[1].nodes.begin());
        auto const before = print(g);
        auto const c = compact(g);
        QCOMPARE(c.nodes.size(), g.nodes.size() - 1);
        QCOMPARE(c.values.size(), g.values.size() - 1);
        QVERIFY(verifyStructure(c).ok());
        QCOMPARE(print(c), before); // this numbering was already that of the regions up to the dropped value
        QVERIFY(*parse(print(c)) == c);
    }
    void rowsAndColumnsAreTheLastDimensionAndTheRest()
    {
        QCOMPARE(rowsCols({}).rows, 1);
        QCOMPARE(rowsCols({}).cols, 1);
        QCOMPARE(rowsCols({7}).rows, 1);
        QCOMPARE(rowsCols({7}).cols, 7);
        QCOMPARE(rowsCols({2, 3, 5}).rows, 6);
        QCOMPARE(rowsCols({2, 3, 5}).cols, 5);
    }
    void attributesDoNotDependOnTheOrderOfSetting()
    {
        Attrs a{{"x", std::int64_t{1}}, {"b", true}};
        Attrs b;
        b.set("b", true);
        b.set("x", std::int64_t{1});
        QVERIFY(a == b);
        QCOMPARE(a.integer("x"), 1);
        QCOMPARE(a.integer("missing", 5), 5);
        QVERIFY(a.flag("b"));
    }
};

TW_REGISTER_TEST(TstGraphStructure);
#include "tst_graph_structure.moc"
