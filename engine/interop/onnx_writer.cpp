#include "engine/interop/onnx_writer.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace tilewright::interop {

Diagnostic unwritable(Message reason) { return makeError(ErrorKind::Invalid, "export.onnx-layer", "", std::move(reason), Message()); }

std::string OnnxWriter::fresh(std::string const &leaf)
{
    auto const name = m_scope + "/" + leaf;
    if (m_names.insert(name).second) return name;
    for (int number = 1;; ++number)
        if (auto other = name + "_" + std::to_string(number); m_names.insert(other).second) return other;
}

std::string OnnxWriter::node(OnnxNode node, std::size_t outputs)
{
    node.name = fresh(node.op);
    node.outputs.push_back(node.name + ":0");
    for (std::size_t i = 1; i < outputs; ++i) node.outputs.push_back(node.name + ":" + std::to_string(i));
    m_graph.nodes.push_back(std::move(node));
    return m_graph.nodes.back().outputs.front();
}

std::string OnnxWriter::weight(std::string const &name, Shape shape, std::vector<float> values)
{
    auto full = layer->name + "/" + name;
    if (std::ranges::find(m_graph.initializers, full, &OnnxTensor::name) == m_graph.initializers.end())
        m_graph.initializers.push_back({full, OnnxType::Float, std::move(shape), std::move(values), {}});
    return full;
}

std::string OnnxWriter::weight(std::size_t index)
{
    auto const &one = values(index);
    return weight(one.weight->name, one.weight->shape, one.values);
}

std::string OnnxWriter::constant(std::vector<float> values, Shape shape)
{
    OnnxNode node{"Constant", "", "", {}, {}, {}};
    node.attributes.push_back(
        {"value", OnnxAttribute::Kind::Tensor, {}, {}, {}, {"", OnnxType::Float, std::move(shape), std::move(values), {}}});
    return this->node(std::move(node));
}

std::string OnnxWriter::integers(std::vector<std::int64_t> values)
{
    OnnxNode node{"Constant", "", "", {}, {}, {}};
    Shape const shape{std::ssize(values)};
    node.attributes.push_back({"value", OnnxAttribute::Kind::Tensor, {}, {}, {}, {"", OnnxType::Int64, shape, {}, std::move(values)}});
    return this->node(std::move(node));
}

std::string OnnxWriter::transposed(std::string const &x, std::vector<std::int64_t> const &perm)
{
    OnnxNode node{"Transpose", "", "", {x}, {}, {}};
    return this->node(std::move(node.with("perm", perm)));
}

std::string OnnxWriter::channelsFirst(std::string const &x, std::size_t rank)
{
    std::vector<std::int64_t> perm{0, static_cast<std::int64_t>(rank) - 1};
    for (std::size_t axis = 1; axis + 1 < rank; ++axis) perm.push_back(static_cast<std::int64_t>(axis));
    return transposed(x, perm);
}

std::string OnnxWriter::channelsLast(std::string const &x, std::size_t rank)
{
    std::vector<std::int64_t> perm{0};
    for (std::size_t axis = 2; axis < rank; ++axis) perm.push_back(static_cast<std::int64_t>(axis));
    perm.push_back(1);
    return transposed(x, perm);
}

std::string OnnxWriter::reshaped(std::string const &x, Shape const &shape)
{
    auto target = shape;
    target.front() = 0;
    return node("Reshape", {x, integers(target)});
}

Result<std::string> OnnxWriter::activated(std::string const &x, model::Activation const &activation, std::size_t rank)
{
    auto const with = [&](char const *op, char const *attribute, double value) {
        OnnxNode one{op, "", "", {x}, {}, {}};
        return node(std::move(one.with(attribute, static_cast<float>(value))));
    };
    static std::map<std::string, char const *> const plain{{"exponential", "Exp"},   {"selu", "Selu"},         {"sigmoid", "Sigmoid"},
                                                           {"softplus", "Softplus"}, {"softsign", "Softsign"}, {"tanh", "Tanh"}};
    auto const &name = activation.name;
    if (name == "linear") return x;
    if (auto const found = plain.find(name); found != plain.end()) return node(found->second, {x});
    if (name == "elu") return with("Elu", "alpha", activation.alpha);
    if (name == "leaky_relu") return with("LeakyRelu", "alpha", activation.alpha);
    if (name == "hard_sigmoid") return with("HardSigmoid", "alpha", 0.2);
    if (name == "swish") return node("Mul", {x, node("Sigmoid", {x})});
    if (name == "gelu") {
        auto const erf = node("Erf", {node("Div", {x, number(std::numbers::sqrt2)})});
        return node("Mul", {node("Mul", {x, node("Add", {erf, number(1)})}), number(0.5)});
    }
    if (name == "relu" || name == "relu6") {
        bool const capped = std::isfinite(activation.maxValue);
        if (activation.threshold != 0) return unwritable(Message::of("its threshold has no operator"));
        auto y = activation.alpha != 0 ? with("LeakyRelu", "alpha", activation.alpha) : std::string();
        if (y.empty() && !capped) return node("Relu", {x});
        if (y.empty()) return node("Clip", {x, number(0), number(activation.maxValue)});
        return capped ? node("Min", {y, number(activation.maxValue)}) : y;
    }
    if (name == "softmax" || name == "log_softmax") {
        if (activation.axes.size() > 1) return unwritable(Message::of("it works along several axes together"));
        auto const axis = activation.axes.empty() ? activation.axis : activation.axes.front();
        OnnxNode one{name == "softmax" ? "Softmax" : "LogSoftmax", "", "", {x}, {}, {}};
        return node(std::move(one.with("axis", static_cast<std::int64_t>(axis == static_cast<int>(rank) - 1 ? -1 : axis))));
    }
    return unwritable(Message::of("the activation %1 has no operator", name));
}

} // namespace tilewright::interop
