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

/// Copies between a tensor and its part that starts at `start`, element by element.
Status movePart(Call const &call, RefTensor const &whole, RefTensor const &part, std::vector<std::int64_t> const &start,
                std::vector<double> &to, bool intoWhole)
{
    if (part.shape.size() != whole.shape.size() || start.size() != whole.shape.size())
        return badOperands(call.node, Message::of("the ranks differ."));
    for (std::size_t k = 0; k < whole.shape.size(); ++k)
        if (start[k] < 0 || part.shape[k] < 1 || start[k] + part.shape[k] > whole.shape[k])
            return badOperands(call.node, Message::of("%1 is no part of %2.", toText(part.shape), toText(whole.shape)));
    for (std::int64_t i = 0; i < static_cast<std::int64_t>(part.v.size()); ++i) {
        std::int64_t rest = i, index = 0, stride = 1;
        for (std::size_t k = whole.shape.size(); k-- > 0;) {
            std::int64_t const position = rest % part.shape[k] + start[k];
            rest /= part.shape[k];
            index += position * stride;
            stride *= whole.shape[k];
        }
        if (intoWhole) to[static_cast<std::size_t>(index)] = part.v[static_cast<std::size_t>(i)];
        else to[static_cast<std::size_t>(i)] = whole.v[static_cast<std::size_t>(index)];
    }
    return {};
}

/// `at` along attribute axis, 0 along the others.
Result<std::vector<std::int64_t>> alongAxis(Call const &call, Shape const &shape, std::int64_t at)
{
    auto const axis = call.attrs().integer("axis");
    if (axis < 0 || axis >= static_cast<std::int64_t>(shape.size())) return badOperands(call.node, Message::of("no such axis."));
    std::vector<std::int64_t> start(shape.size(), 0);
    start[static_cast<std::size_t>(axis)] = at;
    return start;
}

Status concat(Call const &call)
{
    if (call.in.empty() || call.out.size() != 1) return badOperands(call.node, Message::of("needs operands and one result."));
    auto &out = call.out[0];
    auto const axis = call.attrs().integer("axis");
    std::int64_t start = 0;
    for (auto const &part : call.in) {
        TW_ASSIGN(auto const at, alongAxis(call, out.shape, start));
        for (std::size_t k = 0; k < out.shape.size() && k < part.shape.size(); ++k)
            if (static_cast<std::int64_t>(k) != axis && part.shape[k] != out.shape[k])
                return badOperands(call.node, Message::of("shapes differ."));
        TW_TRY(movePart(call, out, part, at, out.v, true));
        start += part.shape[static_cast<std::size_t>(axis)];
    }
    if (start != out.shape[static_cast<std::size_t>(axis)]) return badOperands(call.node, Message::of("operands do not fill the result."));
    return {};
}

Status slice(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto &out = call.out[0];
    auto const &whole = call.in[0];
    auto start = call.attrs().integers("starts"), size = call.attrs().integers("sizes");
    if (!call.attrs().has("starts")) {
        TW_ASSIGN(start, alongAxis(call, whole.shape, call.attrs().integer("start")));
        size = whole.shape;
        size[static_cast<std::size_t>(call.attrs().integer("axis"))] = call.attrs().integer("size");
    }
    if (out.shape != size) return badOperands(call.node, Message::of("the result is not of the slice's size."));
    return movePart(call, whole, out, start, out.v, false);
}

Status pad(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto &out = call.out[0];
    auto const after = call.attrs().integers("after"), before = call.attrs().integers("before");
    for (std::size_t k = 0; k < out.shape.size(); ++k)
        if (k >= before.size() || k >= after.size() || k >= call.in[0].shape.size()
            || before[k] + call.in[0].shape[k] + after[k] != out.shape[k])
            return badOperands(call.node, Message::of("the result is not the padded operand."));
    return movePart(call, out, call.in[0], before, out.v, true);
}

Status transpose(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto const perm = call.attrs().integers("perm");
    auto const &in = call.in[0];
    auto &out = call.out[0];
    std::size_t const rank = in.shape.size();
    if (perm.size() != rank || out.shape.size() != rank) return badOperands(call.node, Message::of("perm is of another rank."));
    for (std::size_t k = 0; k < rank; ++k)
        if (perm[k] < 0 || perm[k] >= static_cast<std::int64_t>(rank) || out.shape[k] != in.shape[static_cast<std::size_t>(perm[k])])
            return badOperands(call.node, Message::of("the result is not the permuted operand."));
    TW_TRY(expectElements(call, out, static_cast<std::int64_t>(in.v.size())));
    for (std::size_t i = 0; i < out.v.size(); ++i) {
        std::vector<std::int64_t> index(rank); // of the operand
        auto rest = static_cast<std::int64_t>(i);
        for (std::size_t k = rank; k-- > 0;) {
            index[static_cast<std::size_t>(perm[k])] = rest % out.shape[k];
            rest /= out.shape[k];
        }
        std::int64_t from = 0;
        for (std::size_t k = 0; k < rank; ++k) from = from * in.shape[k] + index[k];
        out.v[i] = in.v[static_cast<std::size_t>(from)];
    }
    return {};
}

Status split(Call const &call)
{
    if (call.in.size() != 1 || call.out.empty()) return badOperands(call.node, Message::of("takes one tensor."));
    std::int64_t start = 0;
    for (auto &part : call.out) {
        TW_ASSIGN(auto const at, alongAxis(call, call.in[0].shape, start));
        TW_TRY(movePart(call, call.in[0], part, at, part.v, false));
        start += part.shape[static_cast<std::size_t>(call.attrs().integer("axis"))];
    }
    return {};
}

constexpr std::array kOps{
    RefOp{"reshape", copy},  RefOp{"copy", copy},   RefOp{"cast", cast}, RefOp{"constant", constant},   RefOp{"zeros", zeros},
    RefOp{"concat", concat}, RefOp{"slice", slice}, RefOp{"pad", pad},   RefOp{"transpose", transpose}, RefOp{"split", split},
};

} // namespace

std::span<RefOp const> layoutOps() { return kOps; }

} // namespace tilewright::reference
