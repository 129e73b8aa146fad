#include "engine/interop/hdf5_contents.h"

#include "engine/core/limits.h"
#include "engine/interop/hdf5_child.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <dlfcn.h>
#include <fcntl.h>
#include <fstream>
#include <functional>
#include <optional>
#include <poll.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tilewright::interop {

std::vector<std::string> Hdf5Contents::texts(std::string const &object, std::string const &name) const
{
    auto const found = attributes.find(object);
    if (found == attributes.end()) return {};
    if (auto const whole = found->second.find(name); whole != found->second.end()) return whole->second;
    std::vector<std::string> list;
    for (int part = 0;; ++part) {
        auto const piece = found->second.find(name + std::to_string(part));
        if (piece == found->second.end()) return list;
        list.insert(list.end(), piece->second.begin(), piece->second.end());
    }
}

std::string Hdf5Contents::text(std::string const &object, std::string const &name) const
{
    auto const list = texts(object, name);
    return list.empty() ? std::string() : list.front();
}

FileArray const *Hdf5Contents::find(std::string_view path) const
{
    auto const found = std::ranges::find(arrays, path, &FileArray::path);
    return found == arrays.end() ? nullptr : &*found;
}

namespace {

constexpr int kSeconds = 120;                                 ///< of processor time that the library may take
constexpr std::int64_t kSpareBytes = std::int64_t{512} << 20; ///< beside the arrays: for the library itself

Diagnostic damaged(std::string subject, std::string const &why)
{
    return makeError(ErrorKind::Invalid, "import.hdf5", std::move(subject), Message::of("the HDF5 file cannot be read: %1.", why),
                     Message::of("Write the model again with model.save(), or open it with Keras to see whether it is whole."));
}

/// All that the child has told.
struct Told {
    Hdf5Contents contents;
    std::string image;
};

/// The child's messages. Every length is checked against what a file may hold: a child that went wrong may write anything.
class Listener {
public:
    Listener(int descriptor, std::string const &name, Hdf5Limits const &limits, JobContext const &job)
        : m_descriptor(descriptor), m_name(name), m_limits(limits), m_job(job)
    {
    }

    /// None: the child ended before its last message.
    Result<std::optional<Told>> listen()
    {
        Told told;
        auto &contents = told.contents;
        while (true) {
            char kind = 0;
            if (!take(&kind, 1)) return ended();
            switch (static_cast<Hdf5Message>(kind)) {
            case Hdf5Message::Attribute: {
                std::string path, name;
                std::uint32_t count = 0;
                if (!text(path) || !text(name) || !number(count) || count > m_limits.textBytes) return ended();
                auto &list = contents.attributes[path][name];
                for (std::uint32_t i = 0; i < count; ++i)
                    if (!text(list.emplace_back())) return ended();
                break;
            }
            case Hdf5Message::Array:
                if (!array(contents.arrays.emplace_back())) return ended();
                break;
            case Hdf5Message::Error:
            case Hdf5Message::TooLarge: {
                std::string path, why;
                if (!text(path) || !text(why)) return ended();
                auto const subject = path.empty() ? m_name : m_name + ": " + path;
                if (static_cast<Hdf5Message>(kind) == Hdf5Message::Error) return damaged(subject, why);
                auto const limit = std::ranges::find_if(limitTable(), [&](auto const &l) { return why == l.name; });
                return makeError(ErrorKind::Invalid, "import.too-large", subject, Message::of("this is larger than the limit allows."),
                                 limit == limitTable().end() ? Message() : limitRemedy(limit->limit));
            }
            case Hdf5Message::Image:
                if (!image(told.image)) return ended();
                break;
            case Hdf5Message::End: return std::optional(std::move(told));
            default: return ended();
            }
        }
    }

private:
    Result<std::optional<Told>> ended() const
    {
        if (m_job.cancelled()) return cancelledError(m_name);
        return std::optional<Told>();
    }

    bool take(void *to, std::size_t size)
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
    template <typename Number> bool number(Number &value) { return take(&value, sizeof value); }
    bool text(std::string &value)
    {
        std::uint32_t size = 0;
        if (!number(size) || size > m_limits.textBytes) return false;
        value.resize(size);
        return take(value.data(), size);
    }
    bool image(std::string &to)
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
    bool array(FileArray &to)
    {
        char type = 0;
        std::uint32_t rank = 0;
        if (!text(to.path) || !take(&type, 1) || !number(rank) || rank > 64) return false;
        to.dtype = type == 'f' ? DType::F32 : DType::I32;
        std::int64_t count = 1;
        for (std::uint32_t i = 0; i < rank; ++i) {
            std::int64_t extent = 0;
            if (!number(extent) || extent < 0 || extent > m_limits.elements || __builtin_mul_overflow(count, extent, &count)
                || count > m_limits.elements)
                return false;
            to.shape.push_back(extent);
        }
        m_bytes += 4 * count;
        if (m_bytes > m_limits.bytes) return false;
        to.bytes.resize(static_cast<std::size_t>(4 * count));
        return take(to.bytes.data(), to.bytes.size());
    }

