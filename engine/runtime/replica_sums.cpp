#include "engine/runtime/replica_sums.h"

#include "engine/kernels/half_storage.h"
#include "engine/kernels/rounding.h"

#include <algorithm>

namespace tilewright::runtime {

using kernels::HostTensor;

namespace {

void sumFloats(std::vector<HostTensor> const &copies, std::int64_t n)
{
    float *sum = copies[0].f32();
    for (std::size_t r = 1; r < copies.size(); ++r) {
        float const *x = copies[r].f32();
        for (std::int64_t i = 0; i < n; ++i) sum[i] += x[i];
    }
}

void sumHalves(std::vector<HostTensor> const &copies, std::int64_t n)
{
    constexpr std::int64_t kBlock = 1024;
    float sum[kBlock], x[kBlock];
    for (std::int64_t at = 0; at < n; at += kBlock) {
        std::int64_t const count = std::min(kBlock, n - at);
        kernels::widen(copies[0].f16() + at, count, sum);
        for (std::size_t r = 1; r < copies.size(); ++r) {
            kernels::widen(copies[r].f16() + at, count, x);
            for (std::int64_t i = 0; i < count; ++i) sum[i] += x[i];
        }
        kernels::narrow(sum, count, copies[0].f16() + at);
    }
}

} // namespace

void sumReplicas(std::vector<HostTensor> const &copies)
{
    auto const n = copies[0].elements();
    if (copies[0].dtype == DType::F16) sumHalves(copies, n);
    else sumFloats(copies, n);
}

} // namespace tilewright::runtime
