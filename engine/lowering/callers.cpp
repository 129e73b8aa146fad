#include "engine/lowering/callers.h"

#include "engine/core/text.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/lowering/walk.h"

#include <algorithm>
#include <utility>

namespace tilewright::lowering {

using graph::NodeId;
using graph::NodeKind;
using graph::RegionId;
using graph::ValueId;

Callers::Callers(graph::Graph const &graph) : g(graph)
{
    forEachNode(g, RegionId(0), [&](NodeId id) {
        if (graph::is(g.node(id), NodeKind::Call)) m_calls[g.node(id).regions[0]].push_back(id);
    });
    for (auto const &[body, calls] : m_calls)
        if (auto const parameters = graph::parametersNode(g, body); parameters.valid()) m_bodyOf[parameters] = body;
    // Bodies in the order of the program, because backward ones refer to the forward ones.
    forEachNode(g, RegionId(0), [&](NodeId id) {
        auto const &node = g.node(id);
        if (!graph::is(node, NodeKind::Call) || !node.attrs.has("layers")) return;
        auto const own = splitText(node.attrs.text("layers"), '\n'),
                   first = splitText(g.node(m_calls[node.regions[0]].front()).attrs.text("layers"), '\n');
        for (std::size_t i = 0; i < own.size() && i < first.size(); ++i) {
            auto const known = m_twins.find(first[i]);
            m_twins.emplace(own[i], known == m_twins.end() ? first[i] : known->second);
        }
    });
    countExecutions();
}

void Callers::countExecutions()
{
    // Puts a body after all its users, so that it is counted once however many paths lead to it.
    std::vector<RegionId> order;
    std::vector<char> seen(g.regions.size(), 0);
    auto const visit = [&](auto const &self, RegionId region) -> void {
        if (std::exchange(seen[region.index], 1)) return;
        for (auto const node : g.region(region).nodes)
            for (auto const body : g.node(node).regions) self(self, body);
        order.push_back(region);
    };
    visit(visit, RegionId(0));
    std::vector<std::int64_t> times(g.regions.size(), 0);
    times[0] = 1;
    m_executions.assign(g.nodes.size(), 0);
    for (auto region = order.rbegin(); region != order.rend(); ++region)
        for (auto const id : g.region(*region).nodes) {
            auto const &node = g.node(id);
            m_executions[id.index] = times[region->index];
            std::int64_t const each = graph::is(node, NodeKind::Repeat) ? graph::repeatForm(node).count : 1;
            for (auto const body : node.regions) times[body.index] += times[region->index] * each;
        }
}

std::vector<NodeId> const &Callers::of(RegionId body) const
{
    static std::vector<NodeId> const kNobody;
    auto const it = m_calls.find(body);
    return it == m_calls.end() ? kNobody : it->second;
}

std::vector<graph::VariableId> Callers::variablesOf(ValueId value) const
{
    for (;;) {
        auto const producer = g.value(value).producer;
        auto const &node = g.node(producer);
        if (graph::is(node, NodeKind::VariableRead)) return {node.variable};
        if (graph::is(node, NodeKind::Reshape)) {
            value = node.inputs[0];
            continue;
        }
        auto const body = m_bodyOf.find(producer);
        if (body == m_bodyOf.end()) return {};
        auto const place = static_cast<std::size_t>(std::ranges::find(node.outputs, value) - node.outputs.begin());
        std::vector<graph::VariableId> all;
        for (auto call : of(body->second)) {
            auto const own = variablesOf(g.node(call).inputs[place]);
            if (own.empty()) return {};
            all.insert(all.end(), own.begin(), own.end());
        }
        return all;
    }
}

std::string const &Callers::twin(std::string const &layer) const
{
    auto const it = m_twins.find(layer);
    return it == m_twins.end() ? layer : it->second;
}

} // namespace tilewright::lowering
