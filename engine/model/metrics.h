#pragma once

#include "engine/core/result.h"
#include "engine/core/types.h"
#include "engine/model/param.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// A metric. className is a class of metricSpecs(), or one of the words that only shapes decide:
/// "accuracy" and "crossentropy" (see resolveMetric), or "loss", which is always reported.
struct Metric : Configured {
    std::string displayName; ///< in histories and logs: the word the person wrote, else the metric's name
    bool operator==(Metric const &) const = default;
    bool needsShapes() const { return className == "accuracy" || className == "crossentropy"; }
};

struct MetricSpec {
    std::string className;            ///< "SparseCategoricalAccuracy"
    std::vector<std::string> aliases; ///< beside the snake_case name
    std::vector<ParamInfo> params;
    std::string help;
    std::string lossClass; ///< the metric is the mean of this loss's per-sample values; empty: an accuracy
    bool negated = false;  ///< of their negatives
    std::string name;      ///< Keras's, where it is not the class in snake_case
    /// What Keras calls it in a history.
    std::string defaultName() const { return name.empty() ? snakeCase(className) : name; }
};

/// Metrics of one output, where outputs have metrics of their own.
struct OutputMetrics {
    std::string output; ///< its name; "": the output at this place in the list
    std::vector<Metric> metrics;
    bool operator==(OutputMetrics const &) const = default;
};

std::vector<MetricSpec> const &metricSpecs();

/// "accuracy", "acc", "crossentropy", "ce", "loss", a class or function name, or {"class_name", "config"}.
/// Errors: model.unknown-metric, model.unsupported, model.bad-argument, model.unknown-argument.
Result<Metric> parseMetric(Json const &value);
Json metricJson(Metric const &metric);

/// What "accuracy" means for these shapes (with the batch), as Keras 2.6 decides: "BinaryAccuracy" when
/// the prediction's last extent is 1; "SparseCategoricalAccuracy" when labels have a lower rank, or a last
/// extent of 1 against more; else "CategoricalAccuracy".
std::string resolveAccuracy(Shape const &labels, Shape const &prediction);
/// The metric with its class decided; others come back unchanged.
Metric resolveMetric(Metric const &metric, Shape const &labels, Shape const &prediction);

} // namespace tilewright::model
