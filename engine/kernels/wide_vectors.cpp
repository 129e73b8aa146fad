#include "engine/kernels/wide_vectors.h"

#include <atomic>

namespace tilewright::kernels {

namespace {
std::atomic<int> narrowed{0};
}

bool wideVectors()
{
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
    static bool const has = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq")
        && __builtin_cpu_supports("avx512bw");
    return has && narrowed == 0;
#else
    return false;
#endif
}

NarrowVectors::NarrowVectors() { ++narrowed; }
NarrowVectors::~NarrowVectors() { --narrowed; }

} // namespace tilewright::kernels
