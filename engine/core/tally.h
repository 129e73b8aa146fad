#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace tilewright {

/// What a device sends of a metric, for each micro-batch and replica: sums that the host adds up over an epoch, and the reading that makes
/// one figure of their totals. So the figure of an epoch is that of all its samples, not the mean of its batches' figures.
///
/// Counts of decisions are [labels, 2, thresholds + 1]. For each label, row 0 adds up the weights of the positive samples and row 1 those
/// of all samples; column t of the samples with a prediction above threshold t, the last column of all samples.
struct Tally {
    enum class Reading : std::uint8_t {
        Mean,      ///< one number, which is the mean of a micro-batch: the mean over the samples
        Sum,       ///< one number: the total
        Ratio,     ///< two: the first divided by the second; 0 if that is 0
        RootRatio, ///< the square root of that
        // Of counts with one label and one threshold:
        TruePositives,
        FalsePositives,
        TrueNegatives,
        FalseNegatives,
        Precision,
        Recall,
        // Of counts with one label: the best that a threshold gives among those with at least `bound` of the other
        SensitivityAtSpecificity,
        SpecificityAtSensitivity,
        PrecisionAtRecall,
        RecallAtPrecision,
        // Of counts: the area below the curve, the mean of the labels
        RocArea,
        PrecisionRecallArea,
        /// Of a confusion matrix [classes, classes], rows by label: the mean over the classes of intersection / union
        MeanIntersection
    };
    /// Heights of the strips below a curve, from the curve at their two sides.
    enum class Heights : std::uint8_t { Between, Lower, Upper };

    Reading reading = Reading::Mean;
    Heights heights = Heights::Between;
    double bound = 0;
    std::vector<double> labelWeights = {}; ///< in the mean of the labels' areas; empty: equal
    std::int64_t labels = 1;
    bool operator==(Tally const &) const = default;

    /// Whether the sums count decisions, each of which may fall either way by rounding.
    bool countsDecisions() const { return reading >= Reading::TruePositives; }
    /// Whether the reading exists and takes so many totals.
    bool takes(std::int64_t totals) const;
};

/// The figure of these totals. Formulas: keras.metrics of 2.6. Requires: a reading other than Mean, which takes so many totals.
double figureOf(Tally const &tally, std::span<double const> totals);

} // namespace tilewright
