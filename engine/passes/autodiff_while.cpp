// Gradients of loops with a run-time end. Such a loop has a maximum number of steps. If a gradient passes through it, it becomes a loop of
// that
// many steps; each tests whether the loop still runs, and changes nothing after its end.
#include "engine/graph/node_kind.h"
#include "engine/passes/autodiff_walk.h"

#include "engine/passes/graph_edit.h"

#include <iterator>

namespace tilewright::passes {

using namespace graph;

void ReverseWalk::boundWhile(NodeId id)
{
    Node const node = g.node(id); // a copy: appending reallocates the graph's nodes
    RegionId const test = node.regions[0], then = node.regions[1];
    auto const outer = b.region();
    auto const pass = b.pass;
    auto const role = b.role;
    b.pass = node.pass;
    b.role = Role::Activation;
    RegionId const body = addRegion(g, node.name);
    b.setRegion(body);
    std::vector<Builder::Out> types;
    for (auto const value : node.inputs) types.push_back({g.value(value).shape, g.value(value).dtype});
    std::vector<ValueId> carried;
    if (!types.empty()) carried = b.add("parameters", {}, types, {}, node.name + "/parameters");

    // Both bodies read the new parameters; the test runs in the loop itself.
    Replacements replaced;
    for (auto const region : {test, then}) {
        auto const old = parametersOf(g, region);
        for (std::size_t i = 0; i < old.size(); ++i) replaced.set(old[i], carried[i]);
        std::erase_if(g.region(region).nodes, [&](NodeId inner) { return is(g.node(inner), NodeKind::Parameters); });
        for (auto const inner : g.region(region).nodes) forEachNodeWithin(g, inner, [&](NodeId one) { replaced.applyTo(g.node(one)); });
    }
    auto const predicate = resultsOf(g, test)[0];
    auto const &tested = g.region(test).nodes;
    std::ranges::copy_if(tested, std::back_inserter(g.region(body).nodes), [&](NodeId inner) { return !isRegionEnd(g.node(inner)); });

    RegionId const other = addRegion(g, node.name + "/otherwise");
    auto const next = b.add("if", {predicate}, types, {}, node.name + "/if");
    g.nodes.back().regions = {then, other};
    b.add("results", next, {}, {}, node.name + "/results");
    b.setRegion(other);
    b.add("results", carried, {}, {}, node.name + "/otherwise/results");

    Node &loop = g.node(id);
    loop.op = toText(NodeKind::Repeat);
    loop.attrs = {{"count", limitOf(node)}, {"carried", static_cast<std::int64_t>(carried.size())}};
    loop.regions = {body};
    b.setRegion(outer);
    b.pass = pass;
    b.role = role;
}

} // namespace tilewright::passes
