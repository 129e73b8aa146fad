#include "engine/reference/reference.h"

#include "engine/graph/expr.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

using namespace tilewright;
using namespace tilewright::reference;

namespace {

using graph::Attrs;

graph::Node nodeOf(std::string op, Attrs attrs = {})
{
    graph::Node node;
    node.name = "layer/" + op;
    node.op = std::move(op);
    node.attrs = std::move(attrs);
    return node;
}

RefTensor tensor(Shape shape, std::vector<double> v, DType dtype = DType::F32) { return {dtype, std::move(shape), std::move(v)}; }

constexpr RefContext kDouble{0, 0, Precision::Double};

/// The only (or first) result; ends the test program if there is none.
std::vector<double> run(graph::Node const &node, std::vector<RefTensor> const &in, Shape shape, DType dtype = DType::F32,
                        RefContext const &context = kDouble)
{
    std::vector<RefOutput> const out{{std::move(shape), dtype}};
    return evaluate(node, in, out, context).value()[0].v;
}

std::vector<std::vector<double>> runAll(graph::Node const &node, std::vector<RefTensor> const &in, std::vector<RefOutput> const &out,
                                        RefContext const &context = kDouble)
{
    std::vector<std::vector<double>> results;
    auto const tensors = evaluate(node, in, out, context);
    for (auto const &t : tensors.value()) results.push_back(t.v);
    return results;
}

bool near(std::vector<double> const &got, std::vector<double> const &want, double tolerance = 1e-12)
{
    if (got.size() != want.size()) return false;
    for (std::size_t i = 0; i < got.size(); ++i)
        if (!(std::abs(got[i] - want[i]) <= tolerance)) return false;
    return true;
}

std::vector<double> randomVector(std::mt19937 &random, std::size_t n, double low, double high)
{
    std::uniform_real_distribution<double> spread(low, high);
    std::vector<double> v(n);
    for (double &x : v) x = spread(random);
    return v;
}

} // namespace

