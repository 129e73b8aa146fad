#pragma once

#include "engine/kernels/kernel.h"

#include <cstddef>
#include <span>
#include <vector>

/// Elementwise nodes that stand one behind the other, evaluated together, block by block: what one gives the next stays in the
/// nearest cache, and is stored only where somebody behind the group reads it. The cell of a recurrent layer, which cuts
/// its gates out of one matrix and joins their gradients in one, is such a group.
namespace tilewright::kernels {

/// A node of a group. Equal names are the same value; names are only compared.
struct MapNode {
    graph::Node const *node = nullptr;
    std::vector<HostTensor> inputs, outputs;
    std::vector<std::size_t> inputNames, outputNames;
    std::vector<char> kept; ///< by output: it is stored
};

/// What a node does in a group, on float32: it computes element by element, or cuts rows, or joins them, along the last axis.
enum class MapRole { None, Elements, Cut, Join };
MapRole mapRoleOf(graph::Graph const &graph, graph::Node const &node);

/// The nodes in their order; the bits are those of one node after the other. Error "kernel.unsupported": they do not fit
/// together: results that are not equally many rows of whole parts, or storage that one writes and another reads at another place.
Result<Prepared> prepareMapGroup(std::span<MapNode const> nodes);

} // namespace tilewright::kernels
