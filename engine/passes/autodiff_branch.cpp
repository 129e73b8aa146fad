// Gradients of branches. The gradient of `if` is a second `if` with the same condition; it runs the gradient of the executed body. Values
// it
// needs from a body become further results of the first `if`; the other body returns zeros for them.
#include "engine/graph/node_kind.h"
#include "engine/passes/autodiff_walk.h"

#include "engine/passes/graph_edit.h"

#include <algorithm>
#include <set>
#include <utility>

namespace tilewright::passes {

using namespace graph;

/// One body and the body of its gradient.
struct ReverseWalk::Arm {
    RegionId forward, back;
    std::set<NodeId> nodes;          ///< of the body, without bodies nested in it
    std::map<ValueId, ValueId> kept; ///< value of the body -> value read by the gradient
    std::vector<ValueId> gradients;  ///< by captured value; invalid: none
    std::vector<NodeId> front;       ///< nodes to put at the start of the gradient
};

namespace {

/// Zeros created at their use: a large constant would occupy memory all the time.
ValueId zerosOf(Builder &b, Value const &like)
{
    auto const zero = b.constant(0.0, {}, like.dtype);
    return like.shape.empty() ? zero : b.one("broadcast", {zero}, like.shape, like.dtype, {}, "Zeros");
}

} // namespace

/// The value that the gradient reads in place of a value of the body.
ValueId ReverseWalk::keptByBranch(NodeId branch, Arm &arm, ValueId value)
{
    if (auto const it = arm.kept.find(value); it != arm.kept.end()) return it->second;
    Value type = g.value(value);
    Node const producer = g.node(type.producer);
    if (is(producer, NodeKind::Constant)) { // creating it again costs no more than keeping it
        Node again = producer;
        again.outputs.clear();
        again.pass = Pass::Backward;
        NodeId const id(g.nodes.size());
        g.nodes.push_back(std::move(again));
        arm.front.push_back(id);
        return arm.kept[value] = addOutput(g, id, std::move(type));
    }
    for (auto region : g.node(branch).regions) {
        auto const end = resultsNode(g, region);
        auto given = value;
        if (region != arm.forward) {
            auto const around = b.region();
            auto const pass = std::exchange(b.pass, g.node(end).pass);
            b.setRegion(region);
            given = zerosOf(b, type);
            b.setRegion(around);
            b.pass = pass;
            // Insert before the results, which stay last.
            auto &list = g.region(region).nodes;
            list.erase(std::ranges::find(list, end));
            list.push_back(end);
        }
        g.node(end).inputs.push_back(given);
    }
    type.role = Role::Activation;
    return arm.kept[value] = addOutput(g, branch, std::move(type));
}

Status ReverseWalk::branch(NodeId id, Wanted const &wantedAround, Arrived &arrived)
{
    Node const node = g.node(id);
    std::vector<ValueId> outputGradients;
    for (auto output : node.outputs) outputGradients.push_back(arrived.take(output));
    if (std::ranges::none_of(outputGradients, [](ValueId v) { return v.valid(); })) return {};
    std::vector<ValueId> around;
    for (auto value : graph::reads(g, id))
        if (wantedAround[value.index] && isFloat(value)) around.push_back(value);

    RegionId const outer = b.region();
    std::vector<Arm> arms;
    for (auto region : node.regions) {
        Arm arm;
        arm.forward = region;
        auto const nodes = g.region(region).nodes;
        arm.nodes.insert(nodes.begin(), nodes.end());
        arm.back = addRegion(g, g.region(region).label + "/gradient");
        Wanted wanted = wantedAround;
        wanted.resize(g.values.size(), 0);
        spread(nodes, wanted);
        b.setRegion(arm.back);
        Arrived inside(b, m_ops);
        auto const results = resultsOf(g, region);
        for (std::size_t i = 0; i < outputGradients.size(); ++i)
            if (outputGradients[i].valid() && wanted[results[i].index]) inside.give(results[i], outputGradients[i]);
        ++m_depth;
        TW_TRY(walk(nodes, wanted, inside));
        --m_depth;
        b.layer = node.layer;
        b.stage = node.stage;
        for (auto value : around) arm.gradients.push_back(inside.take(value));
        arms.push_back(std::move(arm));
    }

    std::vector<ValueId> given; // captured values that have a gradient
    std::vector<Builder::Out> outs;
    std::vector<std::vector<ValueId>> results(arms.size());
    for (std::size_t k = 0; k < around.size(); ++k) {
        if (std::ranges::none_of(arms, [&](Arm const &arm) { return arm.gradients[k].valid(); })) continue;
        given.push_back(around[k]);
        outs.push_back({g.value(around[k]).shape, g.value(around[k]).dtype});
        for (std::size_t a = 0; a < arms.size(); ++a) {
            b.setRegion(arms[a].back);
            auto const gradient = arms[a].gradients[k];
            results[a].push_back(gradient.valid() ? gradient : zerosOf(b, g.value(around[k])));
        }
    }
    if (given.empty()) {
        b.setRegion(outer);
        return {};
    }
    for (std::size_t a = 0; a < arms.size(); ++a) {
        auto &arm = arms[a];
        b.setRegion(arm.back);
        b.add("results", std::move(results[a]), {}, {}, g.region(arm.back).label + "/results");
        for (auto one : std::vector<NodeId>(g.region(arm.back).nodes))
            forEachNodeWithin(g, one, [&](NodeId inner) {
                for (std::size_t i = 0; i < g.node(inner).inputs.size(); ++i) {
                    auto const input = g.node(inner).inputs[i];
                    if (!arm.nodes.contains(g.value(input).producer)) continue;
                    auto const standIn = keptByBranch(id, arm, input);
                    g.node(inner).inputs[i] = standIn;
                }
            });
        auto &list = g.region(arm.back).nodes;
        list.insert(list.begin(), arm.front.begin(), arm.front.end());
    }
    b.setRegion(outer);
    auto const gradients = b.add("if", {node.inputs[0]}, std::move(outs), {}, node.name + "/gradient");
    for (auto const &arm : arms) g.nodes.back().regions.push_back(arm.back);
    for (std::size_t k = 0; k < given.size(); ++k) arrived.give(given[k], gradients[k]);
    return {};
}

} // namespace tilewright::passes