    int m_descriptor;
    std::string const &m_name;
    Hdf5Limits const &m_limits;
    JobContext const &m_job;
    std::int64_t m_bytes = 0;
};

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

/// What the child does with the module; false: the module lacks the function.
using ChildWork = std::function<bool(void *module, int descriptor)>;

/// The child's own world: no output but the pipe, no file to write, bounded time and memory.
[[noreturn]] void runChild(int descriptor, std::filesystem::path const &library, [[maybe_unused]] Hdf5Limits const &limits,
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
std::optional<std::filesystem::path> moduleFile()
{
    namespace fs = std::filesystem;
    std::error_code failed;
    auto const program = fs::read_symlink("/proc/self/exe", failed);
    for (auto folder = program.parent_path(); !failed && folder.has_relative_path(); folder = folder.parent_path())
        if (auto file = folder / "lib" / "tilewright" / kHdf5Module; fs::is_regular_file(file, failed)) return file;
        else failed.clear();
    return {};
}

std::string endOfChild(int status)
{
    if (WIFEXITED(status) && WEXITSTATUS(status) == 4) return "the module for HDF5 cannot be loaded; install libhdf5";
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU) return "the library took more than " + std::to_string(kSeconds) + " seconds";
    if (WIFSIGNALED(status)) return std::string("the library failed on it (") + ::strsignal(WTERMSIG(status)) + ")";
    if (WIFEXITED(status) && WEXITSTATUS(status) == 3) return "it needs more memory than there is";
    return "the library stopped before the end";
}

/// Runs `work` in a child and hears what it tells. `name` appears in errors.
Result<Told> inChild(std::string const &name, Hdf5Limits const &limits, JobContext const &job, ChildWork const &work)
{
    auto const library = moduleFile();
    if (!library)
        return makeError(ErrorKind::Usage, "import.no-hdf5", name, Message::of("this build has no module for HDF5 files."),
                         Message::of("Build with libhdf5-dev, or use model.to_json()."));
    int ends[2];
    if (::pipe2(ends, O_CLOEXEC) != 0) return damaged(name, "no pipe could be opened");
    auto const child = ::fork();
    if (child == 0) {
        ::close(ends[0]);
        runChild(ends[1], *library, limits, work);
    }
    ::close(ends[1]);
    if (child < 0) {
        ::close(ends[0]);
        return damaged(name, "no process could be started");
    }
    auto told = Listener(ends[0], name, limits, job).listen();
    ::close(ends[0]);
    if (!told.ok()) ::kill(child, SIGKILL); // otherwise it has ended, or ends with its next message
    int status = 0;
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    if (!told.ok()) return told.error();
    if (!*told) return damaged(name, endOfChild(status));
    return std::move(**told);
}

template <typename Function> Function *functionIn(void *module, char const *name)
{
    return reinterpret_cast<Function *>(::dlsym(module, name));
}

Result<Hdf5Contents> readIsolated(std::string const &path, std::span<std::byte const> image, JobContext const &job)
{
    Hdf5Limits const limits{limitOf(Limit::Elements), limitOf(Limit::InflatedBytes), limitOf(Limit::JsonBytes)};
    TW_ASSIGN(auto told, inChild(path, limits, job, [&](void *module, int descriptor) {
                  auto *const tell = functionIn<TellHdf5>(module, kTellHdf5);
                  if (tell) tell(descriptor, path.c_str(), image.data(), image.size(), limits);
                  return tell != nullptr;
              }));
    return std::move(told.contents);
}

} // namespace

Result<Hdf5Contents> readHdf5(std::filesystem::path const &path, JobContext const &job) { return readIsolated(path.string(), {}, job); }

Result<Hdf5Contents> readHdf5(std::span<std::byte const> image, std::string const &name, JobContext const &job)
{
    if (image.empty()) return damaged(name, "it is empty");
    return readIsolated(name, image, job);
}

Result<std::string> hdf5Image(std::vector<Hdf5Part> const &parts, std::string const &name, JobContext const &job)
{
    Hdf5Limits limits{limitOf(Limit::Elements), 0, limitOf(Limit::JsonBytes)};
    for (auto const &part : parts) limits.bytes += 2 * static_cast<std::int64_t>(part.values.size());
    TW_ASSIGN(auto told, inChild(name, limits, job, [&](void *module, int descriptor) {
                  auto *const tell = functionIn<ImageHdf5>(module, kImageHdf5);
                  if (tell) tell(descriptor, parts);
                  return tell != nullptr;
              }));
    return std::move(told.image);
}

} // namespace tilewright::interop
