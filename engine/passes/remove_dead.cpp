// Dead code.
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>
#include <set>

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
            if (is(g.node(*it), NodeKind::Repeat)) dropStacks(*it);
            if (is(g.node(*it), NodeKind::If)) dropResults(*it);
            if (!isNeeded(*it)) continue;
            auto const regions = g.node(*it).regions;
            for (auto sub : regions)
                if (!is(g.node(*it), NodeKind::Call) || m_called.insert(sub).second) region(sub);
            if (is(g.node(*it), NodeKind::Repeat)) dropUnreadStacks(*it);
            for (auto input : g.node(*it).inputs) m_needed[input.index] = 1;
            kept.push_back(*it);
        }
        std::ranges::reverse(kept);
        g.region(id).nodes = std::move(kept);
    }

private:
    bool isNeeded(NodeId id) const
    {
        auto const &node = g.node(id);
        if (std::ranges::any_of(node.outputs, [&](ValueId v) { return m_needed[v.index] != 0; })) return true;
        // A loop with an empty body is dead.
        for (auto sub : node.regions)
            for (auto inner : g.region(sub).nodes)
                if (!isRegionEnd(g.node(inner)) && isNeeded(inner)) return true;
        auto const *spec = m_ops(node.op);
        return node.regions.empty() && spec && spec->hasEffect;
    }

    /// Removes results of branches without readers.
    void dropResults(NodeId id)
    {
        auto const outputs = g.node(id).outputs;
        auto const unread = [&](std::size_t i) { return !m_needed[outputs[i].index]; };
        auto const keep = [&](std::vector<ValueId> &list) {
            std::vector<ValueId> kept;
            for (std::size_t i = 0; i < outputs.size(); ++i)
                if (!unread(i)) kept.push_back(list[i]);
            list = std::move(kept);
        };
        for (auto region : g.node(id).regions)
            if (auto const end = resultsNode(g, region); end.valid()) {
                keep(g.node(end).inputs);
                if (g.node(end).inputs.empty()) g.region(region).nodes.pop_back();
            }
        keep(g.node(id).outputs);
    }

    /// Removes stacked operands of which the body reads no slice. Requires that the body was processed before.
    void dropUnreadStacks(NodeId id)
    {
        auto const form = repeatForm(g.node(id));
        auto const begin = parametersNode(g, g.node(id).regions[0]);
        if (form.stackedIn == 0 || !begin.valid()) return;
        std::size_t const first = (form.index ? 1 : 0) + form.carried;
        auto const inputs = g.node(id).inputs;
        auto const slices = g.node(begin).outputs;
        auto &keptInputs = g.node(id).inputs;
        auto &keptSlices = g.node(begin).outputs;
        keptInputs.resize(form.carried);
        keptSlices.resize(first);
        std::vector<std::int64_t> reversed;
        for (std::size_t i = 0; i < form.stackedIn; ++i) {
            if (!m_needed[slices[first + i].index]) continue;
            keptInputs.push_back(inputs[form.carried + i]);
            keptSlices.push_back(slices[first + i]);
            reversed.push_back(form.reversed[i]);
        }
        reversed.insert(reversed.end(), form.reversed.begin() + static_cast<std::ptrdiff_t>(form.stackedIn), form.reversed.end());
        if (g.node(id).attrs.has("reversed")) g.node(id).attrs.set("reversed", std::move(reversed));
    }

    /// Removes stacked results without readers.
    void dropStacks(NodeId id)
    {
        auto const form = repeatForm(g.node(id));
        if (form.stackedOut == 0) return;
        auto const end = resultsNode(g, g.node(id).regions[0]);
        auto const results = g.node(end).inputs;
        auto const outputs = g.node(id).outputs;
        std::vector<std::int64_t> reversed(form.reversed.begin(), form.reversed.begin() + static_cast<std::ptrdiff_t>(form.stackedIn));
        auto &keptResults = g.node(end).inputs;
        auto &keptOutputs = g.node(id).outputs;
        keptResults.resize(form.carried);
        keptOutputs.resize(form.carried);
        for (std::size_t i = form.carried; i < outputs.size(); ++i) {
            if (!m_needed[outputs[i].index]) continue;
            keptResults.push_back(results[i]);
            keptOutputs.push_back(outputs[i]);
            reversed.push_back(form.reversed[form.stackedIn + i - form.carried]);
        }
        if (g.node(id).attrs.has("reversed")) g.node(id).attrs.set("reversed", std::move(reversed));
    }

    Graph &g;
    OpLookup const &m_ops;
    std::vector<char> m_needed;
    std::set<RegionId> m_called; ///< bodies of calls that are finished
};

} // namespace

Result<Graph> removeDeadNodes(Graph graph, PassContext const &context)
{
    Remover(graph, context.ops).region(RegionId(0));
    return graph;
}

} // namespace tilewright::passes
