#include "engine/reference/reference_ops.h"

#include <array>
#include <cmath>

// By the index of every element, axis by axis: nothing here knows rows or columns.

namespace tilewright::reference {

namespace {

Result<std::size_t> axisOf(Call const &call, Shape const &shape)
{
    auto const rank = static_cast<std::int64_t>(shape.size()), axis = call.attrs().integer("axis", -1);
    if (axis < -rank || axis >= rank) return badOperands(call.node, Message::of("no such axis."));
    return static_cast<std::size_t>((axis + rank) % rank);
}

std::vector<std::int64_t> indexOf(std::int64_t element, Shape const &shape)
{
    std::vector<std::int64_t> index(shape.size());
    for (std::size_t k = shape.size(); k-- > 0;) {
        index[k] = element % shape[k];
        element /= shape[k];
    }
    return index;
}

std::size_t elementAt(std::vector<std::int64_t> const &index, Shape const &shape)
{
    std::int64_t element = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) element = element * shape[k] + index[k];
    return static_cast<std::size_t>(element);
}

Status extreme(Call const &call, double sign)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto const &x = call.in[0];
    if (x.shape.empty()) return expectElements(call, call.out[0], 1);
    TW_ASSIGN(auto const axis, axisOf(call, x.shape));
    for (std::size_t i = 0; i < call.out[0].v.size(); ++i) {
        auto index = indexOf(static_cast<std::int64_t>(i), call.out[0].shape);
        index.insert(index.begin() + static_cast<std::ptrdiff_t>(axis), 0);
        double best = 0, held = 0;
        for (std::int64_t k = 0; k < x.shape[axis]; ++k) {
            index[axis] = k;
            double const value = sign * x.v[elementAt(index, x.shape)];
            if (k > 0 && !(value > held || (std::isnan(value) && !std::isnan(held)))) continue;
            held = value;
            best = static_cast<double>(k);
        }
        call.out[0].v[i] = best;
    }
    return {};
}

Status argmax(Call const &call) { return extreme(call, 1); }
Status argmin(Call const &call) { return extreme(call, -1); }

Status cumulative(Call const &call, bool product)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto const &x = call.in[0];
    TW_ASSIGN(auto const axis, axisOf(call, x.shape));
    TW_TRY(expectElements(call, call.out[0], static_cast<std::int64_t>(x.v.size())));
    bool const exclusive = call.attrs().flag("exclusive"), reverse = call.attrs().flag("reverse");
    for (std::size_t i = 0; i < x.v.size(); ++i) {
        auto index = indexOf(static_cast<std::int64_t>(i), x.shape);
        std::int64_t const own = index[axis], last = x.shape[axis] - 1;
        double value = product ? 1 : 0;
        for (std::int64_t k = 0; k <= last; ++k) {
            bool const counts = reverse ? k > own : k < own;
            if (!counts && (exclusive || k != own)) continue;
            index[axis] = k;
            double const factor = x.v[elementAt(index, x.shape)];
            value = product ? value * factor : value + factor;
        }
        call.out[0].v[i] = call.round(value);
    }
    return {};
}

Status cumsum(Call const &call) { return cumulative(call, false); }
Status cumprod(Call const &call) { return cumulative(call, true); }

Status oneHot(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto const depth = call.attrs().integer("depth");
    TW_TRY(expectElements(call, call.out[0], static_cast<std::int64_t>(call.in[0].v.size()) * depth));
    for (std::size_t i = 0; i < call.out[0].v.size(); ++i) {
        auto const place = static_cast<std::int64_t>(i) % depth;
        call.out[0].v[i] = call.in[0].v[i / static_cast<std::size_t>(depth)] == static_cast<double>(place) ? 1.0 : 0.0;
    }
    return {};
}

/// Each element of the part with its place in the whole.
template <typename Visit>
Status forEachOfPart(Call const &call, Shape const &whole, Shape const &part, RefTensor const &start, Visit const &visit)
{
    TW_TRY(expectElements(call, start, 1));
    TW_ASSIGN(auto const axis, axisOf(call, whole));
    if (part.size() != whole.size() || part[axis] > whole[axis])
        return badOperands(call.node, Message::of("the part is larger than the whole."));
    double const latest = static_cast<double>(whole[axis] - part[axis]);
    auto const begin = static_cast<std::int64_t>(std::fmin(std::fmax(start.v[0], 0), latest));
    for (std::int64_t i = 0; i < elementCount(part); ++i) {
        auto index = indexOf(i, part);
        index[axis] += begin;
        visit(static_cast<std::size_t>(i), elementAt(index, whole));
    }
    return {};
}

Status dynamicSlice(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    return forEachOfPart(call, call.in[0].shape, call.out[0].shape, call.in[1],
                         [&](std::size_t part, std::size_t whole) { call.out[0].v[part] = call.in[0].v[whole]; });
}

Status dynamicUpdate(Call const &call)
{
    TW_TRY(expectCounts(call, 3, 1));
    call.out[0].v = call.in[0].v;
    return forEachOfPart(call, call.in[0].shape, call.in[1].shape, call.in[2],
                         [&](std::size_t part, std::size_t whole) { call.out[0].v[whole] = call.in[1].v[part]; });
}

constexpr std::array kOps{RefOp{"argmax", argmax},
                          RefOp{"argmin", argmin},
                          RefOp{"cumsum", cumsum},
                          RefOp{"cumprod", cumprod},
                          RefOp{"one_hot", oneHot},
                          RefOp{"dynamic_slice", dynamicSlice},
                          RefOp{"dynamic_update", dynamicUpdate}};

} // namespace

std::span<RefOp const> axisOps() { return kOps; }

} // namespace tilewright::reference
