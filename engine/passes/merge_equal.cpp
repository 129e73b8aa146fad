// Common subexpressions.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <map>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

class Merger {
public:
    Merger(Graph &graph, OpLookup const &ops) : g(graph), m_ops(ops), m_versions(graph.variables.size(), 0) {}

    void region(RegionId id)
    {
        // Regions share nothing, so a loop's body stays complete.
        std::map<std::string, NodeId> seen;
        auto const nodes = g.region(id).nodes;
        std::vector<NodeId> out;
        for (auto nodeId : nodes) {
            m_replaced.applyTo(g.node(nodeId));
            auto const regions = g.node(nodeId).regions;
            for (auto sub : regions)
                if (!is(g.node(nodeId), NodeKind::Call) || m_called.insert(sub).second) region(sub);
            if (is(g.node(nodeId), NodeKind::Repeat)) mergeStacks(nodeId);
            if (!regions.empty() || is(g.node(nodeId), NodeKind::VariableAssign))
                forEachNodeWithin(g, nodeId, [&](NodeId inner) {
                    if (is(g.node(inner), NodeKind::VariableAssign)) ++m_versions[g.node(inner).variable.index];
                });
            if (mergeable(nodeId)) {
                auto const [it, isNew] = seen.emplace(key(nodeId), nodeId);
                if (!isNew) {
                    auto const &kept = g.node(it->second);
                    for (std::size_t i = 0; i < kept.outputs.size(); ++i) m_replaced.set(g.node(nodeId).outputs[i], kept.outputs[i]);
                    continue;
                }
            }
            out.push_back(nodeId);
        }
        g.region(id).nodes = std::move(out);
    }

private:
    /// Merges stacks of the same value in the same order, for example those left by the gradients of two weights. The duplicate is then
    /// dead.
    void mergeStacks(NodeId id)
    {
        auto const &node = g.node(id);
        auto const form = repeatForm(node);
        auto const results = resultsOf(g, node.regions[0]);
        std::map<std::pair<std::uint32_t, char>, ValueId> first;
        for (std::size_t i = form.carried; i < node.outputs.size() && i < results.size(); ++i) {
            auto const [it, isNew] = first.emplace(
                std::pair(static_cast<std::uint32_t>(results[i].index), form.reversed[form.stackedIn + i - form.carried]), node.outputs[i]);
            if (!isNew) m_replaced.set(node.outputs[i], it->second);
        }
    }

    bool mergeable(NodeId id) const
    {
        auto const &node = g.node(id);
        auto const *spec = m_ops(node.op);
        // Updates in place and copies concern storage, not values.
        return spec && !spec->hasEffect && !spec->isRandom && node.regions.empty() && !node.outputs.empty() && !is(node, NodeKind::Copy)
            && !spec->updates;
    }

    std::string key(NodeId id) const
    {
        Node const &plain = g.node(id);
        std::string text = plain.op + "|" + std::to_string(plain.stage) + "|";
        // In a pipeline the passes run at different times, and recomputation must not be merged with the original.
        if (g.stages > 1 || plain.pass == graph::Pass::Recompute) text += std::string(toText(plain.pass));
        for (auto input : plain.inputs) text += "," + std::to_string(input.index);
        text += "|";
        for (auto output : plain.outputs) text += std::string(toText(g.value(output).dtype)) + toText(g.value(output).shape);
        if (plain.variable.valid())
            text += "|v" + std::to_string(plain.variable.index) + "." + std::to_string(m_versions[plain.variable.index]);
        appendAttrs(text, plain.attrs);
        return text;
    }

    Graph &g;
    OpLookup const &m_ops;
    Replacements m_replaced;
    std::set<RegionId> m_called; ///< bodies of calls that are finished
    std::vector<int> m_versions; ///< number of assignments so far, by variable
};

} // namespace

Result<Graph> mergeEqualNodes(Graph graph, PassContext const &context)
{
    Merger merger(graph, context.ops);
    merger.region(RegionId(0));
    return graph;
}

} // namespace tilewright::passes
