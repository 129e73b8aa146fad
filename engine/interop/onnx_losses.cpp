// Rules for losses by the numbers of classes: sums over one-hot rows.
#include "engine/interop/onnx_rules.h"

#include <numeric>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// A row of numbers, one for each class, beside operands with the classes as axis 1 of `rank`.
OnnxOperand alongClasses(OnnxOperand weights, std::size_t rank)
{
    if (weights.constant) weights.constant->shape.insert(weights.constant->shape.end(), rank - 2, 1);
    else weights.axes.insert(weights.axes.end(), rank - 2, -1);
    return weights;
}

Result<OnnxOperand> total(OnnxConversion &conversion, std::string const &op, OnnxOperand const &x)
{
    std::vector<std::size_t> all(x.rank());
    std::iota(all.begin(), all.end(), std::size_t{0});
    return reducedBy(conversion, op, x, all, false);
}

/// The weight of each class: those of the input, with 0 for the ignored one. None: all count alike.
Result<std::optional<OnnxOperand>> classWeights(OnnxConversion &conversion, OnnxNode const &node, std::int64_t classes)
{
    std::optional<OnnxOperand> weights;
    if (conversion.has(node, 2)) weights = conversion.operand(node, 2);
    auto const ignored = node.integer("ignore_index", -1);
    if (!node.has("ignore_index") || ignored < 0 || ignored >= classes) {
        // Targets outside the classes have rows of zeros, which a mean must not count.
        if (!weights && node.has("ignore_index")) weights = constantOf({classes}, std::vector<float>(static_cast<std::size_t>(classes), 1));
        return weights;
    }
    std::vector<float> kept(static_cast<std::size_t>(classes), 1);
    kept[static_cast<std::size_t>(ignored)] = 0;
    if (!weights) return std::optional(constantOf({classes}, std::move(kept)));
    if (weights->constant) {
        TW_ASSIGN(auto tensor, conversion.constant(node, 2, "weight"));
        if (tensor.count() != classes || !tensor.isFloat()) return onnxRefusal(Message::of("it has no weight for each class"));
        tensor.floats[static_cast<std::size_t>(ignored)] = 0;
        return std::optional(constantOf({classes}, std::move(tensor.floats)));
    }
    TW_ASSIGN(weights, arithmetic(conversion, "Mul", *weights, constantOf({classes}, std::move(kept))));
    return weights;
}

/// The negative of the score of each target's class. `scores`: logarithms of probabilities, with the classes as axis 1.
Result<OnnxOperand> classLoss(OnnxConversion &conversion, OnnxNode const &node, OnnxOperand const &scores)
{
    auto const rank = scores.rank();
    if (rank < 2) return onnxRefusal(Message::of("its input has no classes"));
    auto const classes = scores.extents()[1];
    auto target = conversion.operand(node, 1);
    if (target.constant) { TW_ASSIGN(target, conversion.asComputed(target, scores.batchAxis())); }
    if (target.rank() + 1 != rank) return onnxRefusal(Message::of("its targets have %1 axes and its scores %2", target.rank(), rank));
    if (node.integer("ignore_index", 0) < 0) { // a number outside the classes has no row
        TW_ASSIGN(auto const isIgnored, elementwise(conversion, "Less", {{"alpha", 0.0}}, target));
        TW_ASSIGN(target, selection(conversion, {isIgnored, constantOf({}, {static_cast<float>(classes)}), target}));
    }
    TW_ASSIGN(auto rows, oneHotRows(conversion, target, classes, 1));
    rows.type = OnnxType::Float;
    TW_ASSIGN(auto const weights, classWeights(conversion, node, classes));
    if (weights) { TW_ASSIGN(rows, arithmetic(conversion, "Mul", rows, alongClasses(*weights, rank))); }
    TW_ASSIGN(auto const products, arithmetic(conversion, "Mul", rows, scores));
    TW_ASSIGN(auto const sums, reducedBy(conversion, "ReduceSum", products, {1}, false));
    TW_ASSIGN(auto const losses, elementwise(conversion, "Neg", Json::object(), sums));
    auto const reduction = node.text("reduction", "mean");
    if (reduction == "none") return losses;
    if (reduction == "sum") return total(conversion, "ReduceSum", losses);
    if (!weights) return total(conversion, "ReduceMean", losses);
    TW_ASSIGN(auto const loss, total(conversion, "ReduceSum", losses));
    TW_ASSIGN(auto const counted, total(conversion, "ReduceSum", rows));
    return arithmetic(conversion, "Div", loss, counted);
}

Status negativeLogLikelihood(OnnxConversion &conversion, OnnxNode const &node)
{
    return keep(conversion, node, classLoss(conversion, node, conversion.operand(node, 0)));
}

Status softmaxCrossEntropy(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    if (x.rank() < 2) return onnxRefusal(Message::of("its input has no classes"));
    TW_ASSIGN(auto const place, conversion.layerAxis(x, 1));
    TW_ASSIGN(auto const scores, elementwise(conversion, "LogSoftmax", {{"axes", {place}}}, x));
    if (node.outputs.size() > 1 && !node.outputs[1].empty()) conversion.set(node.outputs[1], scores);
    return keep(conversion, node, classLoss(conversion, node, scores));
}

} // namespace

std::span<OnnxRule const> lossRules()
{
    static std::vector<OnnxRule> const all{{"NegativeLogLikelihoodLoss", negativeLogLikelihood},
                                           {"SoftmaxCrossEntropyLoss", softmaxCrossEntropy}};
    return all;
}

} // namespace tilewright::interop
