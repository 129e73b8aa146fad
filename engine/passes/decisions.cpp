#include "engine/passes/decisions.h"

#include "engine/graph/control.h"
#include "engine/passes/graph_edit.h"

#include <algorithm>
#include <map>
#include <set>

namespace tilewright::passes {

using namespace graph;

namespace {

class Decisions {
public:
    Decisions(Graph const &graph, OpLookup const &ops) : g(graph), m_ops(ops)
    {
        forEachRegion(g, [&](RegionId region) {
            for (auto id : g.region(region).nodes) {
                auto const &node = g.node(id);
                if (node.op == "variable.assign") m_assigned[node.variable].push_back(node.inputs[0]);
                for (auto sub : node.regions)
                    if (auto const parameters = parametersNode(g, sub); parameters.valid()) m_owner[parameters] = id;
            }
        });
    }

    Status check()
    {
        Status status;
        forEachRegion(g, [&](RegionId region) {
            for (auto id : g.region(region).nodes) {
                auto const &node = g.node(id);
                if (!status.ok() || !dependsOnData(node)) continue;
                auto const decides = node.op == "if" ? node.inputs[0] : resultsOf(g, node.regions[0])[0];
                m_asked.clear();
                m_differs.clear();
                if (isEqual(decides)) continue;
                status = makeError(ErrorKind::Invalid, "passes.decision", node.name,
                                   "what decides it may differ between replicas, which would then go different ways",
                                   "sum or average it over the replicas first, or use one replica");
            }
        });
        return status;
    }

private:
    /// Equal on every replica. What is asked again on the way to its own answer is taken for equal: only something that
    /// differs can make it differ, and then what was asked first differs too.
    bool isEqual(ValueId value)
    {
        if (!m_asked.insert(value).second) return !m_differs.contains(value);
        bool const equal = comesEqual(value);
        if (!equal) m_differs.insert(value);
        return equal;
    }

    bool comesEqual(ValueId value)
    {
        auto const producer = g.value(value).producer;
        auto const &node = g.node(producer);
        auto const all = [&](std::vector<ValueId> const &values) { return std::ranges::all_of(values, [&](ValueId v) { return isEqual(v); }); };
        if (node.op == "all_reduce" || node.op == "constant") return true;
        if (node.op == "variable.read") {
            auto const assigned = m_assigned.find(node.variable);
            return assigned == m_assigned.end() || all(assigned->second);
        }
        if (node.op == "parameters") {
            auto const owner = m_owner.find(producer);
            if (owner == m_owner.end() || g.node(owner->second).op != "while") return false;
            auto const &loop = g.node(owner->second);
            auto const i = static_cast<std::size_t>(std::ranges::find(node.outputs, value) - node.outputs.begin());
            return isEqual(loop.inputs[i]) && isEqual(resultsOf(g, loop.regions[1])[i]);
        }
        auto const *spec = m_ops(node.op);
        return spec && !spec->isRandom && node.op != "infeed" && node.regions.empty() && all(node.inputs);
    }

    Graph const &g;
    OpLookup const &m_ops;
    std::map<VariableId, std::vector<ValueId>> m_assigned;
    std::map<NodeId, NodeId> m_owner; ///< of a body, by its parameters
    std::set<ValueId> m_asked, m_differs;
};

} // namespace

Status verifyDecisions(Graph const &graph, OpLookup const &ops) { return Decisions(graph, ops).check(); }

} // namespace tilewright::passes
