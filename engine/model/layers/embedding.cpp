#include "engine/model/layer_spec.h"

namespace tilewright::model {

namespace {

/// Keras takes one number for sequences, and refuses inputs of another length.
Result<Shape> embeddingShape(Layer const &layer, std::span<Shape const> inputs)
{
    Shape shape = inputs[0];
    if (!layer.isNull("input_length") && shape.size() > 1 && shape[1] != layer.integer("input_length"))
        return layerError(layer, "model.shape",
                          Message::of("input %1 is not of input_length %2", toText(inputs[0]), layer.config["input_length"].dump()),
                          Message::of("give the input's length, or null"));
    shape.push_back(layer.integer("output_dim"));
    return shape;
}

} // namespace

LayerSpec embeddingLayer()
{
    return {
        .className = "Embedding",
        .category = "Core",
        .help = "Looks up a trained vector for each integer of the input.",
        .params = {{.name = "input_dim",
                    .type = ParamType::Int,
                    .min = 1,
                    .max = 1e9,
                    .help = "rows of the table; the input's integers are 0 to input_dim - 1",
                    .required = true},
                   {.name = "output_dim", .type = ParamType::Int, .min = 1, .max = 1e9, .help = "length of each vector", .required = true},
                   {.name = "embeddings_initializer",
                    .type = ParamType::Initializer,
                    .defaultJson = R"({"class_name": "RandomUniform", "config": {"minval": -0.05, "maxval": 0.05, "seed": null}})",
                    .help = "initializer of the table [input_dim, output_dim]"},
                   {.name = "embeddings_regularizer", .type = ParamType::Regularizer, .help = "penalty on the table"},
                   {.name = "activity_regularizer", .type = ParamType::Regularizer, .help = "penalty on the output"},
                   {.name = "embeddings_constraint", .type = ParamType::Constraint, .help = "limit on the table"},
                   {.name = "mask_zero",
                    .type = ParamType::Bool,
                    .defaultJson = "false",
                    .help = "masks steps with the integer 0 (padding); later layers that use masks skip them"},
                   {.name = "input_length",
                    .type = ParamType::Int,
                    .min = 1,
                    .max = 1e9,
                    .help = "length of the input sequences; null: any",
                    .nullable = true}},
        .takesIndices = true,
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &layer, std::span<char const>) { return layer.flag("mask_zero"); },
        .outputShape = embeddingShape,
        .weights = [](Layer const &layer, std::span<Shape const>) -> Result<std::vector<WeightSpec>> {
            TW_ASSIGN(Initializer table, parseInitializer(layer.config["embeddings_initializer"], layer.name));
            return std::vector<WeightSpec>{{"embeddings", {layer.integer("input_dim"), layer.integer("output_dim")}, std::move(table)}};
        },
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
