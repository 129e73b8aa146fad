#include "engine/kernels/gemm.h"

// Threads come from the engine, not from the library: see GemmCut.
#define EIGEN_DONT_PARALLELIZE
#include <Eigen/Core>

namespace tilewright::kernels {

namespace {

using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Stride = Eigen::OuterStride<>;
using Input = Eigen::Map<Matrix const, 0, Stride>;
using Output = Eigen::Map<Matrix, 0, Stride>;

template <typename A, typename B> void multiply(Output &c, A const &a, B const &b, float alpha, float beta)
{
    if (beta == 0) {
        c.noalias() = alpha * (a * b);
    } else {
        c *= beta;
        c.noalias() += alpha * (a * b);
    }
}

} // namespace

void gemmEigen(Gemm const &g)
{
    if (g.m == 0 || g.n == 0) return;
    Output c(g.c, g.m, g.n, Stride(g.ldc));
    if (g.k == 0) {
        if (g.beta == 0) c.setZero();
        else c *= g.beta;
        return;
    }
    Input const a(g.a, g.ta ? g.k : g.m, g.ta ? g.m : g.k, Stride(g.lda));
    Input const b(g.b, g.tb ? g.n : g.k, g.tb ? g.k : g.n, Stride(g.ldb));
    if (g.ta && g.tb) multiply(c, a.transpose(), b.transpose(), g.alpha, g.beta);
    else if (g.ta) multiply(c, a.transpose(), b, g.alpha, g.beta);
    else if (g.tb) multiply(c, a, b.transpose(), g.alpha, g.beta);
    else multiply(c, a, b, g.alpha, g.beta);
}

#if !defined(TILEWRIGHT_HAVE_DNNL)
void gemm(Gemm const &g) { gemmEigen(g); }
std::string_view gemmLibrary() { return "Eigen"; }
#endif

} // namespace tilewright::kernels
