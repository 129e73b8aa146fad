#include "engine/reference/interpreter.h"

#include "engine/core/job_context.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"

#include <algorithm>

namespace tilewright::reference {

using graph::NodeKind;

namespace {

Diagnostic missing(graph::Node const &node, Message const &what)
{
    return makeError(ErrorKind::Invalid, "reference.missing", node.name,
                     Message::of("Node '%1' needs %2, which is not there.", node.op, what));
}

/// Forgets what a body defines: each time it runs it starts anew.
void forget(graph::Graph const &graph, graph::RegionId region, RefState &state)
{
    for (auto const id : graph.region(region).nodes) {
        for (auto const output : graph.node(id).outputs) state.values.erase(output);
        for (auto const sub : graph.node(id).regions) forget(graph, sub, state);
    }
}

/// Slice `index` of the first dimension.
RefTensor sliceOf(RefTensor const &stack, std::int64_t index)
{
    RefTensor slice{stack.dtype, {stack.shape.begin() + 1, stack.shape.end()}, {}};
    auto const n = elementCount(slice.shape);
    slice.v.assign(stack.v.begin() + index * n, stack.v.begin() + (index + 1) * n);
    return slice;
}

Result<std::vector<RefTensor>> runOnce(graph::Graph const &graph, graph::RegionId body, std::span<RefTensor const> arguments,
                                       RefState &state, RefContext const &context, RefFeeds const &feeds)
{
    forget(graph, body, state);
    auto const parameters = graph::parametersOf(graph, body);
    for (std::size_t i = 0; i < parameters.size(); ++i) state.values.insert_or_assign(parameters[i], arguments[i]);
    TW_TRY(runRegion(graph, body, state, context, feeds));
    std::vector<RefTensor> results;
    for (auto const id : graph::resultsOf(graph, body)) results.push_back(state.values.at(id));
    forget(graph, body, state);
    return results;
}

/// The bodies of a branch or a loop (a pipeline's micro-batches give the same numbers one after the other) or of a call.
Result<std::vector<RefTensor>> runBody(graph::Graph const &graph, graph::Node const &node, std::span<RefTensor const> inputs,
                                       RefState &state, RefContext const &context, RefFeeds const &feeds)
{
    if (graph::is(node, NodeKind::If)) return runOnce(graph, node.regions[inputs[0].v[0] != 0 ? 0 : 1], {}, state, context, feeds);
    if (graph::is(node, NodeKind::While)) {
        std::vector<RefTensor> carried(inputs.begin(), inputs.end());
        for (std::int64_t t = 0; t < graph::limitOf(node); ++t) {
            if (feeds.cancelled && feeds.cancelled()) return cancelledError(node.name);
            TW_ASSIGN(auto const test, runOnce(graph, node.regions[0], carried, state, context, feeds));
            if (test[0].v[0] == 0) break;
            TW_ASSIGN(carried, runOnce(graph, node.regions[1], carried, state, context, feeds));
        }
        return carried;
    }
    if (graph::is(node, NodeKind::Call)) return runOnce(graph, node.regions[0], inputs, state, context, feeds);
    auto const form = graph::repeatForm(node);
    std::vector<RefTensor> carried(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(form.carried));
    std::vector<RefTensor> stacks;
    for (std::size_t i = form.carried; i < node.outputs.size(); ++i) {
        auto const &type = graph.value(node.outputs[i]);
        stacks.push_back({type.dtype, type.shape, std::vector<double>(static_cast<std::size_t>(elementCount(type.shape)), 0.0)});
    }
    for (std::int64_t t = 0; t < form.count; ++t) {
        if (feeds.cancelled && feeds.cancelled()) return cancelledError(node.name);
        std::vector<RefTensor> arguments;
        if (form.index) arguments.push_back({DType::I32, {}, {static_cast<double>(t)}});
        arguments.insert(arguments.end(), carried.begin(), carried.end());
        for (std::size_t i = 0; i < form.stackedIn; ++i)
            arguments.push_back(sliceOf(inputs[form.carried + i], form.reversed[i] ? form.count - 1 - t : t));
        TW_ASSIGN(auto const results, runOnce(graph, node.regions[0], arguments, state, context, feeds));
        for (std::size_t i = 0; i < form.carried; ++i) carried[i] = results[i];
        for (std::size_t i = 0; i < form.stackedOut; ++i) {
            auto const &slice = results[form.carried + i].v;
            std::int64_t const at = form.reversed[form.stackedIn + i] ? form.count - 1 - t : t;
            std::ranges::copy(slice, stacks[i].v.begin() + at * static_cast<std::int64_t>(slice.size()));
        }
    }
    carried.insert(carried.end(), stacks.begin(), stacks.end());
    return carried;
}

Result<std::vector<RefTensor>> runNode(graph::Graph const &graph, graph::Node const &node, std::span<RefTensor const> inputs,
                                       RefState &state, RefContext const &context, RefFeeds const &feeds)
{
    if (!node.regions.empty()) return runBody(graph, node, inputs, state, context, feeds);
    if (graph::is(node, NodeKind::Results)) return std::vector<RefTensor>{};
    if (graph::is(node, NodeKind::VariableRead)) {
        auto const it = state.variables.find(node.variable);
        if (it == state.variables.end()) return missing(node, Message::of("variable %1", node.variable.index));
        return std::vector<RefTensor>{it->second};
    }
    if (graph::is(node, NodeKind::VariableAssign)) {
        if (inputs.size() != 1) return missing(node, Message::of("one operand"));
        state.variables[node.variable] = inputs[0];
        return std::vector<RefTensor>{};
    }
    if (graph::is(node, NodeKind::Infeed)) {
        if (!feeds.infeed) return missing(node, Message::of("an infeed"));
        return feeds.infeed(node);
    }
    if (graph::is(node, NodeKind::Outfeed)) {
        if (feeds.outfeed) TW_TRY(feeds.outfeed(node, inputs));
        return std::vector<RefTensor>{};
    }
    if (graph::is(node, NodeKind::IpuCopy)) return std::vector<RefTensor>(inputs.begin(), inputs.end());
    std::vector<RefOutput> outputs;
    for (auto const id : node.outputs) outputs.push_back({graph.value(id).shape, graph.value(id).dtype});
    return evaluate(node, inputs, outputs, context);
}

} // namespace

Status runRegion(graph::Graph const &graph, graph::RegionId region, RefState &state, RefContext const &context, RefFeeds const &feeds)
{
    for (auto const nodeId : graph.region(region).nodes) {
        auto const &node = graph.node(nodeId);
        bool const preset =
            !node.outputs.empty() && std::ranges::all_of(node.outputs, [&](graph::ValueId id) { return state.values.contains(id); });
        if (preset) continue;
        std::vector<RefTensor> inputs;
        for (auto const id : node.inputs) {
            auto const it = state.values.find(id);
            if (it == state.values.end()) return missing(node, Message::of("value '%1'", graph.value(id).name));
            inputs.push_back(it->second);
        }
        TW_ASSIGN(auto results, runNode(graph, node, inputs, state, context, feeds));
        if (results.size() != node.outputs.size()) return missing(node, Message::of("%1 results", node.outputs.size()));
        for (std::size_t i = 0; i < results.size(); ++i) {
            auto const id = node.outputs[i];
            if (results[i].v.size() != static_cast<std::size_t>(elementCount(graph.value(id).shape)))
                return missing(node, Message::of("a tensor of shape %1", toText(graph.value(id).shape)));
            results[i].shape = graph.value(id).shape;
            state.values.insert_or_assign(id, std::move(results[i]));
        }
    }
    return {};
}

} // namespace tilewright::reference
