#pragma once

#include "engine/graph/graph.h"

#include <functional>
#include <span>
#include <vector>

namespace tilewright::graph {

/// What the graph knows of an operation.
struct OpSpec {
    /// Output types for the given inputs, or Invalid "graph.shape" naming the node.
    std::function<Result<std::vector<Builder::Out>>(Node const &, std::span<Value const *const> inputs)> infer;
    /// Appends backward nodes: from the gradients of the outputs (invalid id = none) to those of the inputs.
    /// Empty: not differentiable, gradients stop here.
    std::function<std::vector<ValueId>(Builder &, Node const &, std::span<ValueId const> outputGradients)> gradient;
    /// Floating-point operations of one execution.
    std::function<std::int64_t(Graph const &, Node const &)> flops;
    /// Outputs that may take over an input's storage: pairs (output, input), best first.
    std::vector<std::pair<int, int>> inPlaceCandidates;
    bool hasEffect = false; ///< kept although nobody reads its outputs
    bool isRandom = false;  ///< never merged with an equal node
};

/// Finds the spec of an op by name; nullptr when there is none. Passed in: the graph knows no list.
using OpLookup = std::function<OpSpec const *(std::string_view)>;

/// verifyStructure plus: every op known, every output shaped as its op infers.
Status verify(Graph const &graph, OpLookup const &ops);

/// Appends a node whose outputs are inferred. Requires: the op exists and accepts the inputs.
std::vector<ValueId> addInferred(Builder &builder, OpLookup const &ops, std::string op, std::vector<ValueId> inputs,
                                 Attrs attrs = {}, std::string name = {});

} // namespace tilewright::graph
