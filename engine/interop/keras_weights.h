#pragma once

#include "engine/interop/hdf5_contents.h"
#include "engine/model/resolve.h"
#include "engine/runtime/run.h"

#include <string>
#include <vector>

namespace tilewright::interop {

/// The arrays that a file keeps for one layer, or for a model inside the model, in the file's order.
struct LayerArrays {
    std::string layer;
    std::vector<FileArray> arrays;
    /// How the arrays of a model inside are listed, and those of a layer named.
    enum class Order {
        TrainableFirst, ///< tf.keras's HDF5: all trainable ones, then the others
        LayerByLayer,   ///< .keras
        Named,          ///< TensorFlow.js: by the last part of their names
        Keras1          ///< as TrainableFirst, with the kernels and gates of Keras 1
    } order = Order::TrainableFirst;
};

/// The name of a class's groups in a .keras archive: "BatchNormalization" is "batch_normalization", "Conv2D" is "conv2d".
std::string containerName(std::string const &className);

/// The layers of a Keras HDF5 file: attributes `layer_names` and `weight_names` below `root` ("model_weights", or "" in a file of weights
/// only). The state of random generators, which Keras 3 keeps among the weights, is left out. Error "import.weights": a named array is
/// missing, there is no list of layers, or no layer takes any array.
Result<std::vector<LayerArrays>> layersInHdf5(Hdf5Contents &&contents, std::string const &root, std::string const &file);

/// The layers of `model.weights.h5` in a `.keras` archive. Keras keeps them below the snake-case name of their class with a counter, in the
/// order of the model's config, not below their own names. `config`: the model's, of config.json.
Result<std::vector<LayerArrays>> layersInKerasArchive(Hdf5Contents &&contents, model::Json const &config, std::string const &file);

/// The weights of a model from a file's layers: one tensor per weight of weightOrder(), named as in checkpoints, at epoch and step 0.
/// Layers match by name, their arrays by LayerArrays::order and shape. Recurrent layers of Keras 1, which keep an array per gate, and its
/// convolutions are converted. Errors (Invalid,
/// "import.weights") name the layer, both shapes, or the layers that the file lacks.
Result<runtime::TrainingState> weightsFrom(std::vector<LayerArrays> layers, model::ResolvedModel const &model, std::string const &file);

} // namespace tilewright::interop
