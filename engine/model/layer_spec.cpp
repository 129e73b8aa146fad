#include "engine/model/layer_spec.h"

#include "engine/core/text.h"
#include "engine/model/names.h"
#include "engine/model/nested.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

namespace {

/// Classes of Keras 2.6 and of the IPU add-ons, to tell "not supported yet" from a misspelling.
constexpr std::array kKerasLayers{"Sequential",
                                  "Functional",
                                  "Model",
                                  "SpatialDropout1D",
                                  "SpatialDropout2D",
                                  "SpatialDropout3D",
                                  "Permute",
                                  "RepeatVector",
                                  "Lambda",
                                  "TFOpLambda",
                                  "SlicingOpLambda",
                                  "TensorFlowOpLayer",
                                  "Masking",
                                  "ActivityRegularization",
                                  "PReLU",
                                  "ThresholdedReLU",
                                  "Conv1D",
                                  "Conv2D",
                                  "Conv3D",
                                  "Conv1DTranspose",
                                  "Conv2DTranspose",
                                  "Conv3DTranspose",
                                  "SeparableConv1D",
                                  "SeparableConv2D",
                                  "DepthwiseConv2D",
                                  "UpSampling1D",
                                  "UpSampling2D",
                                  "UpSampling3D",
                                  "ZeroPadding1D",
                                  "ZeroPadding2D",
                                  "ZeroPadding3D",
                                  "Cropping1D",
                                  "Cropping2D",
                                  "Cropping3D",
                                  "MaxPooling1D",
                                  "MaxPooling2D",
                                  "MaxPooling3D",
                                  "AveragePooling1D",
                                  "AveragePooling2D",
                                  "AveragePooling3D",
                                  "GlobalAveragePooling1D",
                                  "GlobalAveragePooling2D",
                                  "GlobalAveragePooling3D",
                                  "GlobalMaxPooling1D",
                                  "GlobalMaxPooling2D",
                                  "GlobalMaxPooling3D",
                                  "LocallyConnected1D",
                                  "LocallyConnected2D",
                                  "ConvLSTM1D",
                                  "ConvLSTM2D",
                                  "ConvLSTM3D",
                                  "RandomFourierFeatures",
                                  "BatchNormalization",
                                  "SyncBatchNormalization",
                                  "LayerNormalization",
                                  "GroupNormalization",
                                  "InstanceNormalization",
                                  "SimpleRNN",
                                  "LSTM",
                                  "GRU",
                                  "SimpleRNNCell",
                                  "GRUCell",
                                  "LSTMCell",
                                  "PeepholeLSTMCell",
                                  "StackedRNNCells",
                                  "RNN",
                                  "Bidirectional",
                                  "TimeDistributed",
                                  "Dot",
                                  "Attention",
                                  "AdditiveAttention",
                                  "MultiHeadAttention",
                                  "EinsumDense",
                                  "Embedding",
                                  "GaussianNoise",
                                  "GaussianDropout",
                                  "AlphaDropout",
                                  "Rescaling",
                                  "Normalization",
                                  "Resizing",
                                  "CenterCrop",
                                  "RandomFlip",
                                  "RandomCrop",
                                  "RandomTranslation",
                                  "RandomRotation",
                                  "RandomZoom",
                                  "RandomContrast",
                                  "RandomHeight",
                                  "RandomWidth",
                                  "CategoryEncoding",
                                  "Discretization",
                                  "Hashing",
                                  "IntegerLookup",
                                  "StringLookup",
                                  "TextVectorization",
                                  "CategoryCrossing",
                                  "PopnnLSTM",
                                  "PopnnGRU",
                                  "SerialDense",
                                  "ConvertToF8",
                                  "ConvertFromF8",
                                  "CTCLoss",
                                  "CTCInferenceLayer",
                                  "CTCPredictionsLayer",
                                  "EffectiveTransformer",
                                  "AssumeEqualAcrossReplicas"};

void replaceKey(Json &config, char const *from, char const *to)
{
    auto const it = config.find(from);
    if (it == config.end()) return;
    if (!config.contains(to)) config[to] = *it;
    config.erase(from);
}

/// input_shape, input_dim, batch_size, input_dtype: what people and old versions write on a first layer.
void unifyInputShape(LayerSpec const &spec, Json &config)
{
    replaceKey(config, "batch_shape", "batch_input_shape");
    replaceKey(config, "input_dtype", "dtype");
    Json shape;
    if (auto const it = config.find("input_shape"); it != config.end() && it->is_array()) shape = *it;
    // Embedding has an argument of this name.
    bool const ownDim = std::ranges::find(spec.params, std::string("input_dim"), &ParamInfo::name) != spec.params.end();
    if (auto const it = config.find("input_dim"); !ownDim && it != config.end() && it->is_number_integer() && shape.is_null())
        shape = Json::array({*it});
    if (shape.is_null()) return;
    auto const size = config.find("batch_size");
    shape.insert(shape.begin(), size == config.end() ? Json() : *size);
    if (!config.contains("batch_input_shape")) config["batch_input_shape"] = shape;
    for (char const *key : {"input_shape", "input_dim", "batch_size"})
        if (!ownDim || std::string_view(key) != "input_dim") config.erase(key);
}

} // namespace

