#pragma once

#include <cstdint>
#include <vector>

namespace tilewright::kernels {

struct RunContext;

/// Sum, maximum, minimum or product of x[outer, n, inner] over its middle axis, into out[outer, inner]. Fixed blocks are combined in pairs,
/// in a tree that depends on extents alone: rounding grows with the logarithm of n, and threads do not affect the bits. An empty sum is 0,
/// an empty product 1, an empty maximum the lowest value, an empty minimum the highest; a NaN propagates. `out` may not overlap x.
struct MiddleReduction {
    enum Kind { Sum, Max, Min, Product };
    Kind kind = Sum;
    std::int64_t outer = 1, n = 1, inner = 1;
};

/// T is float or std::int32_t. `scratch` grows as needed and may be reused between calls.
template <typename T> void reduceMiddle(RunContext &ctx, MiddleReduction const &r, T const *x, T *out, std::vector<T> &scratch);

/// Sum of n floats, in the same order for every caller.
float sumOf(float const *x, std::int64_t n);
/// Sum of x[i] y[i].
float dotOf(float const *x, float const *y, std::int64_t n);
/// Largest of n floats, NaN if there is one, -infinity if n is 0.
float maxOf(float const *x, std::int64_t n);

} // namespace tilewright::kernels
