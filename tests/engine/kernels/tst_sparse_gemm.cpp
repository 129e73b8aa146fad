#include "engine/kernels/kernel_table.h"
#include "engine/kernels/sparse_gemm.h"
#include "engine/kernels/vector_math.h"
#include "engine/kernels/wide_vectors.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <vector>

using namespace tilewright;
using namespace tilewright::kernels;

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity(), kNaN = std::numeric_limits<float>::quiet_NaN();

/// Operands of which a share is not 0, with a gap between stored rows.
struct SparseProblem {
    std::vector<float> a, b, c;
    Gemm g;

    SparseProblem(std::int64_t m, std::int64_t n, std::int64_t k, bool ta, bool tb, double filledA, double filledB, std::int64_t gap = 3)
    {
        g = {ta, tb, m, n, k, nullptr, (ta ? m : k) + gap, nullptr, (tb ? k : n) + gap, nullptr, n + gap};
        std::mt19937 random(static_cast<std::uint32_t>(m * 7919 + n * 31 + k));
        std::uniform_real_distribution<float> spread(-1, 1), unit(0, 1);
        a.resize(static_cast<std::size_t>((ta ? k : m) * g.lda));
        b.resize(static_cast<std::size_t>((tb ? n : k) * g.ldb));
        c.assign(static_cast<std::size_t>(m * g.ldc), 77.0F);
        for (float &x : a) x = unit(random) < static_cast<float>(filledA) ? spread(random) : 0.0F;
        for (float &x : b) x = unit(random) < static_cast<float>(filledB) ? spread(random) : 0.0F;
    }
    Gemm into(std::vector<float> &out) const
    {
        Gemm to = g;
        to.a = a.data();
        to.b = b.data();
        to.c = out.data();
        return to;
    }
    /// Every product, zeros too, in ascending order of k with one rounding a step.
    std::vector<float> plain() const
    {
        auto out = c;
        for (std::int64_t i = 0; i < g.m; ++i)
            for (std::int64_t j = 0; j < g.n; ++j) {
                float sum = 0;
                for (std::int64_t k = 0; k < g.k; ++k)
                    sum = fmadd(a[static_cast<std::size_t>(g.ta ? k * g.lda + i : i * g.lda + k)],
                                b[static_cast<std::size_t>(g.tb ? j * g.ldb + k : k * g.ldb + j)], sum);
                out[static_cast<std::size_t>(i * g.ldc + j)] = sum;
            }
        return out;
    }
};

} // namespace

