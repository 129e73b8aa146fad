#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

namespace {

Status checkDropout(Layer const &layer)
{
    for (auto const *rate : {"dropout", "recurrent_dropout"})
        if (layer.number(rate) >= 1.0)
            return layerError(layer, "model.bad-argument", Message::of("%1 is 1: nothing would pass", std::string(rate)),
                              Message::of("use a rate of at least 0 and below 1"));
    return {};
}

Status checkRecurrent(Layer const &layer)
{
    TW_TRY(checkDropout(layer));
    return checkLoop(layer);
}

Result<Shape> outputShape(Layer const &layer, std::span<Shape const> inputs)
{
    if (inputs[0].size() != 3)
        return layerError(layer, "model.shape",
                          Message::of("input of rank %1, %2; %3 needs a batch, time steps and features", inputs[0].size(),
                                      toText(inputs[0]), layer.className),
                          Message::of("put a Reshape or an input with two axes beside the batch before it"));
    std::int64_t const units = layer.integer("units");
    if (inputs.size() != 1 && static_cast<int>(inputs.size()) != findLayerSpec(layer.className)->maxInputs)
        return layerError(layer, "model.shape", Message::of("an initial state for a part of the state"),
                          Message::of("connect all of it, or none"));
    for (std::size_t i = 1; i < inputs.size(); ++i)
        if (inputs[i] != Shape{inputs[0][0], units})
            return layerError(
                layer, "model.shape",
                Message::of("an initial state of shape %1; it must be %2", toText(inputs[i]), toText(Shape{inputs[0][0], units})),
                Message::of("give it as many features as the layer has units"));
    if (layer.flag("return_sequences")) return Shape{inputs[0][0], inputs[0][1], units};
    return Shape{inputs[0][0], units};
}

ParamInfo loopFlag(std::string name, std::string fallback, std::string help)
{
    return {.name = std::move(name), .type = ParamType::Bool, .defaultJson = std::move(fallback), .help = std::move(help)};
}

/// `inLayer`: of a layer, which has a penalty on its output.
std::vector<ParamInfo> cellParams(bool inLayer)
{
    auto const initializer = [](std::string name, std::string fallback, std::string help) {
        return ParamInfo{
            .name = std::move(name), .type = ParamType::Initializer, .defaultJson = std::move(fallback), .help = std::move(help)};
    };
    auto const rate = [](std::string name, std::string help) {
        return ParamInfo{
            .name = std::move(name), .type = ParamType::Float, .defaultJson = "0.0", .min = 0, .max = 1, .help = std::move(help)};
    };
    std::vector<ParamInfo> params{
        {.name = "units", .type = ParamType::Int, .min = 1, .max = 1e9, .help = "size of the state and of the output", .required = true},
        {.name = "activation", .type = ParamType::Activation, .defaultJson = "\"tanh\"", .help = "activation of the new state"},
        loopFlag("use_bias", "true", "adds a bias"),
        initializer("kernel_initializer", R"({"class_name": "GlorotUniform", "config": {"seed": null}})",
                    "initializer of the kernel [features, gates x units]"),
        initializer("recurrent_initializer", R"({"class_name": "Orthogonal", "config": {"gain": 1.0, "seed": null}})",
                    "initializer of the recurrent kernel [units, gates x units]"),
        initializer("bias_initializer", R"({"class_name": "Zeros", "config": {}})", "initializer of the bias"),
        {.name = "kernel_regularizer", .type = ParamType::Regularizer, .help = "penalty on the kernel"},
        {.name = "recurrent_regularizer", .type = ParamType::Regularizer, .help = "penalty on the recurrent kernel"},
        {.name = "bias_regularizer", .type = ParamType::Regularizer, .help = "penalty on the bias"},
        {.name = "activity_regularizer", .type = ParamType::Regularizer, .help = "penalty on the output"},
        {.name = "kernel_constraint", .type = ParamType::Constraint, .help = "limit on the kernel"},
        {.name = "recurrent_constraint", .type = ParamType::Constraint, .help = "limit on the recurrent kernel"},
        {.name = "bias_constraint", .type = ParamType::Constraint, .help = "limit on the bias"},
        rate("dropout", "share of the features dropped in training, the same for all steps of a sample"),
        rate("recurrent_dropout", "share of the state dropped in training, the same for all steps of a sample"),
    };
    if (!inLayer) std::erase_if(params, [](ParamInfo const &param) { return param.name == "activity_regularizer"; });
    return params;
}

} // namespace

