#include "engine/kernels/half.h"
#include "engine/kernels/map_blocks.h"
#include "engine/kernels/prim_math.h"
#include "engine/kernels/vector_math.h"
#include "engine/reference/reference.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <functional>
#include <limits>

using namespace tilewright;
using namespace tilewright::kernels;

namespace {

/// Distance of `got` from `want` in units of the last place of the float nearest to `want`.
double ulps(float got, long double want)
{
    auto const nearest = static_cast<float>(want);
    if (std::isnan(nearest) || std::isinf(nearest)) return got == nearest || (std::isnan(got) && std::isnan(nearest)) ? 0 : 1e9;
    int exponent = 0;
    std::frexp(nearest, &exponent);
    long double const unit = std::ldexp(1.0L, std::max(exponent - 24, -149));
    return static_cast<double>(std::abs(static_cast<long double>(got) - want) / unit);
}

struct Worst {
    double error;
    float at;
};
/// Every `stride`-th float of [low, high].
Worst sweep(float low, float high, std::uint32_t stride, float (*f)(float), std::function<long double(long double)> const &exact)
{
    Worst worst{0, low};
    auto const visit = [&](float x) {
        double const error = ulps(f(x), exact(static_cast<long double>(x)));
        if (error > worst.error) worst = {error, x};
    };
    auto const upTo = [&](float from, float to, bool negative) { // 0 <= from <= to
        auto const last = std::bit_cast<std::uint32_t>(to);
        for (auto bits = std::bit_cast<std::uint32_t>(from); bits <= last; bits += stride) {
            float const x = std::bit_cast<float>(bits);
            visit(negative ? -x : x);
        }
    };
    if (low < 0) upTo(high < 0 ? -high : 0.0f, -low, true);
    if (high >= 0) upTo(low > 0 ? low : 0.0f, high, false);
    visit(low);
    visit(high);
    return worst;
}

constexpr float kInf = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

} // namespace

