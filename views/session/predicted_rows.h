#pragma once

#include "engine/core/result.h"

#include <QString>

#include <cstddef>
#include <cstdint>
#include <filesystem>

namespace tilewright::data {
struct DataArray;
}
namespace tilewright::project {
struct Project;
}
namespace tilewright::runtime {
struct PredictOutcome;
enum class SamplesOf;
} // namespace tilewright::runtime

namespace tilewright::views {

struct TaskResult;

/// "10,000 test samples".
QString samplesText(runtime::SamplesOf of, std::int64_t count);

/// Columns, rows (at most `most`) and headline of predictions. Of a classifier: the class of each sample, its probability and, with labels,
/// the true class and whether it is right; of a classifier of sequences the classes of all positions. Of another model the largest value of
/// each output. `labels`: of the same samples; null: unknown.
void fillPredictedRows(TaskResult &result, project::Project const &project, runtime::PredictOutcome const &outcome,
                       data::DataArray const *labels, std::size_t most);

/// Writes all predictions as .npz, as `tilewright predict --out`: array `predictions`, or one array for each output. Errors: "file.write".
Status savePredictions(runtime::PredictOutcome const &outcome, std::filesystem::path const &path);

} // namespace tilewright::views
