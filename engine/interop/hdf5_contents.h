#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"
#include "engine/core/types.h"

#include <cstddef>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::interop {

struct Hdf5Part;

/// An array of a file. Floating-point numbers of any width become F32, whole numbers I32 (saturated); row-major.
struct FileArray {
    std::string path; ///< groups and name: "model_weights/dense/dense/kernel:0"
    DType dtype = DType::F32;
    Shape shape;
    std::vector<std::byte> bytes;
};

/// What an HDF5 file holds, as far as Keras uses the format: groups, texts as attributes, arrays of numbers.
struct Hdf5Contents {
    /// Attributes by the path of their object ("" is the root) and their name. A scalar text is a list of one.
    std::map<std::string, std::map<std::string, std::vector<std::string>>> attributes;
    std::vector<FileArray> arrays; ///< depth first; the members of a group by name

    /// The texts of an attribute; empty if it is absent. Keras cuts long lists into NAME0, NAME1, …: they are one list here.
    std::vector<std::string> texts(std::string const &object, std::string const &name) const;
    /// The first text of an attribute, or "".
    std::string text(std::string const &object, std::string const &name) const;
    FileArray const *find(std::string_view path) const;
};

/// Reads an HDF5 file. libhdf5 runs in a child process with limits on time and memory, because a damaged or hostile file can crash it.
/// Follows hard links only, each object once; arrays in other files are refused. Errors (Invalid): "import.hdf5" (damaged, refused, or the
/// library failed), "import.too-large" (limits `elements`, `inflated_bytes`); Data: those of opening the file.
Result<Hdf5Contents> readHdf5(std::filesystem::path const &path, JobContext const &job);
/// The same, of a file in memory; `name` appears in errors.
Result<Hdf5Contents> readHdf5(std::span<std::byte const> image, std::string const &name, JobContext const &job);

/// A file with these parts, parents first, as its bytes. Errors as readHdf5.
Result<std::string> hdf5Image(std::vector<Hdf5Part> const &parts, std::string const &name, JobContext const &job);

} // namespace tilewright::interop
