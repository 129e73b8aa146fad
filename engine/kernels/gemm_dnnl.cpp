#include "engine/kernels/gemm.h"

#include "engine/core/result.h"

#include <dnnl.h>
#include <omp.h>

#include <algorithm>
#include <new>

namespace tilewright::kernels {

void stayOnThisThread()
{
    thread_local bool const once = [] {
        omp_set_num_threads(1);
        return true;
    }();
    static_cast<void>(once);
}

void gemm(Gemm const &g)
{
    if (g.m == 0 || g.n == 0) return;
    if (g.k == 0) return gemmEigen(g);
    stayOnThisThread();
    // Strides below the row length occur only with one-row operands, where they have no effect.
    auto const lda = std::max(g.lda, g.ta ? g.m : g.k);
    auto const ldb = std::max(g.ldb, g.tb ? g.k : g.n);
    auto const ldc = std::max(g.ldc, g.n);
    auto const status = dnnl_sgemm(g.ta ? 'T' : 'N', g.tb ? 'T' : 'N', g.m, g.n, g.k, g.alpha, g.a, lda, g.b, ldb, g.beta, g.c, ldc);
    if (status == dnnl_out_of_memory) throw std::bad_alloc();
    TW_CHECK(status == dnnl_success, "dnnl_sgemm refused its arguments");
}

std::string_view gemmLibrary() { return "oneDNN"; }

} // namespace tilewright::kernels
