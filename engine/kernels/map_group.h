#pragma once

#include "engine/kernels/kernel.h"

#include <cstddef>
#include <span>
#include <vector>

/// Consecutive elementwise nodes, evaluated together block by block: intermediate results stay in the first-level cache and are stored only
/// for readers outside the group. Example: the cell of a recurrent layer, which cuts its gates out of one matrix and joins their gradients
/// in one.
namespace tilewright::kernels {

/// A node of a group. Equal names denote the same value.
struct MapNode {
    graph::Node const *node = nullptr;
    std::vector<HostTensor> inputs, outputs;
    std::vector<std::size_t> inputNames, outputNames;
    std::vector<char> kept; ///< by output: whether it is stored
};

/// A node's part in a group on float32: elementwise, or cutting or joining rows along the last axis.
enum class MapRole { None, Elements, Cut, Join };
MapRole mapRoleOf(graph::Graph const &graph, graph::Node const &node);

/// Binds the nodes in order. The bits equal those of separate evaluation. Error "kernel.unsupported" if they do not fit together: different
/// numbers of rows, parts that are not whole, or storage that one node writes and another reads at a different position.
Result<Prepared> prepareMapGroup(std::span<MapNode const> nodes);

} // namespace tilewright::kernels
