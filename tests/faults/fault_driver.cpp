// Runs the program repeatedly, each time with another failing call, and reports violated conditions.

#include "tests/faults/cases.h"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <thread>

#include <unistd.h>

namespace {

using namespace tilewright::faults;
namespace fs = std::filesystem;

constexpr char kUsage[] =
    "Usage: fault_driver PROGRAM LIBRARY FOLDER [OPTIONS]\n\n"
    "  --case NAME     only this one; may be repeated\n"
    "  --kind NAME     only this one: write, sync, rename, open, lock, thread, map, allocation; may be repeated\n"
    "  --most N        at most N runs of a case, kind and manner, evenly spaced (0, the default: all that are asked for)\n"
    "  --at N          only the N-th call, and shows what the program said\n"
    "  --jobs N        as many at once\n";

struct Options {
    fs::path program, library, folder;
    std::vector<std::string> cases, kinds;
    std::uint64_t most = 0, at = 0;
    int jobs = 2;
};

/// A way in which calls of a kind fail.
struct Way {
    Kind kind;
    Manner manner;
    int number;
    char const *name;
};
constexpr Way kWays[] = {
    {Kind::Write, Manner::Once, EIO, "EIO once"},
    {Kind::Write, Manner::Lasting, ENOSPC, "ENOSPC from there on"},
    {Kind::Write, Manner::Short, ENOSPC, "half is written once"},
    {Kind::Sync, Manner::Once, EIO, "EIO once"},
    {Kind::Sync, Manner::Lasting, EIO, "EIO from there on"},
    {Kind::Rename, Manner::Once, EIO, "EIO once"},
    {Kind::Open, Manner::Once, EMFILE, "EMFILE once"},
    {Kind::Open, Manner::Lasting, ENOSPC, "ENOSPC from there on"},
    {Kind::Lock, Manner::Once, ENOLCK, "ENOLCK once"},
    {Kind::Lock, Manner::Lasting, ENOLCK, "ENOLCK from there on"},
    {Kind::Thread, Manner::Once, EAGAIN, "EAGAIN once"},
    {Kind::Thread, Manner::Lasting, EAGAIN, "EAGAIN from there on"},
    {Kind::Map, Manner::Once, ENOMEM, "ENOMEM once"},
    {Kind::Allocation, Manner::Once, ENOMEM, "once"},
};
/// Spaced calls besides the distinct stacks.
constexpr std::uint64_t kSpaced = 500;

char const *nameOf(Kind kind) { return kKindNames[static_cast<std::size_t>(kind)]; }

struct Task {
    Case const *which;
    Expected const *expected;
    Way const *way;
    std::uint64_t at;
};

/// Failures that have the same cause, as far as that can be seen.
struct Find {
    std::uint64_t runs = 0;
    std::vector<std::uint64_t> at;
    std::string said;
    std::vector<std::uint64_t> frames;
};

std::vector<std::uint64_t> spaced(std::vector<std::uint64_t> const &all, std::uint64_t most)
{
    if (most == 0 || all.size() <= most) return all;
    std::vector<std::uint64_t> some;
    for (std::uint64_t i = 0; i < most; ++i) some.push_back(all[i * (all.size() - 1) / std::max<std::uint64_t>(most - 1, 1)]);
    return some;
}

/// Which calls of a case fail in turn.
std::vector<std::uint64_t> callsToFail(Case const &which, Expected const &expected, Way const &way, Options const &options)
{
    if (options.at > 0) return {options.at};
    std::uint64_t const calls = expected.noted.calls[static_cast<std::size_t>(way.kind)];
    std::vector<std::uint64_t> all;
    if (way.kind == Kind::Allocation && !which.everyAllocation) {
        all = expected.noted.firsts;
        for (std::uint64_t i = 0; i < kSpaced && i < calls; ++i) all.push_back(1 + i * calls / kSpaced);
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
    } else {
        for (std::uint64_t i = 1; i <= calls; ++i) all.push_back(i);
    }
    return spaced(all, options.most);
}

bool wanted(std::vector<std::string> const &names, std::string const &name)
{
    return names.empty() || std::ranges::find(names, name) != names.end();
}

/// Names of the program's functions on the way to the call.
std::string stackText(fs::path const &program, std::vector<std::uint64_t> const &frames)
{
    std::string command = "addr2line -Cfpse '" + program.string() + "'";
    char number[32];
    for (std::size_t i = 0; i < frames.size() && i < kFrames; ++i) {
        std::snprintf(number, sizeof number, " 0x%llx", static_cast<unsigned long long>(frames[i] - 1));
        command += number;
    }
    std::string text;
    if (frames.empty()) return text;
    if (FILE *const pipe = ::popen((command + " 2>/dev/null").c_str(), "r")) {
        char line[1024];
        while (std::fgets(line, sizeof line, pipe)) {
            std::string one = line;
            if (one.size() > 150) one = one.substr(0, 147) + "...\n";
            text += "      " + one;
        }
        ::pclose(pipe);
    }
    return text;
}

class Driver {
public:
    explicit Driver(Options options) : m_options(std::move(options)), m_cold(box("cold")), m_warm(box("warm")) {}

