#include "engine/runtime/sum_noise.h"

#include "engine/kernels/half.h"
#include "engine/kernels/kernel_table.h"
#include "engine/ops/op_def.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace tilewright;
using kernels::HostTensor;

/// The random errors with which verify measures what rounding does.
class TstSumNoise : public QObject {
    Q_OBJECT

    static HostTensor tensorOf(std::vector<float> &values)
    {
        return {DType::F32, {static_cast<std::int64_t>(values.size())}, reinterpret_cast<std::byte *>(values.data())};
    }

private slots:
    void floatErrorsGrowWithTheRootOfTheAddends()
    {
        for (double const addends : {1.0, 100.0}) {
            std::vector<float> values(1000, 1.0f);
            runtime::SumNoise noise;
            noise.begin(1);
            noise.perturb(tensorOf(values), addends);
            auto const [low, high] = std::ranges::minmax(values);
            double const bound = 0x1p-24 * std::sqrt(addends) + 0x1p-24; // and the rounding of the product
            QVERIFY(low >= 1 - bound && high <= 1 + bound);
            if (addends > 1) QVERIFY(high > 1 && low < 1);
        }
    }
    void halfErrorsAreOneUnitInTheLastPlace()
    {
        std::vector<std::uint16_t> halves(300, kernels::floatToHalf(1.5f));
        halves[0] = 0;
        halves[1] = 0x7C00; // infinity
        runtime::SumNoise noise;
        noise.begin(1);
        noise.perturb({DType::F16, {300}, reinterpret_cast<std::byte *>(halves.data())}, 50);
        QVERIFY(halves[0] == 0 && halves[1] == 0x7C00);
        int changed = 0;
        for (std::size_t i = 2; i < halves.size(); ++i) {
            QVERIFY(std::abs(halves[i] - kernels::floatToHalf(1.5f)) <= 1);
            changed += halves[i] != kernels::floatToHalf(1.5f);
        }
        QVERIFY(changed > 100);
    }
    void equalSeedsGiveEqualErrors()
    {
        std::vector<float> a(64, 3.0f), b = a, c = a;
        runtime::SumNoise noise;
        for (auto [values, seed] : {std::pair{&a, 1}, {&b, 1}, {&c, 2}}) {
            noise.begin(static_cast<std::uint64_t>(seed));
            noise.perturb(tensorOf(*values), 10000);
        }
        QVERIFY(a == b && a != c);
    }
    /// The operands belong to other nodes, too.
    void operandsAreRestoredAndTheResultDiffers()
    {
        std::vector<float> x(100, 1.0f), sum(1);
        graph::Node node;
        node.op = "reduce_sum";
        kernels::Prepared const add = [&](kernels::RunContext &) { sum[0] = std::accumulate(x.begin(), x.end(), 0.0f); };
        runtime::SumNoise noise;
        noise.begin(7);
        ThreadPool pool(1);
        kernels::RunContext ctx{pool};
        runtime::withNoise(add, node, 1e8, {tensorOf(x)}, {tensorOf(sum)}, noise)(ctx);
        QVERIFY(std::ranges::all_of(x, [](float value) { return value == 1.0f; }));
        QVERIFY(sum[0] != 100.0f && std::abs(sum[0] - 100.0f) < 1.0f);
    }
    /// What is written where an operand lay stays.
    void resultsInPlaceAreKept()
    {
        std::vector<float> x{1, 2};
        graph::Node node;
        node.op = "softmax";
        kernels::Prepared const twice = [&](kernels::RunContext &) { std::ranges::transform(x, x.begin(), [](float v) { return 2 * v; }); };
        runtime::SumNoise noise;
        ThreadPool pool(1);
        kernels::RunContext ctx{pool};
        runtime::withNoise(twice, node, 1, {tensorOf(x)}, {tensorOf(x)}, noise)(ctx);
        QVERIFY(std::abs(x[0] - 2) < 1e-5 && std::abs(x[1] - 4) < 1e-5);
    }
    /// Selections must not be perturbed: equal values would no longer be equal.
    void onlyKernelsThatAddHaveNoise()
    {
        for (char const *op :
             {"matmul", "batch_matmul", "conv", "conv_weight_grad", "reduce_sum", "reduce_to", "norm.whiten", "softmax", "scatter_add"})
            QVERIFY2(kernels::findKernel(op)->addends == 0, op);
        QCOMPARE(kernels::findKernel("pool.max_grad")->addends, 1); // its first operand selects
        for (char const *op : {"reduce_max", "argmax", "pool.max", "gather", "concat", "map", "dropout", "opt.adam"})
            QVERIFY2(kernels::findKernel(op)->addends < 0, op);
    }
};

TW_REGISTER_TEST(TstSumNoise);
#include "tst_sum_noise.moc"
