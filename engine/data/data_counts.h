#pragma once

#include "engine/core/job_context.h"
#include "engine/data/data_source.h"

#include <cstdint>
#include <filesystem>
#include <optional>

namespace tilewright::data {

/// Numbers of samples of a project and the shape of one, found without reading the samples.
struct DataCounts {
    std::int64_t train = 0, validation = 0, test = 0;
    Shape sample = {}; ///< extents of one sample
    bool operator==(DataCounts const &) const = default;
};

DataCounts countsOf(Dataset const &dataset);
/// The counts of the embedded digits, which are known without a file; nothing where a file is read.
std::optional<DataCounts> countsAtOnce(DataSourceSpec const &spec);

/// Opens the data (except embedded ones). For a worker thread. Errors: those of openDataset.
Result<DataCounts> countData(DataSourceSpec const &spec, std::filesystem::path const &folder, JobContext const &job);

} // namespace tilewright::data