    int run()
    {
        auto const begin = std::chrono::steady_clock::now();
        fs::create_directories(m_options.folder);
        prepare(m_cold, m_warm);
        plan();
        std::printf("%zu runs, %d at once\n", m_tasks.size(), m_options.jobs);
        std::fflush(stdout);
        std::vector<std::thread> workers;
        for (int i = 0; i < m_options.jobs; ++i) workers.emplace_back([this, i] { work(i); });
        for (auto &worker : workers) worker.join();
        auto const seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        return summary(seconds);
    }

private:
    Box box(std::string const &name) const { return {m_options.folder / name, m_options.program, m_options.library}; }

    void plan()
    {
        auto const scratch = box("expected");
        for (auto const &base : allCases()) {
            if (!wanted(m_options.cases, base.name)) continue;
            // Thread creation fails in cases with threads; in the others one thread keeps the order of calls fixed.
            for (int const threads : {4, 1}) {
                bool any = false;
                for (auto const &way : kWays)
                    any = any || ((way.kind == Kind::Thread) == (threads > 1) && wanted(m_options.kinds, nameOf(way.kind)));
                if (!any) continue;
                auto &which = m_cases.emplace_back(std::make_unique<Case>(base));
                which->arguments.insert(which->arguments.end(), {"--threads", std::to_string(threads)});
                bool const stacks = wanted(m_options.kinds, "allocation") && threads == 1 && !which->everyAllocation;
                auto &expected =
                    m_expected.emplace_back(std::make_unique<Expected>(expect(*which, which->warm ? m_warm : m_cold, scratch, stacks)));
                for (auto const &way : kWays) {
                    if ((way.kind == Kind::Thread) != (threads > 1) || !wanted(m_options.kinds, nameOf(way.kind))) continue;
                    auto const calls = callsToFail(*which, *expected, way, m_options);
                    for (auto const at : calls) m_tasks.push_back({which.get(), expected.get(), &way, at});
                    std::printf("%-15s %-10s %-22s %7zu of %llu calls\n", which->name.c_str(), nameOf(way.kind), way.name, calls.size(),
                                static_cast<unsigned long long>(expected->noted.calls[static_cast<std::size_t>(way.kind)]));
                    if (way.kind == Kind::Allocation && stacks)
                        std::printf("%-15s %zu distinct stacks of allocations\n", which->name.c_str(), expected->noted.firsts.size());
                }
                if (expected->noted.lostStacks > 0) throw std::runtime_error("there are more distinct stacks than the table holds");
            }
        }
    }

    void work(int number)
    {
        auto const own = box("box-" + std::to_string(number));
        for (;;) {
            std::size_t const i = m_next.fetch_add(1);
            if (i >= m_tasks.size()) return;
            auto const &task = m_tasks[i];
            Fault const fault{.kind = task.way->kind, .manner = task.way->manner, .at = task.at, .number = task.way->number};
            Ran ran;
            Noted noted;
            std::optional<std::string> bad;
            char const *known = nullptr;
            try {
                bad = tryFault(*task.which, *task.expected, own, fault, ran, noted);
                if (bad && ran.signal != 0 && (known = knownReason(fault, ran, stackText(m_options.program, noted.frames))) != nullptr)
                    bad = badProject(*task.which, *task.expected, own, fault, ran);
            } catch (std::exception const &problem) {
                bad = std::string("the driver failed: ") + problem.what();
            }
            std::lock_guard const lock(m_mutex);
            ++m_done;
            if (m_options.at > 0)
                std::printf("exit %d, signal %d\n%s%s%s", ran.code, ran.signal, ran.out.c_str(), ran.err.c_str(),
                            stackText(m_options.program, noted.frames).c_str());
            if (noted.fired == 0) ++m_missed;
            else ++m_codes[ran.code];
            if (known) ++m_known[known];
            if (!bad) continue;
            std::string key = task.which->name + " | " + nameOf(task.way->kind) + ", " + task.way->name + " | " + withoutNumbers(*bad);
            if (noted.fired > 0 && task.way->kind == Kind::Allocation)
                for (std::size_t f = 0; f < noted.frames.size() && f < 3; ++f) key += " " + std::to_string(noted.frames[f]);
            auto &find = m_finds[key];
            ++find.runs;
            find.at.push_back(task.at);
            if (find.runs == 1) {
                find.said = task.which->name + ": " + nameOf(task.way->kind) + " (" + noted.call + "), " + task.way->name + ": " + *bad
                    + "\n    exit " + std::to_string(ran.code) + ", stderr: " + ran.err.substr(0, 400);
                find.frames = noted.frames;
            }
        }
    }

