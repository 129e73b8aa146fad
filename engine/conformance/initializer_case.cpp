// Kind initializer: statistics that first values have to meet. The mode makes no difference: the host draws them.
#include "engine/conformance/case_run.h"
#include "engine/core/text.h"
#include "engine/model/initializers.h"

#include <algorithm>
#include <cmath>

namespace tilewright::conformance {

namespace {

constexpr std::uint64_t kSeed = 42;
constexpr double kRounding = 1e-6; ///< relative, of a bound that float32 cannot hold exactly

void checkStatistics(Comparison &check, std::vector<double> const &v, Json const &expected)
{
    double mean = 0, variance = 0;
    for (double x : v) mean += x;
    mean /= static_cast<double>(v.size());
    for (double x : v) variance += (x - mean) * (x - mean);
    variance /= static_cast<double>(v.size());
    if (find(expected, "mean")) {
        double const wanted = numberOr(expected, "mean", 0);
        check.add("mean", std::abs(mean - wanted), numberOr(expected, "mean_tolerance", 0) + kRounding * std::abs(wanted));
    }
    if (find(expected, "variance")) {
        double const wanted = numberOr(expected, "variance", 0);
        check.add("variance", wanted > 0 ? std::abs(variance / wanted - 1) : variance,
                  numberOr(expected, "variance_rtol", 0) + kRounding * kRounding);
    }
    auto const [least, most] = std::ranges::minmax(v);
    double const low = numberOr(expected, "min_at_least", least), high = numberOr(expected, "max_at_most", most);
    if (least < low - kRounding * std::abs(low)) check.mismatch("the smallest value is " + numberText(least) + ".");
    if (most > high + kRounding * std::abs(high)) check.mismatch("the largest value is " + numberText(most) + ".");
}

/// gain times the identity.
void checkIdentity(Comparison &check, Tensor const &tensor, double gain)
{
    Tensor wanted = tensor;
    std::int64_t const columns = tensor.shape.back();
    for (std::size_t i = 0; i < wanted.v.size(); ++i) {
        auto const at = static_cast<std::int64_t>(i);
        wanted.v[i] = at / columns == at % columns ? gain : 0.0;
    }
    check.values("values", tensor, wanted, {1e-6, 0});
}

/// As a matrix [all but the last axis, last axis]: the smaller side is orthonormal times gain.
void checkOrthogonal(Comparison &check, Tensor const &tensor, double gain)
{
    std::int64_t const columns = tensor.shape.back(), rows = elementCount(tensor.shape) / columns;
    bool const tall = rows >= columns;
    std::int64_t const side = tall ? columns : rows, length = tall ? rows : columns;
    auto const at = [&](std::int64_t vector, std::int64_t k) {
        return tensor.v[static_cast<std::size_t>(tall ? k * columns + vector : vector * columns + k)];
    };
    double worst = 0;
    for (std::int64_t a = 0; a < side; ++a)
        for (std::int64_t b = a; b < side; ++b) {
            double product = 0;
            for (std::int64_t k = 0; k < length; ++k) product += at(a, k) * at(b, k);
            worst = std::max(worst, std::abs(product - (a == b ? gain * gain : 0.0)));
        }
    check.add("inner products", worst, 1e-5 * std::max(1.0, gain * gain));
}

} // namespace

Status runInitializerCase(CaseRun &run)
{
    auto const &json = run.json();
    TW_TRY(allowOnly(json, {"format", "id", "kind", "note", "provenance", "tolerance", "initializer", "shape", "expected"}));
    TW_ASSIGN(auto const *initializerJson, require(json, "initializer"));
    TW_ASSIGN(auto const initializer, model::parseInitializer(*initializerJson));
    TW_ASSIGN(auto const *shapeJson, require(json, "shape"));
    TW_ASSIGN(auto const shape, shapeOf(*shapeJson, "shape"));
    TW_ASSIGN(auto const *expected, require(json, "expected"));
    TW_TRY(allowOnly(*expected,
                     {"mean", "mean_tolerance", "variance", "variance_rtol", "min_at_least", "max_at_most", "exact", "orthogonal"}));
    TW_ASSIGN(auto const values, model::initialize(initializer, shape, kSeed));
    Tensor const tensor{DType::F32, shape, std::vector<double>(values.begin(), values.end())};
    if (tensor.v.empty() || shape.empty()) return caseError("shape", Message::of("there is no value."));
    run.check.computed("values", tensor);
    checkStatistics(run.check, tensor.v, *expected);
    double const gain = initializer.config.contains("gain") ? initializer.number("gain") : 1.0;
    if (find(*expected, "exact")) {
        if (initializer.className != "Identity") return notYet(Message::of("an exact value of %1", initializer.className));
        checkIdentity(run.check, tensor, gain);
    }
    if (find(*expected, "orthogonal")) checkOrthogonal(run.check, tensor, gain);
    return {};
}

} // namespace tilewright::conformance
