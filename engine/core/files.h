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

/// What a file that is a pipe is to whoever wants to read it.
Diagnostic pipeError(char const *code, std::filesystem::path const &path);

/// Whole content of a file, or its first `atMost` bytes. Errors are Invalid, code "file.read", and name the path.
Result<std::string> readFile(std::filesystem::path const &path, std::int64_t atMost = std::numeric_limits<std::int64_t>::max());

/// Whether what was written has to outlast a power failure. What can be made again need not.
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
    /// Takes the room for so many bytes from there on now, where the file system can.
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

/// The same for a file that a person named: a database, such as a project, is not replaced by it. Usage "file.database".
Status writeOutputFile(std::filesystem::path const &path, std::span<std::string_view const> parts, Sync sync = Sync::Yes);
Status writeOutputFile(std::filesystem::path const &path, std::string_view content);

/// Whether both names lead to one place, there or not.
bool isSameFile(std::filesystem::path const &a, std::filesystem::path const &b);

/// Whether a file of so many bytes could be written there now: what makes hours of work worth beginning. Leaves the
/// place as it was. Errors as of writeFileAtomically.
Status tryWriting(std::filesystem::path const &path, std::int64_t bytes);

/// Removes what killed processes left of files in the making in that folder. Writing into a folder does so as well.
void removeLeftBehind(std::filesystem::path const &folder);

/// Bytes of a file from `offset` on: as many as asked for unless the file ends before; -1 and errno when it fails.
std::int64_t readAt(int file, std::span<std::byte> to, std::int64_t offset);

/// All bytes to a descriptor, through interruptions and full pipes; 0 or the errno.
int writeAll(int file, std::string_view bytes);

/// Makes a folder that is somebody's output, unless it exists; the folder around it has to be there, as for a file.
/// Errors are Data, code "file.folder".
Status makeOutputFolder(std::filesystem::path const &path);

/// Makes the folder (and its parents), readable by this user only, unless it exists. Refuses a folder that
/// is not writable or, when `mustBeOwn`, belongs to another user (a shared temporary folder).
/// Errors are Invalid, code "file.folder".
Status ensureFolder(std::filesystem::path const &path, bool mustBeOwn = false);

/// Whether what lies in the folder can be trusted, by the rules of ssh and git: it belongs to this user, nobody else may write into it,
/// and nobody else can put another in its place (each folder around it belongs to this user or to root, and others may write into none
/// that is not sticky). Errors are Invalid, "file.not-private", and name the folder at fault.
Status requirePrivateFolder(std::filesystem::path const &path);
/// The same for a file in such a folder. A missing file is no error.
Status requirePrivateFile(std::filesystem::path const &path);

/// Where emulated devices are registered: TILEWRIGHT_RUN_DIR, else XDG_RUNTIME_DIR/tilewright, else
/// XDG_CACHE_HOME/tilewright/run, else HOME/.cache/tilewright/run, else a folder of this user under the
/// system's temporary folder. The first that can be made; a set TILEWRIGHT_RUN_DIR is the only candidate.
Result<std::filesystem::path> runFolder();

/// A folder below the user's cache: XDG_CACHE_HOME/tilewright/LEAF, else HOME/.cache/tilewright/LEAF, else
/// the temporary folder as above. It is private (requirePrivateFolder).
Result<std::filesystem::path> cacheFolder(std::string_view leaf);

/// Folders for what must not be lost, best first, made when they are not there: XDG_STATE_HOME/tilewright/LEAF, else
/// HOME/.local/state/tilewright/LEAF; and the temporary folder as above. Those that cannot be used are left out.
std::vector<std::filesystem::path> stateFolders(std::string_view leaf);

} // namespace tilewright
