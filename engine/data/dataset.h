#pragma once

#include "engine/core/job_context.h"
#include "engine/data/tensor_data.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace tilewright {
class ThreadPool;
}

namespace tilewright::data {

/// The data of a run: training samples, and optional test and validation samples. A value; copies share the bytes of the arrays.
struct Dataset {
    std::string name;                   ///< short, for titles: "digits", "mnist", a file name
    DataArray x, y;                     ///< y is absent if the source has no labels
    DataArray validationX, validationY; ///< the last fraction of the training samples, those of a file of their own, or absent
    DataArray testX, testY;
    std::vector<std::string> classNames; ///< by class number, if the source names them
    double scale = 1;                    ///< factor from stored numbers to the model's inputs
    Message describe;                    ///< one sentence about the source
    std::uint64_t contentHash = 0;       ///< as of hashOf()
};

/// Hash of scale, types, shapes and bytes: equal for equal content from any kind of file. For generated arrays it uses the generator's
/// parameters instead of the bytes. Polls the job; returns a cancelled error.
Result<std::uint64_t> hashOf(Dataset const &dataset, JobContext const &job);

/// Generates the records named by `order`, in that order, on the pool's threads. Returns immediately if all records exist. Error:
/// cancelled.
Status makeRecords(DataArray const &array, std::span<std::uint32_t const> order, ThreadPool &pool, JobContext const &job);
/// Generates all records.
Status makeRecords(DataArray const &array, ThreadPool &pool, JobContext const &job);

/// Every label must be a whole number in [0, classes). Error "data.labels.range" names the record and, if known, its byte;
/// "data.labels.shape" if a record holds more than one number.
Status checkLabels(DataArray const &labels, int classes);

/// x, y and the arrays in their `beside` must have the same number of records. Error "data.shape.count" names both numbers.
Status checkCounts(DataArray const &x, DataArray const &y);

} // namespace tilewright::data
