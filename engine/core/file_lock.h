#pragma once

#include "engine/core/job_context.h"
#include "engine/core/result.h"

#include <filesystem>
#include <optional>
#include <string_view>

namespace tilewright {

/// Exclusive lock between processes, held while the object lives. The lock belongs to the open file: the kernel releases it when the
/// process ends for any reason, and two locks of one process exclude each other too. It does not exclude threads that share the object.
class FileLock {
public:
    /// Returns nullopt if another process holds the lock. Creates the file if it is missing. Errors are Invalid, code "file.lock", or
    /// "file.lock-unsupported" where the file system has no locks.
    static Result<std::optional<FileLock>> tryLock(std::filesystem::path const &path);
    /// Waits until the lock is free. Polls every few milliseconds, so that `job` can cancel it. Fails after `timeoutMs` (negative: never)
    /// with code "file.lock-timeout". If the path was removed meanwhile, locks the new file.
    static Result<FileLock> lock(std::filesystem::path const &path, JobContext const &job, int timeoutMs = -1);

    FileLock(FileLock &&other) noexcept;
    FileLock &operator=(FileLock &&other) noexcept;
    FileLock(FileLock const &) = delete;
    FileLock &operator=(FileLock const &) = delete;
    ~FileLock();

    /// Puts the text into the lock's file, in place of what is there; best effort.
    void write(std::string_view text) const;
    /// Removes the lock's file while holding it. Other waiting processes notice and lock the new file.
    void removeFile(std::filesystem::path const &path) const;

private:
    explicit FileLock(int file) : m_file(file) {}
    int m_file = -1;
};

} // namespace tilewright
