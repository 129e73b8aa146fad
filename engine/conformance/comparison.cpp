#include "engine/conformance/comparison.h"

#include "engine/core/text.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::conformance {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr double kHalfRtol = 2e-2, kHalfAtolOfMax = 5e-3; ///< recommendation of the format for float16

/// |a - e|; equal infinities and two NaNs count as equal.
double distance(double a, double e)
{
    if (a == e || (std::isnan(a) && std::isnan(e))) return 0;
    double const d = std::abs(a - e);
    return std::isfinite(d) ? d : kInfinity;
}

double largest(Tensor const &tensor)
{
    double most = 0;
    for (double v : tensor.v) most = std::max(most, std::abs(v));
    return most;
}

/// A figure as a fraction of its limit; above 1 it exceeds the limit.
double share(double error, double limit)
{
    if (limit > 0) return error / limit;
    return error > 0 ? kInfinity : 0;
}

} // namespace

void Comparison::computed(std::string name, Tensor tensor)
{
    for (auto &[known, value] : m_computed)
        if (known == name) {
            value = std::move(tensor);
            return;
        }
    m_computed.emplace_back(std::move(name), std::move(tensor));
}

bool Comparison::sameShape(std::string const &name, Tensor const &actual, Tensor const &expected)
{
    computed(name, actual);
    if (actual.shape == expected.shape && actual.v.size() == expected.v.size()) return true;
    mismatch(name + " has shape " + tilewright::toText(actual.shape) + ", expected " + tilewright::toText(expected.shape) + ".");
    return false;
}

void Comparison::values(std::string const &name, Tensor const &actual, Tensor const &expected, Tolerance tolerance)
{
    if (!sameShape(name, actual, expected)) return;
    if (m_half) tolerance = {kHalfRtol, kHalfAtolOfMax * largest(expected)};
    m_compared = true;
    double worst = -1, worstError = 0, worstLimit = 0;
    std::size_t at = 0;
    for (std::size_t i = 0; i < actual.v.size(); ++i) {
        double const error = distance(actual.v[i], expected.v[i]);
        double const limit = tolerance.atol + tolerance.rtol * std::abs(expected.v[i]);
        if (share(error, limit) <= worst) continue;
        worst = share(error, limit);
        worstError = error;
        worstLimit = limit;
        at = i;
    }
    if (worst < 0) return;
    std::string place = name;
    if (worst > 1) place += " element " + std::to_string(at) + ": " + numberText(actual.v[at]) + ", expected " + numberText(expected.v[at]);
    add(place, worstError, worstLimit);
}

void Comparison::relativeToMax(std::string const &name, Tensor const &actual, Tensor const &expected, double limit)
{
    if (!sameShape(name, actual, expected)) return;
    double const scale = largest(expected);
    double error = 0;
    for (std::size_t i = 0; i < actual.v.size(); ++i) error = std::max(error, distance(actual.v[i], expected.v[i]));
    add(name + " relative to its largest element", scale > 0 ? error / scale : error, limit);
}

void Comparison::add(std::string const &place, double error, double limit)
{
    m_compared = true;
    if (std::isnan(error)) error = kInfinity;
    if (!m_hasWorst || share(error, limit) > share(m_error, m_limit)) {
        m_error = error;
        m_limit = limit;
        m_hasWorst = true;
    }
    if (error > limit) mismatch(place + ": off by " + numberText(error) + ", allowed " + numberText(limit) + ".");
}

void Comparison::mismatch(std::string reason)
{
    m_compared = true;
    if (!m_failed) m_reason = std::move(reason);
    m_failed = true;
}

} // namespace tilewright::conformance
