#include "engine/core/files.h"

#include "engine/core/file_errors.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright {

namespace {

namespace fs = std::filesystem;

Diagnostic fileError(char const *code, fs::path const &path, Message const &what, int number)
{
    return makeError(ErrorKind::Invalid, code, path.string(), Message::of("%1: %2.", what, std::strerror(number)),
                     remedyForFileError(number));
}

fs::path environmentPath(char const *name)
{
    char const *value = std::getenv(name);
    return value && *value ? fs::path(value) : fs::path();
}

bool isFolder(fs::path const &path)
{
    std::error_code ignored;
    return path.is_absolute() && fs::is_directory(path, ignored);
}

struct Candidate {
    fs::path path;
    bool shared = false; ///< its parent is writable by others
};

Candidate temporaryCandidate(std::string_view leaf)
{
    std::error_code ignored;
    auto base = fs::temp_directory_path(ignored);
    if (base.empty()) base = "/tmp";
    return {base / ("tilewright-" + std::to_string(::getuid())) / leaf, true};
}

std::vector<Candidate> cacheCandidates(std::string_view leaf)
{
    std::vector<Candidate> all;
    if (auto const cache = environmentPath("XDG_CACHE_HOME"); cache.is_absolute()) all.push_back({cache / "tilewright" / leaf});
    else if (auto const home = environmentPath("HOME"); isFolder(home)) // never makes a missing home
        all.push_back({home / ".cache" / "tilewright" / leaf});
    all.push_back(temporaryCandidate(leaf));
    return all;
}

/// `trusted`: what lies there is read and believed.
Result<fs::path> firstUsable(std::vector<Candidate> const &candidates, bool trusted = true)
{
    Status last;
    for (auto const &candidate : candidates) {
        if (candidate.shared) last = ensureFolder(candidate.path.parent_path(), true);
        if (!candidate.shared || last.ok()) last = ensureFolder(candidate.path, candidate.shared);
        if (last.ok() && trusted) last = requirePrivateFolder(candidate.path);
        if (last.ok()) return candidate.path;
    }
    return last.error();
}

} // namespace

Diagnostic pipeError(char const *code, fs::path const &path)
{
    return makeError(ErrorKind::Data, code, path.string(), Message::of("this is a pipe, not a file."),
                     Message::of("Write its content to a file first."));
}

Result<std::string> readFile(fs::path const &path, std::int64_t atMost)
{
    std::error_code ignored;
    // What a shell connected has its writer; for a pipe with a name one may never come.
    bool const connected = path.string().starts_with("/dev/") || path.string().starts_with("/proc/self/fd/");
    if (!connected && fs::is_fifo(path, ignored)) return pipeError("file.read", path);
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return fileError("file.read", path, Message::of("cannot open the file"), errno);
    std::string content;
    struct stat status {};
    if (::fstat(file, &status) == 0 && status.st_size > 0)
        content.reserve(static_cast<std::size_t>(std::min<std::int64_t>(status.st_size, atMost)));
    char buffer[65536];
    for (;;) {
        auto const left = atMost - static_cast<std::int64_t>(content.size());
        if (left <= 0) break;
        auto const got = ::read(file, buffer, static_cast<std::size_t>(std::min<std::int64_t>(sizeof buffer, left)));
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) {
            auto error = fileError("file.read", path, Message::of("cannot read the file"), errno);
            ::close(file);
            return error;
        }
        if (got == 0) break;
        content.append(buffer, static_cast<std::size_t>(got));
    }
    ::close(file);
    return content;
}

Status ensureFolder(fs::path const &path, bool mustBeOwn)
{
    auto const text = path.string();
    int number = 0; // of the outermost folder that could not be made: the inner ones only say "not there"
    for (std::size_t end = text.find('/', 1);; end = text.find('/', end + 1)) {
        auto const part = text.substr(0, end);
        if (!part.empty() && ::mkdir(part.c_str(), 0700) != 0 && errno != EEXIST && number == 0) number = errno;
        if (end == std::string::npos) break;
    }
    struct stat status {};
    if (::lstat(text.c_str(), &status) != 0)
        return fileError("file.folder", path, Message::of("cannot create the folder"), number ? number : errno);
    if (mustBeOwn && (!S_ISDIR(status.st_mode) || status.st_uid != ::getuid()))
        return makeError(ErrorKind::Invalid, "file.folder", text, Message::of("the folder belongs to another user."));
    if (::stat(text.c_str(), &status) != 0 || !S_ISDIR(status.st_mode))
        return makeError(ErrorKind::Invalid, "file.folder", text, Message::of("a file has the name of the folder that is needed."));
    if (::access(text.c_str(), W_OK | X_OK) != 0) return fileError("file.folder", path, Message::of("cannot write into the folder"), errno);
    return {};
}

