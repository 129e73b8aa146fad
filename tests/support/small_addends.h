#pragma once

#include "engine/graph/conv.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

// A sum in which float16 partial sums lose nearly everything, for all operations that add many inputs: 1,039 times 5/128 onto 2,048, where
// a half
// has steps of 2 and an accumulation adds up to 0.625.
namespace tilewright::tests {

inline constexpr std::int64_t kManyInputs = 1040;

/// The first operand, in row-major order; the second, where there is one, is all ones.
inline std::vector<double> smallAddends()
{
    std::vector<double> v(kManyInputs, 5.0 / 128);
    v[0] = 2048;
    return v;
}
inline constexpr double kSmallAddendsSum = 2048 + 1039 * 5.0 / 128; ///< exactly

struct SumOfMany {
    std::string op;
    Shape first, second, result; ///< second empty: none
    graph::Attrs attrs;
};

inline std::vector<SumOfMany> const &sumsOfMany()
{
    static std::vector<SumOfMany> const all = [] {
        constexpr std::int64_t n = kManyInputs;
        graph::ConvAttrs conv;
        conv.strides = conv.dilations = {1};
        conv.before = conv.after = {0};
        auto const attrs = graph::toAttrs(conv);
        auto toInput = attrs, toKernel = attrs;
        toInput.set("input", std::vector<std::int64_t>{1});
        toKernel.set("kernel", std::vector<std::int64_t>{1});
        return std::vector<SumOfMany>{{"matmul", {1, n}, {n, 1}, {1, 1}, {}},
                                      {"batch_matmul", {1, 1, n}, {1, n, 1}, {1, 1, 1}, {}},
                                      {"reduce_sum", {1, n}, {}, {}, {}},
                                      {"conv", {1, 1, n}, {1, n, 1}, {1, 1, 1}, attrs},
                                      {"conv_input_grad", {1, 1, n}, {1, 1, n}, {1, 1, 1}, toInput},
                                      {"conv_weight_grad", {1, n, 1}, {1, n, 1}, {1, 1, 1}, toKernel}};
    }();
    return all;
}

/// Requires: `op` is among them.
inline SumOfMany const &sumOfMany(std::string_view op) { return *std::ranges::find(sumsOfMany(), op, &SumOfMany::op); }

} // namespace tilewright::tests
