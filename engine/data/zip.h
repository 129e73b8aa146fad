#pragma once

#include "engine/core/files.h"
#include "engine/core/job_context.h"
#include "engine/data/source.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace tilewright::data {

/// One file of a zip archive, from its central directory.
struct ZipEntry {
    std::string name;
    int method = 0; ///< 0 stored, 8 deflated
    std::uint32_t crc = 0;
    std::int64_t compressedBytes = 0;
    std::int64_t bytes = 0;
    std::int64_t headerOffset = 0; ///< of its local header in the file
    bool encrypted = false;
};

/// The central directory (also zip64), in file order. Errors are Data: "data.zip.directory" (no archive, truncated, entries beyond the file
/// or overlapping).
Result<std::vector<ZipEntry>> readZipDirectory(Source const &archive);

/// Content of one entry: a part of the archive if stored, decompressed if deflated. Checks the CRC. Errors are Data: "data.zip.entry"
/// (damaged, encrypted, another method), "data.memory".
Result<Source> openZipEntry(Source const &archive, ZipEntry const &entry, JobContext const &job);

struct ZipInput {
    std::string name;
    std::vector<std::span<std::byte const>> parts; ///< content, in consecutive pieces
};

struct ZipOptions {
    bool deflate = false;    ///< false: stored, so that readers can map the arrays
    bool forceZip64 = false; ///< false: only beyond 4 GiB
    int alignment = 64;      ///< of the content of stored entries in the file
    Sync sync = Sync::Yes;   ///< whether the file must survive a power failure
};

/// Writes an archive with these files atomically. Equal input gives equal bytes (the time stamp is fixed). Errors are Data: "file.write".
Status writeZip(std::filesystem::path const &path, std::span<ZipInput const> files, ZipOptions const &options, JobContext const &job);

} // namespace tilewright::data
