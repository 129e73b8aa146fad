#include "tests/engine/graph/random_graph.h"
#include "tests/support/test_registry.h"

#include <QtTest>

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
            {"an assignment of another shape", [](Graph &g) { g.variables[0].shape = {2, 2}; }},
            {"a read with two results",
             [](Graph &g) {
                 g.values.push_back({"extra", {4, 4}, DType::F32, Role::Weight, NodeId(1)});
                 g.nodes[1].outputs.push_back(ValueId(g.values.size() - 1));
             }},
            {"in-place entries of another number", [](Graph &g) { g.nodes[2].inPlace = {0, 1}; }},
            {"in-place of an input that is not there", [](Graph &g) { g.nodes[2].inPlace = {2}; }},
            {"in-place below -1", [](Graph &g) { g.nodes[2].inPlace = {-2}; }},
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
