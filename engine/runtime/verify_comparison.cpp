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
/// Two finite tensors differ by at most twice their largest magnitude.
constexpr double kAnyFinite = 2;

/// Both are NaN, or the same infinity.
bool alikeNotFinite(float a, float b) { return (std::isnan(a) && std::isnan(b)) || (std::isinf(a) && a == b); }

/// The largest difference of two arrays of equal length; infinite where only one element is no finite number. A float16 beyond its largest
/// number is infinite: where rounding decides that, the infinity counts as the next number, 2^16.
///
/// If both arrays hold a NaN, only elements without one are compared. A mode may multiply a NaN by zeros, of a padding or of an activation,
/// or leave these products out: the mode decides which elements the NaN reaches.
double largestDifference(std::vector<float> const &a, std::vector<float> const &b, bool half)
{
    auto const number = [half](float x) { return half && std::isinf(x) ? std::copysign(0x1p16, static_cast<double>(x)) : double{x}; };
    auto const isNan = [](float x) { return std::isnan(x); };
    bool const lost = std::ranges::any_of(a, isNan) && std::ranges::any_of(b, isNan);
    double difference = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (alikeNotFinite(a[i], b[i]) || (lost && (isNan(a[i]) || isNan(b[i])))) continue;
        double const d = std::abs(number(a[i]) - number(b[i]));
        difference = std::isfinite(d) ? std::max(difference, d) : kInfinite;
    }
    return difference;
}

} // namespace

VerifyComparison::VerifyComparison(bool half) : m_half(half) {}

void VerifyComparison::compare(std::string const &name, DType dtype, std::span<std::byte const> left, std::span<std::byte const> right,
                               std::string const &around, double allowed)
{
    std::vector<float> a, b;
    appendFloats(a, dtype, left);
    appendFloats(b, dtype, right);
    if (a.size() != b.size()) return missing(name);
    double largest = 0;
    for (auto const *values : {&a, &b})
        for (float const value : *values)
            if (std::isfinite(value)) largest = std::max(largest, static_cast<double>(std::abs(value)));
    if (!around.empty()) m_largestAround[around] = std::max(m_largestAround[around], largest);
    m_differences.push_back(
        {name, m_update, std::max(0.0, largestDifference(a, b, dtype == DType::F16) - allowed), largest, around, dtype == DType::F16});
}

void VerifyComparison::missing(std::string const &name) { m_missing.insert(name); }

void VerifyComparison::allowStores(std::string const &name, std::int64_t stores, bool byChance)
{
    // By chance a store errs by 0.41 units in the last place on average: six times that, of two modes, and of so many of them.
    double const wanted = std::max(kHalfTolerance, (byChance ? 4 : 1) * 0x1p-10 * std::sqrt(static_cast<double>(stores)));
    auto &tolerance = m_tolerances[name];
    tolerance = std::max(tolerance, wanted);
}

void VerifyComparison::allowSpread(std::string const &name, DType dtype, std::span<std::byte const> exact,
                                   std::span<std::byte const> perturbed)
{
    std::vector<float> a, b;
    appendFloats(a, dtype, exact);
    appendFloats(b, dtype, perturbed);
    if (a.size() != b.size()) return;
    double const difference = largestDifference(a, b, dtype == DType::F16);
    auto &spread = m_spread[{m_update, name}];
    if (!std::isfinite(difference)) return;
    spread.largest = std::max(spread.largest, difference);
    spread.wasFinite = true;
}

double VerifyComparison::statedTolerance(std::string const &name) const
{
    auto const own = m_tolerances.find(name);
    return own != m_tolerances.end() ? own->second : m_half ? kHalfTolerance : VerifyOutcome().tolerance;
}

VerifyTensor VerifyComparison::judged(Difference const &entry) const
{
    auto const largestAround = [&] { return entry.around.empty() ? 0.0 : m_largestAround.at(entry.around); };
    bool const sums = entry.name.starts_with("sums/");
    double const related = sums ? kCancelled * largestAround() : entry.name.starts_with("gradient/") ? kRounding * largestAround() : 0.0;
    // Below its least normal number a float16 has steps of one size.
    double const least = sums || entry.half ? kLeastNormalHalf : 0.0;
    double const size = std::max({entry.largest, related, least}), unit = size > 0 ? size : 1;
    VerifyTensor tensor{entry.name, entry.difference / unit, statedTolerance(entry.name)};
    auto const spread = m_spread.find({entry.update, entry.name});
    if (spread == m_spread.end()) return tensor;
    double const allowed = spread->second.wasFinite ? kSpreadFactor * spread->second.largest / unit : kAnyFinite;
    if (!(allowed > tensor.tolerance)) return tensor;
    tensor.tolerance = allowed;
    tensor.measured = true;
    return tensor;
}

std::set<std::string> VerifyComparison::beyondTolerance() const
{
    std::set<std::string> names;
    for (auto entry = m_differences.rbegin(); entry != m_differences.rend() && entry->update == m_update; ++entry)
        if (auto const tensor = judged(*entry); std::isfinite(tensor.maxRelativeError) && tensor.maxRelativeError > tensor.tolerance)
            names.insert(entry->name);
    return names;
}

VerifyOutcome VerifyComparison::outcome(std::int64_t steps) const
{
    VerifyOutcome outcome;
    outcome.steps = steps;
    std::map<std::string, VerifyTensor> worst;
    for (auto const &entry : m_differences) {
        auto const tensor = judged(entry);
        auto const [known, isNew] = worst.emplace(entry.name, tensor);
        if (!isNew && tensor.maxRelativeError / tensor.tolerance > known->second.maxRelativeError / known->second.tolerance)
            known->second = tensor;
    }
    for (auto const &name : m_missing) worst[name] = {name, kInfinite, statedTolerance(name)};
    outcome.tolerance = m_half ? kHalfTolerance : outcome.tolerance;
    outcome.agrees = steps > 0;
    double nearest = -1;
    for (auto const &[name, tensor] : worst) {
        outcome.tensors.push_back(tensor);
        outcome.agrees = outcome.agrees && tensor.maxRelativeError <= tensor.tolerance;
        if (tensor.maxRelativeError / tensor.tolerance <= nearest) continue;
        nearest = tensor.maxRelativeError / tensor.tolerance;
        outcome.maxRelativeError = tensor.maxRelativeError;
        outcome.tolerance = tensor.tolerance;
        outcome.measured = tensor.measured;
    }
    return outcome;
}

} // namespace tilewright::runtime
