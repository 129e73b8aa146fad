// Rules for matrix products and normalisations.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// The operand with axis `axis` of ONNX as the last of its layer's output.
Result<OnnxOperand> withLast(OnnxConversion &conversion, OnnxOperand const &x, std::size_t axis)
{
    if (x.axes[axis] == 0) return mixedSamples();
    if (x.axes[axis] > 0 && x.axes[axis] + 1 == static_cast<int>(x.shape.size())) return x;
    std::vector<std::size_t> order;
    for (std::size_t other = 0; other < x.rank(); ++other)
        if (other != axis && x.axes[other] != 0) order.push_back(other);
    order.push_back(axis);
    return conversion.arranged(x, order);
}

/// x times a matrix [in, out], with a bias or without: Dense.
Result<OnnxOperand> dense(OnnxConversion &conversion, OnnxOperand const &x, OnnxTensor const &matrix, bool isTrained,
                          std::optional<OnnxTensor> const &bias)
{
    TW_ASSIGN(auto const source, withLast(conversion, x, x.rank() - 1));
    std::vector<FileArray> arrays{fileArray("kernel", matrix.shape, floatsOf(matrix))};
    if (bias) arrays.push_back(fileArray("bias", {matrix.shape[1]}, floatsOf(*bias)));
    TW_ASSIGN(auto result,
              conversion.layer("Dense", {{"units", matrix.shape[1]}, {"use_bias", bias.has_value()}}, {source}, std::move(arrays)));
    if (!isTrained) freeze(conversion, result);
    return OnnxConversion::like(std::move(result), source);
}

} // namespace

Result<OnnxOperand> matrixProduct(OnnxConversion &conversion, OnnxOperand const &a, OnnxOperand const &b)
{
    if (a.isUniform || b.isUniform) return mixedSamples();
    if (b.constant && b.constant->shape.size() == 2 && !a.constant && a.rank() >= 2 && a.axes.back() != 0)
        return dense(conversion, a, *b.constant, b.isTrained, {});
    // Vectors become matrices.
    auto const isVector = [](OnnxOperand const &x) { return x.rank() == 1; };
    auto left = a, right = b;
    if (isVector(a)) {
        if (a.constant) left.constant->shape.insert(left.constant->shape.begin(), 1);
        else left.axes.insert(left.axes.begin(), -1);
    }
    if (isVector(b)) {
        if (b.constant) right.constant->shape.push_back(1);
        else right.axes.push_back(-1);
    }
    auto const rank = std::max(left.rank(), right.rank());
    std::vector<OnnxOperand> inputs;
    Json config = Json::object();
    std::vector<FileArray> arrays;
    std::optional<std::size_t> batch;
    for (auto *operand : {&left, &right}) {
        if (operand->constant) continue;
        operand->axes.insert(operand->axes.begin(), static_cast<std::ptrdiff_t>(rank - operand->rank()), -1);
        auto const place = operand->batchAxis();
        if (place && (*place + 2 >= rank || (batch && batch != place))) return mixedSamples();
        if (place) batch = place;
    }
    std::vector<std::size_t> order;
    for (std::size_t axis = 0; axis < rank; ++axis)
        if (axis != batch) order.push_back(axis);
    for (auto *operand : {&left, &right}) {
        if (operand->constant) {
            auto shape = operand->constant->shape;
            if (batch && rank - shape.size() <= *batch) {
                auto const at = shape.begin() + static_cast<std::ptrdiff_t>(*batch + shape.size() - rank);
                if (*at != 1) return mixedSamples();
                shape.erase(at);
            }
            config["constant_shape"] = shape;
            if (operand == &left) config["constant_first"] = true;
            arrays.push_back(fileArray("constant", shape, floatsOf(*operand->constant)));
            continue;
        }
        auto own = order; // without axes in front that it lacks
        while (own.size() > 2 && operand->axes[own.front()] < 0) own.erase(own.begin());
        TW_ASSIGN(auto arranged, conversion.arranged(*operand, own));
        inputs.push_back(std::move(arranged));
    }
    if (inputs.empty()) return onnxRefusal(Message::of("all of its inputs are constants"));
    TW_ASSIGN(auto result, operation(conversion, "MatMul", std::move(config), inputs, std::move(arrays)));
    if ((a.constant && !a.isTrained) || (b.constant && !b.isTrained)) freeze(conversion, result);
    result.axes.assign(rank, -1);
    if (batch) result.axes[*batch] = 0;
    // Right-aligned: the result may have fewer axes than all.
    auto const lead = order.size() - std::min(order.size(), result.shape.size() - 1);
    for (std::size_t i = lead; i < order.size(); ++i) result.axes[order[i]] = static_cast<int>(i - lead) + 1;
    if (!isVector(a) && !isVector(b)) return result;
    auto extents = result.extents();
    if (isVector(b)) extents.pop_back();
    if (isVector(a)) extents.erase(extents.end() - (isVector(b) ? 1 : 2));
    return conversion.reshaped(result, extents);
}

