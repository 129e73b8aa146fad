#pragma once

#include "engine/core/files.h"
#include "engine/core/job_context.h"
#include "engine/data/source.h"
#include "engine/data/tensor_data.h"

#include <filesystem>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::data {

/// An array with the name it has in an .npz archive (without ".npy").
struct NamedArray {
    std::string name;
    DataArray array;
};

/// Reads a NumPy .npy file, versions 1 to 3, C or Fortran order, bool, integers and floats of either byte
/// order; int64 and float64 become int32 and float32, range-checked. C-ordered uint8, int32, float32 and
/// float16 are mapped. Errors are Data and name file and byte: "data.missing", "data.npy.magic",
/// "data.npy.header", "data.npy.dtype", "data.npy.truncated", "data.npy.trailing", "data.value", "data.shape".
Result<DataArray> readNpy(std::filesystem::path const &path, JobContext const &job);
Result<DataArray> parseNpy(Source const &source, JobContext const &job);

/// Names of the arrays of an .npz archive, in its order. Errors: "data.zip.directory".
Result<std::vector<std::string>> npzNames(Source const &archive);
/// The same for a sentence: the first of them, none of them long.
std::string arrayNamesText(std::span<std::string const> names);
/// Every array of an archive, in its order. Stored entries are mapped, deflated ones decompressed. Errors:
/// those of the archive ("data.zip.directory", "data.zip.entry") and of each array.
Result<std::vector<NamedArray>> readNpz(std::filesystem::path const &path, JobContext const &job);
Result<std::vector<NamedArray>> parseNpz(Source const &archive, JobContext const &job);
/// One array by name; "data.npz.name" when it is not there.
Result<DataArray> parseNpzArray(Source const &archive, std::string_view name, JobContext const &job);

/// The header numpy.save writes before the data: version 1, padded to a multiple of 64 bytes.
std::string npyHeader(DataArray const &array);
/// Errors: "file.write".
Status writeNpy(std::filesystem::path const &path, DataArray const &array);

/// Stored by default, so that a reader can map it. Array names must differ: "data.npz.name". The same
/// arrays give the same bytes.
Status writeNpz(std::filesystem::path const &path, std::span<NamedArray const> arrays, bool deflate, JobContext const &job,
                Sync sync = Sync::Yes);

} // namespace tilewright::data
