#pragma once

#include "engine/graph/control.h"
#include "engine/graph/graph.h"

#include <optional>
#include <vector>

/// Memory of the values in a body of a loop or call in fused mode.
namespace tilewright::runtime {

/// The value that owns this value's memory.
graph::ValueId bytesOwner(graph::Graph const &graph, graph::ValueId value);

struct LoopBinding {
    graph::RepeatForm form;
    std::vector<graph::ValueId> parameters, results, owners; ///< owners: of the results' memory
    std::vector<char> inPlace;                               ///< by carried value: the body updates it in place
    std::vector<char> placeable;                             ///< by result: a node of the body can write it to any place

    std::size_t firstCarried() const { return form.index ? 1 : 0; } ///< index among the parameters
    /// The carried value that a result returns unchanged.
    std::optional<std::size_t> carriedAs(std::size_t result) const;
    /// Whether the memory outlives a step: slices stay in their stack, and values from outside the loop are unchanged.
    bool lastsBeyondStep(graph::ValueId owner) const;
};

LoopBinding loopBindingOf(graph::Graph const &graph, graph::Node const &node);

} // namespace tilewright::runtime
