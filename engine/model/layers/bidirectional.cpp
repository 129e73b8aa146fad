#include "engine/model/layers/wrapper_rules.h"

namespace tilewright::model {

namespace {

bool isRecurrent(Layer const &layer) { return layer.className == "LSTM" || layer.className == "GRU" || layer.className == "SimpleRNN"; }

Status checkBidirectional(Layer const &wrapper)
{
    auto const both = bidirectionalLayers(wrapper);
    for (auto const &layer : both)
        if (!isRecurrent(layer))
            return layerError(wrapper, "model.unsupported", Message::of("a %1 cannot be read in both directions", layer.className),
                              Message::of("put an LSTM, a GRU or a SimpleRNN into it"));
    for (auto const *argument : {"go_backwards", "return_sequences", "return_state", "units"}) {
        bool const differ = std::string_view(argument) == "go_backwards";
        if ((both[0].config[argument] != both[1].config[argument]) != differ)
            return layerError(wrapper, "model.bad-argument",
                              differ ? Message::of("its two layers must differ in %1", argument)
                                     : Message::of("its two layers must agree in %1", argument),
                              Message::of("change backward_layer, or leave it out"));
    }
    if (outputsOf(both[0]) != outputsOf(both[1]))
        return layerError(wrapper, "model.bad-argument", Message::of("its two layers give different states"),
                          Message::of("change backward_layer to the class of the other, or leave it out"));
    return {};
}

Result<Shape> bidirectionalShape(Layer const &wrapper, std::span<Shape const> inputs)
{
    auto const layer = innerLayer(wrapper);
    auto shape = findLayerSpec(layer.className)->outputShape(layer, inputs);
    if (shape.ok() && wrapper.text("merge_mode") == "concat") shape->back() *= 2;
    return shape;
}

Result<std::vector<WeightSpec>> bidirectionalWeights(Layer const &wrapper, std::span<Shape const> inputs)
{
    std::vector<WeightSpec> all;
    std::string direction = "forward_";
    for (auto const &layer : bidirectionalLayers(wrapper)) {
        TW_ASSIGN(auto weights, findLayerSpec(layer.className)->weights(layer, inputs));
        for (auto &weight : weights) {
            weight.name = direction + weight.name;
            all.push_back(std::move(weight));
        }
        direction = "backward_";
    }
    return all;
}

} // namespace

LayerSpec bidirectionalLayer()
{
    return {
        .className = "Bidirectional",
        .category = "Recurrent",
        .help = "Runs a recurrent layer forwards and a copy of it backwards over the steps, and merges their outputs.",
        .params = {{.name = "layer",
                    .type = ParamType::Layer,
                    .allowed = {"LSTM", "GRU", "SimpleRNN"},
                    .help = "the recurrent layer: LSTM, GRU or SimpleRNN",
                    .required = true},
                   {.name = "merge_mode",
                    .type = ParamType::Enum,
                    .defaultJson = "\"concat\"",
                    .allowed = {"concat", "sum", "mul", "ave"},
                    .help = "how the two outputs are merged; null: two outputs, forwards and backwards",
                    .nullable = true},
                   {.name = "backward_layer",
                    .type = ParamType::Layer,
                    .help = "the backward layer; null: a copy of the forward layer",
                    .nullable = true}},
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &wrapper,
                          std::span<char const> inputs) { return inputs[0] && innerLayer(wrapper).flag("return_sequences"); },
        .outputShape = bidirectionalShape,
        // The backward output where both are given apart, then the states of the forward layer, then those of the backward one.
        .furtherOutputs =
            [](Layer const &wrapper) {
                int const states = outputsOf(innerLayer(wrapper)) - 1;
                return 2 * states + (wrapper.isNull("merge_mode") ? 1 : 0);
            },
        .furtherShape =
            [](Layer const &wrapper, Shape const &first, int tensor) {
                if (wrapper.isNull("merge_mode") && tensor == 1) return first;
                return Shape{first.front(), innerLayer(wrapper).integer("units")};
            },
        .weights = bidirectionalWeights,
        .check = checkBidirectional,
        .multiplyAdds =
            [](Layer const &wrapper, std::span<Shape const> inputs, Shape const &output) {
                auto const layer = innerLayer(wrapper);
                return 2 * findLayerSpec(layer.className)->multiplyAdds(layer, inputs, output);
            },
    };
}

} // namespace tilewright::model
