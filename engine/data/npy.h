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

/// An array with its name in an .npz archive (without ".npy").
struct NamedArray {
    std::string name;
    DataArray array;
};

/// Reads a NumPy .npy file: versions 1 to 3, C or Fortran order, bool, integers and floats of either byte order. int64 and float64 become
/// int32 and float32, range-checked. C-ordered uint8, int32, float32 and float16 are mapped. Errors are Data and name file and byte:
/// "data.missing", "data.npy.magic", "data.npy.header", "data.npy.dtype", "data.npy.truncated", "data.npy.trailing", "data.value",
/// "data.shape".
Result<DataArray> readNpy(std::filesystem::path const &path, JobContext const &job);
Result<DataArray> parseNpy(Source const &source, JobContext const &job);

/// Names of the arrays in an .npz archive, in file order. Errors: "data.zip.directory".
Result<std::vector<std::string>> npzNames(Source const &archive);
/// The names for a sentence: the first ones, shortened.
std::string arrayNamesText(std::span<std::string const> names);
/// All arrays of an archive, in file order. Stored entries are mapped, deflated ones decompressed. Errors: those of the archive
/// ("data.zip.directory", "data.zip.entry") and of each array.
Result<std::vector<NamedArray>> readNpz(std::filesystem::path const &path, JobContext const &job);
Result<std::vector<NamedArray>> parseNpz(Source const &archive, JobContext const &job);
/// One array by name. Error "data.npz.name" if it is missing.
Result<DataArray> parseNpzArray(Source const &archive, std::string_view name, JobContext const &job);

/// The header that numpy.save writes before the data: version 1, padded to a multiple of 64 bytes.
std::string npyHeader(DataArray const &array);
/// Errors: "file.write".
Status writeNpy(std::filesystem::path const &path, DataArray const &array);

/// Stored by default, so that readers can map it. Array names must differ: "data.npz.name". Equal arrays give equal bytes.
Status writeNpz(std::filesystem::path const &path, std::span<NamedArray const> arrays, bool deflate, JobContext const &job,
                Sync sync = Sync::Yes);

} // namespace tilewright::data
