#include "engine/kernels/gemm.h"
#include "tests/support/test_registry.h"

#include <QDir>
#include <QtTest>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

using namespace tilewright;
using namespace tilewright::kernels;

namespace {

struct Problem {
    std::vector<float> a, b, c;
    Gemm g;
};

/// Extents m, n, k with some padding between rows.
Problem problem(std::int64_t m, std::int64_t n, std::int64_t k, bool ta, bool tb, std::int64_t padding, float alpha, float beta)
{
    std::mt19937 random(static_cast<std::uint32_t>(m * 1000003 + n * 1009 + k));
    std::uniform_real_distribution<float> spread(-1, 1);
    Problem p;
    p.g = {ta, tb, m, n, k, nullptr, (ta ? m : k) + padding, nullptr, (tb ? k : n) + padding, nullptr, n + padding, alpha, beta};
    p.a.resize(static_cast<std::size_t>((ta ? k : m) * p.g.lda));
    p.b.resize(static_cast<std::size_t>((tb ? n : k) * p.g.ldb));
    p.c.resize(static_cast<std::size_t>(m * p.g.ldc));
    for (auto *v : {&p.a, &p.b, &p.c})
        for (float &x : *v) x = spread(random);
    return p;
}

/// C after one way of computing it, gaps between rows included.
template <typename Multiply> std::vector<float> product(Problem const &p, Multiply multiply)
{
    auto c = p.c;
    Gemm g = p.g;
    g.a = p.a.data();
    g.b = p.b.data();
    g.c = c.data();
    multiply(g);
    return c;
}

double largestDifference(std::vector<float> const &x, std::vector<float> const &y)
{
    double largest = x.size() == y.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(x.size(), y.size()); ++i)
        largest = std::max(largest, std::isfinite(x[i]) == std::isfinite(y[i]) ? std::abs(double(x[i]) - double(y[i])) : 1e9);
    return largest;
}

int threadsOfThisProcess() { return static_cast<int>(QDir("/proc/self/task").entryList(QDir::Dirs | QDir::NoDotAndDotDot).size()); }

} // namespace

