// Products of which one operand holds zeros: microseconds of the library's product and of the one that leaves zeros out
// (kernels/sparse_gemm), by shape, operand and share of elements that are not 0. Usage: bench_sparse [THREADS] [narrow], default 1; narrow:
// the vectors of the build alone. Minima over rounds: on a shared machine the rest is other people's work.

#include "engine/kernels/sparse_gemm.h"
#include "engine/kernels/wide_vectors.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <random>
#include <string_view>
#include <vector>

using namespace tilewright;
using namespace tilewright::kernels;

namespace {

struct Case {
    char const *label;
    std::int64_t m, n, k;
    bool ta, tb;
    SparseSide side;
};

template <typename Body> double best(Body const &body)
{
    double least = 1e30;
    for (int i = 0; i < 300; ++i) {
        auto const start = std::chrono::steady_clock::now();
        body();
        least = std::min(least, std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    return least;
}

} // namespace

int main(int argc, char **argv)
{
    ThreadPool pool(argc > 1 ? std::max(1, std::atoi(argv[1])) : 1);
    std::optional<NarrowVectors> narrow;
    if (argc > 2 && std::string_view(argv[2]) == "narrow") narrow.emplace();
    std::mt19937 random(5);
    std::uniform_real_distribution<float> spread(-1, 1), unit(0, 1);
    auto const matrix = [&](std::int64_t elements, double filled) {
        std::vector<float> v(static_cast<std::size_t>(elements));
        for (float &x : v) x = unit(random) < static_cast<float>(filled) ? spread(random) : 0.0F;
        return v;
    };
    std::printf("GEMM by %s, %s vectors, %d thread(s), us\n%-34s %8s %8s %8s\n", gemmLibrary().data(), wideVectors() ? "wide" : "narrow",
                pool.threads(), "product", "filled", "library", "skipping");
    for (auto const &c : {Case{"forward 32x784 784x256, A", 32, 256, 784, false, false, SparseSide::A},
                          {"weights (32x784)' 32x256, A", 784, 256, 32, true, false, SparseSide::A},
                          {"weights (32x784)' 32x256, B", 784, 256, 32, true, false, SparseSide::B},
                          {"forward 32x256 256x128, A", 32, 128, 256, false, false, SparseSide::A},
                          {"weights (32x256)' 32x128, A", 256, 128, 32, true, false, SparseSide::A},
                          {"inputs 32x128 (256x128)', A", 32, 256, 128, false, true, SparseSide::A},
                          {"forward 256x1024 1024x1024, A", 256, 1024, 1024, false, false, SparseSide::A},
                          {"forward 256x784 784x128, A", 256, 128, 784, false, false, SparseSide::A},
                          {"weights (256x1024)' 256x1024, A", 1024, 1024, 256, true, false, SparseSide::A}}) {
        for (double filled : {0.0, 0.05, 0.2, 0.35, 0.5, 0.65}) {
            auto const a = matrix(c.m * c.k, c.side == SparseSide::A ? filled : 1),
                       b = matrix(c.k * c.n, c.side == SparseSide::B ? filled : 1);
            std::vector<float> out(static_cast<std::size_t>(c.m * c.n));
            Gemm const g{c.ta, c.tb, c.m, c.n, c.k, a.data(), c.ta ? c.m : c.k, b.data(), c.tb ? c.k : c.n, out.data(), c.n};
            std::printf("%-34s %8.2f %8.1f %8.1f\n", c.label, filled, best([&] { runGemm(pool, g); }),
                        best([&] { multiplySkipping(pool, g, c.side, wideVectors()); }));
        }
    }
    return 0;
}
