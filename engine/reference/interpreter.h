#pragma once

#include "engine/reference/reference.h"

#include <functional>
#include <map>

namespace tilewright::reference {

/// Variables and values of a region.
struct RefState {
    std::map<graph::VariableId, RefTensor> variables;
    std::map<graph::ValueId, RefTensor> values; ///< of every executed node; may be preset (see runRegion)
};

/// Streams of a region. Both are optional.
struct RefFeeds {
    /// Outputs of an infeed node.
    std::function<Result<std::vector<RefTensor>>(graph::Node const &)> infeed;
    /// Receives the operands of an outfeed node.
    std::function<Status(graph::Node const &, std::span<RefTensor const>)> outfeed;
    /// Polled in every round of a loop: whether to stop (error Cancelled).
    std::function<bool()> cancelled;
};

/// Runs the nodes of one region in order, including loops and calls. variable.read and variable.assign use `state.variables` (a variable
/// without an entry is an error); infeed and outfeed use `feeds`; ipu_copy is the identity. A node whose outputs are all preset in
/// `state.values` is skipped, so that a caller can supply or perturb any value; values of an enclosing region are supplied the same way.
/// Values of a body are removed when it ends. Errors: those of evaluate(), Invalid "reference.missing" for a missing value or variable.
/// Call with fresh `values` for every run.
Status runRegion(graph::Graph const &graph, graph::RegionId region, RefState &state, RefContext const &context, RefFeeds const &feeds = {});

} // namespace tilewright::reference
