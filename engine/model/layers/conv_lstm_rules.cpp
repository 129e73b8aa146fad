// ConvLSTM layers: an LSTM whose products are convolutions. Formulas: Keras 2.6 layers/convolutional_recurrent.py (Shi et al.,
// arXiv:1506.04214, without peepholes).
#include "engine/model/layers/conv_rules.h"
#include "engine/model/layers/recurrent_rules.h"

#include <algorithm>

namespace tilewright::model {

namespace {

/// One step's input: [batch, steps, …] without the steps.
Shape withoutSteps(Shape shape)
{
    shape.erase(shape.begin() + 1);
    return shape;
}

/// The convolution of the inputs.
Layer convOf(Layer layer)
{
    layer.config["groups"] = 1;
    return layer;
}

Status checkConvLstm(Layer const &layer)
{
    TW_TRY(checkLoop(layer));
    for (auto const *rate : {"dropout", "recurrent_dropout"})
        if (layer.number(rate) != 0.0)
            return layerError(layer, "model.unsupported",
                              Message::of("%1 of a %2 is not supported yet", std::string(rate), layer.className),
                              Message::of("set it to 0"));
    return convolution(static_cast<int>(layer.integers("kernel_size").size())).check(convOf(layer));
}

/// The result of one step; also the shape of each state.
Result<Shape> convLstmStep(Layer const &layer, Shape const &input)
{
    Shape const step = withoutSteps(input);
    return convolution(static_cast<int>(layer.integers("kernel_size").size())).outputShape(convOf(layer), std::span(&step, 1));
}

Result<Shape> convLstmShape(Layer const &layer, std::span<Shape const> inputs)
{
    auto const rank = layer.integers("kernel_size").size() + 3;
    if (inputs[0].size() != rank)
        return layerError(layer, "model.shape",
                          Message::of("input of rank %1, %2; %3 needs rank %4: a batch, time steps, the axes of its kernel and channels",
                                      inputs[0].size(), toText(inputs[0]), layer.className, rank),
                          Message::of("put a Reshape or an input of that rank before it"));
    TW_ASSIGN(Shape shape, convLstmStep(layer, inputs[0]));
    if (inputs.size() == 2)
        return layerError(layer, "model.shape", Message::of("an initial state for a part of the state"),
                          Message::of("connect all of it, or none"));
    for (std::size_t i = 1; i < inputs.size(); ++i)
        if (inputs[i] != shape)
            return layerError(layer, "model.shape",
                              Message::of("an initial state of shape %1; it must be %2", toText(inputs[i]), toText(shape)),
                              Message::of("give it the shape of the layer's output in one step"));
    if (layer.flag("return_sequences")) shape.insert(shape.begin() + 1, inputs[0][1]);
    return shape;
}

Result<std::vector<WeightSpec>> convLstmWeights(Layer const &layer, std::span<Shape const> inputs)
{
    Shape const step = withoutSteps(inputs[0]);
    auto const filters = layer.integer("filters");
    auto const window = windowLayer(layer, "kernel_size");
    TW_ASSIGN(Initializer kernel, parseInitializer(layer.config["kernel_initializer"], layer.name));
    TW_ASSIGN(Initializer recurrent, parseInitializer(layer.config["recurrent_initializer"], layer.name));
    Shape shape;
    for (auto const &w : window.windows) shape.push_back(w.kernel);
    shape.push_back(step[window.channelAxis()]);
    shape.push_back(4 * filters);
    std::vector<WeightSpec> weights{{"kernel", shape, std::move(kernel)}};
    shape[shape.size() - 2] = filters;
    weights.push_back({"recurrent_kernel", std::move(shape), std::move(recurrent)});
    if (!layer.flag("use_bias")) return weights;
    TW_ASSIGN(Initializer bias, parseInitializer(layer.config["bias_initializer"], layer.name));
    if (layer.flag("unit_forget_bias")) bias = unitForgetBias(bias);
    weights.push_back({"bias", {4 * filters}, std::move(bias)});
    return weights;
}

} // namespace

LayerSpec convLstm(int spatial)
{
    // Keras writes the arguments of the loop, of the convolution, of the cell, and dropout at the end.
    auto params = loopParams();
    for (auto &param : convolution(spatial).params)
        if (param.name == "activation") break;
        else if (param.name != "groups") params.push_back(std::move(param));
    auto const cell = recurrentLayer(lstmKind()).params;
    auto const take = [&](std::string_view name) { params.push_back(*std::ranges::find(cell, name, &ParamInfo::name)); };
    take("activation");
    auto gate = recurrentActivationParam();
    gate.defaultJson = "\"hard_sigmoid\"";
    params.push_back(std::move(gate));
    for (char const *name : {"use_bias", "kernel_initializer", "recurrent_initializer", "bias_initializer", "unit_forget_bias",
                             "kernel_regularizer", "recurrent_regularizer", "bias_regularizer", "activity_regularizer", "kernel_constraint",
                             "recurrent_constraint", "bias_constraint", "dropout", "recurrent_dropout"})
        take(name);
    return {
        .className = "ConvLSTM" + std::to_string(spatial) + "D",
        .category = "Recurrent",
        .help = spatial == 1 ? "An LSTM whose inputs and states are convolved along one axis instead of multiplied by kernels."
            : spatial == 2   ? "An LSTM whose inputs and states are convolved over rows and columns instead of multiplied by kernels."
                           : "An LSTM whose inputs and states are convolved over depth, rows and columns instead of multiplied by kernels.",
        .params = std::move(params),
        .maxInputs = 3,
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &layer, std::span<char const> inputs) { return inputs[0] && layer.flag("return_sequences"); },
        .outputShape = convLstmShape,
        .furtherOutputs = [](Layer const &layer) { return layer.flag("return_state") ? 2 : 0; },
        .furtherShape = [](Layer const &layer, Shape const &first,
                           int) { return layer.flag("return_sequences") ? withoutSteps(first) : first; },
        .weights = convLstmWeights,
        .check = checkConvLstm,
        .multiplyAdds =
            [](Layer const &layer, std::span<Shape const> inputs, Shape const &) {
                auto const shape = convLstmStep(layer, inputs[0]);
                auto const window = windowLayer(layer, "kernel_size");
                double kernel = 4;
                for (auto const &w : window.windows) kernel *= static_cast<double>(w.kernel);
                double const channels = static_cast<double>(withoutSteps(inputs[0])[window.channelAxis()] + layer.integer("filters"));
                return shape.ok() ? static_cast<double>(inputs[0][1]) * sampleElements(*shape) * kernel * channels : 0.0;
            },
    };
}

} // namespace tilewright::model
