#include "engine/reference/reference_ops.h"

#include <array>

namespace tilewright::reference {

namespace {

Status copy(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    TW_TRY(expectElements(call, call.out[0], static_cast<std::int64_t>(call.in[0].v.size())));
    call.out[0].v = call.in[0].v;
    return {};
}

Status cast(Call const &call)
{
    TW_TRY(copy(call));
    for (double &value : call.out[0].v) value = castTo(value, call.out[0].dtype, call.context.precision);
    return {};
}

Status constant(Call const &call)
{
    TW_TRY(expectCounts(call, 0, 1));
    auto &out = call.out[0];
    if (call.attrs().has("values")) {
        out.v = call.attrs().reals("values");
        TW_TRY(expectElements(call, out, elementCount(out.shape)));
    } else {
        for (double &value : out.v) value = call.attrs().real("value");
    }
    for (double &value : out.v) value = castTo(value, out.dtype, call.context.precision);
    return {};
}

Status zeros(Call const &call) { return expectCounts(call, 0, 1); }

/// Copies between a tensor and its part that starts at `start` of `axis`, element by element.
Status movePart(Call const &call, RefTensor const &whole, RefTensor const &part, std::int64_t start,
                std::vector<double> &to, bool intoWhole)
{
    auto const axis = call.attrs().integer("axis");
    if (axis < 0 || axis >= static_cast<std::int64_t>(whole.shape.size()) || part.shape.size() != whole.shape.size())
        return badOperands(call.node, "no such axis.");
    for (std::size_t k = 0; k < whole.shape.size(); ++k) {
        bool const along = static_cast<std::int64_t>(k) == axis;
        if (along ? start < 0 || start + part.shape[k] > whole.shape[k] : part.shape[k] != whole.shape[k])
            return badOperands(call.node, toText(part.shape) + " is no part of " + toText(whole.shape) + ".");
    }
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(part.v.size()); ++i) {
        std::int64_t rest = i, index = 0, stride = 1;
        for (std::size_t k = whole.shape.size(); k-- > 0;) {
            std::int64_t const position = rest % part.shape[k] + (static_cast<std::int64_t>(k) == axis ? start : 0);
            rest /= part.shape[k];
            index += position * stride;
            stride *= whole.shape[k];
        }
        if (intoWhole) to[static_cast<std::size_t>(index)] = part.v[static_cast<std::size_t>(i)];
        else to[static_cast<std::size_t>(i)] = whole.v[static_cast<std::size_t>(index)];
    }
    return {};
}

Status concat(Call const &call)
{
    if (call.in.empty() || call.out.size() != 1) return badOperands(call.node, "needs operands and one result.");
    auto &out = call.out[0];
    auto const axis = call.attrs().integer("axis");
    std::int64_t start = 0;
    for (auto const &part : call.in) {
        TW_TRY(movePart(call, out, part, start, out.v, true));
        start += part.shape[static_cast<std::size_t>(axis)];
    }
    if (start != out.shape[static_cast<std::size_t>(axis)]) return badOperands(call.node, "operands do not fill the result.");
    return {};
}

Status slice(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto &out = call.out[0];
    auto const axis = call.attrs().integer("axis");
    if (axis >= 0 && axis < static_cast<std::int64_t>(out.shape.size())
        && out.shape[static_cast<std::size_t>(axis)] != call.attrs().integer("size"))
        return badOperands(call.node, "the result is not of the slice's size.");
    return movePart(call, call.in[0], out, call.attrs().integer("start"), out.v, false);
}

Status split(Call const &call)
{
    if (call.in.size() != 1 || call.out.empty()) return badOperands(call.node, "cuts one tensor.");
    std::int64_t start = 0;
    for (auto &part : call.out) {
        TW_TRY(movePart(call, call.in[0], part, start, part.v, false));
        start += part.shape[static_cast<std::size_t>(call.attrs().integer("axis"))];
    }
    return {};
}

constexpr std::array kOps{
    RefOp{"reshape", copy}, RefOp{"copy", copy},     RefOp{"cast", cast},   RefOp{"constant", constant},
    RefOp{"zeros", zeros},  RefOp{"concat", concat}, RefOp{"slice", slice},
    RefOp{"split", split},
};

} // namespace

std::span<RefOp const> layoutOps() { return kOps; }

} // namespace tilewright::reference
