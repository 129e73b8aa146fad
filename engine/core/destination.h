#pragma once

#include "engine/core/file_lock.h"
#include "engine/core/result.h"

#include <filesystem>
#include <memory>

// The rule for every file that a command or the window writes where a person asked for it.
namespace tilewright {

/// A destination is a regular file, or nothing yet. Links, devices, pipes, sockets and folders are refused: to replace one would take
/// it away, and to follow one would change a file that nobody named. Errors are Data, "file.destination" and name the path.
Status checkDestination(std::filesystem::path const &path);

/// The file that links lead to, there or not: for a file that was opened by a link and is saved again.
std::filesystem::path behindLinks(std::filesystem::path path);

/// The right of this process to write one destination. It holds an exclusive lock of a hidden neighbour of the destination
/// (".NAME.tilewright-0-0"), which it removes at its end; the lock of a killed process is free, and the next writer removes the file.
class DestinationClaim {
public:
    /// Errors are Data: "file.destination"; "file.claimed", which names the process that holds it; those of tryWriting when no file can
    /// be made there. Where the file system has no locks, nothing is claimed and no error is reported.
    static Result<DestinationClaim> take(std::filesystem::path const &destination);
    /// Whether a claim of this process holds it.
    static bool isHeldHere(std::filesystem::path const &destination);
    /// Removes the lock files of this process when it ends without its destructors.
    static void removeAll();

    DestinationClaim(DestinationClaim &&other) noexcept;
    DestinationClaim &operator=(DestinationClaim &&other) noexcept;
    ~DestinationClaim();

private:
    DestinationClaim() = default;
    void release();
    std::filesystem::path m_lockFile; ///< empty: nothing is claimed
    std::optional<FileLock> m_lock;
};

} // namespace tilewright
