#include "engine/lowering/lower_graph.h"
#include "engine/lowering/planning.h"
#include "tests/engine/lowering/lowered_run.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;
using graph::Builder;
using graph::Graph;
using graph::NodeId;
using graph::ValueId;
using lowering::LowerContext;
using lowering::OpLowering;
using lowering::OpPlan;
using lowering::PlanGroup;
using lowering::PlannedWith;
using lowering::PlanRole;
using lowering::PlanTraits;

namespace {

/// Operations outside any registry: `scale` reads its weights in place, `scale.update` is their gradient. Each passes its first operand on.
class OwnOps {
public:
    struct Asked {
        std::vector<std::string> nodes;
        std::vector<PlanRole> roles;
        std::vector<graph::VariableId> weights;
        bool operator==(Asked const &) const = default;
    };
    struct Placed {
        std::vector<std::string> nodes;
        int firstTile = 0;
        bool operator==(Placed const &) const = default;
    };
    std::vector<Asked> asked;         ///< requests for a plan
    std::vector<Placed> placed;       ///< on tiles
    Cycles together = 10, alone = 10; ///< that each member takes

    OwnOps()
    {
        m_forward.lower = m_update.lower = [](LowerContext &ctx, NodeId id) -> Status {
            auto const &node = ctx.graph.node(id);
            ctx.bind(node.outputs[0], ctx.var(node.inputs[0]));
            return {};
        };
        m_forward.plan = m_update.plan = [this](LowerContext &ctx, PlanGroup const &group) { return plan(ctx, group); };
        m_forward.traits = [](LowerContext const &, NodeId) {
            return PlanTraits{{9, "own"}, PlanRole::Forward, PlannedWith::Weights, true, 1, {4}};
        };
        m_update.traits = [](LowerContext const &, NodeId) {
            return PlanTraits{{9, "own"}, PlanRole::Update, PlannedWith::Layer, false, -1, {4}};
        };
    }

    lowering::Lowered lowered(Graph const &g, lowering::Options const &options = {})
    {
        asked.clear();
        placed.clear();
        auto const machine = target::parseMachine("gc200:tiles=64").value();
        auto const lookup = [this](std::string_view name) {
            return name == "scale" ? &m_forward : name == "scale.update" ? &m_update : ops::loweringLookup()(name);
        };
        return lowering::lowerGraph(g, machine, 1, 1, options, lookup, {}).value();
    }

private:
    static std::vector<std::string> namesOf(Graph const &g, PlanGroup const &group)
    {
        std::vector<std::string> names;
        for (auto const &member : group.members) names.push_back(g.node(member.node).name);
        return names;
    }

    OpPlan plan(LowerContext &ctx, PlanGroup const &group)
    {
        Asked what{namesOf(ctx.graph, group), {}, group.weights};
        for (auto const &member : group.members) what.roles.push_back(member.role);
        asked.push_back(what);
        OpPlan plan;
        plan.tiles = 4;
        plan.cycles.assign(group.members.size(), group.members.size() > 1 ? together : alone);
        plan.bytesApart = 100;
        plan.place = [this](LowerContext &c, PlanGroup const &own, int firstTile, lowering::VariablePlaces &places) {
            placed.push_back({namesOf(c.graph, own), firstTile});
            for (auto const variable : own.weights) {
                auto layout = program::onIpu(c.b.chip().tiles, 0, firstTile);
                layout.add(program::cut(4, 1, 1));
                layout.add(program::cut(4, 4, 1));
                places.set(variable, layout);
            }
        };
        return plan;
    }

    OpLowering m_forward, m_update;
};

/// Two layers of `scale`, then their gradients in reverse order; the second layer has none.
struct OwnGraph {
    Graph g = emptyGraph();
    graph::VariableId first, second;
    OwnGraph()
    {
        Builder b(g, graph::RegionId(0));
        auto const variable = [&](char const *name) {
            graph::Variable v;
            v.name = name;
            v.shape = {4, 4};
            return graph::addVariable(g, v);
        };
        first = variable("w1");
        second = variable("w2");
        auto const x = input(b, "x", {4, 4});
        b.layer = "one";
        auto const y = b.one("scale", {x, b.read(first)}, {4, 4}, DType::F32, {}, "scale");
        b.layer = "two";
        b.one("scale", {y, b.read(second)}, {4, 4}, DType::F32, {}, "scale");
        b.layer = "one";
        b.one("scale.update", {y}, {4, 4}, DType::F32, {}, "update");
    }
};

/// "one/MatMul F, one/MatMul_WeightUpdate U | ..." of a graph's groups.
std::string groupsOf(Graph const &g, lowering::Options const &options = {})
{
    auto const machine = target::parseMachine("gc200:tiles=64").value();
    lowering::ProgramBuilder builder(machine, 1, 1, options);
    LowerContext const ctx(g, builder, ops::loweringLookup());
    std::string text;
    for (auto const &family : lowering::planGroups(ctx))
        for (auto const &group : family) {
            if (!text.empty()) text += " | ";
            for (auto const &member : group.members)
                text += (member.node == group.lead() ? "" : ", ") + g.node(member.node).name + ' '
                    + "FBU"[static_cast<std::size_t>(member.role)];
            if (!group.weights.empty()) text += " of " + g.variable(group.weights.front()).name;
        }
    return text;
}

graph::Attrs withFlag(char const *which) { return {{which, true}}; }

} // namespace

