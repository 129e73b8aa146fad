#include "engine/interop/library_child.h"

#include "engine/core/limits.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tilewright::interop {

bool ChildReader::take(void *to, std::size_t size)
{
    auto *at = static_cast<char *>(to);
    while (size > 0) {
        if (m_job.cancelled()) return false;
        pollfd wait{m_descriptor, POLLIN, 0};
        if (::poll(&wait, 1, 20) <= 0) continue;
        auto const got = ::read(m_descriptor, at, size);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0) return false;
        at += got;
        size -= static_cast<std::size_t>(got);
    }
    return true;
}

bool ChildReader::text(std::string &value)
{
    std::uint32_t size = 0;
    if (!number(size) || size > m_limits.textBytes) return false;
    value.resize(size);
    return take(value.data(), size);
}

bool ChildReader::count(std::uint32_t &value) { return number(value) && value <= m_limits.textBytes; }

bool ChildReader::shape(Shape &shape, std::int64_t &elements)
{
    std::uint32_t rank = 0;
    if (!number(rank) || rank > 64) return false;
    elements = 1;
    for (std::uint32_t i = 0; i < rank; ++i) {
        std::int64_t extent = 0;
        if (!number(extent) || extent < 0 || extent > m_limits.elements || __builtin_mul_overflow(elements, extent, &elements)
            || elements > m_limits.elements)
            return false;
        shape.push_back(extent);
    }
    return true;
}

bool ChildReader::reserve(std::int64_t bytes)
{
    m_bytes += bytes;
    return m_bytes <= m_limits.bytes;
}

bool ChildReader::image(std::string &to)
{
    std::int64_t size = 0;
    if (!number(size) || size < 0) return false;
    constexpr std::int64_t kPiece = std::int64_t{1} << 24; // grows as it comes
    for (std::int64_t at = 0; at < size; at += kPiece) {
        auto const piece = static_cast<std::size_t>(std::min(kPiece, size - at));
        to.resize(to.size() + piece);
        if (!take(to.data() + static_cast<std::size_t>(at), piece)) return false;
    }
    return true;
}

namespace {

constexpr int kSeconds = 120;                                 ///< of processor time that the library may take
constexpr std::int64_t kSpareBytes = std::int64_t{512} << 20; ///< beside the arrays: for the library itself

/// The child's messages until the last. None: the child ended before it.
Result<std::optional<std::string>> listen(ChildReader &reader, ChildLibrary const &library, std::string const &name,
                                          ChildHearer const &hear, JobContext const &job)
{
    std::optional<std::string> const ended;
    std::string image;
    while (true) {
        char kind = 0;
        bool understood = reader.take(&kind, 1);
        if (understood) switch (static_cast<ChildMessage>(kind)) {
            case ChildMessage::Error:
            case ChildMessage::TooLarge: {
                std::string path, why;
                understood = reader.text(path) && reader.text(why);
                if (!understood) break;
                auto const subject = path.empty() ? name : name + ": " + path;
                if (static_cast<ChildMessage>(kind) == ChildMessage::Error) return library.damaged(subject, why);
                auto const limit = std::ranges::find_if(limitTable(), [&](auto const &l) { return why == l.name; });
                return makeError(ErrorKind::Invalid, "import.too-large", subject, Message::of("this is larger than the limit allows."),
                                 limit == limitTable().end() ? Message() : limitRemedy(limit->limit));
            }
            case ChildMessage::Image: understood = reader.image(image); break;
            case ChildMessage::End: return std::optional(std::move(image));
            default: understood = hear(kind, reader);
            }
        if (understood) continue;
        if (job.cancelled()) return cancelledError(name);
        return ended;
    }
}

void bound(int resource, rlim_t most)
{
    rlimit limit{};
    if (::getrlimit(static_cast<__rlimit_resource_t>(resource), &limit) != 0) return;
    limit.rlim_cur = std::min(limit.rlim_max, most);
    ::setrlimit(static_cast<__rlimit_resource_t>(resource), &limit);
}

/// Of this process; 0 if the system does not tell.
[[maybe_unused]] std::int64_t pagesInUse()
{
    std::int64_t pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    return pages;
}

/// The child's own world: no output but the pipe, no file to write, bounded time and memory.
[[noreturn]] void runChild(int descriptor, std::filesystem::path const &library, [[maybe_unused]] ChildLimits const &limits,
                           ChildWork const &work)
{
    for (int signal : {SIGINT, SIGTERM, SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL, SIGPIPE}) ::signal(signal, SIG_DFL);
    if (int const nowhere = ::open("/dev/null", O_RDWR | O_CLOEXEC); nowhere >= 0) {
        ::dup2(nowhere, STDOUT_FILENO);
        ::dup2(nowhere, STDERR_FILENO);
    }
    bound(RLIMIT_CORE, 0);
    bound(RLIMIT_FSIZE, 0);
    bound(RLIMIT_CPU, kSeconds);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // sanitizers reserve terabytes
    if (auto const pages = pagesInUse(); pages > 0)
        bound(RLIMIT_AS, static_cast<rlim_t>(pages * ::sysconf(_SC_PAGESIZE) + 2 * limits.bytes + kSpareBytes));
#endif
    try {
        void *const module = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
        if (!module || !work(module, descriptor)) ::_exit(4);
    } catch (...) {
        ::_exit(3); // out of memory
    }
    ::_exit(0);
}

/// The nearest lib/tilewright above the program: /usr/bin/tilewright has /usr/lib/tilewright, a test has that of its build folder.
std::optional<std::filesystem::path> moduleFile(char const *module)
{
    namespace fs = std::filesystem;
    std::error_code failed;
    auto const program = fs::read_symlink("/proc/self/exe", failed);
    for (auto folder = program.parent_path(); !failed && folder.has_relative_path(); folder = folder.parent_path())
        if (auto file = folder / "lib" / "tilewright" / module; fs::is_regular_file(file, failed)) return file;
        else failed.clear();
    return {};
}

std::string endOfChild(int status, ChildLibrary const &library)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 4)
        return std::string("the module ") + library.module + " cannot be loaded; install " + library.package;
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "the library took more than " + std::to_string(kSeconds) + " seconds";
    if (WIFSIGNALED(status)) return std::string("the library failed on it (") + ::strsignal(WTERMSIG(status)) + ")";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) return "it needs more memory than there is";
    return "the library stopped before the end";
}

} // namespace

void *symbolOf(void *module, char const *name) { return ::dlsym(module, name); }

bool hasModule(ChildLibrary const &library) { return moduleFile(library.module).has_value(); }

Result<std::string> inLibraryChild(ChildLibrary const &library, std::string const &name, ChildLimits const &limits, JobContext const &job,
                                   ChildWork const &work, ChildHearer const &hear)
{
    auto const module = moduleFile(library.module);
    if (!module) return library.missing(name);
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return library.damaged(name, "no pipe could be opened");
    auto const child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        runChild(ends[1], *module, limits, work);
    }
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        return library.damaged(name, "no process could be started");
    }
    ChildReader reader(ends[0], limits, job);
    auto told = listen(reader, library, name, hear, job);
    ::close(ends[0]);
    if (!told.ok()) ::kill(child, SIGKILL); // otherwise it has ended, or ends with its next message
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!told.ok()) return told.error();
    if (!*told) return library.damaged(name, endOfChild(status, library));
    return std::move(**told);
}

} // namespace tilewright::interop