std::vector<ParamInfo> loopParams()
{
    return {
        loopFlag("return_sequences", "false", "returns the output of every step, not only of the last"),
        loopFlag("return_state", "false", "also returns the state after the last step as further outputs: h, and c of an LSTM"),
        loopFlag("go_backwards", "false", "processes the input from the last step to the first; the outputs come in that order"),
        loopFlag("stateful", "false",
                 "starts each batch with the final state of the previous batch; each training, evaluation or prediction starts with zeros"),
        loopFlag("unroll", "false", "compiles the steps one after the other instead of a loop: the same numbers, more code"),
        loopFlag("time_major", "false", "time steps before the batch; only false is supported"),
    };
}

Status checkLoop(Layer const &layer)
{
    if (!layer.flag("time_major")) return {};
    return layerError(layer, "model.unsupported", Message::of("time_major is not supported yet"),
                      Message::of("set time_major to false and give the batch first"));
}

ParamInfo recurrentActivationParam()
{
    return {.name = "recurrent_activation", .type = ParamType::Activation, .defaultJson = "\"sigmoid\"", .help = "activation of the gates"};
}

ParamInfo implementationParam()
{
    return {.name = "implementation",
            .type = ParamType::Int,
            .defaultJson = "2",
            .min = 0,
            .max = 2,
            .help = "Keras' implementation: 0 (before 2.1), 1 or 2; all compile to the same code"};
}

namespace {

/// Of one step's input [batch, features].
std::function<Result<std::vector<WeightSpec>>(Layer const &, std::span<Shape const>)> weightsOfKind(CellKind const &kind)
{
    return [gates = kind.gates, bias = kind.bias](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
        std::int64_t const units = layer.integer("units");
        std::vector<WeightSpec> weights;
        TW_ASSIGN(Initializer kernel, parseInitializer(layer.config["kernel_initializer"], layer.name));
        weights.push_back({"kernel", {inputs[0].back(), gates * units}, std::move(kernel)});
        TW_ASSIGN(Initializer recurrent, parseInitializer(layer.config["recurrent_initializer"], layer.name));
        weights.push_back({"recurrent_kernel", {units, gates * units}, std::move(recurrent)});
        if (!layer.flag("use_bias")) return weights;
        if (bias) {
            TW_ASSIGN(WeightSpec own, bias(layer));
            weights.push_back(std::move(own));
            return weights;
        }
        TW_ASSIGN(Initializer plain, parseInitializer(layer.config["bias_initializer"], layer.name));
        weights.push_back({"bias", {gates * units}, std::move(plain)});
        return weights;
    };
}

double stepMultiplyAdds(std::int64_t gates, Layer const &layer, std::int64_t features)
{
    double const units = static_cast<double>(layer.integer("units"));
    return static_cast<double>(gates) * units * (static_cast<double>(features) + units);
}

} // namespace

LayerSpec recurrentLayer(CellKind kind)
{
    auto params = loopParams();
    auto const own = cellParams(true);
    params.insert(params.end(), own.begin(), own.end());
    params.insert(params.end(), kind.ownParams.begin(), kind.ownParams.end());
    return {
        .className = kind.layerClass,
        .category = "Recurrent",
        .help = kind.help,
        .params = std::move(params),
        .maxInputs = 1 + kind.states,
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &layer, std::span<char const> inputs) { return inputs[0] && layer.flag("return_sequences"); },
        .outputShape = outputShape,
        .furtherOutputs = [states = kind.states](Layer const &layer) { return layer.flag("return_state") ? states : 0; },
        .furtherShape =
            [](Layer const &, Shape const &first, int) {
                return Shape{first.front(), first.back()};
            },
        .weights = weightsOfKind(kind),
        .check = checkRecurrent,
        .multiplyAdds =
            [gates = kind.gates](Layer const &layer, std::span<Shape const> inputs, Shape const &) {
                return static_cast<double>(inputs[0][1]) * stepMultiplyAdds(gates, layer, inputs[0].back());
            },
    };
}

LayerSpec cellClass(CellKind kind)
{
    auto params = cellParams(false);
    params.insert(params.end(), kind.ownParams.begin(), kind.ownParams.end());
    return {
        .className = kind.cellClass,
        .category = "Recurrent",
        .help = kind.help,
        .params = std::move(params),
        .outputShape = [](Layer const &layer, std::span<Shape const>) -> Result<Shape> {
            return layerError(layer, "model.bad-argument", Message::of("a %1 computes one step and stands inside an RNN", layer.className),
                              Message::of("put it into a layer RNN, as its cell"));
        },
        .furtherOutputs = [states = kind.states](Layer const &) { return states - 1; },
        .weights = weightsOfKind(kind),
        .check = checkDropout,
        .multiplyAdds = [gates = kind.gates](Layer const &layer, std::span<Shape const> inputs,
                                             Shape const &) { return stepMultiplyAdds(gates, layer, inputs[0].back()); },
    };
}

} // namespace tilewright::model
