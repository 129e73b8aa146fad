// Gradients of calls. The gradient of a body is a second body, created once for all calls with the same needs. Its operands are the
// gradients
// of the results and the needed values of the first body, which become further results of all those calls.
#include "engine/graph/node_kind.h"
#include "engine/passes/autodiff_walk.h"

#include "engine/passes/graph_edit.h"

#include <algorithm>
#include <set>

namespace tilewright::passes {

using namespace graph;

struct ReverseWalk::CalledGradient {
    /// An operand of the second body that comes from the first: an operand of the call or one of its results.
    struct Source {
        bool operand;
        std::size_t index;
    };
    RegionId body;
    std::vector<Source> given;         ///< operands after the gradients of the results
    std::vector<std::size_t> operands; ///< its results are their gradients
};

namespace {

std::size_t placeIn(std::vector<ValueId> const &values, ValueId value)
{
    return static_cast<std::size_t>(std::ranges::find(values, value) - values.begin());
}

} // namespace

Result<ReverseWalk::CalledGradient const *> ReverseWalk::gradientBody(Node const &node, CallKey const &key)
{
    auto const &[body, gradientsOf, operands] = key;
    if (auto const it = m_called.find(key); it != m_called.end()) return it->second.get();
    auto made = std::make_shared<CalledGradient>();
    auto const nodes = g.region(body).nodes;
    auto const parameters = parametersOf(g, body);
    std::set<NodeId> const forward(nodes.begin(), nodes.end());
    Wanted wanted(g.values.size(), 0);
    for (auto i : operands) wanted[parameters[i].index] = 1;
    spread(nodes, wanted);

    auto const outer = b.region();
    auto const label = g.region(body).label + "/gradient";
    made->body = addRegion(g, label);
    b.setRegion(made->body);
    b.add("parameters", {}, {}, {}, label + "/parameters");
    NodeId const begin(g.nodes.size() - 1);
    auto const parameter = [&](ValueId like, Role role) {
        Value type = g.value(like);
        type.role = role;
        return addOutput(g, begin, std::move(type));
    };
    Arrived inside(b, m_ops);
    for (auto i : gradientsOf) {
        auto const result = resultsOf(g, body)[i];
        auto const gradient = parameter(result, Role::Gradient);
        if (wanted[result.index]) inside.give(result, gradient);
    }
    ++m_depth;
    TW_TRY(walk(nodes, wanted, inside));
    --m_depth;
    b.layer = node.layer;
    b.stage = node.stage;
    std::vector<ValueId> results;
    for (auto i : operands) {
        auto const gradient = inside.take(parameters[i]);
        if (!gradient.valid()) continue;
        made->operands.push_back(i);
        results.push_back(gradient);
    }

    // The values it reads from the first body.
    std::map<ValueId, ValueId> standIns;
    std::vector<NodeId> front;
    auto const kept = [&](auto &&self, ValueId value) -> ValueId {
        if (auto const it = standIns.find(value); it != standIns.end()) return it->second;
        Node producer = g.node(g.value(value).producer);
        if (is(producer, NodeKind::Constant, NodeKind::Reshape)) {
            for (auto &input : producer.inputs) input = self(self, input);
            producer.outputs.clear();
            producer.pass = Pass::Backward;
            NodeId const id(g.nodes.size());
            g.nodes.push_back(std::move(producer));
            front.push_back(id);
            Value type = g.value(value);
            return standIns[value] = addOutput(g, id, std::move(type));
        }
        auto const operand = placeIn(parameters, value);
        auto result = placeIn(resultsOf(g, body), value);
        if (operand == parameters.size() && result == resultsOf(g, body).size()) {
            g.node(resultsNode(g, body)).inputs.push_back(value);
            for (std::size_t n = 0; n < g.nodes.size(); ++n) {
                if (!is(g.nodes[n], NodeKind::Call) || g.nodes[n].regions[0] != body) continue;
                Value type = g.value(value);
                type.name = g.nodes[n].name + "/" + type.name;
                addOutput(g, NodeId(n), std::move(type));
            }
        }
        bool const isOperand = operand < parameters.size();
        made->given.push_back({isOperand, isOperand ? operand : result});
        return standIns[value] = parameter(value, g.value(value).role);
    };
    for (auto id : g.region(made->body).nodes)
        forEachNodeWithin(g, id, [&](NodeId inner) {
            for (std::size_t i = 0; i < g.node(inner).inputs.size(); ++i) {
                auto const input = g.node(inner).inputs[i];
                if (!forward.contains(g.value(input).producer)) continue;
                auto const standIn = kept(kept, input);
                g.node(inner).inputs[i] = standIn;
            }
        });
    for (auto &result : results)
        if (forward.contains(g.value(result).producer)) result = kept(kept, result);
    auto &list = g.region(made->body).nodes;
    list.insert(list.begin() + 1, front.begin(), front.end());
    b.add("results", std::move(results), {}, {}, label + "/results");
    b.setRegion(outer);
    return (m_called[key] = made).get();
}

Status ReverseWalk::call(NodeId id, Wanted const &wanted, Arrived &arrived)
{
    Node const node = g.node(id);
    std::vector<std::size_t> gradientsOf, operands;
    std::vector<ValueId> inputs;
    for (std::size_t i = 0; i < node.outputs.size(); ++i) {
        auto const gradient = arrived.take(node.outputs[i]);
        if (!gradient.valid()) continue;
        gradientsOf.push_back(i);
        inputs.push_back(gradient);
    }
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        if (wanted[node.inputs[i].index] && isFloat(node.inputs[i])) operands.push_back(i);
    if (gradientsOf.empty() || operands.empty()) return {};
    TW_ASSIGN(auto const *gradient, gradientBody(node, {node.regions[0], gradientsOf, operands}));
    if (gradient->operands.empty()) return {};
    for (auto const &source : gradient->given)
        inputs.push_back(source.operand ? node.inputs[source.index] : g.node(id).outputs[source.index]);
    std::vector<Builder::Out> outs;
    for (auto i : gradient->operands) outs.push_back({g.value(node.inputs[i]).shape, g.value(node.inputs[i]).dtype});
    auto const gradients = b.add("call", std::move(inputs), std::move(outs), {}, g.region(node.regions[0]).label + "/gradient");
    g.nodes.back().regions = {gradient->body};
    for (std::size_t k = 0; k < gradients.size(); ++k) arrived.give(node.inputs[gradient->operands[k]], gradients[k]);
    return {};
}

} // namespace tilewright::passes
