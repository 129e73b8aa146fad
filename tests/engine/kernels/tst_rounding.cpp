#include "engine/kernels/half.h"
#include "engine/kernels/rounding.h"
#include "kernel_cases.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <bit>
#include <cmath>
#include <limits>

using namespace tilewright;
using namespace tilewright::test;

namespace {

reference::RefTensor halves(Shape shape, std::uint64_t seed, DType dtype = DType::F16)
{
    RandomStream stream(seed);
    reference::RefTensor t{dtype, std::move(shape), {}};
    for (std::int64_t i = 0; i < elementCount(t.shape); ++i)
        t.v.push_back(reference::roundTo(4 * stream.uniform() - 2, dtype, reference::Precision::Float));
    return t;
}

} // namespace

/// Stochastic rounding: its definition, and that its mean is the value.
class TstRounding : public QObject {
    Q_OBJECT
private slots:
    void valuesOfAHalfStay()
    {
        for (std::uint32_t bits = 0; bits <= 0xFFFF; ++bits) {
            auto const half = static_cast<std::uint16_t>(bits);
            float const value = kernels::halfToFloat(half);
            for (std::uint32_t random : {0u, 1u, 4096u, 8191u}) {
                auto const again = kernels::floatToHalf(value, random);
                if (std::isnan(value)) QVERIFY(std::isnan(kernels::halfToFloat(again)));
                else QCOMPARE(again, half);
            }
        }
    }

    /// The mean over all draws is the value itself, up to less than 1/8192 of the last place.
    void theMeanIsTheValue()
    {
        RandomStream stream(7);
        for (int i = 0; i < 300; ++i) {
            // All magnitudes from below the least denormal up to the largest half.
            float const value = static_cast<float>((stream.uniform() < 0.5 ? -1 : 1)
                                                   * std::ldexp(1 + stream.uniform(), static_cast<int>(stream.below(41)) - 26));
            double sum = 0;
            float low = std::numeric_limits<float>::infinity(), high = -low;
            for (std::uint32_t random = 0; random < 8192; ++random) {
                float const rounded = kernels::halfToFloat(kernels::floatToHalf(value, random));
                sum += static_cast<double>(rounded);
                low = std::min(low, rounded);
                high = std::max(high, rounded);
            }
            if (!std::isfinite(sum)) {
                QVERIFY(std::abs(value) > 65504);
                continue;
            }
            int exponent = 0;
            std::frexp(value, &exponent);
            double const unit = std::ldexp(1.0, std::max(exponent - 11, -24));
            QVERIFY(static_cast<double>(high) - static_cast<double>(low) <= unit);
            QVERIFY(low <= value && value <= high);
            QVERIFY2(std::abs(sum / 8192 - static_cast<double>(value)) <= unit / 8192, qPrintable(QString::number(value)));
        }
    }
    void valuesTooLargeForAHalf()
    {
        float const infinity = std::numeric_limits<float>::infinity();
        for (std::uint32_t random : {0u, 8191u}) {
            QCOMPARE(kernels::floatToHalf(65536.0f, random), std::uint16_t{0x7C00});
            QCOMPARE(kernels::floatToHalf(-infinity, random), std::uint16_t{0xFC00});
            QVERIFY(std::isnan(kernels::halfToFloat(kernels::floatToHalf(std::nanf(""), random))));
        }
        QCOMPARE(kernels::floatToHalf(65519.0f, 0), std::uint16_t{0x7BFF});
        QCOMPARE(kernels::floatToHalf(65519.0f, 8191), std::uint16_t{0x7C00});
    }