namespace {

Status matmul(OnnxConversion &conversion, OnnxNode const &node)
{
    return keep(conversion, node, matrixProduct(conversion, conversion.operand(node, 0), conversion.operand(node, 1)));
}

/// alpha A B + beta C
Status gemm(OnnxConversion &conversion, OnnxNode const &node)
{
    auto x = conversion.operand(node, 0);
    float const alpha = node.number("alpha", 1), beta = node.number("beta", 1);
    if (x.constant || x.rank() != 2) return onnxRefusal(Message::of("its first operand is no computed matrix"));
    if (node.integer("transA", 0) != 0) std::swap(x.axes[0], x.axes[1]);
    TW_ASSIGN(auto matrix, conversion.constant(node, 1, "B"));
    if (matrix.shape.size() != 2) return onnxRefusal(Message::of("its second operand is no matrix"));
    if (node.integer("transB", 0) != 0) matrix = transposedTensor(matrix, {1, 0});
    std::optional<OnnxTensor> bias;
    bool const hasC = conversion.has(node, 2);
    auto const *c = hasC ? &conversion.operand(node, 2) : nullptr;
    auto const units = matrix.shape[1];
    // A bias of one number for each unit is that of the layer.
    if (c && c->constant && !c->isUniform && alpha == 1 && beta == 1
        && (c->constant->shape == Shape{units} || c->constant->shape == Shape{1, units}))
        bias = *c->constant;
    TW_ASSIGN(auto result, dense(conversion, x, matrix, conversion.operand(node, 1).isTrained, bias));
    if (alpha != 1) { TW_ASSIGN(result, elementwise(conversion, "Mul", {{"alpha", static_cast<double>(alpha)}}, result)); }
    if (!hasC || bias || beta == 0) return keep(conversion, node, result);
    auto addend = *c;
    if (beta != 1 && addend.constant) {
        for (auto &value : addend.constant->floats) value *= beta;
    } else if (beta != 1) {
        TW_ASSIGN(addend, elementwise(conversion, "Mul", {{"alpha", static_cast<double>(beta)}}, addend));
    }
    return keep(conversion, node, arithmetic(conversion, "Add", result, addend));
}

// Normalisations

/// scale, bias and, of a batch normalisation, the moving statistics, by the names of Keras.
Result<std::vector<FileArray>> normArrays(OnnxConversion &conversion, OnnxNode const &node, std::size_t count)
{
    static constexpr char const *names[] = {"gamma", "beta", "moving_mean", "moving_variance"};
    std::vector<FileArray> arrays;
    for (std::size_t i = 0; i < count; ++i) {
        TW_ASSIGN(auto const tensor, conversion.constant(node, i + 1, names[i]));
        arrays.push_back(fileArray(names[i], tensor.shape, floatsOf(tensor)));
    }
    return arrays;
}

Status batchNorm(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    if (node.integer("training_mode", 0) != 0) return onnxRefusal(Message::of("it trains (training_mode 1)"));
    for (std::size_t i = 1; i < node.outputs.size(); ++i)
        if (conversion.readers(node.outputs[i]) > 0) return onnxRefusal(Message::of("its statistics are used"));
    if (x.rank() < 2) return onnxRefusal(Message::of("its input has no channels"));
    TW_ASSIGN(auto const place, conversion.layerAxis(x, 1));
    TW_ASSIGN(auto arrays, normArrays(conversion, node, 4));
    bool const isLast = place + 1 == std::ssize(x.shape);
    TW_ASSIGN(auto result,
              conversion.layer("BatchNormalization",
                               {{"axis", {isLast ? -1 : place}},
                                {"epsilon", static_cast<double>(node.number("epsilon", 1e-5F))},
                                {"momentum", static_cast<double>(node.number("momentum", 0.9F))}},
                               {x}, std::move(arrays)));
    return keep(conversion, node, OnnxConversion::like(std::move(result), x));
}

Status instanceNorm(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    TW_ASSIGN(auto const place, conversion.layerAxis(x, 1));
    if (place != 1 && place + 1 != std::ssize(x.shape)) return onnxRefusal(Message::of("its channels lie between other axes"));
    TW_ASSIGN(auto arrays, normArrays(conversion, node, 2));
    TW_ASSIGN(auto result,
              conversion.layer("InstanceNormalization",
                               {{"channels_axis", place == 1 && std::ssize(x.shape) > 2 ? 1 : -1},
                                {"epsilon", static_cast<double>(node.number("epsilon", 1e-5F))}},
                               {x}, std::move(arrays)));
    return keep(conversion, node, OnnxConversion::like(std::move(result), x));
}

/// The mean and 1 / deviation over these axes of the layer's output, where other nodes read them.
Status normStatistics(OnnxConversion &conversion, OnnxNode const &node, OnnxOperand const &x, Json const &axes)
{
    auto const isRead = [&](std::size_t output) {
        return output < node.outputs.size() && !node.outputs[output].empty() && conversion.readers(node.outputs[output]) > 0;
    };
    if (!isRead(1) && !isRead(2)) return {};
    auto const reduced = [&](OnnxOperand const &of) -> Result<OnnxOperand> {
        TW_ASSIGN(auto result, operation(conversion, "ReduceMean", {{"axes", axes}, {"keepdims", true}}, {of}));
        result.axes = of.axes;
        return result;
    };
    TW_ASSIGN(auto const mean, reduced(x));
    if (isRead(1)) conversion.set(node.outputs[1], mean);
    if (!isRead(2)) return {};
    TW_ASSIGN(auto const centred, arithmetic(conversion, "Sub", x, mean));
    TW_ASSIGN(auto const squares, elementwise(conversion, "Pow", {{"alpha", 2.0}}, centred));
    TW_ASSIGN(auto const variance, reduced(squares));
    TW_ASSIGN(auto const bounded,
              elementwise(conversion, "Add", {{"alpha", static_cast<double>(node.number("epsilon", 1e-5F))}}, variance));
    TW_ASSIGN(auto inverse, elementwise(conversion, "Pow", {{"alpha", -0.5}}, bounded));
    conversion.set(node.outputs[2], std::move(inverse));
    return {};
}

/// Over the axes from `axis` on, which must be the last of the layer's output.
Status layerNorm(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &given = conversion.operand(node, 0);
    TW_ASSIGN(auto const x, conversion.plain(given));
    auto const rank = static_cast<std::int64_t>(x.rank());
    auto const axis = node.integer("axis", -1);
    auto const first = axis < 0 ? axis + rank : axis;
    if (first < 0 || first >= rank) return onnxRefusal(Message::of("axis %1 is none of its input %2", axis, toText(x.extents())));
    Json axes = Json::array();
    Shape shape;
    for (auto at = first; at < rank; ++at) {
        auto const place = x.axes[static_cast<std::size_t>(at)];
        if (place == 0) return mixedSamples();
        if (place < 0) return onnxRefusal(Message::of("axis %1 has one element", at));
        axes.push_back(place);
        shape.push_back(x.shape[static_cast<std::size_t>(place)]);
    }
    TW_TRY(normStatistics(conversion, node, x, axes));
    if (axes.size() == 1 && axes[0].get<std::size_t>() + 1 == x.shape.size()) axes[0] = -1;
    bool const hasBias = conversion.has(node, 2);
    TW_ASSIGN(auto arrays, normArrays(conversion, node, hasBias ? 2 : 1));
    for (auto &array : arrays)
        if (elementCount(array.shape) != elementCount(shape)) return onnxRefusal(Message::of("its scale has another shape than the axes"));
        else array.shape = shape;
    TW_ASSIGN(auto result,
              conversion.layer("LayerNormalization",
                               {{"axis", axes}, {"epsilon", static_cast<double>(node.number("epsilon", 1e-5F))}, {"center", hasBias}}, {x},
                               std::move(arrays)));
    return keep(conversion, node, OnnxConversion::like(std::move(result), x));
}

} // namespace

std::span<OnnxRule const> productRules()
{
    static std::vector<OnnxRule> const all{{"MatMul", matmul, true}, {"Gemm", gemm, true}};
    return all;
}

std::span<OnnxRule const> normRules()
{
    static std::vector<OnnxRule> const all{
        {"BatchNormalization", batchNorm}, {"InstanceNormalization", instanceNorm}, {"LayerNormalization", layerNorm}};
    return all;
}

} // namespace tilewright::interop