    int summary(double seconds)
    {
        std::uint64_t broken = 0;
        for (auto &[key, find] : m_finds) {
            broken += find.runs;
            std::ranges::sort(find.at);
            std::string at;
            for (std::size_t i = 0; i < find.at.size() && i < 6; ++i) at += " " + std::to_string(find.at[i]);
            std::printf("\n%s\n    %llu runs, calls%s%s\n%s", find.said.c_str(), static_cast<unsigned long long>(find.runs), at.c_str(),
                        find.at.size() > 6 ? " …" : "", stackText(m_options.program, find.frames).c_str());
        }
        std::printf("\n%llu runs in %.0f s; in %llu the call did not come; exit codes:", static_cast<unsigned long long>(m_done), seconds,
                    static_cast<unsigned long long>(m_missed));
        for (auto const &[code, runs] : m_codes) std::printf(" %d: %llu", code, static_cast<unsigned long long>(runs));
        std::printf("\n");
        for (auto const &[reason, runs] : m_known)
            std::printf("known, %llu runs: %s\n", static_cast<unsigned long long>(runs), reason.c_str());
        std::printf("%zu kinds of failure in %llu runs\n", m_finds.size(), static_cast<unsigned long long>(broken));
        if (m_options.at == 0 && m_missed * 10 > m_done) {
            std::printf("too many calls did not come: the runs are not alike\n");
            return 1;
        }
        return m_finds.empty() ? 0 : 1;
    }

    Options m_options;
    Box m_cold, m_warm;
    std::vector<std::unique_ptr<Case>> m_cases;
    std::vector<std::unique_ptr<Expected>> m_expected;
    std::vector<Task> m_tasks;
    std::atomic<std::size_t> m_next{0};
    std::mutex m_mutex;
    std::uint64_t m_done = 0, m_missed = 0;
    std::map<int, std::uint64_t> m_codes;
    std::map<std::string, std::uint64_t> m_known;
    std::map<std::string, Find> m_finds;
};

std::optional<Options> readOptions(int argc, char **argv)
{
    if (argc < 4) return std::nullopt;
    Options options{fs::absolute(argv[1]), fs::absolute(argv[2]), fs::absolute(argv[3]), {}, {}};
    for (int i = 4; i + 1 < argc; i += 2) {
        std::string const name = argv[i], value = argv[i + 1];
        auto const known = [&](auto const &isOne) {
            if (isOne) return true;
            std::fprintf(stderr, "%s knows no %s\n", name.c_str(), value.c_str());
            return false;
        };
        if (name == "--case") {
            if (!known(std::ranges::find(allCases(), value, &Case::name) != allCases().end())) return std::nullopt;
            options.cases.push_back(value);
        } else if (name == "--kind") {
            if (!known(std::ranges::find(kKindNames, value) != std::end(kKindNames))) return std::nullopt;
            options.kinds.push_back(value);
        } else if (name == "--most") {
            options.most = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--at") {
            options.at = std::strtoull(value.c_str(), nullptr, 10);
        } else if (name == "--jobs") {
            options.jobs = std::max(1, std::atoi(value.c_str()));
        } else {
            return std::nullopt;
        }
    }
    return argc % 2 == 0 ? std::optional(options) : std::nullopt;
}

} // namespace

int main(int argc, char **argv)
{
    auto const options = readOptions(argc, argv);
    if (!options) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    try {
        return Driver(*options).run();
    } catch (std::exception const &problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 2;
    }
}