class TstSparseGemm : public QObject {
    Q_OBJECT
private slots:
    void skippedZerosChangeNoBit()
    {
        struct SparseExtents {
            std::int64_t m, n, k;
        };
        for (bool narrow : {false, true}) {
            std::optional<NarrowVectors> vectors;
            if (narrow) vectors.emplace();
            for (auto const [m, n, k] : {SparseExtents{1, 1, 1},
                                         {3, 130, 31},
                                         {130, 3, 33},
                                         {32, 256, 200},
                                         {200, 72, 32},
                                         {67, 129, 65},
                                         {300, 9, 129},
                                         {5, 300, 300},
                                         {260, 400, 130}}) {
                for (int transposed = 0; transposed < 4; ++transposed) {
                    for (auto const side : {SparseSide::A, SparseSide::B}) {
                        // Without a gap a step too far leaves the operand.
                        std::int64_t const gap = (m + transposed) % 2 * 3;
                        SparseProblem const p(m, n, k, transposed & 1, transposed & 2, side == SparseSide::A ? 0.3 : 1,
                                              side == SparseSide::B ? 0.3 : 1, gap);
                        auto const want = p.plain();
                        for (int threads : {1, 3}) {
                            ThreadPool pool(threads);
                            auto out = p.c;
                            QVERIFY(multiplySkipping(pool, p.into(out), side, wideVectors()));
                            QVERIFY2(out == want, qPrintable(QString("%1 x %2 x %3, transposed %4").arg(m).arg(n).arg(k).arg(transposed)));
                        }
                    }
                }
            }
        }
    }
    void onlyWhereItPays()
    {
        ThreadPool pool(2);
        auto const taken = [&](SparseProblem const &p) {
            auto out = p.c;
            bool const skipped = runSparseGemm(pool, p.into(out), wideVectors());
            return skipped ? (out == p.plain() ? 1 : -1) : 0;
        };
        QCOMPARE(taken(SparseProblem(32, 256, 784, false, false, 0.1, 1)), 1);
        QCOMPARE(taken(SparseProblem(32, 256, 784, false, false, 1, 0.1)), 0); // columns of a result of 32 rows
        QCOMPARE(taken(SparseProblem(784, 256, 32, true, false, 0.1, 1)), 1);
        QCOMPARE(taken(SparseProblem(784, 256, 32, true, false, 1, 0.1)), 1);
        QCOMPARE(taken(SparseProblem(784, 256, 32, true, false, 0.1, 0.05)), 1);
        QCOMPARE(taken(SparseProblem(32, 256, 784, false, false, 0.9, 1)), 0);
        QCOMPARE(taken(SparseProblem(32, 256, 784, false, false, 1, 1)), 0);
        QCOMPARE(taken(SparseProblem(32, 10, 128, false, false, 0, 1)), 0); // small
        QCOMPARE(taken(SparseProblem(0, 256, 784, false, false, 0, 1)), 0);
        SparseProblem const empty(5, 4, 0, false, false, 0, 1);
        auto untouched = empty.c;
        QVERIFY(!multiplySkipping(pool, empty.into(untouched), SparseSide::A, wideVectors())); // the library defines an empty sum
        SparseProblem scaled(32, 256, 784, false, false, 0.1, 1);
        scaled.g.alpha = 2;
        QCOMPARE(taken(scaled), 0);
        scaled.g.alpha = scaled.g.beta = 1;
        QCOMPARE(taken(scaled), 0);
    }
    void zeroTimesInfinityIsNotLeftOut()
    {
        ThreadPool pool(2);
        for (float bad : {kInfinity, -kInfinity, kNaN}) {
            for (bool transposed : {false, true}) {
                SparseProblem p(32, 256, 784, false, transposed, 0.1, 1);
                p.b[static_cast<std::size_t>(transposed ? 100 * p.g.ldb + 700 : 700 * p.g.ldb + 100)] = bad;
                auto out = p.c;
                QVERIFY(!runSparseGemm(pool, p.into(out), wideVectors()));
            }
        }
        // The gap between stored rows contains nothing of the product.
        SparseProblem p(32, 256, 784, false, false, 0.1, 1);
        p.b[256] = kInfinity;
        auto out = p.c;
        QVERIFY(runSparseGemm(pool, p.into(out), wideVectors()));
        // NaN of the operand that is mostly 0 is not 0.
        p.a[5] = kNaN;
        QVERIFY(runSparseGemm(pool, p.into(out), wideVectors()));
        QVERIFY(std::isnan(out[0]) && std::isnan(out[255]) && std::isfinite(out[static_cast<std::size_t>(p.g.ldc)]));
    }
    void matmulSkipsZerosOnlyOfFiniteOperands()
    {
        SparseProblem p(32, 256, 784, false, false, 0.1, 1, 0);
        for (bool finite : {true, false}) {
            if (!finite) p.b[700 * 256 + 100] = kInfinity;
            graph::Node node;
            node.op = "matmul";
            std::vector<float> out(32 * 256);
            auto const tensor = [](std::vector<float> &v, Shape shape) {
                return HostTensor{DType::F32, std::move(shape), reinterpret_cast<std::byte *>(v.data())};
            };
            std::vector const inputs{tensor(p.a, {32, 784}), tensor(p.b, {784, 256})}, outputs{tensor(out, {32, 256})};
            auto kernel = prepare({node, inputs, outputs});
            QVERIFY(kernel.ok());
            ThreadPool pool(2);
            RunContext ctx{pool};
            kernel.value()(ctx);
            auto const want = p.plain();
            for (std::size_t i = 0; i < out.size(); ++i) {
                QCOMPARE(std::isnan(out[i]), std::isnan(want[i]));
                if (std::isfinite(want[i])) QVERIFY(std::abs(out[i] - want[i]) < 1e-3F);
            }
            QCOMPARE(std::ranges::any_of(out, [](float x) { return std::isnan(x); }), !finite);
        }
    }
};

TW_REGISTER_TEST(TstSparseGemm);
#include "tst_sparse_gemm.moc"
