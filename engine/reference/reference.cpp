#include "engine/reference/reference.h"

#include "engine/core/rounding.h"
#include "engine/graph/expr.h"
#include "engine/reference/reference_ops.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <limits>

namespace tilewright::reference {

namespace {

RefOp const *findOp(std::string_view name)
{
    for (auto const &ops : {linearOps(), convOps(), lossOps(), layoutOps(), tableOps(), axisOps(), poolingOps(), normOps(), updateOps()})
        for (auto const &op : ops)
            if (op.name == name) return &op;
    return nullptr;
}

/// Nearest value with 11 significant bits and least exponent -24: binary16, by its definition.
double roundToHalf(double value)
{
    if (!std::isfinite(value) || value == 0) return value;
    int exponent = 0;
    std::frexp(value, &exponent); // |value| in [2^(exponent-1), 2^exponent)
    double const unit = std::ldexp(1.0, std::max(exponent - 11, -24));
    double const rounded = std::nearbyint(value / unit) * unit;
    if (std::abs(rounded) > 65504.0) return std::copysign(std::numeric_limits<double>::infinity(), value);
    return rounded;
}

/// Down to the next half below, or up by chance: as often as the value lies above it.
double roundByChance(double value, std::uint32_t random)
{
    if (!std::isfinite(value) || value == 0) return value;
    int exponent = 0;
    std::frexp(value, &exponent);
    double const unit = std::ldexp(1.0, std::max(exponent - 11, -24));
    double const parts = std::floor(std::abs(value) / unit * 8192); // a half has no room for the last 13 bits
    double const rounded = std::floor((parts + random) / 8192) * unit;
    return std::copysign(rounded > 65504.0 ? std::numeric_limits<double>::infinity() : rounded, value);
}

double halfFromBits(std::uint16_t bits)
{
    double const sign = bits & 0x8000 ? -1.0 : 1.0;
    int const exponent = (bits >> 10) & 31;
    double const mantissa = bits & 1023;
    if (exponent == 31) return mantissa != 0 ? std::nan("") : sign * std::numeric_limits<double>::infinity();
    if (exponent == 0) return sign * std::ldexp(mantissa, -24);
    return sign * std::ldexp(1024.0 + mantissa, exponent - 25);
}

std::uint16_t bitsOfHalf(double value)
{
    std::uint16_t const sign = std::signbit(value) ? 0x8000 : 0;
    if (std::isnan(value)) return 0x7E00;
    double const a = std::abs(roundToHalf(value));
    if (std::isinf(a)) return static_cast<std::uint16_t>(sign | 0x7C00);
    if (a < std::ldexp(1.0, -14)) return static_cast<std::uint16_t>(sign | static_cast<int>(std::ldexp(a, 24)));
    int exponent = 0;
    double const fraction = std::frexp(a, &exponent);
    int const mantissa = static_cast<int>(std::ldexp(fraction, 11)) - 1024;
    return static_cast<std::uint16_t>(sign | ((exponent + 14) << 10) | mantissa);
}

} // namespace

double roundTo(double value, DType dtype, Precision precision)
{
    switch (dtype) {
    case DType::F32: return precision == Precision::Float ? static_cast<double>(static_cast<float>(value)) : value;
    case DType::F16: return precision == Precision::Float ? roundToHalf(value) : value;
    case DType::I32: {
        double const period = 4294967296.0;
        double const wrapped = value - period * std::floor((value + period / 2) / period);
        return wrapped;
    }
    case DType::U8:
    case DType::Bool: return value;
    }
    return value;
}

double castTo(double value, DType dtype, Precision precision)
{
    double const integer = std::isnan(value) ? 0.0 : std::trunc(value);
    switch (dtype) {
    case DType::F32:
    case DType::F16: return roundTo(value, dtype, precision);
    case DType::I32: return std::clamp(integer, -2147483648.0, 2147483647.0);
    case DType::U8: return std::clamp(integer, 0.0, 255.0);
    case DType::Bool: return value != 0 ? 1.0 : 0.0;
    }
    return value;
}

double Call::storePartial(double value, std::int64_t number, std::size_t element) const
{
    if (context.rounding == 0) return roundToHalf(value);
    return roundByChance(value, roundingBits(partialSeed(roundingSeed(context.rounding, 0), number), element));
}

Diagnostic badOperands(graph::Node const &node, Message message)
{
    return makeError(ErrorKind::Invalid, "reference.operands", node.name.empty() ? node.op : node.name,
                     Message::of("Op '%1': %2", node.op, std::move(message)));
}

Status expectCounts(Call const &call, std::size_t inputs, std::size_t outputs)
{
    if (call.in.size() != inputs || call.out.size() != outputs)
        return badOperands(call.node, Message::of("takes %1 operands and gives %2 results.", inputs, outputs));
    return {};
}

Rows rowsOf(Shape const &shape)
{
    Rows rows;
    for (std::size_t k = 0; k < shape.size(); ++k) (k + 1 == shape.size() ? rows.length : rows.count) *= shape[k];
    return rows;
}

Status expectElements(Call const &call, RefTensor const &tensor, std::int64_t elements)
{
    if (static_cast<std::int64_t>(tensor.v.size()) != elements)
        return badOperands(call.node, Message::of("a tensor of shape %1 must have %2 elements.", toText(tensor.shape), elements));
    return {};
}

std::vector<std::string_view> referenceOps()
{
    std::vector<std::string_view> names;
    for (auto const &ops : {linearOps(), convOps(), lossOps(), layoutOps(), tableOps(), axisOps(), poolingOps(), normOps(), updateOps()})
        for (auto const &op : ops) names.push_back(op.name);
    return names;
}

bool hasReference(std::string_view op) { return graph::isElementwise(op) || findOp(op) != nullptr; }

namespace {

Result<std::vector<RefTensor>> evaluateToNearest(graph::Node const &node, std::span<RefTensor const> inputs,
                                                 std::span<RefOutput const> outputs, RefContext const &context)
{
    std::vector<RefTensor> results;
    for (auto const &output : outputs) {
        auto const n = elementCount(output.shape);
        if (n < 0) return badOperands(node, Message::of("a result has an unknown extent."));
        results.push_back({output.dtype, output.shape, std::vector<double>(static_cast<std::size_t>(n), 0.0)});
    }
    Call const call{node, inputs, results, context};
    for (auto const &input : inputs) TW_TRY(expectElements(call, input, elementCount(input.shape)));
    if (graph::isElementwise(node.op)) {
        TW_TRY(evaluateElementwise(call));
        return results;
    }
    auto const *op = findOp(node.op);
    if (!op)
        return makeError(ErrorKind::Invalid, "reference.unknown", node.name, Message::of("There is no reference for op '%1'.", node.op));
    TW_TRY(op->run(call));
    return results;
}

} // namespace

Result<std::vector<RefTensor>> evaluate(graph::Node const &node, std::span<RefTensor const> inputs, std::span<RefOutput const> outputs,
                                        RefContext const &context)
{
    if (context.rounding == 0 || context.precision == Precision::Double) return evaluateToNearest(node, inputs, outputs, context);
    std::vector<RefOutput> wide(outputs.begin(), outputs.end());
    for (auto &output : wide)
        if (output.dtype == DType::F16) output.dtype = DType::F32;
    TW_ASSIGN(auto results, evaluateToNearest(node, inputs, wide, context));
    for (std::size_t o = 0; o < results.size(); ++o) {
        if (outputs[o].dtype != DType::F16) continue;
        results[o].dtype = DType::F16;
        auto const seed = roundingSeed(context.rounding, o);
        for (std::size_t i = 0; i < results[o].v.size(); ++i) results[o].v[i] = roundByChance(results[o].v[i], roundingBits(seed, i));
    }
    return results;
}

RefTensor fromBytes(DType dtype, Shape shape, std::byte const *data)
{
    RefTensor tensor{dtype, std::move(shape), {}};
    auto const n = static_cast<std::size_t>(elementCount(tensor.shape));
    tensor.v.resize(n);
    auto const element = [&](std::size_t i, auto sample) {
        std::memcpy(&sample, data + i * sizeof sample, sizeof sample);
        return sample;
    };
    for (std::size_t i = 0; i < n; ++i) {
        switch (dtype) {
        case DType::F32: tensor.v[i] = static_cast<double>(element(i, 0.0f)); break;
        case DType::F16: tensor.v[i] = halfFromBits(element(i, std::uint16_t{0})); break;
        case DType::I32: tensor.v[i] = element(i, std::int32_t{0}); break;
        case DType::U8: tensor.v[i] = element(i, std::uint8_t{0}); break;
        case DType::Bool: tensor.v[i] = element(i, std::uint8_t{0}) != 0; break;
        }
    }
    return tensor;
}

void toBytes(RefTensor const &tensor, std::byte *data)
{
    auto const put = [&](std::size_t i, auto value) { std::memcpy(data + i * sizeof value, &value, sizeof value); };
    for (std::size_t i = 0; i < tensor.v.size(); ++i) {
        double const x = tensor.v[i];
        switch (tensor.dtype) {
        case DType::F32: put(i, static_cast<float>(x)); break;
        case DType::F16: put(i, bitsOfHalf(x)); break;
        case DType::I32: put(i, static_cast<std::int32_t>(castTo(x, DType::I32, Precision::Float))); break;
        case DType::U8: put(i, static_cast<std::uint8_t>(castTo(x, DType::U8, Precision::Float))); break;
        case DType::Bool: put(i, static_cast<std::uint8_t>(x != 0)); break;
        }
    }
}

} // namespace tilewright::reference
