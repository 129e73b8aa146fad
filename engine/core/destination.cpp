#include "engine/core/destination.h"

#include "engine/core/files.h"
#include "engine/core/numbers.h"

#include <cerrno>
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>

#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kLongestLockBase = 180; ///< bytes of the destination's name kept in the lock's name: file names end at 255

std::mutex heldMutex;
std::set<std::string> heldFiles; ///< lock files of this process's claims

/// The lock file of a destination; the same for all paths that lead to its folder.
fs::path lockFileOf(fs::path const &destination)
{
    std::error_code problem;
    auto folder = destination.parent_path();
    folder = fs::canonical(folder.empty() ? fs::path(".") : folder, problem);
    if (problem) folder = destination.parent_path();
    auto base = destination.filename().string();
    if (base.size() > kLongestLockBase) {
        auto const hash = std::to_string(std::hash<std::string>()(base));
        base.resize(kLongestLockBase - hash.size());
        base += hash;
    }
    return folder / ("." + base + ".tilewright-0-0");
}

/// The process whose number the lock file holds; 0 while its owner has not written it yet.
std::int64_t ownerOf(fs::path const &lockFile)
{
    auto const text = readFile(lockFile, 32);
    return text.ok() ? parseInteger(*text).value_or(0) : 0;
}

bool isRunning(std::int64_t process) { return process > 0 && (::kill(static_cast<pid_t>(process), 0) == 0 || errno == EPERM); }

Diagnostic refusal(fs::path const &path, Message const &what)
{
    return makeError(ErrorKind::Data, "file.destination", path.string(), Message::of("this is %1. Only regular files are written.", what),
                     Message::of("Name a regular file, or one that does not exist yet."));
}

} // namespace

Status checkDestination(fs::path const &path)
{
    struct stat status {};
    if (::lstat(path.c_str(), &status) != 0) return {}; // what else is wrong with the path shows when the file is made
    switch (status.st_mode & S_IFMT) {
    case S_IFREG: return {};
    case S_IFDIR: return refusal(path, Message::of("a folder"));
    case S_IFLNK: return refusal(path, Message::of("a symbolic link"));
    case S_IFIFO: return refusal(path, Message::of("a pipe"));
    case S_IFSOCK: return refusal(path, Message::of("a socket"));
    default: return refusal(path, Message::of("a device"));
    }
}

fs::path behindLinks(fs::path path)
{
    std::error_code problem;
    for (int hops = 0; hops < 40 && fs::is_symlink(path, problem); ++hops) {
        auto const next = fs::read_symlink(path, problem);
        if (problem) break;
        path = next.is_absolute() ? next : path.parent_path() / next;
    }
    return path;
}

Result<DestinationClaim> DestinationClaim::take(fs::path const &destination)
{
    TW_TRY(checkDestination(destination));
    DestinationClaim claim;
    auto const lockFile = lockFileOf(destination);
    // The owner may be about to write its number, or a process that sweeps the folder may hold the lock for a moment.
    constexpr int kAttempts = 100;
    for (int attempt = 0;; ++attempt) {
        auto lock = FileLock::tryLock(lockFile);
        if (!lock.ok()) {
            if (lock.error().code == "file.lock-unsupported") {
                ::unlink(lockFile.c_str()); // nobody can lock here: the empty file says nothing
                return claim;
            }
            TW_TRY(tryWriting(destination, 0));
            auto error = lock.error();
            error.kind = ErrorKind::Data;
            return error;
        }
        if (*lock) {
            claim.m_lock = std::move(*lock);
            claim.m_lock->write(std::to_string(::getpid()));
            claim.m_lockFile = lockFile;
            std::lock_guard const guard(heldMutex);
            heldFiles.insert(lockFile.string());
            return claim;
        }
        auto const owner = ownerOf(lockFile);
        if (isRunning(owner) || attempt == kAttempts)
            return makeError(ErrorKind::Data, "file.claimed", destination.string(),
                             owner > 0 ? Message::of("this file is being written by process %1.", std::to_string(owner))
                                       : Message::of("this file is being written by another process."),
                             Message::of("Wait for its end, or choose another name."));
        std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
}

bool DestinationClaim::isHeldHere(fs::path const &destination)
{
    std::lock_guard const guard(heldMutex);
    return heldFiles.contains(lockFileOf(destination).string());
}

void DestinationClaim::removeAll()
{
    std::lock_guard const guard(heldMutex);
    for (auto const &file : heldFiles) ::unlink(file.c_str());
    heldFiles.clear();
}

void DestinationClaim::release()
{
    if (m_lockFile.empty()) return;
    if (m_lock) m_lock->removeFile(m_lockFile); // before the lock is free
    std::lock_guard const guard(heldMutex);
    heldFiles.erase(m_lockFile.string());
    m_lockFile.clear();
    m_lock.reset();
}

DestinationClaim::DestinationClaim(DestinationClaim &&other) noexcept
    : m_lockFile(std::exchange(other.m_lockFile, {})), m_lock(std::exchange(other.m_lock, std::nullopt))
{
}

DestinationClaim &DestinationClaim::operator=(DestinationClaim &&other) noexcept
{
    if (this != &other) {
        release();
        m_lockFile = std::exchange(other.m_lockFile, {});
        m_lock = std::exchange(other.m_lock, std::nullopt);
    }
    return *this;
}

DestinationClaim::~DestinationClaim() { release(); }

} // namespace tilewright