    void everyPartOfThePlaceMatters()
    {
        RoundingPlace const place{1, 2, 3, 4, 5, 6};
        std::vector<std::uint64_t> seeds{roundingSeed(place)};
        for (auto const &other : {RoundingPlace{9, 2, 3, 4, 5, 6}, RoundingPlace{1, 9, 3, 4, 5, 6}, RoundingPlace{1, 2, 9, 4, 5, 6},
                                  RoundingPlace{1, 2, 3, 9, 5, 6}, RoundingPlace{1, 2, 3, 4, 9, 6}, RoundingPlace{1, 2, 3, 4, 5, 9}})
            seeds.push_back(roundingSeed(other));
        for (std::size_t result = 0; result < 3; ++result) seeds.push_back(roundingSeed(seeds[0], result));
        std::ranges::sort(seeds);
        QVERIFY(std::ranges::adjacent_find(seeds) == seeds.end());
    }

    /// However the elements are shared out, each draws by its number.
    void piecesDrawWhatTheWholeDraws()
    {
        std::vector<float> values(103);
        RandomStream stream(3);
        for (auto &value : values) value = static_cast<float>(stream.uniform());
        std::vector<std::uint16_t> whole(values.size()), pieces(values.size());
        kernels::narrow(values.data(), 103, whole.data(), 42, 5);
        for (std::int64_t begin = 0, width = 1; begin < 103; begin += width, ++width)
            kernels::narrow(values.data() + begin, std::min<std::int64_t>(width, 103 - begin), pieces.data() + begin, 42, 5 + begin);
        QCOMPARE(pieces, whole);
        std::vector<std::uint16_t> nearest(values.size()), other(values.size());
        kernels::narrow(values.data(), 103, nearest.data());
        kernels::narrow(values.data(), 103, other.data(), 43, 5);
        QVERIFY(nearest != whole && other != whole);
    }

    void kernelsRoundAsTheReference_data()
    {
        QTest::addColumn<KernelCase>("kernel");
        auto const row = [](char const *op, graph::Attrs attrs, std::vector<reference::RefTensor> inputs,
                            std::vector<reference::RefOutput> outputs, std::vector<int> inPlace = {}) {
            KernelCase c;
            c.title = op;
            c.node.op = op;
            c.node.attrs = std::move(attrs);
            c.node.inPlace = std::move(inPlace);
            c.inputs = std::move(inputs);
            c.outputs = std::move(outputs);
            QTest::newRow(op) << c;
        };
        row("mul", {}, {halves({70, 33}, 1), halves({70, 33}, 2)}, {{{70, 33}, DType::F16}});
        row("add", {}, {halves({5, 4001}, 1), halves({4001}, 2)}, {{{5, 4001}, DType::F16}}, {0});
        row("cast", {}, {halves({3000}, 3, DType::F32)}, {{{3000}, DType::F16}});
        row("softmax", {}, {halves({40, 10}, 4)}, {{{40, 10}, DType::F16}});
        row("opt.sgd", {}, {halves({500}, 5), halves({500}, 6), reference::RefTensor{DType::F32, {}, {0.01f}}}, {{{500}, DType::F16}}, {0});
    }
    void kernelsRoundAsTheReference()
    {
        QFETCH(KernelCase, kernel);
        reference::RefContext context;
        context.rounding = 12345;
        auto const want = reference::evaluate(kernel.node, kernel.inputs, kernel.outputs, context);
        QVERIFY2(want.ok(), want.ok() ? "" : toText(want.error()).c_str());
        auto const got = runKernel(kernel, 2, context), again = runKernel(kernel, 1, context), nearest = runKernel(kernel, 2);
        QVERIFY2(got.error.empty(), got.error.c_str());
        QVERIFY(got.bytes == again.bytes);
        QVERIFY(got.bytes != nearest.bytes);
        // Values on different sides of a draw in float32 and double are rare.
        std::size_t others = 0;
        for (std::size_t i = 0; i < want->front().v.size(); ++i) others += got.outputs[0].v[i] != want->front().v[i];
        QVERIFY2(others * 100 <= want->front().v.size(), qPrintable(QString::number(others)));
    }
};

TW_REGISTER_TEST(TstRounding);
#include "tst_rounding.moc"
