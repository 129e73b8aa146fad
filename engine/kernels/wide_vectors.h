#pragma once

/// Loops over elements are compiled twice: for the vectors of the build (TILEWRIGHT_ARCH), and for 512 bits. The choice is made at run
/// time. Elementwise results have the same bits in both; sums over elements do not, and always use the vectors of the build.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
/// Attribute of a function that is called if wideVectors() holds. Its callees must be inlined (gnu::flatten).
#define TW_WIDE_VECTORS gnu::target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512"), gnu::flatten
#else
#define TW_WIDE_VECTORS gnu::flatten
#endif

namespace tilewright::kernels {

/// Whether this processor has 512-bit vectors and no NarrowVectors object lives.
bool wideVectors();

/// While an object lives, newly bound kernels use the vectors of the build, as a reference for tests.
class NarrowVectors {
public:
    NarrowVectors();
    ~NarrowVectors();
    NarrowVectors(NarrowVectors const &) = delete;
    NarrowVectors &operator=(NarrowVectors const &) = delete;
};

} // namespace tilewright::kernels
