#include "engine/reference/interpreter.h"

#include <algorithm>

namespace tilewright::reference {

namespace {

Diagnostic missing(graph::Node const &node, std::string const &what)
{
    return makeError(ErrorKind::Invalid, "reference.missing", node.name, "Node '" + node.op + "' needs " + what + ", which is not there.");
}

Result<std::vector<RefTensor>> runNode(graph::Graph const &graph, graph::Node const &node, std::span<RefTensor const> inputs,
                                       RefState &state, RefContext const &context, RefFeeds const &feeds)
{
    if (!node.regions.empty())
        return makeError(ErrorKind::Invalid, "reference.region", node.name, "Only straight-line regions can be interpreted.");
    if (node.op == "variable.read") {
        auto const it = state.variables.find(node.variable);
        if (it == state.variables.end()) return missing(node, "variable " + std::to_string(node.variable.index));
        return std::vector<RefTensor>{it->second};
    }
    if (node.op == "variable.assign") {
        if (inputs.size() != 1) return missing(node, "one operand");
        state.variables[node.variable] = inputs[0];
        return std::vector<RefTensor>{};
    }
    if (node.op == "infeed") {
        if (!feeds.infeed) return missing(node, "an infeed");
        return feeds.infeed(node);
    }
    if (node.op == "outfeed") {
        if (feeds.outfeed) TW_TRY(feeds.outfeed(node, inputs));
        return std::vector<RefTensor>{};
    }
    if (node.op == "ipu_copy") return std::vector<RefTensor>(inputs.begin(), inputs.end());
    std::vector<RefOutput> outputs;
    for (auto const id : node.outputs) outputs.push_back({graph.value(id).shape, graph.value(id).dtype});
    return evaluate(node, inputs, outputs, context);
}

} // namespace

Status runRegion(graph::Graph const &graph, graph::RegionId region, RefState &state, RefContext const &context,
                 RefFeeds const &feeds)
{
    for (auto const nodeId : graph.region(region).nodes) {
        auto const &node = graph.node(nodeId);
        bool const preset = !node.outputs.empty()
            && std::ranges::all_of(node.outputs, [&](graph::ValueId id) { return state.values.contains(id); });
        if (preset) continue;
        std::vector<RefTensor> inputs;
        for (auto const id : node.inputs) {
            auto const it = state.values.find(id);
            if (it == state.values.end()) return missing(node, "value '" + graph.value(id).name + "'");
            inputs.push_back(it->second);
        }
        TW_ASSIGN(auto results, runNode(graph, node, inputs, state, context, feeds));
        if (results.size() != node.outputs.size()) return missing(node, std::to_string(node.outputs.size()) + " results");
        for (std::size_t i = 0; i < results.size(); ++i) {
            auto const id = node.outputs[i];
            if (results[i].v.size() != static_cast<std::size_t>(elementCount(graph.value(id).shape)))
                return missing(node, "a tensor of shape " + toText(graph.value(id).shape));
            results[i].shape = graph.value(id).shape;
            state.values.insert_or_assign(id, std::move(results[i]));
        }
    }
    return {};
}

} // namespace tilewright::reference
