#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/layer_spec.h"
#include "engine/model/model.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::model {

struct ResolvedWeight {
    std::string name; ///< "kernel"
    Shape shape;
    DType dtype = DType::F32;
    Initializer initializer;
    bool trainable = true; ///< false if the layer is frozen
    std::optional<Regularizer> regularizer = {};
    std::optional<Constraint> constraint = {};
};

struct ResolvedLayer {
    Layer layer; ///< normalised: every argument in canonical form
    LayerSpec const *spec = nullptr;
    std::vector<ResolvedWeight> weights; ///< in the order of Keras's layer.get_weights()
    std::vector<std::size_t> calls;      ///< into ResolvedModel::calls, ascending
    std::int64_t parameters() const;
    std::int64_t trainableParameters() const;
};

/// One use of a layer. Shapes have the batch first: -1, or the size fixed by the input layer.
struct ResolvedCall {
    std::size_t layer = 0;           ///< into ResolvedModel::layers
    int node = 0;                    ///< number of the call of that layer
    int tensor = 0;                  ///< not 0: stands for this output of the call that is its only input
    std::vector<std::size_t> inputs; ///< into ResolvedModel::calls, smaller than this call's index
    Shape shape;                     ///< of the output
    DType dtype = DType::F32;        ///< of the output
    bool masked = false;             ///< the output has a mask of its steps
    int stage = -1;                  ///< pipeline stage; -1: the model has none
    double multiplyAdds = 0.0;       ///< per sample, forward
};

/// A model with all shapes known. The graph is built from it.
struct ResolvedModel {
    std::string name;
    ModelKind kind = ModelKind::Sequential;
    std::vector<ResolvedLayer> layers; ///< Keras's model.layers, including input layers (also in a Sequential)
    std::vector<ResolvedCall> calls;   ///< topological
    std::vector<std::size_t> inputs;   ///< into calls
    std::vector<std::size_t> outputs;  ///< into calls

    std::int64_t parameters() const;
    std::int64_t trainableParameters() const;
    bool pipelined() const;
    int stages() const; ///< largest stage + 1; 0 without a pipeline
    ResolvedLayer const &layerOf(std::size_t call) const { return layers[calls[call].layer]; }
};

/// Resolves names, shapes, weights and types of the whole model, or returns the first problem. Errors: those of topologyOf and checkLayer,
/// and per layer (subject: its name) model.shape, model.dynamic-shape, model.too-large.
Result<ResolvedModel> resolve(Model const &model);

/// Keras's log name of output `index`: its layer, with "_1" … for further outputs of that layer.
std::string outputName(ResolvedModel const &model, std::size_t index);

/// All problems for an editor: the first error of each layer, and warnings (model.unused-layer). Empty: resolve succeeds.
std::vector<Diagnostic> modelProblems(Model const &model);

/// Normalises every layer. Adds the InputLayer to a Sequential model whose first layer has a batch_input_shape (Keras names it after that
/// layer, with "_input").
void normalizeModel(Model &model);

/// A weight's position in the flat list of Keras's model.get_weights().
struct WeightRef {
    std::size_t layer = 0;
    std::size_t weight = 0;
};
std::vector<WeightRef> weightOrder(ResolvedModel const &model);
/// "dense/kernel".
std::string weightPath(ResolvedModel const &model, WeightRef ref);

/// Initial values of all weights, in weightOrder. Weight i draws from deriveSeed(seed, i).
Result<std::vector<std::vector<float>>> initialWeights(ResolvedModel const &model, std::uint64_t seed);

} // namespace tilewright::model
