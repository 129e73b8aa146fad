// Dead code.
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

namespace {

class Remover {
public:
    Remover(Graph &graph, OpLookup const &ops) : g(graph), m_ops(ops), m_needed(graph.values.size(), 0) {}

    void region(RegionId id)
    {
        auto const nodes = g.region(id).nodes;
        std::vector<NodeId> kept;
        for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
            auto const regions = g.node(*it).regions;
            for (auto sub : regions) region(sub);
            auto const &node = g.node(*it);
            bool needed = std::ranges::any_of(node.outputs, [&](ValueId v) { return m_needed[v.index] != 0; });
            if (!regions.empty()) {
                // A loop around nothing is nothing.
                for (auto sub : regions) needed = needed || !g.region(sub).nodes.empty();
            } else if (auto const *spec = m_ops(node.op)) {
                needed = needed || spec->hasEffect;
            }
            if (!needed) continue;
            for (auto input : node.inputs) m_needed[input.index] = 1;
            kept.push_back(*it);
        }
        std::ranges::reverse(kept);
        g.region(id).nodes = std::move(kept);
    }

private:
    Graph &g;
    OpLookup const &m_ops;
    std::vector<char> m_needed;
};

} // namespace

Result<Graph> removeDeadNodes(Graph graph, PassContext const &context)
{
    Remover(graph, context.ops).region(RegionId(0));
    return graph;
}

} // namespace tilewright::passes
