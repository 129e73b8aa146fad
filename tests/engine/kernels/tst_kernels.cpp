#include "tests/engine/kernels/kernel_cases.h"
#include "tests/support/test_registry.h"

#include "engine/core/random.h"
#include "engine/graph/expr.h"

#include <QtTest>

#include <limits>
#include <set>

using namespace tilewright;
using namespace tilewright::test;

namespace {

constexpr std::uint32_t kSeed = 20260711;

KernelCase simpleCase(std::string op, std::vector<reference::RefTensor> inputs, Shape shape, DType dtype = DType::F32,
                      graph::Attrs attrs = {})
{
    graph::Node node;
    node.op = std::move(op);
    node.name = "layer/" + node.op;
    node.attrs = std::move(attrs);
    return {node.op, node, std::move(inputs), {{std::move(shape), dtype}}, 2e-6, 0};
}

reference::RefTensor tensor(Shape shape, std::vector<double> v, DType dtype = DType::F32)
{
    return {dtype, std::move(shape), std::move(v)};
}

constexpr double kInf = std::numeric_limits<double>::infinity();
double const kNan = std::numeric_limits<double>::quiet_NaN();

} // namespace

class TstKernels : public QObject {
    Q_OBJECT
private slots:
    void agreeWithTheReference()
    {
        int failures = 0;
        for (auto const &c : kernelCases(kSeed)) {
            auto const text = checkCase(c, 2, {12345, 1});
            if (!text.empty()) {
                qWarning("seed %u: %s", kSeed, text.c_str());
                ++failures;
            }
        }
        QCOMPARE(failures, 0);
    }
    void elementwiseAgreesWithTheReference()
    {
        int failures = 0;
        for (auto const &c : elementwiseCases(kSeed)) {
            auto const text = checkCase(c);
            if (!text.empty()) {
                qWarning("seed %u: %s", kSeed, text.c_str());
                ++failures;
            }
        }
        QCOMPARE(failures, 0);
    }
    void everyKernelHasAReferenceAndACase()
    {
        std::set<std::string> covered;
        for (auto const &c : kernelCases(kSeed)) covered.insert(c.node.op);
        for (auto const &c : elementwiseCases(kSeed)) covered.insert(c.node.op);
        for (auto const &entry : kernels::kernelTable()) {
            QVERIFY2(reference::hasReference(entry.op), std::string(entry.op).c_str());
            QVERIFY2(covered.contains(std::string(entry.op)), std::string(entry.op).c_str());
        }
        for (auto const op : reference::referenceOps()) QVERIFY2(kernels::findKernel(op), std::string(op).c_str());
    }
    void threadsDoNotChangeABit()
    {
        auto cases = kernelCases(kSeed + 1);
        for (auto &c : elementwiseCases(kSeed + 1)) cases.push_back(std::move(c));
        std::mt19937 random(kSeed);
        auto const floats = [&](Shape shape) { return randomTensor(random, DType::F32, std::move(shape), -2, 2); };
        cases.push_back(simpleCase("matmul", {floats({300, 301}), floats({301, 400})}, {300, 400}));
        cases.push_back(simpleCase("reduce_sum", {floats({9000, 33})}, {33}, DType::F32, {{"axes", Shape{0}}}));
        cases.push_back(simpleCase("reduce_sum", {floats({9000, 33})}, {}, DType::F32, {}));
        for (auto const &c : cases) {
            auto const one = runKernel(c, 1, {5, 0});
            for (int threads : {2, 3, 5}) {
                auto const many = runKernel(c, threads, {5, 0}, 2);
                QVERIFY2(one.bytes == many.bytes, c.title.c_str());
            }
        }
    }
    void passNanAndInfinityOnAsNumpyDoes()
    {
        auto const x = tensor({6}, {kNan, 1, kInf, -kInf, kNan, 2}), y = tensor({6}, {1, kNan, 3, 3, kNan, -kInf});
        auto const run = [&](char const *op, std::vector<reference::RefTensor> in) {
            return runKernel(simpleCase(op, std::move(in), {6}), 1).outputs.at(0);
        };
        QVERIFY(difference(run("max", {x, y}), tensor({6}, {kNan, kNan, kInf, 3, kNan, 2}), 0).empty());
        QVERIFY(difference(run("min", {x, y}), tensor({6}, {kNan, kNan, 3, -kInf, kNan, -kInf}), 0).empty());
        QVERIFY(difference(run("relu", {x}), tensor({6}, {kNan, 1, kInf, 0, kNan, 2}), 0).empty());
        QVERIFY(difference(run("relu_grad", {x, y}), tensor({6}, {0, kNan, 3, 0, 0, -kInf}), 0).empty());
        QVERIFY(difference(run("tanh", {x}), tensor({6}, {kNan, std::tanh(1.0), 1, -1, kNan, std::tanh(2.0)}), 1e-6).empty());
        QVERIFY(difference(run("sigmoid", {x}), tensor({6}, {kNan, 1 / (1 + std::exp(-1.0)), 1, 0, kNan, 1 / (1 + std::exp(-2.0))}), 1e-6)
                    .empty());
        QVERIFY(difference(run("exp", {x}), tensor({6}, {kNan, std::exp(1.0), kInf, 0, kNan, std::exp(2.0)}), 1e-6).empty());
        QVERIFY(difference(run("log", {x}), tensor({6}, {kNan, 0, kInf, kNan, kNan, std::log(2.0)}), 1e-6).empty());
    }
    void reduceMaxAndArgmaxFindNan()
    {
        std::vector<double> v(100, 1.0);
        v[70] = kNan;
        v[20] = 5;
        auto const largest = runKernel(simpleCase("reduce_max", {tensor({100}, v)}, {}, DType::F32, {}), 1);
        QVERIFY(std::isnan(largest.outputs[0].v[0]));
        auto const smallest = runKernel(simpleCase("reduce_min", {tensor({100}, v)}, {}, DType::F32, {}), 1);
        QVERIFY(std::isnan(smallest.outputs[0].v[0]));
        auto const at = runKernel(simpleCase("argmax", {tensor({1, 100}, v)}, {1}, DType::I32), 1);
        QCOMPARE(at.outputs[0].v[0], 70.0);
        auto const first = runKernel(simpleCase("argmax", {tensor({1, 4}, {1, 3, 3, 2})}, {1}, DType::I32), 1);
        QCOMPARE(first.outputs[0].v[0], 1.0);
    }
    void denormalsAreFlushedInOneTaskAndInMany()
    {
        for (std::int64_t n : {3, 100000}) {
            auto const x = tensor({n}, std::vector<double>(static_cast<std::size_t>(n), 1e-38));
            auto const y = runKernel(simpleCase("mul_scalar", {x}, {n}, DType::F32, {{"p0", 0.001}}), 2);
            for (double value : y.outputs[0].v) QCOMPARE(value, 0.0);
        }
    }
    void labelsOutsideGiveNanAndNoOnehot()
    {
        KernelCase c =
            simpleCase("sparse_xent", {tensor({3, 4}, {1, 2, 3, 4, 1, 2, 3, 4, 1, 2, 3, 4}), tensor({3}, {4, -1, 2}, DType::I32)}, {3});
        c.outputs.push_back({{3, 4}, DType::F32});
        auto const run = runKernel(c, 1);
        QVERIFY(std::isnan(run.outputs[0].v[0]));
        QVERIFY(std::isnan(run.outputs[0].v[1]));
        QVERIFY(std::isfinite(run.outputs[0].v[2]));
        for (double p : run.outputs[1].v) QVERIFY(p > 0 && p < 1);
    }
    void crossEntropyStandsHugeLogits()
    {
        KernelCase c = simpleCase("sparse_xent", {tensor({1, 3}, {3e38, -3e38, 0}), tensor({1}, {0}, DType::I32)}, {1});
        c.outputs.push_back({{1, 3}, DType::F32});
        auto const run = runKernel(c, 1);
        QCOMPARE(run.outputs[0].v[0], 0.0);
        QCOMPARE(run.outputs[1].v, (std::vector<double>{1, 0, 0}));
    }
    void longSumsKeepTheirAccuracy()
    {
        std::int64_t const n = 1 << 22;
        auto const x = tensor({n}, std::vector<double>(static_cast<std::size_t>(n), static_cast<float>(0.1)));
        auto const all = runKernel(simpleCase("reduce_sum", {x}, {}, DType::F32, {}), 2);
        double const want = static_cast<double>(n) * static_cast<float>(0.1);
        QVERIFY(std::abs(all.outputs[0].v[0] / want - 1) < 2e-6);
        auto const rows = tensor({n / 4, 4}, x.v);
        auto const sums = runKernel(simpleCase("reduce_sum", {rows}, {4}, DType::F32, {{"axes", Shape{0}}}), 2);
        for (double sum : sums.outputs[0].v) QVERIFY(std::abs(sum / (want / 4) - 1) < 2e-6);
    }
    void dropoutKeepsTheRightShareAndFollowsItsCounter()
    {
        std::int64_t const n = 100000;
        auto const ones = tensor({n}, std::vector<double>(static_cast<std::size_t>(n), 1.0));
        graph::Attrs const attrs{{"rate", 0.25}, {"node_seed", std::int64_t{3}}};
        auto const masked = [&](int counter, int replica, std::uint64_t seed) {
            return runKernel(simpleCase("dropout", {ones, tensor({}, {double(counter)}, DType::I32)}, {n}, DType::F32, attrs), 2,
                             {seed, replica})
                .outputs[0]
                .v;
        };
        auto const mask = masked(0, 0, 1);
        auto const kept = std::count_if(mask.begin(), mask.end(), [](double v) { return v != 0; });
        QVERIFY(std::abs(static_cast<double>(kept) / double(n) - 0.75) < 0.01);
        QVERIFY(mask == masked(0, 0, 1));
        QVERIFY(mask != masked(1, 0, 1));
        QVERIFY(mask != masked(0, 1, 1));
        QVERIFY(mask != masked(0, 0, 2));
    }
    void refuseUnsupportedRequests()
    {
        auto const f = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
        auto const i = tensor({2, 3}, {1, 2, 3, 4, 5, 6}, DType::I32);
        auto const refused = [](KernelCase const &c) {
            auto const run = runKernel(c, 1);
            return run.error.find("Kernel '" + c.node.op + "'") != std::string::npos && run.error.find("layer/") != std::string::npos;
        };
        QVERIFY(refused(simpleCase("matmul", {f, f}, {2, 3})));
        QVERIFY(refused(simpleCase("add", {f, i}, {2, 3})));
        QVERIFY(refused(simpleCase("exp", {i}, {2, 3}, DType::I32)));
        QVERIFY(refused(simpleCase("add", {f, tensor({4}, {1, 2, 3, 4})}, {2, 3})));
        QVERIFY(refused(simpleCase("add", {f}, {2, 3})));
        QVERIFY(refused(simpleCase("reduce_sum", {f}, {3}, DType::F32, {{"axes", Shape{3}}})));
        QVERIFY(refused(simpleCase("reduce_to", {f}, {2, 2})));
        QVERIFY(refused(simpleCase("slice", {f}, {2, 2}, DType::F32,
                                   {{"axis", std::int64_t{1}}, {"start", std::int64_t{2}}, {"size", std::int64_t{2}}})));
        QVERIFY(refused(simpleCase("concat", {f, f}, {4, 3}, DType::F32, {{"axis", std::int64_t{2}}})));
        QVERIFY(refused(simpleCase("broadcast", {f}, {3, 3})));
        QVERIFY(refused(simpleCase("dropout", {f, tensor({}, {0}, DType::I32)}, {2, 3}, DType::F32, {{"rate", 1.0}})));
        QVERIFY(refused(simpleCase("infeed", {}, {2, 3})));
        QVERIFY(refused(simpleCase("opt.sgd", {f, f, f}, {2, 3})));
    }
    void runOnEmptyTensors()
    {
        QVERIFY(checkCase(simpleCase("add", {tensor({0, 3}, {}), tensor({3}, {1, 2, 3})}, {0, 3})).empty());
        QVERIFY(checkCase(simpleCase("reduce_sum", {tensor({0, 3}, {})}, {3}, DType::F32, {{"axes", Shape{0}}})).empty());
        QVERIFY(checkCase(simpleCase("matmul", {tensor({2, 0}, {}), tensor({0, 3}, {})}, {2, 3})).empty());
        QVERIFY(checkCase(simpleCase("softmax", {tensor({0, 3}, {})}, {0, 3})).empty());
        QVERIFY(checkCase(simpleCase("copy", {tensor({0}, {})}, {0})).empty());
        QVERIFY(checkCase(simpleCase("broadcast", {tensor({1}, {2})}, {0})).empty());
    }
};

TW_REGISTER_TEST(TstKernels);
#include "tst_kernels.moc"
