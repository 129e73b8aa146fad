#include "engine/core/tally.h"

#include "engine/core/result.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tilewright {

namespace {

using Reading = Tally::Reading;

double ratio(double part, double whole) { return whole == 0 ? 0.0 : part / whole; }

/// The counts of one label.
class Counts {
public:
    explicit Counts(std::span<double const> totals)
        : m_columns(totals.size() / 2), m_positive(totals.first(m_columns)), m_all(totals.last(m_columns))
    {
    }
    std::size_t thresholds() const { return m_columns - 1; }
    double above(std::size_t t) const { return m_all[t]; }
    double truePositives(std::size_t t) const { return m_positive[t]; }
    double falsePositives(std::size_t t) const { return m_all[t] - m_positive[t]; }
    double falseNegatives(std::size_t t) const { return m_positive.back() - m_positive[t]; }
    double trueNegatives(std::size_t t) const { return m_all.back() - m_positive.back() - falsePositives(t); }
    double precision(std::size_t t) const { return ratio(m_positive[t], m_all[t]); }
    double recall(std::size_t t) const { return ratio(m_positive[t], m_positive.back()); }
    double falsePositiveRate(std::size_t t) const { return ratio(falsePositives(t), m_all.back() - m_positive.back()); }
    double specificity(std::size_t t) const { return ratio(trueNegatives(t), m_all.back() - m_positive.back()); }

private:
    std::size_t m_columns;
    std::span<double const> m_positive, m_all;
};

/// The largest `wanted` over the thresholds at which `limited` is at least the bound; 0 if there is none.
double bestWithin(Counts const &counts, double bound, double (Counts::*limited)(std::size_t) const,
                  double (Counts::*wanted)(std::size_t) const)
{
    double best = 0;
    for (std::size_t t = 0; t < counts.thresholds(); ++t)
        if ((counts.*limited)(t) >= bound) best = std::max(best, (counts.*wanted)(t));
    return best;
}

double height(Tally::Heights heights, double one, double other)
{
    switch (heights) {
    case Tally::Heights::Between: return (one + other) / 2;
    case Tally::Heights::Lower: return std::min(one, other);
    case Tally::Heights::Upper: return std::max(one, other);
    }
    return 0;
}

/// Between two thresholds, precision is interpolated along the true positives (Davis and Goadrich, "The relationship between
/// precision-recall and ROC curves", 2006; formula of keras.metrics.AUC.interpolate_pr_auc).
double interpolatedPrecisionRecallArea(Counts const &counts)
{
    double area = 0;
    for (std::size_t t = 0; t + 1 < counts.thresholds(); ++t) {
        double const truePositives = counts.truePositives(t) - counts.truePositives(t + 1);
        double const slope = ratio(truePositives, std::max(counts.above(t) - counts.above(t + 1), 0.0));
        double const intercept = counts.truePositives(t + 1) - slope * counts.above(t + 1);
        bool const known = counts.above(t) > 0 && counts.above(t + 1) > 0;
        double const logarithm = known ? std::log(counts.above(t) / counts.above(t + 1)) : 0.0;
        area += ratio(slope * (truePositives + intercept * logarithm),
                      std::max(counts.truePositives(t + 1) + counts.falseNegatives(t + 1), 0.0));
    }
    return area;
}

double area(Tally const &tally, Counts const &counts)
{
    bool const roc = tally.reading == Reading::RocArea;
    if (!roc && tally.heights == Tally::Heights::Between) return interpolatedPrecisionRecallArea(counts);
    auto const x = [&](std::size_t t) { return roc ? counts.falsePositiveRate(t) : counts.recall(t); };
    auto const y = [&](std::size_t t) { return roc ? counts.recall(t) : counts.precision(t); };
    double sum = 0;
    for (std::size_t t = 0; t + 1 < counts.thresholds(); ++t) sum += (x(t) - x(t + 1)) * height(tally.heights, y(t), y(t + 1));
    return sum;
}

double meanArea(Tally const &tally, std::span<double const> totals)
{
    auto const labels = static_cast<std::size_t>(tally.labels);
    auto const each = totals.size() / labels;
    double sum = 0, weights = 0;
    for (std::size_t label = 0; label < labels; ++label) {
        double const weight = tally.labelWeights.empty() ? 1.0 : tally.labelWeights[label];
        sum += weight * area(tally, Counts(totals.subspan(label * each, each)));
        weights += weight;
    }
    return ratio(sum, weights);
}

/// Classes that neither labels nor predictions name are left out.
double meanIntersection(std::span<double const> matrix)
{
    auto const classes = static_cast<std::size_t>(std::lround(std::sqrt(static_cast<double>(matrix.size()))));
    double sum = 0, named = 0;
    for (std::size_t c = 0; c < classes; ++c) {
        double either = -matrix[c * classes + c];
        for (std::size_t other = 0; other < classes; ++other) either += matrix[c * classes + other] + matrix[other * classes + c];
        sum += ratio(matrix[c * classes + c], either);
        named += either != 0;
    }
    return ratio(sum, named);
}

} // namespace