std::vector<ParamInfo> const &commonLayerParams()
{
    static std::vector<ParamInfo> const params{
        {.name = "trainable", .type = ParamType::Bool, .defaultJson = "true", .help = "training changes the weights"},
        {.name = "dtype",
         .type = ParamType::DType,
         .defaultJson = "\"float32\"",
         .help = "type of computation and weights, or a mixed-precision policy"}};
    return params;
}

std::vector<ParamInfo> layerParams(LayerSpec const &spec)
{
    if (spec.className == "InputLayer") return spec.params;
    std::vector<ParamInfo> params = commonLayerParams();
    params.insert(params.end(), spec.params.begin(), spec.params.end());
    return params;
}

bool isKerasLayer(std::string_view className)
{
    return std::find(kKerasLayers.begin(), kKerasLayers.end(), className) != kKerasLayers.end();
}

void normalizeLayer(Layer &layer)
{
    if (!layer.config.is_object()) layer.config = Json::object();
    layer.config.erase("name");
    auto const *spec = findLayerSpec(layer.className);
    if (!spec) return;
    auto const params = layerParams(*spec);
    unifyInputShape(*spec, layer.config);
    std::vector<std::string> names;
    for (auto const &param : params) names.push_back(param.name);
    for (auto it = layer.config.begin(); it != layer.config.end();) {
        // Other versions of Keras write arguments that mean nothing when null.
        bool const known = std::find(names.begin(), names.end(), it.key()) != names.end();
        bool const derived = std::ranges::find(spec->derivedArguments, it.key()) != spec->derivedArguments.end();
        bool const idle = it->is_null() || (it.key() == "optional" && *it == false);
        bool const tolerated = derived || (spec->tolerated.contains(it.key()) && spec->tolerated[it.key()] == *it);
        if (!known && (tolerated || (idle && nearestName(it.key(), names).empty()))) it = layer.config.erase(it);
        else ++it;
    }
    for (auto const &param : params) {
        auto const it = layer.config.find(param.name);
        if (it == layer.config.end()) {
            if (!param.required) layer.config[param.name] = defaultOf(param);
        } else if (auto const value = normalizeParam(param, *it, layer.name); value.ok()) {
            *it = *value;
        }
    }
}

Activation activationArgument(Layer const &layer, std::string_view argument)
{
    auto const it = layer.config.find(argument);
    if (it == layer.config.end()) return {};
    if (it->is_string()) {
        auto const activation = activationNamed(it->get<std::string>(), layer.name);
        return activation.ok() ? *activation : Activation{};
    }
    auto const inside = layerInside(*it, layer.name);
    auto const *spec = inside.ok() ? findLayerSpec(inside->className) : nullptr;
    return spec && spec->activation ? spec->activation(*inside) : Activation{};
}

Result<Json> normalizeActivation(Json const &value, std::string const &subject, std::string const &argument)
{
    if (value.is_null()) return Json("linear");
    if (value.is_string()) {
        TW_ASSIGN(Activation const activation, activationNamed(value.get<std::string>(), subject));
        return Json(activation.name);
    }
    auto const text = [&](char const *key) {
        return value.is_object() && value.contains(key) && value[key].is_string() ? value[key].get<std::string>() : std::string();
    };
    // Keras 3 writes a function as an object as well; its name is the config.
    if (text("class_name") == "function" && !text("config").empty()) return normalizeActivation(text("config"), subject, argument);
    if (!value.is_object())
        return makeError(ErrorKind::Invalid, "model.bad-argument", subject,
                         Message::of("argument '%1' is not the name of an activation", argument),
                         Message::of("give a name such as relu, or null"));
    TW_ASSIGN(Layer layer, layerInside(value, subject));
    auto const *spec = findLayerSpec(layer.className);
    if (!spec || !spec->activation || spec->weights)
        return makeError(ErrorKind::Invalid, "model.unsupported", subject,
                         Message::of("argument '%1' is a %2, which is not supported as an activation", argument, layer.className),
                         Message::of("use a layer of its own for it"));
    normalizeLayer(layer);
    TW_TRY(checkLayer(layer));
    return insideJson(layer);
}

