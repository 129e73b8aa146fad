#include "engine/runtime/verify_comparison.h"

#include "engine/runtime/session_parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::runtime {

namespace {

constexpr double kInfinite = std::numeric_limits<double>::infinity();
/// Four units in the last place of a float16.
constexpr double kHalfTolerance = 0x1p-8, kLeastNormalHalf = 0x1p-14;
/// A gradient that is zero but for rounding (of an attention's key bias, which its softmax does not feel; of a bias in front of a
/// batch normalisation) says nothing by itself: what two modes may differ by is then the rounding of the sums around it, 1e-7
/// of the largest gradient of its layer.
constexpr double kRounding = 1e-2;
/// Likewise a sum whose addends cancel: they come as halves, which are wrong by 2^-11 of their size, and the sums around it say what that
/// is.
constexpr double kCancelled = 0x1p-3;

} // namespace

VerifyComparison::VerifyComparison(bool half) : m_half(half) {}

void VerifyComparison::compare(std::string const &name, DType dtype, std::span<std::byte const> left, std::span<std::byte const> right,
                               std::string const &around, double allowed)
{
    std::vector<float> a, b;
    appendFloats(a, dtype, left);
    appendFloats(b, dtype, right);
    if (a.size() != b.size()) return missing(name);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max({largest, static_cast<double>(std::abs(a[i])), static_cast<double>(std::abs(b[i]))});
        double const d = std::abs(static_cast<double>(a[i]) - static_cast<double>(b[i]));
        difference = std::isfinite(d) ? std::max(difference, d) : kInfinite;
    }
    if (!around.empty()) m_largestAround[around] = std::max(m_largestAround[around], largest);
    m_differences.push_back({name, std::max(0.0, difference - allowed), largest, around});
}

void VerifyComparison::missing(std::string const &name) { m_worst[name] = kInfinite; }

void VerifyComparison::allowStores(std::string const &name, std::int64_t stores, bool byChance)
{
    // By chance a store errs by 0.41 units in the last place on average: six times that, of two modes, and of so many of them.
    double const wanted = std::max(kHalfTolerance, (byChance ? 4 : 1) * 0x1p-10 * std::sqrt(static_cast<double>(stores)));
    auto &tolerance = m_tolerances[name];
    tolerance = std::max(tolerance, wanted);
}

VerifyOutcome VerifyComparison::outcome(std::int64_t steps) const
{
    VerifyOutcome outcome;
    outcome.steps = steps;
    auto worst = m_worst;
    for (auto const &[name, difference, size, around] : m_differences) {
        auto const largestAround = [&] { return around.empty() ? 0.0 : m_largestAround.at(around); };
        // Below its least normal number a float16 has steps of one size.
        double const least = name.starts_with("gradient/") ? kRounding * largestAround()
            : name.starts_with("sums/")                    ? std::max(kLeastNormalHalf, kCancelled * largestAround())
                                                           : 0.0;
        double const largest = std::max(size, least);
        auto &entry = worst[name];
        entry = std::max(entry, largest > 0 ? difference / largest : difference);
    }
    double const usual = m_half ? kHalfTolerance : outcome.tolerance;
    outcome.tolerance = usual;
    outcome.agrees = steps > 0;
    double nearest = -1;
    for (auto const &[name, error] : worst) {
        auto const own = m_tolerances.find(name);
        double const tolerance = own == m_tolerances.end() ? usual : own->second;
        outcome.tensors.push_back({name, error, tolerance});
        outcome.agrees = outcome.agrees && error <= tolerance;
        if (error / tolerance <= nearest) continue;
        nearest = error / tolerance;
        outcome.maxRelativeError = error;
        outcome.tolerance = tolerance;
    }
    return outcome;
}

} // namespace tilewright::runtime
