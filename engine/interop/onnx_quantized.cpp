// Rules for quantised operators: their numbers are computed in the type of the model.
#include "engine/interop/onnx_rules.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace tilewright::interop {

using model::Json;

namespace {

/// A scale or zero point of one number, or of one for each place of axis `axis` of an operand of this rank.
OnnxOperand along(OnnxOperand number, std::size_t axis, std::size_t rank)
{
    if (number.rank() != 1 || number.extents()[0] == 1) {
        if (number.constant) number.constant->shape.clear();
        else number.axes.clear();
        return number;
    }
    if (number.constant) number.constant->shape.insert(number.constant->shape.end(), rank - 1 - axis, 1);
    else number.axes.insert(number.axes.end(), rank - 1 - axis, -1);
    return number;
}

/// A scale and a zero point, by the inputs `first` and `first` + 1 of a node.
struct Grid {
    OnnxOperand scale;
    std::optional<OnnxOperand> zero;

    OnnxType type() const { return zero ? zero->type : OnnxType::UInt8; }
};
Grid gridOf(OnnxConversion &conversion, OnnxNode const &node, std::size_t first, std::size_t axis, std::size_t rank)
{
    Grid grid{along(conversion.operand(node, first), axis, rank), {}};
    if (conversion.has(node, first + 1)) grid.zero = along(conversion.operand(node, first + 1), axis, rank);
    return grid;
}

Result<OnnxOperand> real(OnnxConversion &conversion, OnnxOperand const &x, Grid const &grid)
{
    auto result = x;
    if (grid.zero) { TW_ASSIGN(result, arithmetic(conversion, "Sub", result, *grid.zero)); }
    TW_ASSIGN(result, arithmetic(conversion, "Mul", result, grid.scale));
    result.type = OnnxType::Float;
    return result;
}

Result<OnnxOperand> quantized(OnnxConversion &conversion, OnnxOperand const &x, Grid const &grid)
{
    TW_ASSIGN(auto const scaled, arithmetic(conversion, "Div", x, grid.scale));
    TW_ASSIGN(auto result, elementwise(conversion, "Round", Json::object(), scaled));
    if (grid.zero) { TW_ASSIGN(result, arithmetic(conversion, "Add", result, *grid.zero)); }
    bool const isSigned = grid.type() == OnnxType::Int8;
    if (!isSigned && grid.type() != OnnxType::UInt8) return onnxRefusal(Message::of("its zero point has more than 8 bits"));
    TW_ASSIGN(result, elementwise(conversion, "Clip", {{"min", isSigned ? -128.0 : 0.0}, {"max", isSigned ? 127.0 : 255.0}}, result));
    result.type = grid.type();
    return result;
}

Status quantize(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    std::size_t axis = 0;
    if (conversion.operand(node, 1).rank() == 1) { TW_ASSIGN(axis, axisOf(node, x, 1)); }
    auto const grid = gridOf(conversion, node, 1, axis, x.rank());
    return keep(conversion, node, node.op == "QuantizeLinear" ? quantized(conversion, x, grid) : real(conversion, x, grid));
}

/// Scale and zero point from the least and the largest number.
Status quantizeByRange(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &x = conversion.operand(node, 0);
    std::vector<std::size_t> all(x.rank());
    std::iota(all.begin(), all.end(), std::size_t{0});
    auto const none = constantOf({}, {0.0F});
    TW_ASSIGN(auto const least, reducedBy(conversion, "ReduceMin", x, all, false));
    TW_ASSIGN(auto const most, reducedBy(conversion, "ReduceMax", x, all, false));
    TW_ASSIGN(auto const low, arithmetic(conversion, "Min", least, none));
    TW_ASSIGN(auto const high, arithmetic(conversion, "Max", most, none));
    TW_ASSIGN(auto const range, arithmetic(conversion, "Sub", high, low));
    TW_ASSIGN(auto const scale, elementwise(conversion, "Div", {{"alpha", 255.0}}, range));
    TW_ASSIGN(auto const ratio, arithmetic(conversion, "Div", low, scale));
    TW_ASSIGN(auto const negative, elementwise(conversion, "Neg", Json::object(), ratio));
    TW_ASSIGN(auto const rounded, elementwise(conversion, "Round", Json::object(), negative));
    TW_ASSIGN(auto zero, elementwise(conversion, "Clip", {{"min", 0.0}, {"max", 255.0}}, rounded));
    zero.type = OnnxType::UInt8;
    if (node.outputs.size() > 1 && !node.outputs[1].empty()) conversion.set(node.outputs[1], scale);
    if (node.outputs.size() > 2 && !node.outputs[2].empty()) conversion.set(node.outputs[2], zero);
    return keep(conversion, node, quantized(conversion, x, {scale, zero}));
}

/// The operand minus a zero point.
Result<OnnxOperand> shifted(OnnxConversion &conversion, OnnxNode const &node, std::size_t input, std::size_t zero, std::size_t axis)
{
    auto x = conversion.operand(node, input);
    if (!conversion.has(node, zero)) return x;
    auto const point = along(conversion.operand(node, zero), axis, x.rank());
    if (x.constant && point.constant) {
        if (point.constant->count() != 1) return onnxRefusal(Message::of("its zero point has several numbers"));
        for (auto &number : x.constant->integers) number -= point.constant->integers.at(0);
        return x;
    }
    return arithmetic(conversion, "Sub", x, point);
}

Status integerProduct(OnnxConversion &conversion, OnnxNode const &node)
{
    TW_ASSIGN(auto const a, shifted(conversion, node, 0, 2, 0));
    TW_ASSIGN(auto const b, shifted(conversion, node, 1, 3, 0));
    return keep(conversion, node, matrixProduct(conversion, a, b), OnnxType::Int32);
}

Status quantizedProduct(OnnxConversion &conversion, OnnxNode const &node)
{
    auto const &a = conversion.operand(node, 0), &b = conversion.operand(node, 3);
    if (a.constant || b.constant) return onnxRefusal(Message::of("one of its operands is a constant"));
    TW_ASSIGN(auto const left, real(conversion, a, gridOf(conversion, node, 1, 0, a.rank())));
    TW_ASSIGN(auto const right, real(conversion, b, gridOf(conversion, node, 4, 0, b.rank())));
    TW_ASSIGN(auto const product, matrixProduct(conversion, left, right));
    return keep(conversion, node, quantized(conversion, product, gridOf(conversion, node, 6, 0, product.rank())));
}

/// A convolution of the operands without their zero points.
Status integerConvolution(OnnxConversion &conversion, OnnxNode const &node)
{
    TW_ASSIGN(auto const x, shifted(conversion, node, 0, 2, 0));
    TW_ASSIGN(auto const kernel, shifted(conversion, node, 1, 3, 0));
    auto plain = node;
    plain.op = "Conv";
    plain.inputs = {node.outputs.at(0) + "/x", node.outputs.at(0) + "/kernel"};
    conversion.set(plain.inputs[0], x);
    conversion.set(plain.inputs[1], kernel);
    return findOnnxRule("Conv")->convert(conversion, plain);
}

} // namespace

std::span<OnnxRule const> quantizedRules()
{
    static std::vector<OnnxRule> const all{{"QuantizeLinear", quantize},
                                           {"DequantizeLinear", quantize},
                                           {"DynamicQuantizeLinear", quantizeByRange},
                                           {"MatMulInteger", integerProduct, true},
                                           {"QLinearMatMul", quantizedProduct},
                                           {"ConvInteger", integerConvolution}};
    return all;
}

} // namespace tilewright::interop
