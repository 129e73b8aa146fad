#include "engine/runtime/fused_groups.h"

#include "engine/graph/axes.h"

#include <algorithm>

namespace tilewright::runtime {

using graph::NodeId;
using kernels::MapRole;

FusedGroups::FusedGroups(graph::Graph const &graph) : m_graph(graph), m_readers(graph.values.size())
{
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        for (auto input : graph.nodes[i].inputs) m_readers[input.index].emplace_back(i);
}

std::size_t FusedGroups::length(std::span<NodeId const> nodes) const
{
    std::int64_t rows = 0, width = 0;
    std::size_t length = 0;
    for (auto id : nodes) {
        auto const &node = m_graph.node(id);
        auto const role = kernels::mapRoleOf(m_graph, node);
        if (role == MapRole::None) break;
        auto const out = graph::alongLast(m_graph.value(node.outputs[0]).shape);
        auto const in = role == MapRole::Cut || role == MapRole::Join ? graph::alongLast(m_graph.value(node.inputs[0]).shape).n : out.n;
        if (length > 0 && (out.outer != rows || in != width)) break;
        rows = out.outer;
        width = out.n;
        ++length;
        if (role == MapRole::Join) break; // the following operations have the full width
    }
    return length;
}

std::vector<kernels::MapNode> FusedGroups::bind(std::span<NodeId const> group, std::vector<kernels::HostTensor> const &values) const
{
    std::vector<kernels::MapNode> nodes;
    for (auto id : group) {
        auto &bound = nodes.emplace_back();
        bound.node = &m_graph.node(id);
        for (auto input : bound.node->inputs) {
            bound.inputs.push_back(values[input.index]);
            bound.inputNames.push_back(input.index);
        }
        for (auto output : bound.node->outputs) {
            bound.outputs.push_back(values[output.index]);
            bound.outputNames.push_back(output.index);
            bound.kept.push_back(std::ranges::any_of(m_readers[output.index],
                                                     [&](NodeId reader) { return std::ranges::find(group, reader) == group.end(); }));
        }
    }
    return nodes;
}

} // namespace tilewright::runtime
