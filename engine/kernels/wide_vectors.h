#pragma once

/// Loops over elements are compiled twice: for the vectors of the build (TILEWRIGHT_ARCH), and for 512 bits where a processor
/// has them. What is computed element by element has the same bits in both, so that the choice may be made at run time;
/// sums over elements do not, and stay with the build's.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
/// Of a function that is called where wideVectors() holds. What it calls must be inlined (gnu::flatten).
#define TW_WIDE_VECTORS gnu::target("avx512f,avx512vl,avx512dq,avx512bw,prefer-vector-width=512"), gnu::flatten
#else
#define TW_WIDE_VECTORS gnu::flatten
#endif

namespace tilewright::kernels {

/// Whether this processor has them, and no NarrowVectors lives.
bool wideVectors();

/// While one lives, kernels that are bound take the vectors of the build: what tests compare with.
class NarrowVectors {
public:
    NarrowVectors();
    ~NarrowVectors();
    NarrowVectors(NarrowVectors const &) = delete;
    NarrowVectors &operator=(NarrowVectors const &) = delete;
};

} // namespace tilewright::kernels
