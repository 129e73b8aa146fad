#pragma once

#include "engine/graph/control.h"
#include "engine/graph/graph.h"

#include <optional>
#include <vector>

/// Where the values of a loop's or a call's body lie in fused mode.
namespace tilewright::runtime {

/// The value whose bytes this one's are.
graph::ValueId bytesOwner(graph::Graph const &graph, graph::ValueId value);

struct LoopBinding {
    graph::RepeatForm form;
    std::vector<graph::ValueId> parameters, results, owners; ///< owners: of the results' bytes
    std::vector<char> inPlace;                               ///< by carried value: the body updates it where it lies
    std::vector<char> placeable;                             ///< by result: a node of the body can leave it anywhere

    std::size_t firstCarried() const { return form.index ? 1 : 0; } ///< of the parameters
    /// The carried value that a result is as the step was given it.
    std::optional<std::size_t> carriedAs(std::size_t result) const;
    /// Slices stay in their stack, and what is read from around a loop stays as it is.
    bool lastsBeyondStep(graph::ValueId owner) const;
};

LoopBinding loopBindingOf(graph::Graph const &graph, graph::Node const &node);

} // namespace tilewright::runtime
