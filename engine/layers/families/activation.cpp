#include "engine/layers/layer_builder.h"

#include <algorithm>
#include <cmath>

namespace tilewright::layers {

using namespace graph;

namespace {

/// Keras's backend relu with slope, cap and threshold, step by step as it composes them.
ValueId buildRelu(BuildContext &context, model::Activation const &a, ValueId x)
{
    bool const capped = std::isfinite(a.maxValue);
    if (a.alpha != 0.0 && !capped && a.threshold == 0.0) return context.op("leaky_relu", {x}, {{"p0", a.alpha}}, "LeakyRelu");
    ValueId below;
    if (a.alpha != 0.0) {
        ValueId mirrored = context.op("neg", {x});
        if (a.threshold != 0.0) mirrored = context.op("add_scalar", {mirrored}, {{"p0", a.threshold}});
        below = context.op("relu", {mirrored}, {}, "NegativePart");
    }
    ValueId y;
    if (a.threshold != 0.0) y = context.op("mul", {x, context.op("step", {x}, {{"p0", a.threshold}}, "Greater")});
    else y = context.op("relu", {x}, {}, "Relu");
    if (capped) y = context.op("clip", {y}, {{"p0", 0.0}, {"p1", a.maxValue}}, "Clip");
    if (below.valid()) y = context.op("sub", {y, context.scaled(below, a.alpha)});
    return y;
}

ValueId softmaxOverLast(BuildContext &context, ValueId x, std::string const &name)
{
    return context.op(name, {x}, {}, name == "softmax" ? "Softmax" : "LogSoftmax");
}

/// Softmax (or its logarithm) over an inner axis: it changes places with the last one and back.
ValueId softmaxInside(BuildContext &context, ValueId x, std::size_t axis, std::string const &name)
{
    std::vector<std::int64_t> perm;
    for (std::size_t i = 0; i < context.value(x).shape.size(); ++i) perm.push_back(static_cast<std::int64_t>(i));
    std::swap(perm[axis], perm.back());
    ValueId y = context.op("transpose", {x}, {{"perm", perm}}, "Transpose");
    y = softmaxOverLast(context, y, name);
    return context.op("transpose", {y}, {{"perm", perm}}, "Transpose");
}

/// Softmax over several axes together: they become one axis behind the others, and the result goes back.
ValueId softmaxTogether(BuildContext &context, ValueId x, std::vector<int> const &axes, std::string const &name)
{
    Shape const shape = context.value(x).shape;
    auto const rank = static_cast<int>(shape.size());
    std::vector<char> summed(shape.size(), 0);
    for (int const axis : axes) summed[static_cast<std::size_t>(axis < 0 ? axis + rank : axis)] = 1;
    std::vector<std::int64_t> perm, back(shape.size());
    Shape moved, joined;
    for (char const part : {char(0), char(1)})
        for (std::size_t i = 0; i < shape.size(); ++i)
            if (summed[i] == part) perm.push_back(static_cast<std::int64_t>(i));
    for (std::size_t i = 0; i < perm.size(); ++i) {
        auto const from = static_cast<std::size_t>(perm[i]);
        back[from] = static_cast<std::int64_t>(i);
        moved.push_back(shape[from]);
        if (!summed[from]) joined.push_back(shape[from]);
    }
    joined.push_back(elementCount(moved) / elementCount(joined));
    bool const inOrder = std::ranges::is_sorted(perm);
    ValueId y = inOrder ? x : context.op("transpose", {x}, {{"perm", perm}}, "Transpose");
    y = context.reshape(softmaxOverLast(context, context.reshape(y, joined), name), moved);
    return inOrder ? y : context.op("transpose", {y}, {{"perm", back}}, "Transpose");
}

struct Elementwise {
    char const *activation;
    char const *op;
    char const *leaf;
    bool usesAlpha;
};

constexpr Elementwise kElementwise[] = {
    {"elu", "elu", "Elu", true},
    {"exponential", "exp", "Exp", false},
    {"hard_sigmoid", "hard_sigmoid", "HardSigmoid", false},
    {"leaky_relu", "leaky_relu", "LeakyRelu", true},
    {"selu", "selu", "Selu", false},
    {"sigmoid", "sigmoid", "Sigmoid", false},
    {"softplus", "softplus", "Softplus", false},
    {"softsign", "softsign", "Softsign", false},
    {"swish", "swish", "Swish", false},
    {"tanh", "tanh", "Tanh", false},
};

} // namespace

Result<ValueId> applyActivation(BuildContext &context, model::ResolvedCall const &call, model::Activation const &activation, ValueId input)
{
    auto const &name = activation.name;
    if (name == "linear") return input;
    if (name == "relu" || name == "relu6") return buildRelu(context, activation, input);
    if (name == "gelu") return context.op(activation.approximate ? "gelu_tanh" : "gelu", {input}, {}, "Gelu");
    if (name == "softmax" || name == "log_softmax") {
        int const rank = static_cast<int>(call.shape.size());
        int const axis = activation.axis < 0 ? activation.axis + rank : activation.axis;
        if (activation.axes.size() > 1) return softmaxTogether(context, input, activation.axes, name);
        return axis != rank - 1 ? softmaxInside(context, input, static_cast<std::size_t>(axis), name)
                                : softmaxOverLast(context, input, name);
    }
    for (auto const &each : kElementwise) {
        if (name != each.activation) continue;
        Attrs attrs;
        if (each.usesAlpha) attrs.set("p0", activation.alpha);
        return context.op(each.op, {input}, std::move(attrs), each.leaf);
    }
    return buildError(context, call, Message::of("activation %1 cannot be built yet", name), Message::of("use another activation"));
}

Result<ValueId> buildActivation(BuildContext &context, model::ResolvedCall const &call, model::Activation const &activation, ValueId input)
{
    TW_ASSIGN(auto const out, applyActivation(context, call, activation, input));
    auto const &op = context.graph().node(context.value(out).producer).op;
    if ((op == "softmax" || op == "sigmoid") && op == activation.name && !context.isInside()) {
        auto const index = static_cast<std::size_t>(&call - context.resolved.calls.data());
        context.setLogits(index, input);
    }
    return out;
}

Result<std::vector<ValueId>> buildActivationLayer(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    TW_ASSIGN(auto const out, buildActivation(context, call, model::findLayerSpec(layer.className)->activation(layer), inputs[0]));
    return std::vector<ValueId>{out};
}

/// relu(x) - alpha relu(-x), as Keras composes it.
Result<std::vector<ValueId>> buildPrelu(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const x = inputs[0];
    auto const above = context.op("relu", {x}, {}, "Relu");
    auto const below = context.op("relu", {context.op("neg", {x}, {}, "Neg")}, {}, "NegativePart");
    Shape slopes = context.value(context.weight(call, 0)).shape;
    slopes.insert(slopes.begin(), 1);
    auto const alpha = context.broadcast(context.reshape(context.weight(call, 0), slopes), context.value(x).shape);
    return std::vector<ValueId>{context.op("sub", {above, context.op("mul", {alpha, below}, {}, "Slope")}, {}, "PRelu")};
}

} // namespace tilewright::layers
