// Layers that treat each element on its own, and merges.
#include "engine/interop/onnx_writer.h"
#include "engine/model/layer_spec.h"

#include <algorithm>
#include <utility>

namespace tilewright::interop {

namespace {

using Written = Result<std::vector<std::string>>;

Written activationLayer(OnnxWriter &writer)
{
    auto const *spec = model::findLayerSpec(writer.layer->className);
    TW_ASSIGN(auto y, writer.activated(writer.inputs[0], spec->activation(*writer.layer), writer.shapes[0].size()));
    return std::vector<std::string>{y};
}

Written thresholdedRelu(OnnxWriter &writer)
{
    OnnxNode node{"ThresholdedRelu", "", "", {writer.inputs[0]}, {}, {}};
    return std::vector<std::string>{writer.node(std::move(node.with("alpha", static_cast<float>(writer.layer->number("theta")))))};
}

/// Slopes [sample…] broadcast from the last axis on.
Written prelu(OnnxWriter &writer) { return std::vector<std::string>{writer.node("PRelu", {writer.inputs[0], writer.weight(0)})}; }

/// Inference passes the value on.
Written dropoutLayer(OnnxWriter &writer)
{
    return std::vector<std::string>{writer.node("Dropout", {writer.inputs[0], writer.number(writer.layer->number("rate"))})};
}

Written identity(OnnxWriter &writer) { return std::vector<std::string>{writer.node("Identity", {writer.inputs[0]})}; }

/// Inputs of fewer axes get axes of one element behind the batch, as Keras merges.
std::string widened(OnnxWriter &writer, std::size_t input, std::size_t rank)
{
    auto shape = writer.shapes[input];
    if (shape.size() == rank) return writer.inputs[input];
    shape.insert(shape.begin() + 1, rank - shape.size(), 1);
    return writer.reshaped(writer.inputs[input], shape);
}

Written merge(OnnxWriter &writer)
{
    struct Pair {
        std::string_view className;
        char const *op;
    };
    static constexpr Pair pairs[] = {{"Add", "Add"},      {"Subtract", "Sub"}, {"Multiply", "Mul"},
                                     {"Average", "Mean"}, {"Maximum", "Max"},  {"Minimum", "Min"}};
    auto const *pair = std::ranges::find(pairs, writer.layer->className, &Pair::className);
    std::vector<std::string> inputs;
    for (std::size_t i = 0; i < writer.inputs.size(); ++i) inputs.push_back(widened(writer, i, writer.call->shape.size()));
    std::string const op = pair->op;
    if (op == "Mean" || op == "Max" || op == "Min") return std::vector<std::string>{writer.node(op, inputs)};
    auto y = inputs[0];
    for (std::size_t i = 1; i < inputs.size(); ++i) y = writer.node(op, {y, inputs[i]});
    return std::vector<std::string>{y};
}

Written concatenate(OnnxWriter &writer)
{
    OnnxNode node{"Concat", "", "", writer.inputs, {}, {}};
    auto axis = writer.layer->integer("axis");
    if (axis < 0) axis += std::ssize(writer.shapes[0]);
    return std::vector<std::string>{writer.node(std::move(node.with("axis", axis)))};
}

/// x W + b, where x may have any axes before the last.
Written denseLayer(OnnxWriter &writer)
{
    auto y = writer.node("MatMul", {writer.inputs[0], writer.weight(0)});
    if (writer.layer->flag("use_bias")) y = writer.node("Add", {y, writer.weight(1)});
    TW_ASSIGN(auto out, writer.activated(y, model::activationArgument(*writer.layer, "activation"), writer.shapes[0].size()));
    return std::vector<std::string>{out};
}

Written embedding(OnnxWriter &writer) { return std::vector<std::string>{writer.node("Gather", {writer.weight(0), writer.inputs[0]})}; }

/// Products along one axis of each operand, of matrices at most.
Written dotLayer(OnnxWriter &writer)
{
    if (writer.layer->flag("normalize")) return unwritable(Message::of("it normalises its inputs"));
    auto axes = writer.layer->integers("axes");
    axes.resize(2, axes.front());
    std::vector<std::string> sides;
    for (std::size_t i = 0; i < 2; ++i) {
        auto const rank = std::ssize(writer.shapes[i]);
        auto const axis = axes[i] < 0 ? axes[i] + rank : axes[i];
        auto x = writer.inputs[i];
        auto shape = writer.shapes[i];
        if (rank == 2) { // a vector is a row on the left and a column on the right
            shape.insert(shape.begin() + (i == 0 ? 1 : 2), 1);
            x = writer.reshaped(x, shape);
        } else if (axis == (i == 0 ? 1 : 2)) {
            x = writer.transposed(x, {0, 2, 1});
        }
        sides.push_back(x);
    }
    return std::vector<std::string>{writer.reshaped(writer.node("MatMul", sides), writer.call->shape)};
}

} // namespace

std::span<LayerWriter const> elementWriters()
{
    static std::vector<LayerWriter> const all = [] {
        std::vector<LayerWriter> writers{{"ThresholdedReLU", thresholdedRelu},
                                         {"PReLU", prelu},
                                         {"Dropout", dropoutLayer},
                                         {"Concatenate", concatenate},
                                         {"Dense", denseLayer},
                                         {"Embedding", embedding},
                                         {"Dot", dotLayer}};
        for (auto const *name : {"Activation", "ReLU", "LeakyReLU", "ELU", "Softmax"}) writers.push_back({name, activationLayer});
        for (auto const *name : {"ActivityRegularization", "RecomputationCheckpoint", "GaussianNoise", "GaussianDropout", "AlphaDropout",
                                 "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"})
            writers.push_back({name, identity});
        for (auto const *name : {"Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum"}) writers.push_back({name, merge});
        return writers;
    }();
    return all;
}

} // namespace tilewright::interop