class TstGemm : public QObject {
    Q_OBJECT
private slots:
    void everyImplementationAgrees()
    {
        struct Extents {
            std::int64_t m, n, k;
        };
        for (auto const [m, n, k] :
             {Extents{1, 1, 1}, {1, 17, 3}, {17, 1, 5}, {7, 9, 1}, {32, 10, 128}, {33, 65, 129}, {64, 48, 200}, {5, 3, 0}}) {
            for (bool ta : {false, true}) {
                for (bool tb : {false, true}) {
                    for (float beta : {0.0f, 1.0f, -0.5f}) {
                        for (std::int64_t padding : {0, 5}) {
                            auto const p = problem(m, n, k, ta, tb, padding, beta == 1.0f ? 1.0f : 0.75f, beta);
                            auto const want = product(p, gemmNaive);
                            double const limit = 1e-6 * static_cast<double>(k + 4);
                            QVERIFY(largestDifference(product(p, gemm), want) <= limit);
                            QVERIFY(largestDifference(product(p, gemmEigen), want) <= limit);
                        }
                    }
                }
            }
        }
    }
    void aMatrixIsTransposed()
    {
        for (auto const &[rows, cols] :
             {std::pair<std::int64_t, std::int64_t>{1, 1}, {1, 40}, {40, 1}, {16, 16}, {17, 33}, {128, 512}, {0, 5}}) {
            std::vector<float> from(static_cast<std::size_t>(rows * cols)), to(from.size(), -1.0F);
            for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i);
            transposeMatrix(from.data(), rows, cols, to.data());
            for (std::int64_t r = 0; r < rows; ++r)
                for (std::int64_t c = 0; c < cols; ++c)
                    QCOMPARE(to[static_cast<std::size_t>(c * rows + r)], from[static_cast<std::size_t>(r * cols + c)]);
        }
    }
    void betaZeroIgnoresTheOldResult()
    {
        auto p = problem(20, 30, 40, false, false, 0, 1, 0);
        for (float &x : p.c) x = std::numeric_limits<float>::quiet_NaN();
        for (auto multiply : {gemm, gemmEigen, gemmNaive})
            for (float x : product(p, multiply)) QVERIFY(std::isfinite(x));
    }
    void nanOfAnOperandIsPropagated()
    {
        auto p = problem(4, 6, 8, false, false, 0, 1, 0);
        p.a[0] = std::numeric_limits<float>::quiet_NaN();
        auto const c = product(p, gemm);
        for (int j = 0; j < 6; ++j) QVERIFY(std::isnan(c[static_cast<std::size_t>(j)]));
        QVERIFY(std::isfinite(c[6]));
    }
    void piecesCoverTheProductOnce()
    {
        for (std::int64_t m : {1, 15, 16, 33, 784, 2000}) {
            for (std::int64_t n : {1, 63, 128, 257, 1500}) {
                for (std::int64_t k : {1, 32, 900}) {
                    std::vector<int> hits(static_cast<std::size_t>(m * n), 0);
                    Gemm whole;
                    whole.m = m;
                    whole.n = n;
                    whole.k = k;
                    whole.ldc = n;
                    whole.tb = k == 32;
                    auto const cut = cutGemm(whole);
                    std::vector<float> storage(static_cast<std::size_t>(m * n) + static_cast<std::size_t>(std::max(m, n) * k));
                    whole.c = storage.data();
                    whole.a = whole.b = storage.data();
                    for (std::int64_t i = 0; i < cut.rowPieces * cut.colPieces; ++i) {
                        auto const piece = gemmPiece(whole, cut, i);
                        QVERIFY(piece.m > 0 && piece.n > 0 && piece.k == k);
                        for (std::int64_t r = 0; r < piece.m; ++r)
                            for (std::int64_t c = 0; c < piece.n; ++c) ++hits[static_cast<std::size_t>(piece.c - whole.c + r * n + c)];
                    }
                    for (int hit : hits) QCOMPARE(hit, 1);
                }
            }
        }
    }
    /// In such a way that little is packed more than once.
    void anOperandIsCutWhereItPacksLess()
    {
        auto const cutOf = [](std::int64_t m, std::int64_t n, std::int64_t k, bool ta, bool tb) {
            Gemm g;
            g.m = m;
            g.n = n;
            g.k = k;
            g.ta = ta;
            g.tb = tb;
            auto const cut = cutGemm(g);
            return std::pair(cut.rowPieces, cut.colPieces);
        };
        using Pieces = std::pair<std::int64_t, std::int64_t>;
        QCOMPARE(cutOf(784, 256, 32, true, false), (Pieces{4, 1}));
        QCOMPARE(cutOf(32, 10, 128, false, false), (Pieces{1, 1}));
        QCOMPARE(cutOf(32, 256, 784, false, false), (Pieces{2, 2}));
        QCOMPARE(cutOf(256, 1024, 1024, false, true), (Pieces{2, 8})); // a transposed B is packed at most twice
        QCOMPARE(cutOf(1024, 1024, 256, true, false), (Pieces{8, 2})); // so is such an A
        QCOMPARE(cutOf(1024, 128, 512, false, true), (Pieces{8, 1}));  // columns are too few to be cut
        QCOMPARE(cutOf(4096, 4096, 4096, false, false), (Pieces{8, 8}));
    }
    void threadsDoNotChangeABit()
    {
        struct Extents {
            std::int64_t m, n, k;
        };
        for (auto const [m, n, k] : {Extents{32, 256, 784}, {784, 256, 32}, {300, 500, 211}, {1025, 129, 33}}) {
            for (bool ta : {false, true}) {
                for (bool tb : {false, true}) {
                    auto const p = problem(m, n, k, ta, tb, 3, 1, 0);
                    std::vector<float> first;
                    for (int threads : {1, 2, 3, 5}) {
                        ThreadPool pool(threads);
                        auto const c = product(p, [&](Gemm const &g) { runGemm(pool, g); });
                        if (first.empty()) first = c;
                        QVERIFY(first == c);
                    }
                    QVERIFY(largestDifference(first, product(p, gemmNaive)) <= 1e-6 * static_cast<double>(k));
                }
            }
        }
    }
    void theLibraryStartsNoThreads()
    {
        if (!QDir("/proc/self/task").exists()) QSKIP("needs /proc");
        ThreadPool pool(3);
        int const before = threadsOfThisProcess();
        auto const p = problem(600, 700, 500, false, false, 0, 1, 0);
        product(p, gemm);
        product(p, [&](Gemm const &g) { runGemm(pool, g); });
        std::atomic<int> inside{0};
        pool.run(6, [&](std::size_t) {
            product(p, gemm);
            inside = std::max(inside.load(), threadsOfThisProcess());
        });
        QCOMPARE(inside.load(), before);
        QCOMPARE(threadsOfThisProcess(), before);
    }
};

TW_REGISTER_TEST(TstGemm);
#include "tst_gemm.moc"
