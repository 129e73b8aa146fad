#include "engine/runtime/verify_comparison.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <cmath>
#include <cstring>
#include <limits>

using namespace tilewright;
using runtime::VerifyComparison;

/// What counts as equal between the modes, and what never does.
class TstVerifyComparison : public QObject {
    Q_OBJECT
    static std::vector<std::byte> bytesOf(std::vector<float> const &values)
    {
        std::vector<std::byte> bytes(values.size() * sizeof(float));
        if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
        return bytes;
    }
    static runtime::VerifyOutcome compared(std::string const &name, std::vector<float> const &left, std::vector<float> const &right,
                                           double allowed = 0, bool half = false)
    {
        VerifyComparison comparison(half);
        comparison.compare(name, DType::F32, bytesOf(left), bytesOf(right), {}, allowed);
        return comparison.outcome(1);
    }
    static runtime::VerifyOutcome halves(std::uint16_t left, std::uint16_t right)
    {
        std::vector<std::byte> a(2), b(2);
        std::memcpy(a.data(), &left, 2);
        std::memcpy(b.data(), &right, 2);
        VerifyComparison comparison(true);
        comparison.compare("w/slot", DType::F16, a, b);
        return comparison.outcome(1);
    }

private slots:
    void differencesAreOfTheLargestMagnitude()
    {
        auto const near = compared("w", {100, 1}, {100, 1.0005f});
        QVERIFY(near.agrees && std::abs(near.maxRelativeError - 5e-6) < 1e-7);
        QCOMPARE(near.tolerance, 1e-5);
        QVERIFY(!compared("w", {100, 1}, {100, 1.005f}).agrees);
        QVERIFY(compared("w", {100, 1}, {100, 1.005f}, 0.006).agrees);
        QVERIFY(compared("w", {100, 1}, {100, 1.3f}, 0, true).agrees); // four units of a float16
    }
    /// A weight gradient at an element of the kernel that meets nothing but padding: NaN times zero, or no product at all.
    void zerosDecideWhatANanReaches()
    {
        float const nan = std::numeric_limits<float>::quiet_NaN();
        QVERIFY(compared("w", {nan, nan, 1}, {0, nan, 1}).agrees);
        QVERIFY(!compared("w", {nan, nan, 1}, {0, nan, 1.1f}).agrees);
        QVERIFY(!compared("w", {nan, 1, 1}, {0, 1, 1}).agrees); // one mode alone computes a NaN
    }
    /// One mode's sum is the largest float16, the other's is the step beyond it: infinity.
    void overflowIsTheNextStep()
    {
        QVERIFY(halves(0x7C00, 0x7BFF).agrees);
        QVERIFY(halves(0xFBFE, 0xFC00).agrees);
        QVERIFY(!halves(0x7C00, 0xFC00).agrees); // of other signs
        QVERIFY(!halves(0x7C00, 0x7800).agrees); // 32768
        QVERIFY(!halves(0x7C00, 0x7E00).agrees); // NaN
    }
    /// Two steps of the smallest float16 differ from one by half of their size, and yet by one rounding.
    void halvesBelowTheLeastNormalNumberHaveStepsOfOneSize()
    {
        QVERIFY(halves(1, 2).agrees);
        QVERIFY(halves(0x300, 0x302).agrees);
        QVERIFY(!halves(1, 9).agrees);
        QVERIFY(!halves(0x3C00, 0x3C10).agrees);                // sixteen steps at 1
        QVERIFY(!compared("w", {0x1p-24f}, {0x1p-23f}).agrees); // float32 has smaller ones
    }
    void otherSizesAreNeverEqual()
    {
        for (auto const &right : {std::vector<float>{1}, {1, 2, 3}, {}}) {
            auto const outcome = compared("w", {1, 2}, right);
            QVERIFY(!outcome.agrees && std::isinf(outcome.maxRelativeError));
        }
    }
    /// A metric that takes the logarithm of a negative prediction is NaN in both modes.
    void whatIsNotFiniteInOneModeAloneDiffers()
    {
        float const nan = std::numeric_limits<float>::quiet_NaN(), infinity = std::numeric_limits<float>::infinity();
        QVERIFY(!compared("w", {1, nan}, {1, 2}).agrees);
        QVERIFY(!compared("w", {1, infinity}, {1, 2}).agrees);
        QVERIFY(!compared("w", {1, infinity}, {1, -infinity}).agrees);
        QVERIFY(!compared("w", {1, infinity}, {1, nan}).agrees);
        QVERIFY(compared("w", {1, nan}, {1, nan}).agrees);
        QVERIFY(compared("w", {1, infinity}, {1, infinity}).agrees);
        QVERIFY(!compared("w", {1, nan}, {1.1f, nan}).agrees); // the others are compared all the same
    }
    void whatOneModeHasNotIsTold()
    {
        VerifyComparison comparison(false);
        comparison.compare("a", DType::F32, bytesOf({1}), bytesOf({1}));
        comparison.missing("b");
        comparison.compare("b", DType::F32, bytesOf({1}), bytesOf({1})); // another step has it
        auto const outcome = comparison.outcome(1);
        QVERIFY(!outcome.agrees);
        QCOMPARE(outcome.tensors.size(), std::size_t{2});
        QVERIFY(outcome.tensors[0].maxRelativeError == 0 && std::isinf(outcome.tensors[1].maxRelativeError));
        QVERIFY(!VerifyComparison(false).outcome(0).agrees); // nothing was compared
    }
    /// The gradient of a bias that nothing feels is measured with those beside it.
    void whatIsZeroButForRoundingIsMeasuredAmongItsLike()
    {
        VerifyComparison comparison(false);
        comparison.compare("gradient/dense/kernel", DType::F32, bytesOf({10}), bytesOf({10}), "gradient/dense");
        comparison.compare("gradient/dense/bias", DType::F32, bytesOf({1e-9f}), bytesOf({-1e-9f}), "gradient/dense");
        QVERIFY(comparison.outcome(1).agrees);
        comparison.compare("gradient/other/bias", DType::F32, bytesOf({1e-9f}), bytesOf({-1e-9f}), "gradient/other");
        QVERIFY(!comparison.outcome(1).agrees);
    }
    /// Where addends cancel, the last bits of a sum are a large part of what is left.
    void measuredRoundingIsAllowedInItsUpdate()
    {
        VerifyComparison comparison(false);
        comparison.beginUpdate();
        comparison.compare("w", DType::F32, bytesOf({1e-3f, 5e-4f}), bytesOf({1.001e-3f, 5e-4f}));
        QVERIFY(comparison.beyondTolerance().contains("w"));
        comparison.allowSpread("w", DType::F32, bytesOf({1e-3f, 5e-4f}), bytesOf({1e-3f, 5.002e-4f}));
        QVERIFY(comparison.beyondTolerance().empty()); // eight times 2e-7
        auto const outcome = comparison.outcome(1);
        QVERIFY(outcome.agrees && outcome.measured && outcome.tensors[0].measured);
        QVERIFY(std::abs(outcome.tolerance - 1.6e-3) < 1e-5);
        // Not in another update, nor of another tensor, nor a larger difference.
        comparison.beginUpdate();
        comparison.compare("w", DType::F32, bytesOf({1e-3f}), bytesOf({1.001e-3f}));
        QVERIFY(comparison.beyondTolerance().contains("w") && !comparison.outcome(2).agrees);
        comparison.allowSpread("w", DType::F32, bytesOf({1e-3f}), bytesOf({1.0001e-3f}));
        QVERIFY(!comparison.outcome(2).agrees);
    }
    void aStatedToleranceIsNeverNarrowed()
    {
        VerifyComparison comparison(false);
        comparison.compare("w", DType::F32, bytesOf({1}), bytesOf({1.000005f}));
        comparison.allowSpread("w", DType::F32, bytesOf({1}), bytesOf({1}));
        auto const outcome = comparison.outcome(1);
        QVERIFY(outcome.agrees && !outcome.measured);
        QCOMPARE(outcome.tolerance, 1e-5);
    }
    void whatIsNotFiniteIsNoRounding()
    {
        float const nan = std::numeric_limits<float>::quiet_NaN();
        VerifyComparison comparison(false);
        comparison.compare("w", DType::F32, bytesOf({1, nan}), bytesOf({1, 2}));
        comparison.allowSpread("w", DType::F32, bytesOf({1, 2}), bytesOf({1, nan}));
        QVERIFY(comparison.beyondTolerance().empty()); // no spread would help
        QVERIFY(!comparison.outcome(1).agrees);
    }
    /// A recurrent state that grows with each step: rounding decides whether it overflows.
    void finiteTensorsMayDifferWhereRoundingAloneOverflows()
    {
        float const nan = std::numeric_limits<float>::quiet_NaN();
        VerifyComparison comparison(false);
        comparison.compare("w", DType::F32, bytesOf({1}), bytesOf({-1}));
        for (int run = 0; run < 2; ++run) comparison.allowSpread("w", DType::F32, bytesOf({1}), bytesOf({nan}));
        QVERIFY(comparison.outcome(1).agrees && comparison.outcome(1).measured);
        comparison.allowSpread("w", DType::F32, bytesOf({1}), bytesOf({1.0001f})); // one run stays finite: its difference counts
        QVERIFY(!comparison.outcome(1).agrees);
    }
    void sumsStoredOnTheWayMayDifferMore()
    {
        VerifyComparison comparison(true);
        comparison.compare("sums/x", DType::F32, bytesOf({1}), bytesOf({1.02f}));
        QVERIFY(!comparison.outcome(1).agrees);
        comparison.allowStores("sums/x", 1024, false); // 32 / 1024
        QVERIFY(comparison.outcome(1).agrees);
        QCOMPARE(comparison.outcome(1).tolerance, 0x1p-5);
    }
};

TW_REGISTER_TEST(TstVerifyComparison);
#include "tst_verify_comparison.moc"
