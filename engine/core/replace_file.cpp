#include "engine/core/files.h"

#include "engine/core/destination.h"
#include "engine/core/file_errors.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <mutex>
#include <set>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

// Writing files so that they are there whole or not at all.

namespace tilewright {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMark = ".tilewright-"; ///< of a neighbour: ".NAME.tilewright-PID-N"
constexpr std::size_t kLongestBase = 180;          ///< bytes of NAME kept in it: file names end at 255

Diagnostic writeError(fs::path const &path, int number)
{
    if (number == EISDIR)
        return makeError(ErrorKind::Data, "file.write", path.string(), Message::of("cannot write the file: a folder has that name."),
                         Message::of("Choose another name."));
    bool const noRoom = number == ENOSPC || number == EDQUOT || number == EFBIG;
    return makeError(ErrorKind::Data, noRoom ? "file.no-room" : "file.write", path.string(),
                     Message::of("cannot write the file: %1.", std::strerror(number)), remedyForFileError(number));
}

fs::path folderOf(fs::path const &path)
{
    auto const parent = path.parent_path();
    return parent.empty() ? fs::path(".") : parent;
}

bool isNeighbourName(std::string_view name)
{
    auto const at = name.rfind(kMark);
    if (!name.starts_with('.') || at == std::string_view::npos || at == 0) return false;
    char const *const end = name.data() + name.size();
    std::uint64_t number = 0;
    auto const pid = std::from_chars(name.data() + at + kMark.size(), end, number);
    if (pid.ec != std::errc() || pid.ptr == end || *pid.ptr != '-') return false;
    auto const count = std::from_chars(pid.ptr + 1, end, number);
    return count.ec == std::errc() && count.ptr == end;
}

/// Once per folder and process: what others leave behind later is the next process's business.
void sweepOnce(fs::path const &folder)
{
    static std::mutex mutex;
    static std::set<std::string> swept;
    {
        std::lock_guard const lock(mutex);
        if (!swept.insert(folder.string()).second) return;
    }
    removeLeftBehind(folder);
}

bool isDatabase(fs::path const &path)
{
    constexpr std::string_view kHead("SQLite format 3", 16); // with its zero
    char head[kHead.size()] = {};
    std::error_code problem;
    if (!fs::is_regular_file(path, problem)) return false;
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return false;
    auto const got = readAt(file, std::as_writable_bytes(std::span(head)), 0);
    ::close(file);
    return std::string_view(head, static_cast<std::size_t>(std::max<std::int64_t>(got, 0))) == kHead;
}

void syncFolder(fs::path const &folder)
{
    int const file = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (file < 0) return;
    (void)::fsync(file); // the file itself is safe; some file systems cannot do this for a folder
    ::close(file);
}

} // namespace

Message remedyForFileError(int number)
{
    switch (number) {
    case ENOSPC:
    case EDQUOT: return Message::of("Free some space, or choose a place on another disk.");
    case EFBIG: return Message::of("Raise the limit of file sizes (ulimit -f), or choose a place on another disk.");
    case EACCES:
    case EPERM:
    case EROFS: return Message::of("Choose a place that you may write to, or change its permissions.");
    case ENOENT:
    case ENOTDIR: return Message::of("Check the path: each of its folders must exist.");
    case ENAMETOOLONG: return Message::of("Choose a shorter name.");
    default: return {};
    }
}