Status requirePrivateFolder(fs::path const &path)
{
    auto const refuse = [&](fs::path const &folder, Message why, Message remedy) {
        return makeError(ErrorKind::Invalid, "file.not-private", folder.string(), std::move(why), std::move(remedy));
    };
    std::error_code problem;
    auto folder = fs::canonical(path, problem);
    if (problem) return fileError("file.folder", path, Message::of("cannot use the folder"), problem.value());
    auto const self = ::geteuid();
    for (bool inner = true;; inner = false) {
        struct stat status {};
        if (::stat(folder.c_str(), &status) != 0) return fileError("file.folder", folder, Message::of("cannot use the folder"), errno);
        if (status.st_uid != self && (inner || status.st_uid != 0))
            return refuse(folder, Message::of("the folder is not used: it belongs to another user."),
                          Message::of("Choose a folder of your own."));
        // Others may write beside a folder of ours where the sticky bit keeps them from renaming it, as in /tmp. The group of this user
        // is often one of its own.
        bool const others = (status.st_mode & S_IWOTH) || ((status.st_mode & S_IWGRP) && (inner || status.st_gid != ::getegid()));
        if (others && (inner || !(status.st_mode & S_ISVTX)))
            return refuse(folder, Message::of("the folder is not used: other users may write into it."),
                          Message::of("`chmod go-w %1` keeps them out.", folder.string()));
        if (!folder.has_relative_path()) return {};
        folder = folder.parent_path();
    }
}

Status requirePrivateFile(fs::path const &path)
{
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0 || (status.st_uid == ::geteuid() && !(status.st_mode & (S_IWGRP | S_IWOTH)))) return {};
    return makeError(ErrorKind::Invalid, "file.not-private", path.string(),
                     Message::of("the file is not used: it belongs to another user, or other users may write to it."),
                     Message::of("Remove it."));
}

Result<fs::path> runFolder()
{
    if (auto const own = environmentPath("TILEWRIGHT_RUN_DIR"); !own.empty()) {
        TW_TRY(ensureFolder(own));
        return own;
    }
    std::vector<Candidate> candidates;
    if (auto const runtime = environmentPath("XDG_RUNTIME_DIR"); isFolder(runtime)) candidates.push_back({runtime / "tilewright"});
    for (auto &candidate : cacheCandidates("run")) candidates.push_back(std::move(candidate));
    return firstUsable(candidates);
}

Result<fs::path> cacheFolder(std::string_view leaf) { return firstUsable(cacheCandidates(leaf)); }

std::vector<fs::path> stateFolders(std::string_view leaf)
{
    std::vector<Candidate> candidates;
    if (auto const state = environmentPath("XDG_STATE_HOME"); state.is_absolute()) candidates.push_back({state / "tilewright" / leaf});
    else if (auto const home = environmentPath("HOME"); isFolder(home))
        candidates.push_back({home / ".local" / "state" / "tilewright" / leaf});
    candidates.push_back(temporaryCandidate(leaf));
    std::vector<fs::path> usable;
    for (auto const &candidate : candidates)
        if (auto const found = firstUsable({candidate}, false); found.ok()) usable.push_back(*found);
    return usable;
}

Status makeOutputFolder(fs::path const &path)
{
    if (::mkdir(path.c_str(), 0777) == 0) return {};
    int const number = errno;
    std::error_code ignored;
    if (number == EEXIST && fs::is_directory(path, ignored)) return {};
    auto error = fileError("file.folder", path, Message::of("cannot create the folder"), number);
    error.kind = ErrorKind::Data;
    return error;
}

} // namespace tilewright
