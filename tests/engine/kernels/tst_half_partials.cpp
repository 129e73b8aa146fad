#include "engine/core/random.h"
#include "engine/graph/partial_sums.h"
#include "kernel_cases.h"
#include "tests/support/random_conv.h"
#include "tests/support/small_addends.h"
#include "tests/support/test_registry.h"

#include <QtTest>

using namespace tilewright;
using namespace tilewright::tests;
using namespace tilewright::test;

namespace {

reference::RefTensor halves(Shape shape, RandomStream &random)
{
    reference::RefTensor t{DType::F16, std::move(shape), {}};
    for (std::int64_t i = 0; i < elementCount(t.shape); ++i)
        t.v.push_back(reference::roundTo(2 * random.uniform() - 1, DType::F16, reference::Precision::Float));
    return t;
}

KernelCase caseOf(std::string op, graph::Attrs attrs, std::vector<reference::RefTensor> inputs, Shape out, std::int64_t inputsAtOnce)
{
    KernelCase c;
    c.title = op;
    c.node.op = std::move(op);
    c.node.attrs = std::move(attrs);
    graph::setHalfPartials(c.node, inputsAtOnce);
    c.inputs = std::move(inputs);
    c.outputs = {{std::move(out), DType::F16}};
    // A sum that two orders of additions round to two neighbours stays so.
    c.tolerance = 2.5e-3;
    return c;
}

/// A sum of any of the operations, over more inputs than an accumulation takes.
KernelCase randomCase(RandomStream &random, std::uint64_t number)
{
    auto const upTo = [&](std::int64_t limit) { return 1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(limit))); };
    std::int64_t const m = upTo(70), k = upTo(300), n = upTo(140), batch = upTo(5), at = random.below(2) ? 16 : upTo(40);
    bool const ta = random.below(2), tb = random.below(2);
    graph::Attrs const turned{{"transpose_a", ta}, {"transpose_b", tb}};
    switch (number % 4) {
    case 0:
        return caseOf("matmul", turned, {halves(ta ? Shape{k, m} : Shape{m, k}, random), halves(tb ? Shape{n, k} : Shape{k, n}, random)},
                      {m, n}, at);
    case 1:
        return caseOf(
            "batch_matmul", turned,
            {halves(ta ? Shape{batch, k, m} : Shape{batch, m, k}, random), halves(tb ? Shape{batch, n, k} : Shape{batch, k, n}, random)},
            {batch, m, n}, at);
    case 2: {
        switch (random.below(4)) {
        case 0: return caseOf("reduce_sum", {{"axes", Shape{0}}}, {halves({m, n}, random)}, {n}, at);
        case 1: return caseOf("reduce_sum", {{"axes", Shape{1}}}, {halves({m, n}, random)}, {m}, at);
        case 2: return caseOf("reduce_sum", {{"axes", Shape{0, 2}}}, {halves({m, batch, n}, random)}, {batch}, at);
        default: return caseOf("reduce_sum", {}, {halves({m, n}, random)}, {}, at);
        }
    }
    default: {
        static char const *const kOps[] = {"conv", "conv_input_grad", "conv_weight_grad"};
        auto const conv = tests::randomConv(random);
        std::string const op = kOps[random.below(3)];
        auto const [first, second] = conv.operands(op);
        return caseOf(op, conv.of(op), {halves(first, random), halves(second, random)}, conv.result(op), random.below(2) ? 16 : upTo(4));
    }
    }
}

} // namespace

/// Sums with float16 partial sums: kernels and oracle round at the places given by the attribute.
class TstHalfPartials : public QObject {
    Q_OBJECT
private slots:
    void kernelsGiveTheNumbersOfTheReference_data()
    {
        QTest::addColumn<quint64>("rounding");
        QTest::newRow("to the nearest") << quint64{0};
        QTest::newRow("by chance") << quint64{77};
    }
    void kernelsGiveTheNumbersOfTheReference()
    {
        QFETCH(quint64, rounding);
        reference::RefContext context;
        context.rounding = rounding;
        int changed = 0;
        for (std::uint64_t seed = 0; seed < 160; ++seed) {
            RandomStream random(deriveSeed(31, seed));
            auto c = randomCase(random, seed);
            auto const failure = checkCase(c, 2, context);
            QVERIFY2(failure.empty(), qPrintable(QString("seed %1: ").arg(seed) + QString::fromStdString(failure)));
            auto const half = runKernel(c, 1, context);
            QCOMPARE(runKernel(c, 3, context).bytes, half.bytes);
            graph::setHalfPartials(c.node, 0);
            changed += runKernel(c, 1, context).bytes != half.bytes;
        }
        QVERIFY2(changed > 100, qPrintable(QString::number(changed)));
    }

    void smallAddendsAreLost_data()
    {
        QTest::addColumn<QString>("op");
        for (auto const &sum : sumsOfMany()) QTest::newRow(sum.op.c_str()) << QString::fromStdString(sum.op);
    }
    void smallAddendsAreLost()
    {
        QFETCH(QString, op);
        auto const &sum = sumOfMany(op.toStdString());
        std::vector<reference::RefTensor> operands{{DType::F16, sum.first, smallAddends()}};
        if (!sum.second.empty()) operands.push_back({DType::F16, sum.second, std::vector<double>(kManyInputs, 1.0)});
        KernelCase c = caseOf(sum.op, sum.attrs, operands, sum.result, 16);
        auto const both = [&](reference::RefContext const &context) {
            auto const oracle = reference::evaluate(c.node, c.inputs, c.outputs, context).value().at(0).v.at(0);
            auto const kernel = runKernel(c, 2, context);
            if (!kernel.error.empty()) qFatal("%s", kernel.error.c_str());
            return std::pair(oracle, kernel.outputs.at(0).v.at(0));
        };
        QCOMPARE(both({}), std::pair(2048.0, 2048.0));
        // By chance one store in three goes up: the mean is kept.
        reference::RefContext chance;
        double mean = 0;
        for (chance.rounding = 1; chance.rounding <= 40; ++chance.rounding) {
            auto const [oracle, kernel] = both(chance);
            QCOMPARE(kernel, oracle);
            mean += oracle / 40;
        }
        QVERIFY2(std::abs(mean - kSmallAddendsSum) < 6, qPrintable(QString::number(mean)));
        graph::setHalfPartials(c.node, 0);
        QCOMPARE(both({}), std::pair(2088.0, 2088.0));
    }
};

TW_REGISTER_TEST(TstHalfPartials);
#include "tst_half_partials.moc"
