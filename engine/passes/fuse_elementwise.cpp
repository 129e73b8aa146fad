// Merges chains and trees of elementwise nodes into one `map`: one compute set, no intermediate tensors.
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include "engine/graph/expr.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

/// An expression whose operands are values of the graph.
struct Tree {
    std::vector<ValueId> operands;
    std::vector<Instr> instrs; ///< args: index into operands, or kResult + index of an instruction
};
constexpr int kResult = 1 << 20;

Tree treeOf(Node const &node)
{
    auto const expr = exprOf(node);
    Tree tree;
    std::vector<int> place; // duplicate operands are kept once
    for (auto input : node.inputs) {
        auto const it = std::ranges::find(tree.operands, input);
        place.push_back(static_cast<int>(it - tree.operands.begin()));
        if (it == tree.operands.end()) tree.operands.push_back(input);
    }
    for (auto instr : expr.instrs) {
        for (int &arg : instr.args)
            if (arg >= expr.operands) arg = kResult + (arg - expr.operands);
            else if (arg >= 0) arg = place[static_cast<std::size_t>(arg)];
        tree.instrs.push_back(instr);
    }
    return tree;
}

/// `outer` with its operand `at` replaced by the expression `inner`.
Tree merged(Tree const &inner, Tree const &outer, std::size_t at)
{
    Tree tree;
    tree.operands = inner.operands;
    tree.instrs = inner.instrs;
    std::vector<int> place(outer.operands.size());
    for (std::size_t i = 0; i < outer.operands.size(); ++i) {
        if (i == at) {
            place[i] = kResult + static_cast<int>(inner.instrs.size()) - 1;
            continue;
        }
        auto const it = std::ranges::find(tree.operands, outer.operands[i]);
        place[i] = static_cast<int>(it - tree.operands.begin());
        if (it == tree.operands.end()) tree.operands.push_back(outer.operands[i]);
    }
    int const shift = static_cast<int>(inner.instrs.size());
    for (auto instr : outer.instrs) {
        for (int &arg : instr.args) {
            if (arg >= kResult) arg += shift;
            else if (arg >= 0) arg = place[static_cast<std::size_t>(arg)];
        }
        tree.instrs.push_back(instr);
    }
    return tree;
}

void store(Node &node, Tree const &tree)
{
    Expr expr;
    expr.operands = static_cast<int>(tree.operands.size());
    for (auto instr : tree.instrs) {
        for (int &arg : instr.args)
            if (arg >= kResult) arg = expr.operands + (arg - kResult);
        expr.instrs.push_back(instr);
    }
    node.op = "map";
    node.inputs = tree.operands;
    node.attrs = Attrs{{"expr", toText(expr)}};
}

class Fuser {
public:
    Fuser(Graph &graph, PassOptions const &options) : g(graph), m_options(options), m_uses(countUses(graph)) {}

    void region(RegionId id)
    {
        auto const nodes = g.region(id).nodes;
        m_place.clear();
        for (std::size_t i = 0; i < nodes.size(); ++i) m_place[nodes[i]] = i;
        m_nodes = nodes;
        std::vector<char> dead(nodes.size(), 0);
        for (std::size_t i = 0; i < nodes.size(); ++i)
            while (fuseInto(i, dead)) {}
        std::vector<NodeId> out;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (!dead[i]) out.push_back(nodes[i]);
        g.region(id).nodes = out;
        for (auto nodeId : out) {
            auto const regions = g.node(nodeId).regions;
            for (auto sub : regions)
                if (!is(g.node(nodeId), NodeKind::Call) || m_called.insert(sub).second) region(sub);
        }
    }

private:
    bool fusible(Node const &node) const
    {
        if (!isElementwise(node.op)) return false;
        if (!isFloating(g.value(node.outputs[0]).dtype)) return false;
        return std::ranges::all_of(node.inputs, [&](ValueId v) { return isFloating(g.value(v).dtype); });
    }

    /// Merges one producer into node `at`; false if there is none.
    bool fuseInto(std::size_t at, std::vector<char> &dead)
    {
        auto &node = g.node(m_nodes[at]);
        if (!fusible(node)) return false;
        auto const tree = treeOf(node);
        for (std::size_t k = 0; k < tree.operands.size(); ++k) {
            auto const value = tree.operands[k];
            auto const producerId = g.value(value).producer;
            auto const place = m_place.find(producerId);
            if (place == m_place.end()) continue; // belongs to another region
            auto const &producer = g.node(producerId);
            if (!fusible(producer) || producer.pass != node.pass || producer.stage != node.stage) continue;
            if (g.value(value).shape != g.value(node.outputs[0]).shape || g.value(value).dtype != g.value(node.outputs[0]).dtype) continue;
            if (m_uses[value.index] != static_cast<int>(std::ranges::count(node.inputs, value))) continue;
            auto both = merged(treeOf(producer), tree, k);
            if (static_cast<int>(both.instrs.size()) > m_options.maxFusedInstructions) continue;
            if (static_cast<int>(both.operands.size()) > m_options.maxFusedOperands) continue;
            if (!mayMove(producer, place->second, at)) continue;
            for (auto input : producer.inputs) --m_uses[input.index];
            for (auto input : node.inputs) --m_uses[input.index];
            store(node, both);
            for (auto input : node.inputs) ++m_uses[input.index];
            dead[place->second] = 1;
            return true;
        }
        return false;
    }

    /// The producer's work moves from `from` to `to`, so no variable it reads may be assigned in between.
    bool mayMove(Node const &producer, std::size_t from, std::size_t to) const
    {
        for (auto input : producer.inputs) {
            auto const &source = g.node(g.value(viewSource(g, input)).producer);
            if (!is(source, NodeKind::VariableRead)) continue;
            for (std::size_t i = from + 1; i < to; ++i)
                if (writesVariable(g, m_nodes[i], source.variable)) return false;
        }
        return true;
    }

    Graph &g;
    PassOptions const &m_options;
    std::vector<int> m_uses;
    std::vector<NodeId> m_nodes;           ///< of the current region
    std::map<NodeId, std::size_t> m_place; ///< its position in the region
    std::set<RegionId> m_called;           ///< bodies of calls that are finished
};

} // namespace

Result<Graph> fuseElementwise(Graph graph, PassContext const &context)
{
    Fuser(graph, context.options).region(RegionId(0));
    return graph;
}

} // namespace tilewright::passes
