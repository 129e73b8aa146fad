#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/param.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// A metric. className is a class of metricSpecs(), or a word that the shapes resolve: "accuracy" and "crossentropy" (see resolveMetric);
/// or "loss", which is always reported.
struct Metric : Configured {
    std::string displayName; ///< in histories and logs: the word of the user, else the name of the metric
    bool operator==(Metric const &) const = default;
    bool needsShapes() const { return className == "accuracy" || className == "crossentropy"; }
};

/// Labels that a metric reads.
enum class MetricLabels {
    SameShape,    ///< of the predictions' shape
    ClassNumbers, ///< one class number instead of the last axis
    Any           ///< both, or it reads none
};

struct MetricSpec {
    std::string className;            ///< "SparseCategoricalAccuracy"
    std::vector<std::string> aliases; ///< in addition to the snake_case name
    std::vector<ParamInfo> params;
    std::string help;
    std::string lossClass; ///< the metric is the mean of this loss's per-sample values; empty: an accuracy
    bool negated = false;  ///< the mean of the negated values
    std::string name;      ///< Keras's name, if it differs from the class in snake_case
    MetricLabels labels = MetricLabels::SameShape;
    bool isError = false; ///< lower is better, although it is not the mean of a loss
    /// Keras's name in a history.
    std::string defaultName() const { return name.empty() ? snakeCase(className) : name; }
};

/// Metrics of one output, if outputs have separate metrics.
struct OutputMetrics {
    std::string output; ///< its name; "": the output at this position in the list
    std::vector<Metric> metrics;
    bool operator==(OutputMetrics const &) const = default;
};

/// Metrics by output.
struct MetricLists {
    std::vector<Metric> all;         ///< of every output
    std::vector<OutputMetrics> each; ///< not empty: replaces `all`, by name or one per output
    bool operator==(MetricLists const &) const = default;
};

std::vector<MetricSpec> const &metricSpecs();
/// nullptr: no class, but a word that the shapes resolve.
MetricSpec const *findMetricSpec(std::string_view className);

/// "accuracy", "acc", "crossentropy", "ce", "loss", a class or function name, or {"class_name", "config"}.
/// Errors: model.unknown-metric, model.unsupported, model.bad-argument, model.unknown-argument.
Result<Metric> parseMetric(Json const &value);
Json metricJson(Metric const &metric);

/// The meaning of "accuracy" for these shapes (with the batch), as in Keras 2.6: "BinaryAccuracy" if the prediction's last extent is 1;
/// "SparseCategoricalAccuracy" if labels have a lower rank, or a last extent of 1 against more; else "CategoricalAccuracy".
std::string resolveAccuracy(Shape const &labels, Shape const &prediction);
/// The metric with a resolved class. Other metrics are returned unchanged.
Metric resolveMetric(Metric const &metric, Shape const &labels, Shape const &prediction);

} // namespace tilewright::model
