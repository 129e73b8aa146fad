// The classes that stand inside an RNN.
#include "engine/model/layers/recurrent_rules.h"
#include "engine/model/layers/weight_limits.h"

#include <algorithm>

namespace tilewright::model {

namespace {

std::vector<Layer> stackOf(Layer const &stack)
{
    std::vector<Layer> cells;
    auto const list = stack.config.find("cells");
    if (list == stack.config.end() || !list->is_array()) return cells;
    for (auto const &json : *list)
        if (auto cell = layerInside(json, stack.name); cell.ok()) cells.push_back(std::move(cell).value());
    return cells;
}

Status checkStack(Layer const &stack)
{
    if (stackOf(stack).empty())
        return layerError(stack, "model.bad-argument", Message::of("cells is not a list of cells"),
                          Message::of("give a list such as [{\"class_name\": \"LSTMCell\", \"config\": {\"units\": 8}}]"));
    for (auto const &cell : stackOf(stack))
        if (cell.className == "StackedRNNCells"
            || std::ranges::find(recurrentCells(), cell.className, &LayerSpec::className) == recurrentCells().end())
            return layerError(stack, "model.unsupported", Message::of("a %1 cannot be one of the cells", cell.className),
                              Message::of("use LSTMCell, GRUCell or SimpleRNNCell"));
    return {};
}

/// Each cell reads the output of the one before: their weights in this order, by the number of the cell.
Result<std::vector<WeightSpec>> stackWeights(Layer const &stack, std::span<Shape const> inputs)
{
    std::vector<WeightSpec> all;
    Shape input = inputs[0];
    std::size_t number = 0;
    for (auto const &cell : stackOf(stack)) {
        TW_ASSIGN(auto weights, findLayerSpec(cell.className)->weights(cell, std::span(&input, 1)));
        for (auto &weight : weights) {
            weight.name = "cell" + std::to_string(number) + "_" + weight.name;
            all.push_back(std::move(weight));
        }
        ++number;
        input.back() = cell.integer("units");
    }
    return all;
}

double stackMultiplyAdds(Layer const &stack, std::span<Shape const> inputs, Shape const &output)
{
    double sum = 0;
    Shape input = inputs[0];
    for (auto const &cell : stackOf(stack)) {
        sum += findLayerSpec(cell.className)->multiplyAdds(cell, std::span(&input, 1), output);
        input.back() = cell.integer("units");
    }
    return sum;
}

} // namespace

LayerSpec stackedCells()
{
    return {
        .className = "StackedRNNCells",
        .category = "Recurrent",
        .help = "Several cells, each of which reads the output of the one before in the same step.",
        .params = {{.name = "cells",
                    .type = ParamType::Layer,
                    .allowed = {"LSTMCell", "GRUCell", "SimpleRNNCell"},
                    .help = "the cells, from the input to the output",
                    .required = true,
                    .length = -1}}, // a list
        .outputShape = cellClass(simpleRnnKind()).outputShape,
        .furtherOutputs =
            [](Layer const &stack) {
                int states = 0;
                for (auto const &cell : stackOf(stack)) states += statesOf(cell);
                return states - 1;
            },
        .weights = stackWeights,
        .check = checkStack,
        .multiplyAdds = stackMultiplyAdds,
    };
}

bool isRecurrentCell(std::string_view className)
{
    return std::ranges::find(recurrentCells(), className, &LayerSpec::className) != recurrentCells().end();
}

std::vector<LayerSpec> const &recurrentCells()
{
    static std::vector<LayerSpec> const cells =
        withLimits({cellClass(simpleRnnKind()), cellClass(lstmKind()), cellClass(gruKind()), stackedCells()});
    return cells;
}

std::vector<Layer> cellsOf(Layer const &rnn)
{
    auto const json = rnn.config.find("cell");
    if (json == rnn.config.end()) return {};
    auto cell = layerInside(*json, rnn.name);
    if (!cell.ok()) return {};
    if (cell->className == "StackedRNNCells") return stackOf(*cell);
    return {std::move(cell).value()};
}

int statesOf(Layer const &cell) { return outputsOf(cell); }

std::size_t weightsOf(Layer const &cell) { return cell.flag("use_bias") ? 3 : 2; }

} // namespace tilewright::model