#define VERIFY_ULPS(low, high, function, exact, limit)                                                                                     \
    do {                                                                                                                                   \
        auto const worst = sweep(low, high, 997, function, exact);                                                                         \
        qInfo("%s on [%g, %g]: %.2f ulp at %.9g", #function, double(low), double(high), worst.error, double(worst.at));                    \
        QVERIFY(worst.error <= (limit));                                                                                                   \
    } while (false)

class TstVectorMath : public QObject {
    Q_OBJECT
private slots:
    void expIsAccurate()
    {
        VERIFY_ULPS(
            -87.0f, 88.7f, expValue, [](long double x) { return std::exp(x); }, 1.1);
        VERIFY_ULPS(
            -104.0f, -87.0f, expValue, [](long double x) { return std::exp(x); }, 1.1);
    }
    void expm1IsAccurate()
    {
        VERIFY_ULPS(
            -30.0f, 88.7f, expm1Value, [](long double x) { return std::expm1(x); }, 2.0);
    }
    void logIsAccurate()
    {
        VERIFY_ULPS(
            1e-45f, 3e38f, logValue, [](long double x) { return std::log(x); }, 1.0);
        VERIFY_ULPS(
            0.5f, 2.0f, logValue, [](long double x) { return std::log(x); }, 1.0);
    }
    void log1pIsAccurate()
    {
        VERIFY_ULPS(
            -0.99999f, 1e30f, log1pValue, [](long double x) { return std::log1p(x); }, 2.0);
    }
    void tanhIsAccurate()
    {
        VERIFY_ULPS(
            -20.0f, 20.0f, tanhValue, [](long double x) { return std::tanh(x); }, 2.3);
    }
    void sigmoidIsAccurate()
    {
        VERIFY_ULPS(
            -87.0f, 90.0f, sigmoidValue, [](long double x) { return 1 / (1 + std::exp(-x)); }, 2.3);
    }
    void erfIsAccurate()
    {
        VERIFY_ULPS(
            -6.0f, 6.0f, erfValue, [](long double x) { return std::erf(x); }, 2.0);
    }
    void circularFunctionsAreAccurate()
    {
        VERIFY_ULPS(
            -1e6f, 1e6f, sinValue, [](long double x) { return std::sin(x); }, 0.6);
        VERIFY_ULPS(
            -1e6f, 1e6f, cosValue, [](long double x) { return std::cos(x); }, 0.6);
        VERIFY_ULPS(
            -1e6f, 1e6f, tanValue, [](long double x) { return std::tan(x); }, 0.6);
        VERIFY_ULPS(
            -1e30f, 1e30f, atanValue, [](long double x) { return std::atan(x); }, 0.6);
        VERIFY_ULPS(
            -1.0f, 1.0f, asinValue, [](long double x) { return std::asin(x); }, 0.6);
        QCOMPARE(atanValue(kInf), static_cast<float>(std::acos(-1.0) / 2));
        for (float x : {1.5f, -1.5f, kNan}) QVERIFY(std::isnan(asinValue(x)));
        for (auto f : {sinValue, cosValue, tanValue})
            for (float x : {kInf, -kInf, kNan}) QVERIFY(std::isnan(f(x)));
    }
    void powersAreAccurate()
    {
        VERIFY_ULPS(
            1e-30f, 1e30f, [](float x) { return powValue(x, 0.3f); },
            [](long double x) { return std::pow(x, static_cast<long double>(0.3f)); }, 0.6);
        VERIFY_ULPS(
            -1e4f, 1e4f, [](float x) { return powValue(x, -7.0f); }, [](long double x) { return std::pow(x, -7.0L); }, 0.6);
        VERIFY_ULPS(
            -100.0f, 100.0f, [](float y) { return powValue(2.5f, y); }, [](long double y) { return std::pow(2.5L, y); }, 0.6);
        float const special[] = {0.0f, -0.0f, 1, -1, 0.5f, -0.5f, 2, -2, 3, -3, 1e9f, 16777217.0f, kInf, -kInf, kNan};
        for (float x : special)
            for (float y : special) {
                auto const want = static_cast<float>(std::pow(static_cast<double>(x), static_cast<double>(y)));
                float const got = powValue(x, y);
                bool const same = got == want ? std::signbit(got) == std::signbit(want) : std::isnan(got) && std::isnan(want);
                QVERIFY2(same || ulps(got, static_cast<long double>(want)) <= 1,
                         qPrintable(
                             QString("%1 to the power %2 is %3, not %4").arg(double(x)).arg(double(y)).arg(double(got)).arg(double(want))));
            }
    }
    void endsOfTheRangeAreRight()
    {
        QCOMPARE(expValue(kInf), kInf);
        QCOMPARE(expValue(-kInf), 0.0f);
        QCOMPARE(expValue(89.5f), kInf);
        QCOMPARE(expValue(-110.0f), 0.0f);
        QCOMPARE(expValue(0.0f), 1.0f);
        QCOMPARE(expm1Value(kInf), kInf);
        QCOMPARE(expm1Value(-kInf), -1.0f);
        QCOMPARE(expm1Value(0.0f), 0.0f);
        QCOMPARE(logValue(0.0f), -kInf);
        QCOMPARE(logValue(-0.0f), -kInf);
        QCOMPARE(logValue(kInf), kInf);
        QCOMPARE(logValue(1.0f), 0.0f);
        QVERIFY(std::isnan(logValue(-1.0f)));
        QVERIFY(std::isnan(logValue(-kInf)));
        QCOMPARE(log1pValue(-1.0f), -kInf);
        QCOMPARE(log1pValue(kInf), kInf);
        QCOMPARE(log1pValue(1e-30f), 1e-30f);
        QVERIFY(std::isnan(log1pValue(-2.0f)));
        QCOMPARE(tanhValue(kInf), 1.0f);
        QCOMPARE(tanhValue(-kInf), -1.0f);
        QVERIFY(std::signbit(tanhValue(-0.0f)));
        QCOMPARE(sigmoidValue(kInf), 1.0f);
        QCOMPARE(sigmoidValue(-kInf), 0.0f);
        QCOMPARE(erfValue(kInf), 1.0f);
        QCOMPARE(erfValue(-kInf), -1.0f);
        for (auto f : {expValue, expm1Value, logValue, log1pValue, tanhValue, sigmoidValue, erfValue}) QVERIFY(std::isnan(f(kNan)));
    }
    void gradientsVanishAtInfinity()
    {
        using graph::Prim;
        QCOMPARE((primValue<Prim::GeluGrad>(kInf, 2.0f)), 2.0f);
        QCOMPARE((primValue<Prim::GeluGrad>(-kInf, 2.0f)), 0.0f);
        QCOMPARE((primValue<Prim::SwishGrad>(kInf, 2.0f)), 2.0f);
        QCOMPARE((primValue<Prim::SwishGrad>(-kInf, 2.0f)), 0.0f);
        QCOMPARE((primValue<Prim::GeluTanhGrad>(1e20f, 2.0f)), 2.0f);
        QCOMPARE((primValue<Prim::GeluTanhGrad>(-1e20f, 2.0f)), 0.0f);
        QVERIFY(std::isnan(primValue<Prim::GeluGrad>(kNan, 2.0f)));
        QVERIFY(std::isnan(primValue<Prim::SwishGrad>(kNan, 2.0f)));
    }
    void everyPrimitiveHasAKernelThatFollowsItsFormula()
    {
        std::vector<double> const points{-9, -3, -2, -1, 0, 1, 2, 3, 9};
        constexpr double kP = -2, kQ = 3;
        for (auto const &prim : graph::primitives()) {
            auto const name = std::string(prim.name);
            auto const check = [&]<typename T>(T, double tolerance) {
                for (double x : points)
                    for (double y : points) {
                        double const want = prim.formula(x, y, 5, kP, kQ);
                        auto const a = static_cast<T>(x), b = static_cast<T>(y), c = T{5};
                        T got{};
                        blockFn<T>(prim.prim)({{&a, &b, &c}, &got, {}, 0, 1, 1, kP, kQ});
                        auto const value = static_cast<double>(got);
                        bool const same = value == want || (std::isnan(value) && std::isnan(want));
                        QVERIFY2(
                            same || std::abs(value - want) <= tolerance * std::max(1.0, std::abs(want)),
                            qPrintable(
                                QString("%1 of %2, %3 is %4, its formula says %5").arg(name.c_str()).arg(x).arg(y).arg(value).arg(want)));
                    }
            };
            QVERIFY2(blockFn<float>(prim.prim), name.c_str());
            check(float{}, 2e-6);
            QCOMPARE(blockFn<std::int32_t>(prim.prim) != nullptr, graph::has(prim.prim, graph::kWhole));
            if (graph::has(prim.prim, graph::kWhole)) check(std::int32_t{}, 0);
        }
    }
    void exactPrimitivesAreRoundedOnce()
    {
        for (auto const &prim : graph::primitives()) {
            if (!graph::has(prim.prim, graph::kExact)) continue;
            for (float x : {-1.7f, -0.3f, 0.1f, 0.7f, 3.3f})
                for (float y : {-2.9f, 0.9f, 1e-3f}) {
                    float const p = 0.6f;
                    float got = 0;
                    blockFn<float>(prim.prim)({{&x, &y, &y}, &got, {}, 0, 1, 1, p, p});
                    auto const want = static_cast<float>(prim.formula(x, y, y, p, p));
                    QVERIFY2(got == want || (std::isnan(got) && std::isnan(want)), std::string(prim.name).c_str());
                }
        }
    }
    void halvesConvertExactlyBothWays()
    {
        for (std::uint32_t bits = 0; bits < 65536; ++bits) {
            auto const half = static_cast<std::uint16_t>(bits);
            std::byte bytes[2];
            std::memcpy(bytes, &half, 2);
            double const want = reference::fromBytes(DType::F16, {1}, bytes).v[0];
            float const got = halfToFloat(half);
            if (std::isnan(want)) {
                QVERIFY(std::isnan(got));
                continue;
            }
            QCOMPARE(static_cast<double>(got), want);
            QCOMPARE(floatToHalf(got), half);
        }
    }
    void floatsRoundToTheNearestHalf()
    {
        for (std::uint32_t bits = 0; bits < 0x48000000u; bits += 1237) {
            float const x = std::bit_cast<float>(bits);
            reference::RefTensor const t{
                DType::F16, {1}, {reference::roundTo(static_cast<double>(x), DType::F16, reference::Precision::Float)}};
            std::byte bytes[2];
            reference::toBytes(t, bytes);
            std::uint16_t want = 0;
            std::memcpy(&want, bytes, 2);
            QCOMPARE(floatToHalf(x), want);
            QCOMPARE(floatToHalf(-x), static_cast<std::uint16_t>(want | 0x8000));
        }
        QCOMPARE(floatToHalf(65519.0f), std::uint16_t{0x7BFF});
        QCOMPARE(floatToHalf(65520.0f), std::uint16_t{0x7C00});
        QCOMPARE(floatToHalf(1.0f + 0x1p-11f), std::uint16_t{0x3C00});
        QCOMPARE(floatToHalf(1.0f + 0x3p-11f), std::uint16_t{0x3C02});
    }
};

TW_REGISTER_TEST(TstVectorMath);
#include "tst_vector_math.moc"
