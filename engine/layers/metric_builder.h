#pragma once

#include "engine/core/tally.h"
#include "engine/layers/loss_builder.h"
#include "engine/model/metrics.h"

#include <string>
#include <vector>

namespace tilewright::layers {

/// One figure of a metric: the sums that the device sends of it, f32, and their reading.
struct MetricFigure {
    std::string suffix; ///< of its name, "_0.25"; empty if the metric has one figure
    graph::ValueId sums;
    Tally tally;
};

/// The metric over the unmasked part of the micro-batch. `weighted`: samples count by prediction.weights, if there are any. Errors: Invalid
/// "layers.metric" if labels of this form cannot be compared (class numbers instead of one-hot, or the other way round), or an argument
/// does not fit the predictions.
Result<std::vector<MetricFigure>> buildMetric(BuildContext &context, model::Metric const &metric, Prediction &prediction,
                                              bool weighted = false);

} // namespace tilewright::layers
