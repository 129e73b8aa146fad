#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/activations.h"
#include "engine/model/initializers.h"
#include "engine/model/model.h"

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

struct WeightSpec {
    std::string name; ///< "kernel"
    Shape shape;
    Initializer initializer;
    bool trainable = true; ///< by nature; a frozen layer trains none
};

/// What a class does with masks. A mask says beside a tensor which of its sequences' steps count: [batch, steps], 1 or 0.
enum class MaskUse : std::uint8_t {
    Refuses, ///< a masked input is an error, as in Keras
    Passes,  ///< computes as without; the output is masked where an input is
    Takes    ///< computes with it; whether the output has one, masksOutput says
};

/// What a layer class is: its arguments, shape rule and weights. A new class is one file in layers/ and
/// one line in layers/layers.def. Shapes include the batch as first extent (-1: not fixed); all other
/// extents are known. The functions are called with a normalised and checked layer.
struct LayerSpec {
    std::string className = {};
    std::string category = {}; ///< heading in the palette: Core, Activation, Regularization, Merge
    std::string help = {};
    std::vector<ParamInfo> params = {}; ///< own arguments, in the order Keras writes them
    int minInputs = 1;
    int maxInputs = 1;
    /// Integer input passes unchanged; else it is converted to the layer's type.
    bool keepsIntegers = false;
    /// Whole numbers come as they are and the output is of the layer's type: the numbers name rows of a table.
    bool takesIndices = false;
    /// Names of the inputs behind the first where Keras passes them as keyword arguments of the call; empty: all in one list.
    std::vector<std::string> keywordInputs = {};
    /// Arguments that Keras writes though they follow from the inputs: dropped when read.
    std::vector<std::string> derivedArguments = {};

    MaskUse masks = MaskUse::Refuses;
    /// Whether the output has a mask; `inputs`: which inputs have one. Empty: where masks are passed and an input has one.
    std::function<bool(Layer const &, std::span<char const> inputs)> masksOutput = {};

    std::function<Result<Shape>(Layer const &, std::span<Shape const>)> outputShape = {};
    /// Outputs behind the first: how many, and the shape that each of them has (`first`: that of the first). Empty: none.
    std::function<int(Layer const &)> furtherOutputs = {};
    std::function<Shape(Layer const &, Shape const &first)> furtherShape = {};
    /// In Keras's order: trainable before not trainable. Empty function: no weights.
    std::function<Result<std::vector<WeightSpec>>(Layer const &, std::span<Shape const>)> weights = {};
    /// What the arguments' own ranges do not say. May be empty.
    std::function<Status(Layer const &)> check = {};
    /// The activation function that the layer ends with. May be empty: none.
    std::function<Activation(Layer const &)> activation = {};
    /// What Keras writes besides, and the only value it may have: dropped when it is that.
    Json tolerated = Json::object();
    /// Multiply-adds of one sample. Empty: one per output element.
    std::function<double(Layer const &, std::span<Shape const>, Shape const &)> multiplyAdds = {};
};

/// The supported classes in the order of the palette.
std::vector<LayerSpec> const &builtinLayers();
LayerSpec const *findLayerSpec(std::string_view className);

/// Arguments that every class but InputLayer has: trainable, dtype.
std::vector<ParamInfo> const &commonLayerParams();
/// Common and own arguments in the order Keras writes them.
std::vector<ParamInfo> layerParams(LayerSpec const &spec);

/// True for class names of Keras or its IPU add-ons that are not supported yet (also nested models).
bool isKerasLayer(std::string_view className);

/// Fills defaults in and brings each good argument into its canonical form; bad and unknown ones stay
/// for checkLayer to report. Old ways to give the input shape become batch_input_shape. Idempotent.
void normalizeLayer(Layer &layer);

/// Errors, subject = the layer's name: model.unknown-layer (with the nearest class), model.unsupported,
/// model.unknown-argument, model.missing-argument, model.bad-argument.
Status checkLayer(Layer const &layer);

/// The layer that an argument of type Layer holds, {"class_name", "config"}, and that argument of a layer. Error: model.bad-argument.
Result<Layer> layerInside(Json const &json, std::string const &subject);
Json insideJson(Layer const &layer);

/// How many outputs a call of the layer has; 1 for classes that are not known.
int outputsOf(Layer const &layer);

/// An error about one layer.
Diagnostic layerError(Layer const &layer, std::string code, Message message, Message remedy);

/// Type in which the layer computes and in which it keeps its weights (they differ for mixed_float16).
struct LayerTypes {
    DType compute = DType::F32;
    DType variable = DType::F32;
};
LayerTypes layerTypes(Layer const &layer);

/// Product of the extents but the batch.
double sampleElements(Shape const &shape);

} // namespace tilewright::model