int outputsOf(Layer const &layer)
{
    auto const *spec = findLayerSpec(layer.className);
    return 1 + (spec && spec->furtherOutputs ? spec->furtherOutputs(layer) : 0);
}

Status checkLayer(Layer const &layer)
{
    TW_TRY(checkName(layer.name, Message::of("a layer")));
    auto const *spec = findLayerSpec(layer.className);
    if (!spec) {
        if (isModelClass(layer.className))
            return layerError(layer, "model.unsupported",
                              Message::of("a model as a layer (%1) comes from an imported model, with its layers", layer.className),
                              Message::of("put its layers into this model"));
        if (isKerasLayer(layer.className))
            return layerError(layer, "model.unsupported", Message::of("layer class %1 is not supported yet", layer.className),
                              Message::of("supported are the classes that `tilewright layers` lists"));
        std::vector<std::string> names;
        for (auto const &known : builtinLayers()) names.push_back(known.className);
        return layerError(layer, "model.unknown-layer", Message::of("no layer class is named '%1'", layer.className),
                          suggestion(layer.className, names));
    }
    Json config = layer.config;
    // Keras leaves it on a first layer; only the input layer's counts.
    if (config.is_object() && spec->className != "InputLayer") config.erase("batch_input_shape");
    TW_ASSIGN(Json const normal, normalizeConfig(layerParams(*spec), config, layer.name));
    if (spec->check) {
        Layer checked = layer;
        for (auto const &[key, value] : normal.items()) checked.config[key] = value;
        TW_TRY(spec->check(checked));
    }
    return {};
}

Result<Layer> layerInside(Json const &json, std::string const &subject)
{
    Layer layer;
    if (json.is_object() && json.contains("class_name") && json["class_name"].is_string() && json.contains("config")
        && json["config"].is_object()) {
        layer.className = json["class_name"].get<std::string>();
        layer.config = json["config"];
        if (auto const name = layer.config.find("name"); name != layer.config.end() && name->is_string())
            layer.name = name->get<std::string>();
        layer.config.erase("name");
        // Of the layer around it, where that is the first of a model.
        layer.config.erase("batch_input_shape");
        if (layer.name.empty()) layer.name = snakeCase(layer.className);
        return layer;
    }
    return makeError(ErrorKind::Invalid, "model.bad-argument", subject,
                     Message::of("the layer inside is not of the form {\"class_name\": …, \"config\": {…}}"),
                     Message::of("give the class and the arguments of a layer"));
}

Json insideJson(Layer const &layer)
{
    Json config = layer.config;
    config["name"] = layer.name;
    return {{"class_name", layer.className}, {"config", std::move(config)}};
}

Diagnostic layerError(Layer const &layer, std::string code, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, std::move(code), layer.name, std::move(message), std::move(remedy));
}

LayerTypes layerTypes(Layer const &layer)
{
    std::string name = "float32";
    if (auto const it = layer.config.find("dtype"); it != layer.config.end()) {
        if (it->is_string()) name = it->get<std::string>();
        else if (it->is_object() && it->contains("config") && (*it)["config"].is_object() && (*it)["config"].contains("name")
                 && (*it)["config"]["name"].is_string())
            name = (*it)["config"]["name"].get<std::string>();
    }
    if (name == "mixed_float16") return {DType::F16, DType::F32};
    if (name == "int64" || name == "uint32") return {DType::I32, DType::I32}; // the device has 32-bit integers only
    DType const type = parseDType(name).value_or(DType::F32);
    return {type, type};
}

std::optional<Regularizer> activityRegularizer(Layer const &layer)
{
    auto const *spec = findLayerSpec(layer.className);
    bool const own = spec && spec->activityRegularizer;
    if (!own && layer.isNull("activity_regularizer")) return {};
    auto parsed = own ? spec->activityRegularizer(layer) : parseRegularizer(layer.config["activity_regularizer"], layer.name);
    TW_CHECK(parsed.ok(), "layer " + layer.name + " was not checked");
    if (parsed->isZero()) return {};
    return std::move(parsed).value();
}

double sampleElements(Shape const &shape)
{
    double elements = 1.0;
    for (std::size_t i = 1; i < shape.size(); ++i) elements *= static_cast<double>(shape[i]);
    return elements;
}

} // namespace tilewright::model
