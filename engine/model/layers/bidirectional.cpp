#include "engine/model/layers/wrapper_rules.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

namespace {

constexpr std::array kRecurrent{"LSTM", "GRU", "SimpleRNN", "RNN", "ConvLSTM1D", "ConvLSTM2D", "ConvLSTM3D"};

bool isRecurrent(Layer const &layer) { return std::ranges::find(kRecurrent, layer.className) != kRecurrent.end(); }

Status checkBidirectional(Layer const &wrapper)
{
    auto const both = bidirectionalLayers(wrapper);
    for (auto const &layer : both)
        if (!isRecurrent(layer))
            return layerError(wrapper, "model.unsupported", Message::of("a %1 cannot be read in both directions", layer.className),
                              Message::of("put a recurrent layer into it"));
    for (auto const *argument : {"go_backwards", "return_sequences", "return_state", "units", "filters"}) {
        bool const differ = std::string_view(argument) == "go_backwards";
        if ((both[0].config.value(argument, Json()) != both[1].config.value(argument, Json())) != differ)
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
    auto const both = bidirectionalLayers(wrapper);
    auto shape = findLayerSpec(both[0].className)->outputShape(both[0], inputs);
    auto const backward = findLayerSpec(both[1].className)->outputShape(both[1], inputs);
    if (shape.ok() && backward.ok() && *shape != *backward)
        return layerError(wrapper, "model.shape", Message::of("its two layers give %1 and %2", toText(*shape), toText(*backward)),
                          Message::of("give both the same size"));
    if (!backward.ok()) return backward;
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
                    .allowed = {kRecurrent.begin(), kRecurrent.end()},
                    .help = "the recurrent layer",
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
                bool const apart = wrapper.isNull("merge_mode");
                if (apart && tensor == 1) return first;
                auto const layer = innerLayer(wrapper);
                int const states = outputsOf(layer) - 1, state = tensor - (apart ? 2 : 1);
                Shape one = first;
                if (wrapper.text("merge_mode") == "concat") one.back() /= 2;
                return findLayerSpec(layer.className)->furtherShape(layer, one, state % std::max(1, states) + 1);
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
