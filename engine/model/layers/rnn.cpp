#include "engine/model/layers/recurrent_rules.h"

#include <algorithm>

namespace tilewright::model {

namespace {

Layer cellOfRnn(Layer const &rnn)
{
    auto cell = layerInside(rnn.config["cell"], rnn.name);
    TW_CHECK(cell.ok(), "the cell of " + rnn.name + " was not checked");
    return std::move(cell).value();
}

/// Features of each state, in order.
std::vector<std::int64_t> stateUnits(Layer const &rnn)
{
    std::vector<std::int64_t> units;
    for (auto const &cell : cellsOf(rnn)) units.insert(units.end(), static_cast<std::size_t>(statesOf(cell)), cell.integer("units"));
    return units;
}

Status checkRnn(Layer const &rnn)
{
    TW_TRY(checkLoop(rnn));
    auto const cell = cellOfRnn(rnn);
    bool const known = isRecurrentCell(cell.className);
    if (known) return {};
    return layerError(rnn, "model.unsupported", Message::of("a %1 is not the cell of an RNN", cell.className),
                      Message::of("use LSTMCell, GRUCell, SimpleRNNCell or StackedRNNCells"));
}

Result<Shape> rnnShape(Layer const &rnn, std::span<Shape const> inputs)
{
    if (inputs[0].size() != 3)
        return layerError(rnn, "model.shape",
                          Message::of("input of rank %1, %2; %3 needs a batch, time steps and features", inputs[0].size(),
                                      toText(inputs[0]), rnn.className),
                          Message::of("put a Reshape or an input with two axes beside the batch before it"));
    auto const units = stateUnits(rnn);
    if (inputs.size() != 1 && inputs.size() != 1 + units.size())
        return layerError(rnn, "model.shape", Message::of("an initial state for a part of the state"),
                          Message::of("connect all of it, or none"));
    for (std::size_t i = 1; i < inputs.size(); ++i)
        if (Shape const wanted{inputs[0][0], units[i - 1]}; inputs[i] != wanted)
            return layerError(rnn, "model.shape",
                              Message::of("an initial state of shape %1; it must be %2", toText(inputs[i]), toText(wanted)),
                              Message::of("give it as many features as the layer has units"));
    auto const last = cellsOf(rnn).back().integer("units");
    if (rnn.flag("return_sequences")) return Shape{inputs[0][0], inputs[0][1], last};
    return Shape{inputs[0][0], last};
}

/// One step's input: [batch, steps, features] without the steps.
Shape stepOfRnn(Shape shape)
{
    shape.erase(shape.begin() + 1);
    return shape;
}

constexpr int kMostStates = 32; ///< initial states that can be connected

} // namespace

LayerSpec rnnLayer()
{
    auto params = loopParams();
    params.push_back({.name = "cell",
                      .type = ParamType::Layer,
                      .allowed = {"LSTMCell", "GRUCell", "SimpleRNNCell", "StackedRNNCells"},
                      .help = "computes one step: LSTMCell, GRUCell, SimpleRNNCell or StackedRNNCells",
                      .required = true});
    return {
        .className = "RNN",
        .category = "Recurrent",
        .help = "Runs a cell over the steps of a sequence.",
        .params = std::move(params),
        .maxInputs = 1 + kMostStates,
        .masks = MaskUse::Takes,
        .masksOutput = [](Layer const &rnn, std::span<char const> inputs) { return inputs[0] && rnn.flag("return_sequences"); },
        .outputShape = rnnShape,
        .furtherOutputs = [](Layer const &rnn) { return rnn.flag("return_state") ? static_cast<int>(stateUnits(rnn).size()) : 0; },
        .furtherShape =
            [](Layer const &rnn, Shape const &first, int tensor) {
                return Shape{first.front(), stateUnits(rnn).at(static_cast<std::size_t>(tensor) - 1)};
            },
        .weights = [](Layer const &rnn, std::span<Shape const> inputs) -> Result<std::vector<WeightSpec>> {
            auto const cell = cellOfRnn(rnn);
            Shape const step = stepOfRnn(inputs[0]);
            return findLayerSpec(cell.className)->weights(cell, std::span(&step, 1));
        },
        .check = checkRnn,
        .multiplyAdds =
            [](Layer const &rnn, std::span<Shape const> inputs, Shape const &output) {
                auto const cell = cellOfRnn(rnn);
                Shape const step = stepOfRnn(inputs[0]);
                return static_cast<double>(inputs[0][1]) * findLayerSpec(cell.className)->multiplyAdds(cell, std::span(&step, 1), output);
            },
    };
}

} // namespace tilewright::model
