#pragma once

#include "engine/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

/// The error for a file that is a pipe.
Diagnostic pipeError(char const *code, std::filesystem::path const &path);

/// Whole content of a file, or its first `atMost` bytes. Errors are Invalid, code "file.read", and name the path.
Result<std::string> readFile(std::filesystem::path const &path, std::int64_t atMost = std::numeric_limits<std::int64_t>::max());

/// Whether the written data must survive a power failure. Reproducible data need not.
enum class Sync { No, Yes };

/// A file in the making. It grows as a hidden neighbour of its destination, and commit() puts it in the destination's
/// place, at once and whole; without that it is gone with the object. The neighbour is locked while its maker lives:
/// the next process that writes into the folder removes those that a killed one left. The destination is a regular file or not
/// there (engine/core/destination.h); the permissions of a file that is replaced stay. Errors are Data, "file.destination",
/// "file.no-room" or "file.write", name the destination, and leave nothing behind.
class FileReplacement {
public:
    static Result<FileReplacement> begin(std::filesystem::path const &destination);
    FileReplacement(FileReplacement &&other) noexcept;
    FileReplacement &operator=(FileReplacement &&other) noexcept;
    ~FileReplacement();

    Status write(std::string_view bytes);
    /// Reserves space for `bytes` bytes starting at `from`, if the file system supports it.
    Status reserve(std::int64_t bytes, std::int64_t from = 0);
    Status commit(Sync sync);
    std::filesystem::path const &target() const { return m_target; }

private:
    FileReplacement() = default;
    void discard();
    std::filesystem::path m_target, m_temporary; ///< the destination, its neighbour
    int m_file = -1;
};

/// Writes the parts one after the other so that other processes see either the old file or the whole new one
/// (FileReplacement).
Status writeFileAtomically(std::filesystem::path const &path, std::span<std::string_view const> parts, Sync sync = Sync::Yes);
Status writeFileAtomically(std::filesystem::path const &path, std::string_view content, Sync sync = Sync::Yes);

/// The same for an output file named by the user. Refuses to replace a database, such as a project, with Usage "file.database".
Status writeOutputFile(std::filesystem::path const &path, std::span<std::string_view const> parts, Sync sync = Sync::Yes);
Status writeOutputFile(std::filesystem::path const &path, std::string_view content);

/// Whether both paths lead to the same place, whether or not a file exists there.
bool isSameFile(std::filesystem::path const &a, std::filesystem::path const &b);

/// Tests whether a file of `bytes` bytes could be written there now, before hours of work depend on it. Leaves no trace. Errors as of
/// writeFileAtomically.
Status tryWriting(std::filesystem::path const &path, std::int64_t bytes);

/// Removes unfinished files of killed processes from the folder. Every write into the folder does so as well.
void removeLeftBehind(std::filesystem::path const &folder);

/// Reads bytes of a file from `offset` on. Returns fewer than requested only at the end of the file; -1 with errno on failure.
std::int64_t readAt(int file, std::span<std::byte> to, std::int64_t offset);

/// Writes all bytes to a descriptor, through interruptions and full pipes. Returns 0 or the errno.
int writeAll(int file, std::string_view bytes);

/// Creates an output folder unless it exists. Requires its parent folder to exist, as for a file. Errors are Data, code "file.folder".
Status makeOutputFolder(std::filesystem::path const &path);

/// Creates the folder and its parents unless they exist, readable by this user only. Refuses a folder that is not writable or, with
/// `mustBeOwn`, belongs to another user (a shared temporary folder). Errors are Invalid, code "file.folder".
Status ensureFolder(std::filesystem::path const &path, bool mustBeOwn = false);

/// Whether what lies in the folder can be trusted, by the rules of ssh and git: it belongs to this user, nobody else may write into it,
/// and nobody else can put another in its place (each folder around it belongs to this user or to root, and others may write into none
/// that is not sticky). Errors are Invalid, "file.not-private", and name the folder at fault.
Status requirePrivateFolder(std::filesystem::path const &path);
/// The same for a file in such a folder. A missing file is no error.
Status requirePrivateFile(std::filesystem::path const &path);

/// The folder where emulated devices are registered: TILEWRIGHT_RUN_DIR, else XDG_RUNTIME_DIR/tilewright, else
/// XDG_CACHE_HOME/tilewright/run, else HOME/.cache/tilewright/run, else a folder of this user in the system's temporary folder. Returns the
/// first one that can be created. If TILEWRIGHT_RUN_DIR is set, it is the only candidate.
Result<std::filesystem::path> runFolder();

/// A folder below the user's cache: XDG_CACHE_HOME/tilewright/LEAF, else HOME/.cache/tilewright/LEAF, else
/// the temporary folder as above. It is private (requirePrivateFolder).
Result<std::filesystem::path> cacheFolder(std::string_view leaf);

/// Folders for data that must not be lost, best first; missing ones are created: XDG_STATE_HOME/tilewright/LEAF, else
/// HOME/.local/state/tilewright/LEAF; and the temporary folder as above. Unusable folders are left out.
std::vector<std::filesystem::path> stateFolders(std::string_view leaf);

} // namespace tilewright
