#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/param.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// Output `tensor` of call `node` of a layer: Keras's ["dense", 0, 0].
struct TensorRef {
    std::string layer;
    int node = 0;
    int tensor = 0;
    bool operator==(TensorRef const &) const = default;
};

/// One use of a layer in a functional graph (Keras: an inbound node). A shared layer has several calls.
struct Call {
    std::vector<TensorRef> inputs;
    Json arguments = Json::object(); ///< keyword arguments of the call; none is supported yet
    int stage = -1;                  ///< pipeline stage of this call; -1: that of the layer
    bool operator==(Call const &) const = default;
};

/// A nested model that was replaced by its layers (engine/model/nested.h).
struct Enclosing {
    std::string name;
    std::string className; ///< Sequential, Functional
    bool operator==(Enclosing const &) const = default;
};

/// A layer as edited by the user. `config` holds the arguments without the name; normalizeLayer() completes it. Layers of a Sequential
/// model have no calls: each reads the output of the previous one.
struct Layer : Configured {
    std::string name;
    std::vector<Call> calls;
    int stage = -1;                     ///< pipeline stage; -1: none
    std::vector<Enclosing> within = {}; ///< the enclosing models, outermost first; for display only
    bool operator==(Layer const &) const = default;
};

enum class ModelKind { Sequential, Functional };

struct Model {
    std::string name = "sequential";
    ModelKind kind = ModelKind::Sequential;
    std::vector<Layer> layers;
    std::vector<TensorRef> inputs;  ///< functional only: the input layers, in order
    std::vector<TensorRef> outputs; ///< functional only
    bool operator==(Model const &) const = default;

    Layer const *find(std::string_view layerName) const;
    Layer *find(std::string_view layerName);
};

/// A new layer with defaults (see normalizeLayer). `config` may be partial.
Layer makeLayer(std::string className, std::string name, Json config = Json::object());
/// An input layer; `shape` without the batch.
Layer makeInput(std::string name, Shape const &shape, std::string const &dtype = "float32");

/// The first free automatic name of Keras: "dense", "dense_1", …; input layers count from "input_1".
std::string uniqueLayerName(Model const &model, std::string_view className);

/// Renames the layer in all places. Errors: model.no-layer, model.duplicate-name, model.bad-name.
Status renameLayer(Model &model, std::string const &from, std::string const &to);
/// Removes the layer. In a functional model, calls that used it lose that input, and all stage assignments are removed (as in Keras for
/// IPU). Error: model.no-layer.
Status removeLayer(Model &model, std::string const &name);

/// A field of a layer as text (JSON; texts without quotes). Paths: "name" (of the model), "layers.NAME.ARGUMENT", "layers.NAME.name",
/// "layers.NAME.stage". Errors name the nearest field.
Result<std::string> modelField(Model const &model, std::string_view path);
Result<Model> withModelField(Model const &model, std::string_view path, std::string_view text);

} // namespace tilewright::model
