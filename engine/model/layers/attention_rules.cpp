#include "engine/model/layers/attention_rules.h"

#include "engine/model/layers/merge_rules.h"

namespace tilewright::model {

namespace {

Result<Shape> attentionShape(Layer const &layer, std::span<Shape const> inputs)
{
    TW_ASSIGN(std::int64_t const batch, commonBatch(layer, inputs));
    auto const &query = inputs[0], &value = inputs[1], &key = inputs.back();
    // Without an axis of positions the samples of a batch attend to each other.
    bool const matrices = query.size() == 2 && value.size() == 2 && key.size() == 2;
    if (matrices && query[1] == key[1]) return Shape{batch, value[1]};
    bool const ranks = query.size() == 3 && value.size() == 3 && key.size() == 3;
    if (!ranks || query[2] != key[2] || value[1] != key[1])
        return layerError(layer, "model.shape",
                          Message::of("query %1, value %2 and key %3 do not go together", toText(query), toText(value), toText(key)),
                          Message::of("give [batch, Tq, dim], [batch, Tv, any] and [batch, Tv, dim]; without a key the value is the key"));
    return Shape{batch, query[1], value[2]};
}

double attentionMultiplyAdds(Layer const &, std::span<Shape const> inputs, Shape const &)
{
    auto const &query = inputs[0], &value = inputs[1];
    if (query.size() == 2) return static_cast<double>(query[1] + value[1]); // times the samples of the batch, which are not known here
    return static_cast<double>(query[1]) * static_cast<double>(value[1]) * static_cast<double>(query[2] + value[2]);
}

} // namespace

LayerSpec dotOrAdditiveAttention(bool additive)
{
    return {
        .className = additive ? "AdditiveAttention" : "Attention",
        .category = "Attention",
        .help = additive ? "Additive attention: values weighted by the softmax of sum(scale tanh(query + key))."
                         : "Dot-product attention: values weighted by the softmax of the dot products of query and key.",
        .params = {{.name = "causal",
                    .type = ParamType::Bool,
                    .defaultJson = "false",
                    .help = "each position attends only to itself and earlier positions"},
                   {.name = "dropout",
                    .type = ParamType::Float,
                    .defaultJson = "0.0",
                    .min = 0,
                    .max = 0.999999,
                    .help = "share of the weights dropped in training"},
                   {.name = "use_scale",
                    .type = ParamType::Bool,
                    .defaultJson = additive ? "true" : "false",
                    .help = "a trained scale of the scores"}},
        .minInputs = 2,
        .maxInputs = 3,
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &, std::span<char const> inputs) { return inputs[0] != 0; },
        .outputShape = attentionShape,
        .weights = [additive](Layer const &layer, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
            if (!layer.flag("use_scale")) return std::vector<WeightSpec>{};
            TW_ASSIGN(Initializer scale, parseInitializer(Json(additive ? "glorot_uniform" : "ones"), layer.name));
            return std::vector<WeightSpec>{{"scale", additive ? Shape{inputs[0].back()} : Shape{}, std::move(scale)}};
        },
        .multiplyAdds = attentionMultiplyAdds,
    };
}

} // namespace tilewright::model
