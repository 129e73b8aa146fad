#pragma once

#include "engine/graph/op_table.h"

#include <map>
#include <span>
#include <vector>

namespace tilewright::passes {

/// Start of differentiation: the gradient d(something)/d(value), with the value's shape and type.
struct GradientSeed {
    graph::ValueId value;
    graph::ValueId gradient;
};

struct Gradients {
    std::map<graph::VariableId, graph::ValueId> variables; ///< per requested variable with a gradient
    std::vector<graph::ValueId> values;                    ///< as requested; invalid: no gradient
};

/// What to differentiate, and the treatment of variables without a gradient.
struct GradientRequest {
    std::span<GradientSeed const> seeds;
    std::span<graph::VariableId const> variables; ///< gradient over all reads in the builder's region
    std::span<graph::ValueId const> values;
    bool strict = true; ///< a variable without gradient is an error (keras_on_ipu 2.2); false: it is left out
};

/// Appends the reverse-mode gradient of the nodes that are in the builder's region at the call. New nodes have the layer and stage of the
/// node they differentiate, pass Backward, role Gradient. Several gradients of one value are added in the order in which the reverse walk
/// meets its uses. Error: Invalid "autodiff.no-gradient" with the variable.
Result<Gradients> appendGradients(graph::Builder &builder, graph::OpLookup const &ops, GradientRequest const &request);

/// The same from a scalar loss (seed 1) to variables.
Result<std::map<graph::VariableId, graph::ValueId>> appendGradients(graph::Builder &builder, graph::OpLookup const &ops,
                                                                    graph::ValueId loss, std::span<graph::VariableId const> wrt);

} // namespace tilewright::passes
