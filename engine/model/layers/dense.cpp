#include "engine/model/layer_spec.h"

namespace tilewright::model {

namespace {

Result<Shape> denseShape(Layer const &layer, std::span<Shape const> inputs)
{
    if (inputs[0].size() < 2)
        return layerError(
            layer, "model.shape",
            Message::of("input of rank %1, %2; Dense needs a batch and at least one more axis", inputs[0].size(), toText(inputs[0])),
            Message::of("put a Reshape or an input with more axes before it"));
    Shape shape = inputs[0];
    shape.back() = layer.integer("units");
    return shape;
}

Result<std::vector<WeightSpec>> denseWeights(Layer const &layer, std::span<Shape const> inputs)
{
    std::int64_t const units = layer.integer("units");
    std::vector<WeightSpec> weights;
    TW_ASSIGN(Initializer kernel, parseInitializer(layer.config["kernel_initializer"], layer.name));
    weights.push_back({"kernel", {inputs[0].back(), units}, std::move(kernel)});
    if (layer.flag("use_bias")) {
        TW_ASSIGN(Initializer bias, parseInitializer(layer.config["bias_initializer"], layer.name));
        weights.push_back({"bias", {units}, std::move(bias)});
    }
    return weights;
}

} // namespace

LayerSpec denseLayer()
{
    return {
        .className = "Dense",
        .category = "Core",
        .help = "Fully connected: activation(input x kernel + bias), contracting the last axis.",
        .params = {{.name = "units", .type = ParamType::Int, .min = 1, .max = 1e9, .help = "number of outputs", .required = true},
                   {.name = "activation", .type = ParamType::Activation, .defaultJson = "\"linear\"", .help = "activation of the result"},
                   {.name = "use_bias", .type = ParamType::Bool, .defaultJson = "true", .help = "adds a bias"},
                   {.name = "kernel_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "GlorotUniform", "config": {"seed": null}})",
                    .help = "initializer of the kernel [inputs, units]"},
                   {.name = "bias_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "Zeros", "config": {}})",
                    .help = "initializer of the bias [units]"},
                   {.name = "kernel_regularizer", .type = ParamType::Regularizer, .help = "penalty on the kernel"},
                   {.name = "bias_regularizer", .type = ParamType::Regularizer, .help = "penalty on the bias"},
                   {.name = "activity_regularizer", .type = ParamType::Regularizer, .help = "penalty on the output"},
                   {.name = "kernel_constraint", .type = ParamType::Constraint, .help = "limit on the kernel"},
                   {.name = "bias_constraint", .type = ParamType::Constraint, .help = "limit on the bias"}},
        .masks = MaskUse::Passes,
        .outputShape = denseShape,
        .weights = denseWeights,
        .activation = [](Layer const &layer) { return activationArgument(layer, "activation"); },
        .multiplyAdds = [](Layer const &layer, std::span<Shape const> inputs,
                           Shape const &) { return sampleElements(inputs[0]) * static_cast<double>(layer.integer("units")); },
    };
}

} // namespace tilewright::model
