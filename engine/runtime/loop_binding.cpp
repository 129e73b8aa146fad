#include "engine/runtime/loop_binding.h"

#include "engine/graph/node_kind.h"
#include "engine/runtime/fused_values.h"

#include <algorithm>

namespace tilewright::runtime {

using graph::NodeKind;
using graph::ValueId;

namespace {

/// Nodes whose results are stored by another node or stay unchanged.
bool isGiven(graph::Node const &node)
{
    return graph::is(node, NodeKind::VariableRead, NodeKind::Parameters, NodeKind::Repeat, NodeKind::Constant);
}

} // namespace

ValueId bytesOwner(graph::Graph const &graph, ValueId value)
{
    for (;;) {
        auto const &node = graph.node(graph.value(value).producer);
        if (isGiven(node)) return value;
        auto const output = static_cast<std::size_t>(std::ranges::find(node.outputs, value) - node.outputs.begin());
        if (hasOwnBytes(node, output)) return value;
        bool const view = graph::isView(node);
        value = node.inputs[view ? 0 : graph::is(node, NodeKind::AllReduce) ? output : static_cast<std::size_t>(node.inPlace[output])];
    }
}

std::optional<std::size_t> LoopBinding::carriedAs(std::size_t result) const
{
    for (std::size_t i = 0; i < form.carried; ++i)
        if (owners[result] == parameters[firstCarried() + i]) return i;
    return {};
}

bool LoopBinding::lastsBeyondStep(ValueId owner) const
{
    auto const at = static_cast<std::size_t>(std::ranges::find(parameters, owner) - parameters.begin());
    return at < parameters.size() && (at < firstCarried() || at >= firstCarried() + form.carried);
}

LoopBinding loopBindingOf(graph::Graph const &graph, graph::Node const &node)
{
    LoopBinding loop;
    loop.form = graph::repeatForm(node);
    loop.parameters = graph::parametersOf(graph, node.regions[0]);
    loop.results = graph::resultsOf(graph, node.regions[0]);
    auto const &nodes = graph.region(node.regions[0]).nodes;
    std::size_t const first = loop.firstCarried();
    for (std::size_t i = 0; i < loop.results.size(); ++i) {
        auto const owner = bytesOwner(graph, loop.results[i]);
        auto const &producer = graph.node(graph.value(owner).producer);
        loop.owners.push_back(owner);
        loop.placeable.push_back(!isGiven(producer) && std::ranges::find(nodes, graph.value(owner).producer) != nodes.end());
        if (i < loop.form.carried) loop.inPlace.push_back(owner == loop.parameters[first + i] && loop.results[i] != owner);
    }
    return loop;
}

} // namespace tilewright::runtime
