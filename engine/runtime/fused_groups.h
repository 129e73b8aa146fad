#pragma once

#include "engine/kernels/map_group.h"

#include <cstddef>
#include <span>
#include <vector>

/// Groups of nodes that fused mode evaluates together.
namespace tilewright::runtime {

class FusedGroups {
public:
    explicit FusedGroups(graph::Graph const &graph);

    /// Number of these nodes of a region, from the first one on, that can form one group; 0 or 1: no group.
    std::size_t length(std::span<graph::NodeId const> nodes) const;
    /// The nodes of a group with their operands and results. `values`: by value.
    std::vector<kernels::MapNode> bind(std::span<graph::NodeId const> group, std::vector<kernels::HostTensor> const &values) const;

private:
    graph::Graph const &m_graph;
    std::vector<std::vector<graph::NodeId>> m_readers; ///< by value
};

} // namespace tilewright::runtime
