#pragma once

#include "engine/core/result.h"
#include "engine/model/model.h"

#include <cstddef>
#include <vector>

namespace tilewright::model {

/// The calls of a model as a graph, inputs first. Each used output of a call after the first is a separate node with the call as its
/// input.
struct Topology {
    struct Node {
        std::size_t layer = 0;           ///< index into Model::layers
        int node = 0;                    ///< number of the call of that layer
        std::vector<std::size_t> inputs; ///< indices into `nodes`
        int tensor = 0;                  ///< number of the call's output
        bool operator==(Node const &) const = default;
    };
    std::vector<Node> nodes;         ///< topological; ties in layer order
    std::vector<std::size_t> inputs; ///< into `nodes`, as the model lists them
    std::vector<std::size_t> outputs;
    std::vector<std::size_t> layerOrder; ///< used layers in the order of Keras's model.layers
    std::vector<std::size_t> unused;     ///< layers that reach no output
};

/// Accepts any model. Errors: model.empty, model.duplicate-name, model.bad-name, model.dangling-reference, model.cycle (with the layers on
/// it), model.not-connected, model.no-output, model.unsupported (call arguments).
Result<Topology> topologyOf(Model const &model);

} // namespace tilewright::model
