#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace tilewright {

/// Exclusive lock between processes, held while the object lives. It belongs to the open file, so the
/// kernel releases it when a process dies in whatever way, and two locks of one process exclude each other
/// too. Not a mutex for threads that share the object.
class FileLock {
public:
    /// nullopt: another holds it. Makes the file where it is missing. Errors are Invalid, code "file.lock", or "file.lock-unsupported"
    /// where the file system has no locks.
    static Result<std::optional<FileLock>> tryLock(std::filesystem::path const &path);
    /// Waits until it is free (polls every few milliseconds, so that `job` can cancel it); gives up after
    /// `timeoutMs` (negative: never) with code "file.lock-timeout". The lock of a path that was removed
    /// meanwhile is taken anew on the new file.
    static Result<FileLock> lock(std::filesystem::path const &path, JobContext const &job, int timeoutMs = -1);

    FileLock(FileLock &&other) noexcept;
    FileLock &operator=(FileLock &&other) noexcept;
    FileLock(FileLock const &) = delete;
    FileLock &operator=(FileLock const &) = delete;
    ~FileLock();

    /// Puts the text into the lock's file, in place of what is there; best effort.
    void write(std::string_view text) const;
    /// Removes the lock's file while still holding it; others that wait notice and take the new one.
    void removeFile(std::filesystem::path const &path) const;

private:
    explicit FileLock(int file) : m_file(file) {}
    int m_file = -1;
};

} // namespace tilewright
