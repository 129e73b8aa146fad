#include "engine/model/layers/expression_rules.h"
#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

namespace {

Status checkExpression(Layer const &layer)
{
    auto const formula = expressionOf(layer);
    return formula.ok() ? Status() : Status(formula.error());
}

Result<Shape> lambdaShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(auto const formula, expressionOf(layer));
    if (auto const used = inputsOf(formula); used > inputs.size())
        return layerError(layer, "model.shape",
                          inputs.size() == 1
                              ? Message::of("the expression reads input x%1, but the layer has one input", used)
                              : Message::of("the expression reads input x%1, but the layer has %2 inputs", used, inputs.size()),
                          Message::of("connect more inputs, or change the expression"));
    return broadcastShape(layer, inputs);
}

double operations(Formula const &formula)
{
    double count = formula.kind == Formula::Kind::Call ? 1 : 0;
    for (auto const &argument : formula.arguments) count += operations(argument);
    return count;
}

} // namespace

LayerSpec lambdaLayer()
{
    return {
        .className = "Lambda",
        .category = "Core",
        .help = "An expression of each element, such as x * 2 + 1. Several inputs are x, x2, x3, …, and are broadcast.",
        .params = {{.name = "expression",
                    .type = ParamType::Text,
                    .help = "+ - * / ** and functions (sqrt, exp, log, tanh, sigmoid, relu, max, min, select, …) of numbers and inputs",
                    .required = true}},
        .maxInputs = 1 << 20,
        .outputShape = lambdaShape,
        .check = checkExpression,
        .multiplyAdds =
            [](Layer const &layer, std::span<Shape const>, Shape const &output) {
                auto const formula = expressionOf(layer);
                return formula.ok() ? operations(*formula) * sampleElements(output) : 0.0;
            },
    };
}

} // namespace tilewright::model