void removeLeftBehind(fs::path const &folder)
{
    DIR *const all = ::opendir(folder.c_str());
    if (!all) return;
    while (auto const *entry = ::readdir(all)) {
        if (!isNeighbourName(entry->d_name)) continue;
        int const file = ::openat(::dirfd(all), entry->d_name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
        if (file < 0) continue;
        // Whoever makes it holds its lock.
        struct stat status {};
        if (::fstat(file, &status) == 0 && S_ISREG(status.st_mode) && ::flock(file, LOCK_EX | LOCK_NB) == 0)
            ::unlinkat(::dirfd(all), entry->d_name, 0);
        ::close(file);
    }
    ::closedir(all);
}

std::int64_t readAt(int file, std::span<std::byte> to, std::int64_t offset)
{
    std::size_t done = 0;
    while (done < to.size()) {
        auto const got = ::pread(file, to.data() + done, to.size() - done, static_cast<off_t>(offset) + static_cast<off_t>(done));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return -1;
        if (got == 0) break;
        done += static_cast<std::size_t>(got);
    }
    return static_cast<std::int64_t>(done);
}

int writeAll(int file, std::string_view bytes)
{
    while (!bytes.empty()) {
        auto const written = ::write(file, bytes.data(), bytes.size());
        if (written >= 0) {
            bytes.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN || errno == EWOULDBLOCK) { // somebody made the pipe or terminal non-blocking
            pollfd wait{file, POLLOUT, 0};
            if (::poll(&wait, 1, -1) < 0 && errno != EINTR) return errno;
        } else if (errno != EINTR) {
            return errno;
        }
    }
    return 0;
}

Result<FileReplacement> FileReplacement::begin(fs::path const &destination)
{
    static std::atomic<unsigned> counter{0};
    FileReplacement replacement;
    replacement.m_target = destination;
    auto const &target = replacement.m_target;
    struct stat old {};
    bool const exists = ::lstat(target.c_str(), &old) == 0;
    if (exists && S_ISDIR(old.st_mode)) return writeError(destination, EISDIR);
    TW_TRY(checkDestination(destination));
    if (target.filename().empty()) return writeError(destination, ENOENT);
    // Renaming would get round the protection of a file in a folder that may be written.
    if (exists && ::access(target.c_str(), W_OK) != 0) return writeError(destination, errno);
    auto const folder = folderOf(target);
    sweepOnce(folder);
    auto base = target.filename().string();
    if (base.size() > kLongestBase) base.resize(kLongestBase);
    for (int attempt = 0;; ++attempt) {
        replacement.m_temporary =
            folder / ("." + base + std::string(kMark) + std::to_string(::getpid()) + "-" + std::to_string(counter.fetch_add(1)));
        replacement.m_file = ::open(replacement.m_temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (replacement.m_file < 0) {
            if (errno == EEXIST && attempt < 1000) continue; // of another container's process of that number
            return writeError(destination, errno);
        }
        // A sweep may have come between the two calls. Where locks do not work nobody sweeps.
        struct stat status {};
        bool const taken = ::flock(replacement.m_file, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
        if (!taken && ::fstat(replacement.m_file, &status) == 0 && status.st_nlink > 0) break;
        ::close(std::exchange(replacement.m_file, -1));
    }
    if (exists) (void)::fchmod(replacement.m_file, old.st_mode & 07777);
    return replacement;
}

FileReplacement::FileReplacement(FileReplacement &&other) noexcept
    : m_target(std::move(other.m_target)), m_temporary(std::move(other.m_temporary)), m_file(std::exchange(other.m_file, -1))
{
}

FileReplacement &FileReplacement::operator=(FileReplacement &&other) noexcept
{
    if (this != &other) {
        discard();
        m_target = std::move(other.m_target);
        m_temporary = std::move(other.m_temporary);
        m_file = std::exchange(other.m_file, -1);
    }
    return *this;
}

FileReplacement::~FileReplacement() { discard(); }

void FileReplacement::discard()
{
    if (m_file < 0) return;
    ::unlink(m_temporary.c_str());
    ::close(std::exchange(m_file, -1));
}

Status FileReplacement::write(std::string_view bytes)
{
    int const number = writeAll(m_file, bytes);
    if (number != 0) return writeError(m_target, number);
    return {};
}

Status FileReplacement::reserve(std::int64_t bytes, std::int64_t from)
{
    if (bytes <= 0 || ::fallocate(m_file, 0, from, bytes) == 0) return {};
    int const number = errno;
    if (number == ENOSPC || number == EDQUOT || number == EFBIG) return writeError(m_target, number);
    return {};
}

Status FileReplacement::commit(Sync sync)
{
    int number = 0;
    if (sync == Sync::Yes && ::fsync(m_file) != 0 && errno != EINVAL && errno != EROFS) number = errno;
    if (number == 0 && ::rename(m_temporary.c_str(), m_target.c_str()) != 0) number = errno;
    if (number != 0) {
        discard();
        return writeError(m_target, number);
    }
    if (sync == Sync::Yes) syncFolder(folderOf(m_target));
    ::close(std::exchange(m_file, -1)); // errors of writing came with fsync; what need not outlast a crash may do without
    return {};
}

Status writeFileAtomically(fs::path const &path, std::span<std::string_view const> parts, Sync sync)
{
    TW_ASSIGN(auto file, FileReplacement::begin(path));
    for (auto const part : parts) TW_TRY(file.write(part));
    return file.commit(sync);
}

Status writeFileAtomically(fs::path const &path, std::string_view content, Sync sync)
{
    return writeFileAtomically(path, std::span<std::string_view const>(&content, 1), sync);
}

Status writeOutputFile(fs::path const &path, std::span<std::string_view const> parts, Sync sync)
{
    if (isDatabase(path))
        return makeError(ErrorKind::Usage, "file.database", path.string(),
                         Message::of("a project or a report has that name and would be overwritten."),
                         Message::of("Choose another name, or remove it first."));
    return writeFileAtomically(path, parts, sync);
}

Status writeOutputFile(fs::path const &path, std::string_view content)
{
    return writeOutputFile(path, std::span<std::string_view const>(&content, 1));
}

bool isSameFile(fs::path const &a, fs::path const &b)
{
    std::error_code problem;
    if (a.empty() || b.empty()) return false;
    if (fs::equivalent(a, b, problem) && !problem) return true;
    auto const left = fs::weakly_canonical(fs::absolute(a, problem), problem),
               right = fs::weakly_canonical(fs::absolute(b, problem), problem);
    return !left.empty() && left == right;
}

Status tryWriting(fs::path const &path, std::int64_t bytes)
{
    TW_ASSIGN(auto file, FileReplacement::begin(path));
    return file.reserve(bytes);
}

} // namespace tilewright
