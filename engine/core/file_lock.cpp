#include "engine/core/file_lock.h"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {

namespace {

Diagnostic lockError(std::filesystem::path const &path, int number)
{
    bool const unsupported = number == ENOLCK || number == ENOSYS || number == EOPNOTSUPP;
    return makeError(ErrorKind::Invalid, unsupported ? "file.lock-unsupported" : "file.lock", path.string(),
                     Message::of("cannot lock the file: %1.", std::strerror(number)));
}

/// Whether `path` still names the open file: its former owner may have removed it before we got the lock.
bool stillNames(std::filesystem::path const &path, int file)
{
    struct stat open {
    }, named{};
    return ::fstat(file, &open) == 0 && ::stat(path.c_str(), &named) == 0 && open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

} // namespace

Result<std::optional<FileLock>> FileLock::tryLock(std::filesystem::path const &path)
{
    for (;;) {
        FileLock lock(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (lock.m_file < 0) return lockError(path, errno);
        while (::flock(lock.m_file, LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) return std::optional<FileLock>();
            if (errno != EINTR) return lockError(path, errno);
        }
        if (stillNames(path, lock.m_file)) return std::optional<FileLock>(std::move(lock));
    }
}

Result<FileLock> FileLock::lock(std::filesystem::path const &path, JobContext const &job, int timeoutMs)
{
    using Clock = std::chrono::steady_clock;
    auto const start = Clock::now();
    for (;;) {
        TW_ASSIGN(auto taken, tryLock(path));
        if (taken) return std::move(*taken);
        if (job.cancelled()) return cancelledError(path.string());
        if (timeoutMs >= 0 && Clock::now() - start >= std::chrono::milliseconds(timeoutMs))
            return makeError(ErrorKind::Invalid, "file.lock-timeout", path.string(),
                             Message::of("another process holds the lock for over %1 ms.", timeoutMs));
        std::this_thread::sleep_for(std::chrono::milliseconds(3));
    }
}

FileLock::FileLock(FileLock &&other) noexcept : m_file(std::exchange(other.m_file, -1)) {}

FileLock &FileLock::operator=(FileLock &&other) noexcept
{
    std::swap(m_file, other.m_file);
    return *this;
}

FileLock::~FileLock()
{
    if (m_file >= 0) ::close(m_file);
}

void FileLock::write(std::string_view text) const
{
    if (::ftruncate(m_file, 0) == 0) (void)!::pwrite(m_file, text.data(), text.size(), 0);
}

void FileLock::removeFile(std::filesystem::path const &path) const { ::unlink(path.c_str()); }

} // namespace tilewright