class TstReference : public QObject {
    Q_OBJECT
private slots:
    void multipliesMatricesInAllFourForms()
    {
        // [1 2; 3 4; 5 6] x [1 0 2; 0 1 3]
        std::vector<double> const want{1, 2, 8, 3, 4, 18, 5, 6, 28};
        auto const a = tensor({3, 2}, {1, 2, 3, 4, 5, 6}), at = tensor({2, 3}, {1, 3, 5, 2, 4, 6});
        auto const b = tensor({2, 3}, {1, 0, 2, 0, 1, 3}), bt = tensor({3, 2}, {1, 0, 0, 1, 2, 3});
        QCOMPARE(run(nodeOf("matmul"), {a, b}, {3, 3}), want);
        QCOMPARE(run(nodeOf("matmul", {{"transpose_a", true}}), {at, b}, {3, 3}), want);
        QCOMPARE(run(nodeOf("matmul", {{"transpose_b", true}}), {a, bt}, {3, 3}), want);
        QCOMPARE(run(nodeOf("matmul", {{"transpose_a", true}, {"transpose_b", true}}), {at, bt}, {3, 3}), want);
    }
    void reducesOverEachAxis()
    {
        auto const x = tensor({2, 3}, {1, -5, 3, 4, 5, -6});
        auto const reduce = [&](char const *op, Shape axes, Shape shape) {
            return run(nodeOf(op, {{"axes", std::move(axes)}}), {x}, std::move(shape));
        };
        QCOMPARE(reduce("reduce_sum", {0}, {3}), (std::vector<double>{5, 0, -3}));
        QCOMPARE(reduce("reduce_sum", {1}, {2}), (std::vector<double>{-1, 3}));
        QCOMPARE(reduce("reduce_sum", {0, 1}, {}), (std::vector<double>{2}));
        QCOMPARE(reduce("reduce_max", {0}, {3}), (std::vector<double>{4, 5, 3}));
        QCOMPARE(reduce("reduce_max", {1}, {2}), (std::vector<double>{3, 5}));
        QCOMPARE(reduce("reduce_max", {0, 1}, {}), (std::vector<double>{5}));
        QCOMPARE(reduce("reduce_min", {0}, {3}), (std::vector<double>{1, -5, -6}));
        QCOMPARE(reduce("reduce_mean", {0}, {3}), (std::vector<double>{2.5, 0, -1.5}));
        QCOMPARE(reduce("reduce_prod", {1}, {2}), (std::vector<double>{-15, -120}));
        QCOMPARE(reduce("reduce_prod", {0, 1}, {}), (std::vector<double>{1800}));
        QCOMPARE(run(nodeOf("argmax"), {x}, {2}, DType::I32), (std::vector<double>{2, 1}));
        QCOMPARE(run(nodeOf("reduce_to"), {x}, {2, 1}), (std::vector<double>{-1, 3}));
        QCOMPARE(run(nodeOf("reduce_to"), {x}, {1, 3}), (std::vector<double>{5, 0, -3}));
        QCOMPARE(run(nodeOf("broadcast"), {tensor({2, 1}, {7, 8})}, {2, 3}), (std::vector<double>{7, 7, 7, 8, 8, 8}));
        QCOMPARE(run(nodeOf("broadcast"), {tensor({3}, {1, 2, 3})}, {2, 3}), (std::vector<double>{1, 2, 3, 1, 2, 3}));
    }
    void softmaxFamilyFollowsItsDefinition()
    {
        auto const x = tensor({1, 3}, {0, std::log(2.0), std::log(5.0)});
        QVERIFY(near(run(nodeOf("softmax"), {x}, {1, 3}), {0.125, 0.25, 0.625}));
        QVERIFY(near(run(nodeOf("log_softmax"), {x}, {1, 3}), {std::log(0.125), std::log(0.25), std::log(0.625)}));
        auto const sparse = runAll(nodeOf("sparse_xent"), {x, tensor({1}, {2}, DType::I32)}, {{{1}, DType::F32}, {{1, 3}, DType::F32}});
        QVERIFY(near(sparse[0], {-std::log(0.625)}));
        QVERIFY(near(sparse[1], {0.125, 0.25, 0.625}));
        auto const outside = runAll(nodeOf("sparse_xent"), {x, tensor({1}, {3}, DType::I32)}, {{{1}, DType::F32}, {{1, 3}, DType::F32}});
        QVERIFY(std::isnan(outside[0][0]));
        auto const soft = runAll(nodeOf("cat_xent"), {x, tensor({1, 3}, {0.5, 0, 0.5})}, {{{1}, DType::F32}, {{1, 3}, DType::F32}});
        QVERIFY(near(soft[0], {-0.5 * std::log(0.125) - 0.5 * std::log(0.625)}));
        QVERIFY(near(run(nodeOf("sparse_xent_grad"), {tensor({1, 3}, sparse[1]), tensor({1}, {2}, DType::I32), tensor({}, {2})}, {1, 3}),
                     {0.25, 0.5, -0.75}));
    }
    void gradientsOfPrimitivesMatchFiniteDifferences()
    {
        struct Pair {
            char const *forward, *backward;
            bool ofOutput;
        };
        std::mt19937 random(5);
        for (auto const &[forward, backward, ofOutput] : {Pair{"relu", "relu_grad", true},
                                                          {"tanh", "tanh_grad", true},
                                                          {"sigmoid", "sigmoid_grad", true},
                                                          {"leaky_relu", "leaky_relu_grad", false},
                                                          {"elu", "elu_grad", false},
                                                          {"selu", "selu_grad", false},
                                                          {"softplus", "softplus_grad", false},
                                                          {"softsign", "softsign_grad", false},
                                                          {"hard_sigmoid", "hard_sigmoid_grad", false},
                                                          {"gelu", "gelu_grad", false},
                                                          {"gelu_tanh", "gelu_tanh_grad", false},
                                                          {"swish", "swish_grad", false},
                                                          {"clip", "clip_grad", false}}) {
            Attrs const attrs{{"p0", 0.3}, {"p1", 1.5}};
            double const h = 1e-5;
            auto x = randomVector(random, 50, -4, 4);
            auto const dy = randomVector(random, 50, -1, 1);
            auto const value = [&](double shift) {
                auto moved = x;
                for (double &v : moved) v += shift;
                return run(nodeOf(forward, attrs), {tensor({50}, moved)}, {50});
            };
            auto const up = value(h), down = value(-h), y = value(0);
            auto const got = run(nodeOf(backward, attrs), {tensor({50}, ofOutput ? y : x), tensor({50}, dy)}, {50});
            for (std::size_t i = 0; i < 50; ++i) {
                double const want = dy[i] * (up[i] - down[i]) / (2 * h);
                QVERIFY2(std::abs(got[i] - want) < 1e-8, backward);
            }
        }
    }
    void gradientsOfRowsMatchFiniteDifferences()
    {
        std::mt19937 random(6);
        std::size_t const n = 12;
        auto const x = randomVector(random, n, -2, 2), dy = randomVector(random, n, -1, 1), t = randomVector(random, n, 0, 1);
        double const h = 1e-5;
        for (bool logarithm : {false, true}) {
            std::string const op = logarithm ? "log_softmax" : "softmax";
            auto const objective = [&](std::vector<double> const &at) {
                auto const y = run(nodeOf(op), {tensor({3, 4}, at)}, {3, 4});
                double sum = 0;
                for (std::size_t i = 0; i < n; ++i) sum += y[i] * dy[i];
                return sum;
            };
            auto const y = run(nodeOf(op), {tensor({3, 4}, x)}, {3, 4});
            auto const got = run(nodeOf(op + "_grad"), {tensor({3, 4}, y), tensor({3, 4}, dy)}, {3, 4});
            for (std::size_t i = 0; i < n; ++i) {
                auto up = x, down = x;
                up[i] += h;
                down[i] -= h;
                QVERIFY(std::abs(got[i] - (objective(up) - objective(down)) / (2 * h)) < 1e-8);
            }
        }
        auto const labels = tensor({3}, {0, 3, 2}, DType::I32);
        auto const dloss = tensor({3}, {0.5, -1, 2});
        for (bool sparse : {true, false}) {
            auto const target = sparse ? labels : tensor({3, 4}, t);
            std::vector<RefOutput> const outs{{{3}, DType::F32}, {{3, 4}, DType::F32}};
            std::string const op = sparse ? "sparse_xent" : "cat_xent";
            auto const objective = [&](std::vector<double> const &at) {
                auto const loss = runAll(nodeOf(op), {tensor({3, 4}, at), target}, outs)[0];
                return 0.5 * loss[0] - loss[1] + 2 * loss[2];
            };
            auto const probs = runAll(nodeOf(op), {tensor({3, 4}, x), target}, outs)[1];
            auto const got = run(nodeOf(op + "_grad"), {tensor({3, 4}, probs), target, dloss}, {3, 4});
            for (std::size_t i = 0; i < n; ++i) {
                auto up = x, down = x;
                up[i] += h;
                down[i] -= h;
                QVERIFY(std::abs(got[i] - (objective(up) - objective(down)) / (2 * h)) < 1e-8);
            }
        }
    }
    void optimizersFollowKeras()
    {
        auto const w = tensor({1}, {1.0}), g = tensor({1}, {0.5}), lr = tensor({}, {0.1}), zero = tensor({1}, {0});
        RefOutput const one{{1}, DType::F32};
        QVERIFY(near(run(nodeOf("opt.sgd"), {w, g, lr}, {1}), {0.95}));
        auto const m = tensor({1}, {0.2});
        // m' = 0.9 * 0.2 - 0.05 = 0.13
        auto const mu = tensor({}, {0.9}), half = tensor({}, {0.5});
        QVERIFY(near(runAll(nodeOf("opt.momentum"), {w, m, g, lr, mu}, {one, one})[0], {1.13}));
        QVERIFY(near(runAll(nodeOf("opt.momentum", {{"nesterov", true}}), {w, m, g, lr, mu}, {one, one})[0], {1 + 0.9 * 0.13 - 0.05}));
        Attrs const rms{{"rho", 0.9}, {"epsilon", 0.01}};
        auto const s = 0.1 * 0.25;
        auto const plain = runAll(nodeOf("opt.rmsprop", rms), {w, zero, g, lr}, {one, one});
        QVERIFY(near(plain[1], {s}));
        QVERIFY(near(plain[0], {1 - 0.05 / (std::sqrt(s) + 0.01)}));
        Attrs const full{{"rho", 0.9}, {"epsilon", 0.01}, {"momentum", true}, {"centered", true}};
        auto const centered = runAll(nodeOf("opt.rmsprop_full", full), {w, zero, zero, m, g, lr, half}, {one, one, one, one});
        double const mg = 0.05, mom = 0.5 * 0.2 + 0.05 / std::sqrt(s - mg * mg + 0.01);
        QVERIFY(near(centered[2], {mg}));
        QVERIFY(near(centered[3], {mom}));
        QVERIFY(near(centered[0], {1 - mom}));
        Attrs const adam{{"beta1", 0.9}, {"beta2", 0.99}, {"epsilon", 0.01}};
        auto const stepped = runAll(nodeOf("opt.adam", adam), {w, zero, zero, g, lr}, {one, one, one});
        QVERIFY(near(stepped[0], {1 - 0.1 * 0.05 / (std::sqrt(0.0025) + 0.01)}));
        auto const ams = runAll(nodeOf("opt.adam_amsgrad", adam), {w, zero, zero, w, g, lr}, {one, one, one, one});
        QVERIFY(near(ams[0], {1 - 0.1 * 0.05 / (1 + 0.01)}));
        QVERIFY(near(ams[3], {1.0}));
        auto const largest = runAll(nodeOf("opt.adamax", adam), {w, zero, zero, g, lr}, {one, one, one});
        QVERIFY(near(largest[1], {0.05}));
        QVERIFY(near(largest[2], {0.5}));
        QVERIFY(near(largest[0], {1 - 0.1 * 0.05 / 0.51}));
        auto const delta = runAll(nodeOf("opt.adadelta", {{"rho", 0.9}, {"epsilon", 0.01}}), {w, zero, zero, g, lr}, {one, one, one});
        double const x = 0.5 * std::sqrt(0.01) / std::sqrt(0.025 + 0.01);
        QVERIFY(near(delta[1], {0.025}));
        QVERIFY(near(delta[2], {0.1 * x * x}));
        QVERIFY(near(delta[0], {1 - 0.1 * x}));
        Attrs const rate{{"kind", std::string("adam")}, {"learning_rate", 0.1}, {"decay", 0.5}, {"beta1", 0.9}, {"beta2", 0.99}};
        QVERIFY(near(run(nodeOf("opt.step_size", rate), {tensor({}, {2}, DType::I32)}, {}),
                     {0.1 / 2 * std::sqrt(1 - std::pow(0.99, 3)) / (1 - std::pow(0.9, 3))}));
        QVERIFY(near(run(nodeOf("accumulate_running"), {tensor({1}, {6}), tensor({1}, {2}), tensor({}, {3}, DType::I32)}, {1}), {5}));
    }
    void layoutOpsMoveElements()
    {
        auto const x = tensor({2, 3}, {1, 2, 3, 4, 5, 6}), y = tensor({2, 1}, {7, 8});
        QCOMPARE(run(nodeOf("concat", {{"axis", std::int64_t{1}}}), {x, y}, {2, 4}), (std::vector<double>{1, 2, 3, 7, 4, 5, 6, 8}));
        Attrs const part{{"axis", std::int64_t{1}}, {"start", std::int64_t{1}}, {"size", std::int64_t{2}}};
        QCOMPARE(run(nodeOf("slice", part), {x}, {2, 2}), (std::vector<double>{2, 3, 5, 6}));
        auto const odd = tensor({4}, {-1.7, 300.9, std::nan(""), 1e20});
        QCOMPARE(run(nodeOf("cast"), {odd}, {4}, DType::I32), (std::vector<double>{-1, 300, 0, 2147483647.0}));
        QCOMPARE(run(nodeOf("cast"), {odd}, {4}, DType::U8), (std::vector<double>{0, 255, 0, 255}));
        QCOMPARE(run(nodeOf("constant", {{"value", 2.5}}), {}, {2}, DType::F32), (std::vector<double>{2.5, 2.5}));
    }
    void roundsInFloatOnly()
    {
        auto const third = tensor({1}, {1.0});
        auto const inFloat = run(nodeOf("mul_scalar", {{"p0", 0.1}}), {third}, {1}, DType::F32, {});
        QCOMPARE(inFloat[0], static_cast<double>(0.1f));
        QCOMPARE(run(nodeOf("mul_scalar", {{"p0", 0.1}}), {third}, {1})[0], 0.1);
        QCOMPARE(run(nodeOf("mul_scalar", {{"p0", 0.1}}), {third}, {1}, DType::F16, {})[0], 0.0999755859375);
        // Wraps as 32-bit integers do.
        auto const top = tensor({1}, {2147483647.0}, DType::I32);
        QCOMPARE(run(nodeOf("add_scalar", {{"p0", 1.0}}), {top}, {1}, DType::I32)[0], -2147483648.0);
    }
    void bytesRoundTrip()
    {
        for (auto dtype : {DType::F32, DType::F16, DType::I32, DType::U8, DType::Bool}) {
            RefTensor const t = tensor({3}, dtype == DType::Bool ? std::vector<double>{0, 1, 1} : std::vector<double>{0, 1, 200}, dtype);
            std::vector<std::byte> bytes(static_cast<std::size_t>(3 * sizeOf(dtype)));
            toBytes(t, bytes.data());
            QVERIFY(fromBytes(dtype, {3}, bytes.data()) == t);
        }
        std::uint16_t const smallest = 1, one = 0x3C00, largest = 0x7BFF;
        auto const half = [](std::uint16_t bits) {
            std::byte b[2];
            std::memcpy(b, &bits, 2);
            return fromBytes(DType::F16, {}, b).v[0];
        };
        QCOMPARE(half(smallest), std::ldexp(1.0, -24));
        QCOMPARE(half(one), 1.0);
        QCOMPARE(half(largest), 65504.0);
        QCOMPARE(roundTo(65520.0, DType::F16, Precision::Float), std::numeric_limits<double>::infinity());
        QCOMPARE(roundTo(65519.0, DType::F16, Precision::Float), 65504.0);
    }
    void refusesBadOperands()
    {
        auto const x = tensor({2, 3}, {1, 2, 3, 4, 5, 6});
        auto const code = [](graph::Node const &node, std::vector<RefTensor> const &in, Shape shape) {
            std::vector<RefOutput> const out{{std::move(shape), DType::F32}};
            auto const result = evaluate(node, in, out, {});
            return result.ok() ? std::string() : result.error().code;
        };
        QCOMPARE(code(nodeOf("matmul"), {x, x}, {2, 3}), std::string("reference.operands"));
        QCOMPARE(code(nodeOf("add"), {x}, {2, 3}), std::string("reference.operands"));
        QCOMPARE(code(nodeOf("add"), {x, tensor({4}, {1, 2, 3, 4})}, {2, 3}), std::string("reference.operands"));
        QCOMPARE(code(nodeOf("softmax"), {tensor({2, 3}, {1})}, {2, 3}), std::string("reference.operands"));
        QCOMPARE(code(nodeOf("slice", {{"axis", std::int64_t{1}}, {"start", std::int64_t{2}}, {"size", std::int64_t{2}}}), {x}, {2, 2}),
                 std::string("reference.operands"));
        QCOMPARE(code(nodeOf("concat", {{"axis", std::int64_t{0}}}), {x}, {3, 3}), std::string("reference.operands"));
        QCOMPARE(code(nodeOf("convolution_of_dreams"), {x}, {2, 3}), std::string("reference.unknown"));
    }
};

TW_REGISTER_TEST(TstReference);
#include "tst_reference.moc"
