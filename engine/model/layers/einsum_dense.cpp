#include "engine/model/layers/einsum_rules.h"

namespace tilewright::model {

namespace {

Result<std::vector<WeightSpec>> einsumWeights(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(auto const form, einsumForm(layer, inputs[0]));
    std::vector<WeightSpec> weights;
    TW_ASSIGN(Initializer kernel, parseInitializer(layer.config["kernel_initializer"], layer.name));
    weights.push_back({"kernel", form.kernelShape, std::move(kernel)});
    if (!form.biasShape.empty()) {
        TW_ASSIGN(Initializer bias, parseInitializer(layer.config["bias_initializer"], layer.name));
        weights.push_back({"bias", form.biasShape, std::move(bias)});
    }
    return weights;
}

/// A product for each combination of letters, without the batch.
double einsumWork(Layer const &layer, std::span<Shape const> inputs, Shape const &output)
{
    auto const form = einsumForm(layer, inputs[0]);
    if (!form.ok()) return 0;
    double work = sampleElements(output);
    for (std::size_t i = 0; i < form->input.size(); ++i)
        if (form->output.find(form->input[i]) == std::string::npos) work *= static_cast<double>(inputs[0][i]);
    return work;
}

} // namespace

LayerSpec einsum_denseLayer()
{
    return {
        .className = "EinsumDense",
        .category = "Core",
        .help = "activation(sum of products of input and kernel + bias), over the axes that an equation of letters names.",
        .params = {{.name = "output_shape",
                    .type = ParamType::Shape,
                    .help = "extents of the result without the batch and without what ... stands for; null: as the input has it",
                    .required = true},
                   {.name = "equation",
                    .type = ParamType::Text,
                    .help = "input,kernel->result, a letter for each axis: ab,bc->ac is Dense. ... stands for all other axes",
                    .required = true},
                   {.name = "activation", .type = ParamType::Activation, .defaultJson = "\"linear\"", .help = "activation of the result"},
                   {.name = "bias_axes",
                    .type = ParamType::Text,
                    .help = "letters of the result that a bias has; null: no bias",
                    .nullable = true},
                   {.name = "kernel_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "GlorotUniform", "config": {"seed": null}})",
                    .help = "initializer of the kernel"},
                   {.name = "bias_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "Zeros", "config": {}})",
                    .help = "initializer of the bias"},
                   {.name = "kernel_regularizer", .type = ParamType::Regularizer, .help = "penalty on the kernel"},
                   {.name = "bias_regularizer", .type = ParamType::Regularizer, .help = "penalty on the bias"},
                   {.name = "activity_regularizer", .type = ParamType::Regularizer, .help = "penalty on the output"},
                   {.name = "kernel_constraint", .type = ParamType::Constraint, .help = "limit on the kernel"},
                   {.name = "bias_constraint", .type = ParamType::Constraint, .help = "limit on the bias"}},
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            TW_ASSIGN(auto const form, einsumForm(layer, inputs[0]));
            return form.outputShape;
        },
        .weights = einsumWeights,
        .activation = [](Layer const &layer) { return activationArgument(layer, "activation"); },
        .multiplyAdds = einsumWork,
    };
}

} // namespace tilewright::model
