#include "tests/faults/box.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tilewright::faults {

namespace fs = std::filesystem;

namespace {

/// Tens of milliseconds are usual; locks that are never given are waited for, some seconds each.
constexpr int kTimeoutMs = 60'000;

/// The record of a run in a file that both sides map.
class MappedRecord {
public:
    MappedRecord(fs::path const &path, Fault const &fault) : m_path(path), m_bytes(fault.stacks ? sizeof(Record) : kPlainBytes)
    {
        int const file = ::open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
        if (file < 0 || ::ftruncate(file, static_cast<off_t>(m_bytes)) != 0) throw std::runtime_error("cannot make " + path.string());
        void *const mapped = ::mmap(nullptr, m_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        ::close(file);
        if (mapped == MAP_FAILED) throw std::runtime_error("cannot map " + path.string());
        m_record = static_cast<Record *>(mapped);
        m_record->kind = fault.kind;
        m_record->manner = fault.manner;
        m_record->at = fault.at;
        m_record->number = fault.number;
        m_record->wantsStacks = fault.stacks;
    }
    ~MappedRecord()
    {
        ::munmap(m_record, m_bytes);
        ::unlink(m_path.c_str());
    }
    MappedRecord(MappedRecord const &) = delete;
    MappedRecord &operator=(MappedRecord const &) = delete;

    Noted noted(bool stacks) const
    {
        Noted all;
        for (std::size_t i = 0; i < kKinds; ++i) all.calls[i] = m_record->calls[i];
        all.fired = m_record->fired;
        all.firedStack = m_record->firedStack;
        all.lostStacks = m_record->lostStacks;
        for (auto const frame : m_record->frames)
            if (frame != 0) all.frames.push_back(frame);
        all.call = m_record->firedCall;
        if (stacks)
            for (auto const &stack : m_record->stacks)
                if (stack.hash != 0) all.firsts.push_back(stack.first);
        std::ranges::sort(all.firsts);
        return all;
    }

private:
    fs::path m_path;
    std::size_t m_bytes;
    Record *m_record = nullptr;
};

int openForChild(fs::path const &path) { return ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600); }

} // namespace

std::optional<std::string> contentOf(fs::path const &file)
{
    std::ifstream in(file, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::string withoutNumbers(std::string text)
{
    // A run of hexadecimal digits with a decimal one in it is a number; "cafe" is a word.
    auto const isHex = [](unsigned char c) { return std::isdigit(c) || (c >= 'a' && c <= 'f'); };
    std::string result;
    for (std::size_t i = 0; i < text.size();) {
        std::size_t end = i;
        while (end < text.size() && isHex(static_cast<unsigned char>(text[end]))) ++end;
        std::string const run = text.substr(i, end - i);
        if (run.find_first_of("0123456789") != std::string::npos) result += '#';
        else result += run.empty() ? std::string(1, text[i]) : run;
        i = run.empty() ? i + 1 : end;
    }
    return result;
}

Box::Box(fs::path root, fs::path program, fs::path library)
    : m_root(std::move(root)), m_program(std::move(program)), m_library(std::move(library))
{
}

void Box::clear() const
{
    fs::remove_all(m_root);
    for (auto const *name : {"work", "cache", "state", "run", "tmp", "home"}) fs::create_directories(m_root / name);
}

void Box::copyFrom(Box const &other) const
{
    fs::remove_all(m_root);
    fs::copy(other.m_root, m_root, fs::copy_options::recursive);
}

Ran Box::start(std::vector<std::string> const &arguments, std::vector<std::string> const &more) const
{
    std::vector<std::string> environment{"PATH=/usr/bin:/bin",
                                         "LC_ALL=C.UTF-8",
                                         "HOME=" + (m_root / "home").string(),
                                         "XDG_CACHE_HOME=" + (m_root / "cache").string(),
                                         "XDG_STATE_HOME=" + (m_root / "state").string(),
                                         "TILEWRIGHT_RUN_DIR=" + (m_root / "run").string(),
                                         "TMPDIR=" + (m_root / "tmp").string()};
    environment.insert(environment.end(), more.begin(), more.end());
    std::vector<std::string> words{m_program.string()};
    words.insert(words.end(), arguments.begin(), arguments.end());
    auto const pointers = [](std::vector<std::string> &texts) {
        std::vector<char *> all;
        for (auto &text : texts) all.push_back(text.data());
        all.push_back(nullptr);
        return all;
    };
    auto const argv = pointers(words), envp = pointers(environment);

    fs::path const outPath = m_root.string() + ".out", errPath = m_root.string() + ".err";
    int const out = openForChild(outPath), err = openForChild(errPath), in = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    std::string const folder = work().string();
    pid_t const child = ::fork();
    if (child < 0) throw std::runtime_error("cannot start a process");
    if (child == 0) {
        ::dup2(in, STDIN_FILENO);
        ::dup2(out, STDOUT_FILENO);
        ::dup2(err, STDERR_FILENO);
        if (::chdir(folder.c_str()) == 0) ::execve(argv[0], argv.data(), envp.data());
        ::_exit(126);
    }
    for (int const file : {in, out, err}) ::close(file);

    Ran ran;
    int const handle = static_cast<int>(::syscall(SYS_pidfd_open, child, 0));
    pollfd wait{handle, POLLIN, 0};
    if (::poll(&wait, 1, kTimeoutMs) == 0) {
        ran.hung = true;
        ::kill(child, SIGKILL);
    }
    ::close(handle);
    int status = 0;
    ::waitpid(child, &status, 0);
    if (WIFEXITED(status)) ran.code = WEXITSTATUS(status);
    else ran.signal = WTERMSIG(status);
    ran.out = contentOf(outPath).value_or("");
    ran.err = contentOf(errPath).value_or("");
    return ran;
}

Ran Box::run(std::vector<std::string> const &arguments) const { return start(arguments, {}); }

Ran Box::run(std::vector<std::string> const &arguments, Fault const &fault, Noted &noted) const
{
    fs::path const path = m_root.string() + ".record";
    MappedRecord const record(path, fault);
    auto ran = start(arguments, {"LD_PRELOAD=" + m_library.string(), "TILEWRIGHT_FAULT_RECORD=" + path.string()});
    noted = record.noted(fault.stacks);
    return ran;
}

std::set<std::string> Box::files() const
{
    std::set<std::string> all;
    for (auto const &entry : fs::recursive_directory_iterator(m_root))
        if (!entry.is_directory()) all.insert(withoutNumbers(entry.path().lexically_relative(m_root).string()));
    return all;
}

} // namespace tilewright::faults
