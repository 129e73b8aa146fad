#include "engine/reference/reference_ops.h"

#include <array>
#include <cmath>

namespace tilewright::reference {

namespace {

struct View {
    std::int64_t outer, reduced, kept, inner;
};

Result<View> viewOf(Call const &call)
{
    auto const v = call.attrs().integers("view");
    if (v.size() != 4 || v[0] * v[1] * v[2] * v[3] != static_cast<std::int64_t>(call.in[0].v.size()))
        return badOperands(call.node, Message::of("the view is not of the operand's size."));
    return View{v[0], v[1], v[2], v[3]};
}

/// Calls visit(element) for the elements of a group.
template <typename Visit> void forEachOf(View const &v, std::int64_t outer, std::int64_t kept, Visit const &visit)
{
    for (std::int64_t r = 0; r < v.reduced; ++r)
        for (std::int64_t j = 0; j < v.inner; ++j) visit(static_cast<std::size_t>(((outer * v.reduced + r) * v.kept + kept) * v.inner + j));
}

Status whiten(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 3));
    TW_ASSIGN(auto const v, viewOf(call));
    TW_TRY(expectElements(call, call.out[1], v.outer * v.kept));
    TW_TRY(expectElements(call, call.out[2], v.outer * v.kept));
    auto const &x = call.in[0].v;
    auto const n = static_cast<double>(v.reduced * v.inner);
    for (std::int64_t o = 0; o < v.outer; ++o)
        for (std::int64_t k = 0; k < v.kept; ++k) {
            double mean = 0, variance = 0;
            forEachOf(v, o, k, [&](std::size_t i) { mean += x[i] / n; });
            if (call.attrs().flag("one_pass")) {
                forEachOf(v, o, k, [&](std::size_t i) { variance += x[i] * x[i] / n; });
                variance -= mean * mean;
                if (variance < 0) variance = 0;
            } else {
                forEachOf(v, o, k, [&](std::size_t i) { variance += (x[i] - mean) * (x[i] - mean) / n; });
            }
            double const deviation = std::sqrt(variance + call.attrs().real("epsilon"));
            forEachOf(v, o, k, [&](std::size_t i) { call.out[0].v[i] = call.round((x[i] - mean) / deviation); });
            auto const group = static_cast<std::size_t>(o * v.kept + k);
            call.out[1].v[group] = call.round(mean, 1);
            call.out[2].v[group] = call.round(variance, 2);
        }
    return {};
}

Status whitenGrad(Call const &call)
{
    TW_TRY(expectCounts(call, 3, 1));
    TW_ASSIGN(auto const v, viewOf(call));
    TW_TRY(expectElements(call, call.in[1], v.outer * v.kept));
    TW_TRY(expectElements(call, call.in[2], static_cast<std::int64_t>(call.in[0].v.size())));
    auto const &whitened = call.in[0].v;
    auto const &d = call.in[2].v;
    auto const n = static_cast<double>(v.reduced * v.inner);
    for (std::int64_t o = 0; o < v.outer; ++o)
        for (std::int64_t k = 0; k < v.kept; ++k) {
            double mean = 0, along = 0;
            forEachOf(v, o, k, [&](std::size_t i) {
                mean += d[i] / n;
                along += d[i] * whitened[i] / n;
            });
            double const deviation = std::sqrt(call.in[1].v[static_cast<std::size_t>(o * v.kept + k)] + call.attrs().real("epsilon"));
            forEachOf(v, o, k, [&](std::size_t i) { call.out[0].v[i] = call.round((d[i] - mean - whitened[i] * along) / deviation); });
        }
    return {};
}

constexpr std::array kOps{RefOp{"norm.whiten", whiten}, RefOp{"norm.whiten_grad", whitenGrad}};

} // namespace

std::span<RefOp const> normOps() { return kOps; }

} // namespace tilewright::reference
