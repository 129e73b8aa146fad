#include "engine/reference/reference_ops.h"

#include <array>
#include <cmath>

namespace tilewright::reference {

namespace {

/// Positions of a tensor [samples, spatial…, channels] one after the other, as subscripts.
bool next(std::vector<std::int64_t> &at, std::vector<std::int64_t> const &extents)
{
    for (std::size_t k = extents.size(); k-- > 0;) {
        if (++at[k] < extents[k]) return true;
        at[k] = 0;
    }
    return false;
}

std::size_t indexOf(Shape const &shape, std::vector<std::int64_t> const &at)
{
    std::int64_t index = 0;
    for (std::size_t k = 0; k < shape.size(); ++k) index = index * shape[k] + at[k];
    return static_cast<std::size_t>(index);
}

/// Calls visit(index of the output, indices of its inputs in their order) for every output.
template <typename Visit> Status forEachWindow(Call const &call, Shape const &input, Shape const &output, Visit const &visit)
{
    auto const window = call.attrs().integers("window"), stride = call.attrs().integers("stride"), before = call.attrs().integers("before");
    std::size_t const n = window.size();
    if (input.size() != n + 2 || output.size() != n + 2 || stride.size() != n || before.size() != n)
        return badOperands(call.node, Message::of("windows of another rank than the operands."));
    std::vector<std::int64_t> o(output.size(), 0);
    if (elementCount(output) == 0) return {};
    do {
        std::vector<std::size_t> inside;
        std::vector<std::int64_t> k(n, 0);
        do {
            std::vector<std::int64_t> i = o;
            bool in = true;
            for (std::size_t a = 0; a < n; ++a) {
                i[a + 1] = o[a + 1] * stride[a] - before[a] + k[a];
                in = in && i[a + 1] >= 0 && i[a + 1] < input[a + 1];
            }
            if (in) inside.push_back(indexOf(input, i));
        } while (next(k, window));
        if (inside.empty()) return badOperands(call.node, Message::of("a window of nothing but padding."));
        visit(indexOf(output, o), inside);
    } while (next(o, output));
    return {};
}

std::size_t largest(std::vector<double> const &x, std::vector<std::size_t> const &inside)
{
    std::size_t best = inside[0];
    for (auto i : inside)
        if (x[i] > x[best] || std::isnan(x[i])) best = i;
    return best;
}

Status poolMax(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    return forEachWindow(call, call.in[0].shape, call.out[0].shape, [&](std::size_t o, std::vector<std::size_t> const &inside) {
        call.out[0].v[o] = call.in[0].v[largest(call.in[0].v, inside)];
    });
}

Status poolAverage(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    return forEachWindow(call, call.in[0].shape, call.out[0].shape, [&](std::size_t o, std::vector<std::size_t> const &inside) {
        double sum = 0;
        for (auto i : inside) sum += call.in[0].v[i];
        call.out[0].v[o] = call.round(sum / static_cast<double>(inside.size()));
    });
}

Status poolMaxGrad(Call const &call)
{
    TW_TRY(expectCounts(call, 2, 1));
    auto &dx = call.out[0];
    TW_TRY(forEachWindow(call, call.in[0].shape, call.in[1].shape, [&](std::size_t o, std::vector<std::size_t> const &inside) {
        dx.v[largest(call.in[0].v, inside)] += call.in[1].v[o];
    }));
    for (double &value : dx.v) value = call.round(value);
    return {};
}

Status poolAverageGrad(Call const &call)
{
    TW_TRY(expectCounts(call, 1, 1));
    auto &dx = call.out[0];
    TW_TRY(forEachWindow(call, dx.shape, call.in[0].shape, [&](std::size_t o, std::vector<std::size_t> const &inside) {
        for (auto i : inside) dx.v[i] += call.in[0].v[o] / static_cast<double>(inside.size());
    }));
    for (double &value : dx.v) value = call.round(value);
    return {};
}

constexpr std::array kOps{RefOp{"pool.max", poolMax}, RefOp{"pool.average", poolAverage}, RefOp{"pool.max_grad", poolMaxGrad},
                          RefOp{"pool.average_grad", poolAverageGrad}};

} // namespace

std::span<RefOp const> poolingOps() { return kOps; }

} // namespace tilewright::reference
