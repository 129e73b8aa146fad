#include "engine/passes/decisions.h"

#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"

#include <algorithm>

namespace tilewright::passes {

using namespace graph;

namespace {

/// All values and variables begin as equal; what differs spreads until nothing new does: only something that differs can
/// make another thing differ, through loops as well.
class Differences {
public:
    Differences(Graph const &graph, OpLookup const &ops)
        : g(graph), m_ops(ops), values(graph.values.size(), 0), m_variables(graph.variables.size(), 0)
    {
        do {
            m_changed = false;
            forEachRegion(g, [&](RegionId region) {
                for (auto id : g.region(region).nodes) visit(g.node(id));
            });
        } while (m_changed);
    }

private:
    void differ(char &what)
    {
        m_changed = m_changed || !what;
        what = 1;
    }
    void differ(ValueId value) { differ(values[value.index]); }
    bool differs(ValueId value) const { return values[value.index] != 0; }

    void visit(Node const &node)
    {
        if (is(node, NodeKind::VariableAssign)) {
            if (differs(node.inputs[0])) differ(m_variables[node.variable.index]);
            return;
        }
        if (is(node, NodeKind::VariableRead)) {
            if (m_variables[node.variable.index]) differ(node.outputs[0]);
            return;
        }
        if (!node.regions.empty()) return visitBodies(node);
        // What a body is given, its caller says.
        if (is(node, NodeKind::AllReduce, NodeKind::Constant, NodeKind::Parameters)) return;
        auto const *spec = m_ops(node.op);
        bool const own = !spec || spec->isRandom || is(node, NodeKind::Infeed);
        if (own || std::ranges::any_of(node.inputs, [&](ValueId input) { return differs(input); }))
            for (auto output : node.outputs) differ(output);
    }

    /// What goes round in a while is followed; what other bodies take and give counts as different.
    void visitBodies(Node const &node)
    {
        for (auto output : node.outputs) differ(output);
        for (auto region : node.regions) {
            if (!parametersNode(g, region).valid()) continue;
            auto const parameters = parametersOf(g, region);
            if (!is(node, NodeKind::While)) {
                for (auto parameter : parameters) differ(parameter);
                continue;
            }
            auto const results = resultsOf(g, node.regions[1]);
            for (std::size_t i = 0; i < parameters.size(); ++i)
                if (differs(node.inputs[i]) || differs(results[i])) differ(parameters[i]);
        }
    }

    Graph const &g;
    OpLookup const &m_ops;

public:
    std::vector<char> values;

private:
    std::vector<char> m_variables;
    bool m_changed = false;
};

} // namespace

std::vector<char> valuesThatDiffer(Graph const &graph, OpLookup const &ops) { return Differences(graph, ops).values; }

Status verifyDecisions(Graph const &graph, OpLookup const &ops)
{
    auto const differing = valuesThatDiffer(graph, ops);
    Status status;
    forEachRegion(graph, [&](RegionId region) {
        for (auto id : graph.region(region).nodes) {
            auto const &node = graph.node(id);
            if (!status.ok() || !dependsOnData(node)) continue;
            auto const decides = is(node, NodeKind::If) ? node.inputs[0] : resultsOf(graph, node.regions[0])[0];
            if (!differing[decides.index]) continue;
            status = makeError(ErrorKind::Invalid, "passes.decision", node.name,
                               Message::of("its predicate may differ between replicas: they would take different branches"),
                               Message::of("sum or average it over the replicas first, or use one replica"));
        }
    });
    return status;
}

} // namespace tilewright::passes
