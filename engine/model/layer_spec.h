#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/activations.h"
#include "engine/model/constraints.h"
#include "engine/model/initializers.h"
#include "engine/model/model.h"
#include "engine/model/regularizers.h"

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
    bool trainable = true; ///< of the class; a frozen layer has no trainable weights
    /// Those of the layer's arguments NAME_regularizer and NAME_constraint, which layers/weight_limits adds to the weight NAME, NAME_kernel
    /// or …/NAME. A penalty whose factors are 0 is none.
    std::optional<Regularizer> regularizer = {};
    std::optional<Constraint> constraint = {};
};

/// A class's treatment of masks. A mask accompanies a tensor: [batch, steps], 1 for valid steps, otherwise 0.
enum class MaskUse : std::uint8_t {
    Drops,  ///< ignores it; the output has no mask, as tf.keras does for classes without mask support
    Passes, ///< ignores it; the output is masked where an input is
    Takes,  ///< computes with it; masksOutput tells whether the output has a mask
    Refuses ///< a masked input is an error
};

/// Description of a layer class: arguments, shape rule and weights. A new class is one file in layers/ and one line in layers/layers.def.
/// Shapes include the batch as first extent (-1: not fixed); all other extents are known. The functions require a normalised and checked
/// layer.
struct LayerSpec {
    std::string className = {};
    std::string category = {}; ///< heading in the palette: Core, Activation, Regularization, Merge
    std::string help = {};
    std::vector<ParamInfo> params = {}; ///< own arguments, in the order Keras writes them
    int minInputs = 1;
    int maxInputs = 1;
    /// Integer inputs stay integers. False: they are converted to the layer's type.
    bool keepsIntegers = false;
    /// Integer inputs are row numbers of a table; the output has the layer's type.
    bool takesIndices = false;
    /// Names of the inputs after the first if Keras passes them as keyword arguments of the call. Empty: all inputs in one list.
    std::vector<std::string> keywordInputs = {};
    /// Arguments that Keras writes although they follow from the inputs. Dropped on reading.
    std::vector<std::string> derivedArguments = {};

    MaskUse masks = MaskUse::Drops;
    /// Whether the output has a mask; `inputs`: which inputs have one. Empty: where masks are passed and an input has one.
    std::function<bool(Layer const &, std::span<char const> inputs)> masksOutput = {};

    std::function<Result<Shape>(Layer const &, std::span<Shape const>)> outputShape = {};
    /// Number of outputs after the first, and the shape of output `tensor` (1 and up) from that of the first. Empty: one output only.
    std::function<int(Layer const &)> furtherOutputs = {};
    std::function<Shape(Layer const &, Shape const &first, int tensor)> furtherShape = {};
    /// In Keras's order: trainable before not trainable. Empty function: no weights.
    std::function<Result<std::vector<WeightSpec>>(Layer const &, std::span<Shape const>)> weights = {};
    /// Checks beyond the ranges of the arguments. May be empty.
    std::function<Status(Layer const &)> check = {};
    /// The activation function at the end of the layer. May be empty.
    std::function<Activation(Layer const &)> activation = {};
    /// The penalty on the outputs. Empty: the argument activity_regularizer, if the class has it.
    std::function<Result<Regularizer>(Layer const &)> activityRegularizer = {};
    /// Further keys that Keras writes, with their only valid value. Dropped on reading.
    Json tolerated = Json::object();
    /// Multiply-adds per sample. Empty: one per output element.
    std::function<double(Layer const &, std::span<Shape const>, Shape const &)> multiplyAdds = {};
};

/// The supported classes in palette order.
std::vector<LayerSpec> const &builtinLayers();
LayerSpec const *findLayerSpec(std::string_view className);

/// Arguments of every class except InputLayer: trainable, dtype.
std::vector<ParamInfo> const &commonLayerParams();
/// Common and own arguments in Keras's order.
std::vector<ParamInfo> layerParams(LayerSpec const &spec);

/// True for class names of Keras or its IPU add-ons that are not supported yet (also nested models).
bool isKerasLayer(std::string_view className);

/// Adds defaults and brings each valid argument into canonical form. Invalid and unknown ones stay for checkLayer. Old forms of the input
/// shape become batch_input_shape. Idempotent.
void normalizeLayer(Layer &layer);

/// Errors, subject = the layer's name: model.unknown-layer (with the nearest class), model.unsupported,
/// model.unknown-argument, model.missing-argument, model.bad-argument.
Status checkLayer(Layer const &layer);

/// The layer in an argument of type Layer, {"class_name", "config"}, and in that argument of a layer. Error: model.bad-argument.
Result<Layer> layerInside(Json const &json, std::string const &subject);
Json insideJson(Layer const &layer);

/// The activation that an argument names or, as a layer, describes. Requires: the layer is checked, or its argument is a name.
Activation activationArgument(Layer const &layer, std::string_view argument);
/// The canonical form of such an argument: the name of a function, or {"class_name", "config"} of a layer that is one function without
/// weights. Errors: model.bad-argument, model.unknown-activation, model.unsupported.
Result<Json> normalizeActivation(Json const &value, std::string const &subject, std::string const &argument);

/// How many outputs a call of the layer has; 1 for classes that are not known.
int outputsOf(Layer const &layer);

/// An error about one layer.
Diagnostic layerError(Layer const &layer, std::string code, Message message, Message remedy);

/// The layer's types for computing and for storing weights (different for mixed_float16).
struct LayerTypes {
    DType compute = DType::F32;
    DType variable = DType::F32;
};
LayerTypes layerTypes(Layer const &layer);

/// The layer's penalty on its outputs; empty: none, or one whose factors are 0. Requires: the layer is checked.
std::optional<Regularizer> activityRegularizer(Layer const &layer);

/// Product of all extents except the batch.
double sampleElements(Shape const &shape);

} // namespace tilewright::model
