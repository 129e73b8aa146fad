#pragma once

#include "engine/core/job_context.h"
#include "engine/data/tensor_data.h"

#include <cstdint>
#include <span>
#include <string>

namespace tilewright {
class ThreadPool;
}

namespace tilewright::data {

/// What a run reads: training samples, and test and validation samples where there are any. A value; the
/// arrays share their bytes.
struct Dataset {
    std::string name;                   ///< short, for titles: "digits", "mnist", a file name
    DataArray x, y;                     ///< y is absent where the source has no labels
    DataArray validationX, validationY; ///< the last fraction of the training samples, or absent
    DataArray testX, testY;
    double scale = 1;              ///< a sample's stored numbers times this go into the model
    Message describe;              ///< one sentence on where it comes from
    std::uint64_t contentHash = 0; ///< as of hashOf()
};

/// Hash of scale, types, shapes and bytes: the same for the same content from any kind of file. Of arrays that are
/// made when asked for it takes what they are made from instead of their bytes. Polls the job: returns a cancelled
/// error.
Result<std::uint64_t> hashOf(Dataset const &dataset, JobContext const &job);

/// Makes the records that `order` names, in that order, on the pool's threads; returns at once for an array whose
/// records are there. Error: cancelled.
Status makeRecords(DataArray const &array, std::span<std::uint32_t const> order, ThreadPool &pool, JobContext const &job);
/// All of them.
Status makeRecords(DataArray const &array, ThreadPool &pool, JobContext const &job);

/// Every label must be a whole number in [0, classes). Error "data.labels.range" names the record and, where
/// known, its byte; "data.labels.shape" when a record holds more than one number.
Status checkLabels(DataArray const &labels, int classes);

/// x, what is beside it, and y must have the same number of records. Error "data.shape.count" names both.
Status checkCounts(DataArray const &x, DataArray const &y);

} // namespace tilewright::data