/// Which products are planned together, and which op is called.
class TstPlanning : public QObject {
    Q_OBJECT
private slots:
    void anOperationIsAskedForThePlanOfItsGroup()
    {
        OwnGraph const own;
        OwnOps ops;
        auto const lowered = ops.lowered(own.g);
        QVERIFY(!lowered.productsApart);
        OwnOps::Asked const joint{{"one/scale", "one/update"}, {PlanRole::Forward, PlanRole::Update}, {own.first}};
        QVERIFY(std::ranges::count(ops.asked, joint) > 0);
        QVERIFY(std::ranges::count(ops.asked, OwnOps::Asked{{"two/scale"}, {PlanRole::Forward}, {own.second}}) > 0);
        // Side by side, and the weights where the plan laid them.
        QCOMPARE(ops.placed, (std::vector<OwnOps::Placed>{{{"one/scale", "one/update"}, 0}, {{"two/scale"}, 4}}));
        auto const &layout = lowered.program.var(lowered.variables[0][own.second.index]).layout;
        QVERIFY(layout.first == 4);
        QVERIFY(layout.row().block == 1);
    }
    void groupsAreDividedIfThatTakesFewerCycles()
    {
        OwnGraph const own;
        OwnOps ops;
        ops.alone = 8;
        QVERIFY(ops.lowered(own.g).productsApart);
        QCOMPARE(ops.placed, (std::vector<OwnOps::Placed>{{{"one/scale"}, 0}, {{"one/update"}, 4}, {{"two/scale"}, 8}}));
        lowering::Options options;
        options.productsTogether = true;
        QVERIFY(!ops.lowered(own.g, options).productsApart);
        QCOMPARE(ops.placed.size(), std::size_t{2});
    }
    void productsOfTheSameWeightsAreOneGroup()
    {
        Graph g = emptyGraph();
        Builder b(g, graph::RegionId(0));
        auto const x = input(b, "x", {6, 4}), d = input(b, "d", {6, 5}), longer = input(b, "longer", {8, 4});
        auto const w = input(b, "w", {4, 5}, DType::F32, graph::Role::Weight);
        b.layer = "one";
        addOp(b, "matmul", {x, d}, withFlag("transpose_a"), "early"); // precedes the leading product of its group
        addOp(b, "matmul", {x, w}, {}, "y");
        addOp(b, "matmul", {longer, w}, {}, "other rows");
        addOp(b, "matmul", {d, w}, withFlag("transpose_b"), "dx");
        addOp(b, "matmul", {x, x}, withFlag("transpose_a"), "square");
        b.layer = "two";
        addOp(b, "matmul", {x, d}, withFlag("transpose_a"), "elsewhere");
        addOp(b, "matmul", {x, input(b, "data", {4, 5})}, {}, "of data");
        QCOMPARE(groupsOf(g),
                 std::string("one/y F, one/early U, one/dx B of w | one/other rows F | two/of data F | one/square U | two/elsewhere U"));
        lowering::Options options;
        options.clearPassType = true;
        QCOMPARE(groupsOf(g, options).find(','), std::string::npos);
    }
    /// Queries, keys and values: three products of one shape in one layer.
    void equalProductsOfALayerHaveEachItsGradient()
    {
        Graph g = emptyGraph();
        Builder b(g, graph::RegionId(0));
        auto const x = input(b, "x", {6, 4});
        b.layer = "attention";
        for (char const *name : {"q", "k"}) addOp(b, "matmul", {x, input(b, name, {4, 4}, DType::F32, graph::Role::Weight)}, {}, name);
        for (char const *name : {"dk", "dq"}) addOp(b, "matmul", {x, x}, withFlag("transpose_a"), name);
        QCOMPARE(groupsOf(g), std::string("attention/q F, attention/dq U of q | attention/k F, attention/dk U of k"));
    }
    void convolutionsAndLookUpsFindTheirGradients()
    {
        Graph g = emptyGraph();
        Builder b(g, graph::RegionId(0));
        auto const ids = input(b, "ids", {3}, DType::I32);
        b.layer = "embedding";
        addOp(b, "gather", {input(b, "table", {7, 4}, DType::F32, graph::Role::Weight), ids}, {}, "rows");
        addOp(b, "scatter_add", {input(b, "d", {3, 4}), ids}, {{"rows", std::int64_t{7}}}, "dtable");
        b.layer = "other";
        addOp(b, "scatter_add", {input(b, "e", {3, 4}), ids}, {{"rows", std::int64_t{7}}}, "alone");
        graph::ConvAttrs conv{{1}, {1}, {0}, {0}};
        auto const x = input(b, "image", {2, 8, 4}), w = input(b, "kernel", {3, 4, 5}, DType::F32, graph::Role::Weight),
                   y = input(b, "y", {2, 6, 5});
        auto attrs = graph::toAttrs(conv);
        // A transposed layer starts with an operation that is a gradient elsewhere.
        b.layer = "transposed";
        attrs.set("input", std::vector<std::int64_t>{8});
        addOp(b, "conv_input_grad", {y, w}, attrs, "forward");
        b.layer = "conv";
        addOp(b, "conv", {x, w}, graph::toAttrs(conv), "forward");
        attrs = graph::toAttrs(conv);
        attrs.set("kernel", std::vector<std::int64_t>{3});
        addOp(b, "conv_weight_grad", {x, y}, attrs, "dw");
        b.layer = "transposed";
        addOp(b, "conv", {x, w}, graph::toAttrs(conv), "dy");
        QCOMPARE(groupsOf(g),
                 std::string("transposed/forward B, transposed/dy F of kernel | conv/forward F, conv/dw U of kernel"
                             " | embedding/rows F, embedding/dtable U of table | other/alone U"));
    }
};

TW_REGISTER_TEST(TstPlanning);
#include "tst_planning.moc"
