#pragma once

#include "engine/core/types.h"
#include "engine/interop/child_teller.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tilewright::interop {

/// What the child that runs libhdf5 tells its parent, beside the messages that every child knows.
enum class Hdf5Message : char {
    Attribute = 'A', ///< path, name, 32-bit count, that many texts
    Array = 'D'      ///< path, type (f: float32, i: int32), 32-bit rank, 64-bit extents, the elements
};

/// The function of the module tilewright-hdf5, which links libhdf5. Reads the file at `path`, or the image of a file if `size` is not 0,
/// and writes messages to `descriptor` until the end or the first error. Runs in a child process of its own.
using TellHdf5 = void(int descriptor, char const *path, std::byte const *image, std::size_t size, ChildLimits const &limits);
inline constexpr char kTellHdf5[] = "tilewrightTellHdf5";

/// A part of a file to write: a group with texts as attributes, or an array of float32 or of int32, which is stored as int64.
struct Hdf5Part {
    std::string path;                                                    ///< "" is the root; groups that lack are made
    std::vector<std::pair<std::string, std::string>> texts;              ///< attributes of one text
    std::vector<std::pair<std::string, std::vector<std::string>>> lists; ///< attributes of several
    bool isArray = false;
    bool isWhole = false;
    Shape shape;
    std::span<std::byte const> values;
};
/// The function that writes a file in memory and tells its image.
using ImageHdf5 = void(int descriptor, std::vector<Hdf5Part> const &parts);
inline constexpr char kImageHdf5[] = "tilewrightImageHdf5";

} // namespace tilewright::interop
