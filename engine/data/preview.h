#pragma once

#include "engine/data/dataset.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::data {

/// Frequency of one class.
struct ClassBalance {
    std::int32_t label = 0;
    std::int64_t train = 0, validation = 0, test = 0;
    bool operator==(ClassBalance const &) const = default;
};

/// One of the first training samples, for display.
struct SamplePreview {
    std::int64_t record = 0;
    std::string label;         ///< "7"; "" without labels; one-hot labels as the class
    std::vector<float> values; ///< inputs of the model (times scale), row-major
};

/// Summary of a data set for the user before training.
struct DataSummary {
    std::string name;
    Message describe;
    std::int64_t trainCount = 0, validationCount = 0, testCount = 0;
    Shape sampleShape;
    DType dtype = DType::F32;
    Bytes bytes = 0;                            ///< of all arrays, as stored
    double smallest = 0, largest = 0, mean = 0; ///< of the training samples as stored; NaN is left out
    std::vector<ClassBalance> classes;          ///< ascending; empty if the labels are not class numbers
    std::vector<SamplePreview> first;
    std::vector<Diagnostic> problems; ///< warnings: "data.problem.…"
};

/// Reads every label and the training samples (at most `maxSamples`, evenly spread). Problems: no labels, labels that are not classes, a
/// class without training samples or rarer than a tenth of its share, values that are not finite, all samples equal, no test samples.
DataSummary summarize(Dataset const &dataset, std::int64_t previews = 16, std::int64_t maxSamples = 10000);

} // namespace tilewright::data
