// Normalisations and recurrent layers.
#include "engine/interop/onnx_writer.h"
#include "engine/model/layers/norm_rules.h"
#include "engine/model/layers/wrapper_rules.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

namespace tilewright::interop {

namespace {

using Written = Result<std::vector<std::string>>;

/// gamma and beta, or ones and zeros for a layer without.
struct ScaleAndOffset {
    std::string scale, offset;
    std::size_t next = 0; ///< the weight behind them
};

ScaleAndOffset scaleAndOffset(OnnxWriter &writer, Shape const &shape)
{
    ScaleAndOffset result;
    auto const count = static_cast<std::size_t>(elementCount(shape));
    result.scale = writer.layer->flag("scale") ? writer.weight(result.next++) : writer.constant(std::vector<float>(count, 1), shape);
    result.offset = writer.layer->flag("center") ? writer.weight(result.next++) : writer.constant(std::vector<float>(count, 0), shape);
    return result;
}

Written batchNormalization(OnnxWriter &writer)
{
    auto const &shape = writer.shapes[0];
    TW_ASSIGN(auto const axes, model::normAxes(*writer.layer, "axis", shape));
    auto const rank = shape.size();
    bool const isLast = axes[0] + 1 == rank && rank > 2;
    if (!isLast && axes[0] != 1) return unwritable(Message::of("its channels are neither axis 1 nor the last"));
    auto const x = isLast ? writer.channelsFirst(writer.inputs[0], rank) : writer.inputs[0];
    auto const [scale, offset, next] = scaleAndOffset(writer, {shape[axes[0]]});
    OnnxNode node{"BatchNormalization", "", "", {x, scale, offset, writer.weight(next), writer.weight(next + 1)}, {}, {}};
    node.with("epsilon", static_cast<float>(writer.layer->number("epsilon")))
        .with("momentum", static_cast<float>(writer.layer->number("momentum")));
    auto const y = writer.node(std::move(node));
    return std::vector<std::string>{isLast ? writer.channelsLast(y, rank) : y};
}

Written instanceNormalization(OnnxWriter &writer)
{
    auto const &shape = writer.shapes[0];
    TW_ASSIGN(auto const groups, model::channelGroups(*writer.layer, shape));
    auto const rank = shape.size();
    bool const isLast = groups.axis + 1 == rank && rank > 2;
    if (rank < 3) return unwritable(Message::of("its input has no spatial axis"));
    auto const x = isLast ? writer.channelsFirst(writer.inputs[0], rank) : writer.inputs[0];
    auto const [scale, offset, next] = scaleAndOffset(writer, {shape[groups.axis]});
    OnnxNode node{"InstanceNormalization", "", "", {x, scale, offset}, {}, {}};
    auto const y = writer.node(std::move(node.with("epsilon", static_cast<float>(writer.layer->number("epsilon")))));
    return std::vector<std::string>{isLast ? writer.channelsLast(y, rank) : y};
}

Written layerNormalization(OnnxWriter &writer)
{
    auto const &shape = writer.shapes[0];
    TW_ASSIGN(auto const axes, model::normAxes(*writer.layer, "axis", shape));
    if (axes.back() + 1 != shape.size() || axes.back() - axes.front() + 1 != axes.size())
        return unwritable(Message::of("its axes are not the last ones"));
    Shape const part(shape.begin() + static_cast<std::ptrdiff_t>(axes.front()), shape.end());
    auto const [scale, offset, next] = scaleAndOffset(writer, part);
    OnnxNode node{"LayerNormalization", "", "", {writer.inputs[0], scale}, {}, {}};
    if (writer.layer->flag("center")) node.inputs.push_back(offset);
    node.with("axis", static_cast<std::int64_t>(axes.front())).with("epsilon", static_cast<float>(writer.layer->number("epsilon")));
    return std::vector<std::string>{writer.node(std::move(node))};
}

// Recurrent

Result<std::string> recurrentActivation(model::Layer const &layer, char const *argument)
{
    static std::map<std::string, std::string> const names{{"sigmoid", "Sigmoid"},   {"tanh", "Tanh"},
                                                          {"relu", "Relu"},         {"softsign", "Softsign"},
                                                          {"softplus", "Softplus"}, {"hard_sigmoid", "HardSigmoid"}};
    auto const name = model::activationArgument(layer, argument).name;
    auto const found = names.find(name);
    if (found == names.end()) return unwritable(Message::of("the activation %1 has no operator", name));
    return found->second;
}

/// The weights of one direction as ONNX has them: [gates × units, columns] with its order of gates.
struct DirectionWeights {
    std::vector<float> w, r, b;
};

DirectionWeights weightsOf(OnnxWriter &writer, std::string const &className, std::int64_t units, bool bias, std::size_t first)
{
    // Place in Keras of each gate of ONNX: i, o, f, c from i, f, c, o.
    std::vector<std::int64_t> gates{0};
    if (className == "LSTM") gates = {0, 3, 1, 2};
    if (className == "GRU") gates = {0, 1, 2};
    auto const columns = std::ssize(gates) * units;
    auto const turned = [&](std::vector<float> const &kernel) {
        auto const rows = std::ssize(kernel) / columns;
        std::vector<float> result;
        for (auto const gate : gates)
            for (std::int64_t u = 0; u < units; ++u)
                for (std::int64_t row = 0; row < rows; ++row)
                    result.push_back(kernel[static_cast<std::size_t>(row * columns + gate * units + u)]);
        return result;
    };
    DirectionWeights result{turned(writer.values(first).values), turned(writer.values(first + 1).values), {}};
    if (!bias) return result;
    auto values = writer.values(first + 2).values;
    values.resize(static_cast<std::size_t>(2 * columns), 0); // of the recurrent product: zeros, unless the layer has them
    for (std::int64_t half = 0; half < 2; ++half)
        for (auto const gate : gates)
            for (std::int64_t u = 0; u < units; ++u)
                result.b.push_back(values[static_cast<std::size_t>(half * columns + gate * units + u)]);
    return result;
}

void append(std::vector<float> &to, std::vector<float> const &more) { to.insert(to.end(), more.begin(), more.end()); }

/// A recurrent layer, alone or in both directions; `layers`: one for each.
Written recurrence(OnnxWriter &writer, std::vector<model::Layer> const &layers, std::size_t weightsEach)
{
    auto const &layer = layers[0];
    auto const units = layer.integer("units");
    bool const bias = layer.flag("use_bias"), both = layers.size() == 2, sequences = layer.flag("return_sequences");
    bool const backwards = !both && layer.flag("go_backwards");
    if (writer.call->masked) return unwritable(Message::of("its steps have a mask"));
    if (writer.inputs.size() > 1) return unwritable(Message::of("it has an initial state"));
    if (layer.flag("return_state")) return unwritable(Message::of("it returns its state"));
    if (layer.flag("stateful")) return unwritable(Message::of("it keeps its state between batches"));
    DirectionWeights all;
    for (std::size_t d = 0; d < layers.size(); ++d) {
        auto const one = weightsOf(writer, layer.className, units, bias, d * weightsEach);
        append(all.w, one.w);
        append(all.r, one.r);
        append(all.b, one.b);
    }
    std::int64_t const directions = std::ssize(layers), gates = layer.className == "LSTM" ? 4 : layer.className == "GRU" ? 3 : 1;
    auto const steps = writer.shapes[0][1], features = writer.shapes[0][2];
    std::vector<std::string> inputs{writer.transposed(writer.inputs[0], {1, 0, 2}),
                                    writer.weight("W", {directions, gates * units, features}, all.w),
                                    writer.weight("R", {directions, gates * units, units}, all.r)};
    if (bias) inputs.push_back(writer.weight("B", {directions, 2 * gates * units}, all.b));
    OnnxNode node{layer.className == "SimpleRNN" ? "RNN" : layer.className, "", "", inputs, {}, {}};
    std::vector<std::string> activations;
    for (std::int64_t d = 0; d < directions; ++d) {
        if (gates > 1) {
            TW_ASSIGN(auto const gate, recurrentActivation(layer, "recurrent_activation"));
            activations.push_back(gate);
        }
        TW_ASSIGN(auto const state, recurrentActivation(layer, "activation"));
        for (int times = 0; times < (gates == 4 ? 2 : 1); ++times) activations.push_back(state);
    }
    node.with("hidden_size", units).withText("direction", both ? "bidirectional" : backwards ? "reverse" : "forward");
    node.withTexts("activations", activations);
    if (layer.className == "GRU") node.with("linear_before_reset", std::int64_t{layer.flag("reset_after") ? 1 : 0});
    auto const sequence = writer.node(std::move(node), 2);
    auto const state = writer.output(1);
    if (sequences && backwards) return unwritable(Message::of("it runs backwards and returns all steps"));
    if (sequences) { // [steps, directions, batch, units]
        auto const turned = writer.transposed(sequence, {2, 0, 1, 3});
        return std::vector<std::string>{writer.reshaped(turned, {-1, steps, directions * units})};
    }
    return std::vector<std::string>{writer.reshaped(writer.transposed(state, {1, 0, 2}), {-1, directions * units})};
}

Written recurrentLayerOf(OnnxWriter &writer) { return recurrence(writer, {*writer.layer}, writer.weights->size()); }

Written bidirectional(OnnxWriter &writer)
{
    if (writer.layer->text("merge_mode") != "concat") return unwritable(Message::of("its directions are not put side by side"));
    auto const both = model::bidirectionalLayers(*writer.layer);
    std::vector<model::Layer> const layers(both.begin(), both.end());
    if (layers[1].flag("go_backwards") == layers[0].flag("go_backwards") || layers[0].flag("go_backwards"))
        return unwritable(Message::of("its first direction runs backwards"));
    auto arguments = [](model::Layer layer) {
        layer.config.erase("go_backwards");
        return layer.config;
    };
    if (arguments(layers[0]) != arguments(layers[1])) return unwritable(Message::of("its two directions differ"));
    return recurrence(writer, layers, writer.weights->size() / 2);
}

} // namespace

std::span<LayerWriter const> stateWriters()
{
    static std::vector<LayerWriter> const all{{"BatchNormalization", batchNormalization},
                                              {"InstanceNormalization", instanceNormalization},
                                              {"LayerNormalization", layerNormalization},
                                              {"LSTM", recurrentLayerOf},
                                              {"GRU", recurrentLayerOf},
                                              {"SimpleRNN", recurrentLayerOf},
                                              {"Bidirectional", bidirectional}};
    return all;
}

} // namespace tilewright::interop