bool Tally::takes(std::int64_t totals) const
{
    if (heights > Heights::Upper || labels < 1 || (!labelWeights.empty() && std::cmp_not_equal(labelWeights.size(), labels))) return false;
    switch (reading) {
    case Reading::Mean:
    case Reading::Sum: return totals == 1;
    case Reading::Ratio:
    case Reading::RootRatio: return totals == 2;
    case Reading::TruePositives:
    case Reading::FalsePositives:
    case Reading::TrueNegatives:
    case Reading::FalseNegatives:
    case Reading::Precision:
    case Reading::Recall: return totals == 4;
    case Reading::SensitivityAtSpecificity:
    case Reading::SpecificityAtSensitivity:
    case Reading::PrecisionAtRecall:
    case Reading::RecallAtPrecision: return totals >= 4 && totals % 2 == 0;
    case Reading::RocArea:
    case Reading::PrecisionRecallArea: return labels <= totals / 4 && totals % (2 * labels) == 0;
    case Reading::MeanIntersection: {
        auto const classes = static_cast<std::int64_t>(std::lround(std::sqrt(static_cast<double>(totals))));
        return totals >= 1 && classes * classes == totals;
    }
    }
    return false; // a number from a file that is no reading
}

double figureOf(Tally const &tally, std::span<double const> totals)
{
    switch (tally.reading) {
    case Reading::Mean: break;
    case Reading::Sum: return totals[0];
    case Reading::Ratio: return ratio(totals[0], totals[1]);
    case Reading::RootRatio: return std::sqrt(ratio(totals[0], totals[1]));
    case Reading::TruePositives: return Counts(totals).truePositives(0);
    case Reading::FalsePositives: return Counts(totals).falsePositives(0);
    case Reading::TrueNegatives: return Counts(totals).trueNegatives(0);
    case Reading::FalseNegatives: return Counts(totals).falseNegatives(0);
    case Reading::Precision: return Counts(totals).precision(0);
    case Reading::Recall: return Counts(totals).recall(0);
    case Reading::SensitivityAtSpecificity: return bestWithin(Counts(totals), tally.bound, &Counts::specificity, &Counts::recall);
    case Reading::SpecificityAtSensitivity: return bestWithin(Counts(totals), tally.bound, &Counts::recall, &Counts::specificity);
    case Reading::PrecisionAtRecall: return bestWithin(Counts(totals), tally.bound, &Counts::recall, &Counts::precision);
    case Reading::RecallAtPrecision: return bestWithin(Counts(totals), tally.bound, &Counts::precision, &Counts::recall);
    case Reading::RocArea:
    case Reading::PrecisionRecallArea: return meanArea(tally, totals);
    case Reading::MeanIntersection: return meanIntersection(totals);
    }
    TW_CHECK(false, "the mean of micro-batches is no reading of totals");
    return 0;
}

} // namespace tilewright
