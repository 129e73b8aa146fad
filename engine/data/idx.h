#pragma once

#include "engine/core/job_context.h"
#include "engine/data/source.h"
#include "engine/data/tensor_data.h"

#include <filesystem>

namespace tilewright::data {

/// Reads an IDX file (the format of MNIST: two zero bytes, a type code, the number of dimensions, big-endian extents, elements), plain or
/// compressed with gzip (detected by content). Plain uint8 files are mapped; other types become int32 or float32. Errors are Data and name
/// file, record and byte: "data.missing", "data.idx.magic", "data.idx.type", "data.idx.truncated", "data.idx.trailing", "data.gzip",
/// "data.shape", "data.memory".
Result<DataArray> readIdx(std::filesystem::path const &path, JobContext const &job);

/// The same for content in memory.
Result<DataArray> parseIdx(Source const &source, JobContext const &job);

} // namespace tilewright::data
