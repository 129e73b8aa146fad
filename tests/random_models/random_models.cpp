// Draws random valid projects by seed and checks each in a process of its own: a crash or a hang ends its seed, not the run.

#include "tests/random_models/model_check.h"
#include "tests/random_models/project_draw.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace tilewright;
using namespace tilewright::random_models;
namespace fs = std::filesystem;

constexpr char kUsage[] = "Usage: random_models FOLDER [OPTIONS]\n\n"
                          "  --first N       the first seed (default 1)\n"
                          "  --count N       so many seeds (default 50)\n"
                          "  --jobs N        so many at once (default 1)\n"
                          "  --seconds N     a seed may take so long (default 120)\n"
                          "  --ran N         at least so many percent of the seeds must run (default 90)\n"
                          "  --every-word    fail unless the seeds have drawn each layer class, loss, optimizer, metric and kind of plan\n"
                          "  --draw          only write the projects, as FOLDER/SEED.json with their samples beside them\n\n"
                          "Projects that failed stay in FOLDER as SEED.json and SEED.npz.\n";

struct Options {
    fs::path folder;
    std::uint64_t first = 1, count = 50;
    int jobs = 1;
    unsigned seconds = 120;
    double ran = 90;
    bool everyWord = false, draw = false;
};

std::optional<Options> parse(int argc, char **argv)
{
    Options options;
    for (int i = 1; i < argc; ++i) {
        std::string const word = argv[i];
        auto const number = [&]() -> std::uint64_t { return i + 1 < argc ? std::strtoull(argv[++i], nullptr, 10) : 0; };
        if (word == "--first") options.first = number();
        else if (word == "--count") options.count = number();
        else if (word == "--jobs") options.jobs = std::max(1, static_cast<int>(number()));
        else if (word == "--seconds") options.seconds = static_cast<unsigned>(number());
        else if (word == "--ran") options.ran = static_cast<double>(number());
        else if (word == "--every-word") options.everyWord = true;
        else if (word == "--draw") options.draw = true;
        else if (options.folder.empty() && !word.starts_with("--")) options.folder = word;
        else return {};
    }
    if (options.folder.empty()) return {};
    options.folder = fs::absolute(options.folder);
    return options;
}

std::string textOf(fs::path const &file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// What a seed's process leaves for the driver: the end, its words, and what it said. One line each.
struct SeedResult {
    End end = End::Failed;
    std::string what;
    std::vector<std::string> words;
};

class Driver {
public:
    explicit Driver(Options options) : m_options(std::move(options)) {}

    int run()
    {
        fs::create_directories(m_options.folder);
        auto const begin = std::chrono::steady_clock::now();
        for (std::uint64_t seed = m_options.first; seed < m_options.first + m_options.count; ++seed) {
            while (std::ssize(m_running) >= m_options.jobs) waitForOne();
            start(seed);
        }
        while (!m_running.empty()) waitForOne();
        return summary(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }

private:
    fs::path folderOf(std::uint64_t seed) const { return m_options.folder / std::to_string(seed); }

    void start(std::uint64_t seed)
    {
        std::fflush(stdout);
        auto const child = ::fork();
        if (child < 0) {
            std::perror("random_models: fork");
            std::exit(2);
        }
        if (child == 0) {
            ::alarm(m_options.seconds); // its signal ends this process
            ::_exit(checkSeed(seed));
        }
        m_running[child] = seed;
    }

    /// In the seed's own process.
    int checkSeed(std::uint64_t seed)
    {
        auto const folder = folderOf(seed);
        fs::remove_all(folder);
        fs::create_directories(folder);
        int const log = ::open((folder / "log").c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
        if (log >= 0) ::dup2(log, STDERR_FILENO);
        ::setenv("TILEWRIGHT_RUN_DIR", (folder / "run").c_str(), 1);
        auto const drawn = drawProject(seed, folder, std::to_string(seed));
        std::ofstream words(folder / "words");
        if (!drawn.ok()) {
            std::ofstream(folder / "end") << static_cast<int>(End::Refused) << " draw: " << toText(drawn.error()) << '\n';
            return 0;
        }
        for (auto const &word : drawn->drawn) words << word << '\n';
        words.close();
        if (auto const written = writeTwin(drawn->project, folder / (std::to_string(seed) + ".json")); !written.ok()) {
            std::ofstream(folder / "end") << static_cast<int>(End::Failed) << " twin: " << toText(written.error()) << '\n';
            return 0;
        }
        if (m_options.draw) return 0;
        auto const result = checkProject(drawn->project, folder);
        std::ofstream more(folder / "words", std::ios::app);
        for (auto const &word : result.words) more << word << '\n';
        more.close();
        std::ofstream(folder / "end") << static_cast<int>(result.end) << ' ' << result.what << '\n';
        return 0;
    }

    void waitForOne()
    {
        int status = 0;
        auto const child = ::waitpid(-1, &status, 0);
        if (child < 0 && errno == EINTR) return;
        auto const running = m_running.find(child);
        if (running == m_running.end()) return;
        auto const seed = running->second;
        m_running.erase(running);
        collect(seed, status);
    }

    void collect(std::uint64_t seed, int status)
    {
        auto const folder = folderOf(seed);
        SeedResult result;
        std::istringstream words(textOf(folder / "words"));
        for (std::string word; std::getline(words, word);) m_words.insert(word);
        auto const end = textOf(folder / "end");
        bool const exited = WIFEXITED(status) && WEXITSTATUS(status) == 0;
        if (m_options.draw && exited) {
            keep(seed);
            fs::remove_all(folder);
            return;
        }
        if (exited && !end.empty()) {
            result.end = static_cast<End>(end[0] - '0');
            result.what = end.size() > 2 ? end.substr(2) : "";
        } else if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) {
            result.what = "takes longer than " + std::to_string(m_options.seconds) + " s\n";
        } else {
            result.what =
                (WIFSIGNALED(status) ? "signal " + std::to_string(WTERMSIG(status)) : "exit " + std::to_string(WEXITSTATUS(status))) + ": "
                + textOf(folder / "log").substr(0, 2000) + "\n";
        }
        ++m_ends[result.end];
        if (result.end != End::Ran) {
            std::printf("seed %llu %s: %s", static_cast<unsigned long long>(seed), kEndNames[static_cast<int>(result.end)],
                        result.what.c_str());
            if (result.end == End::Failed) {
                keep(seed);
                std::printf("    project: %s\n    again:   %s %s --first %llu --count 1\n",
                            (m_options.folder / (std::to_string(seed) + ".json")).c_str(), fs::read_symlink("/proc/self/exe").c_str(),
                            m_options.folder.c_str(), static_cast<unsigned long long>(seed));
            }
            std::fflush(stdout);
        }
        std::error_code ignored;
        fs::remove_all(folder, ignored);
    }

    /// The project and its data, out of the folder that goes.
    void keep(std::uint64_t seed) const
    {
        std::error_code ignored;
        for (char const *suffix : {".json", ".npz", "-validation.npz"})
            fs::rename(folderOf(seed) / (std::to_string(seed) + suffix), m_options.folder / (std::to_string(seed) + suffix), ignored);
    }

    int summary(double seconds) const
    {
        if (m_options.draw) return 0;
        auto const of = [&](End end) {
            auto const found = m_ends.find(end);
            return found == m_ends.end() ? std::uint64_t{0} : found->second;
        };
        std::printf("%llu seeds in %.0f s:", static_cast<unsigned long long>(m_options.count), seconds);
        for (auto const end : {End::Ran, End::NotFinite, End::DoesNotFit, End::Refused, End::Failed})
            std::printf(" %llu %s%s", static_cast<unsigned long long>(of(end)), kEndNames[static_cast<int>(end)],
                        end == End::Failed ? "\n" : ",");
        bool good = of(End::Failed) == 0;
        double const share = 100.0 * static_cast<double>(of(End::Ran)) / static_cast<double>(std::max<std::uint64_t>(1, m_options.count));
        if (share < m_options.ran) {
            std::printf("Only %.1f %% of the models ran; at least %.0f %% must.\n", share, m_options.ran);
            good = false;
        }
        auto words = wordsToDraw();
        std::ranges::copy(wordsToCheck(), std::back_inserter(words));
        for (auto const &word : words)
            if (m_options.everyWord && !m_words.contains(word)) {
                std::printf("In no model: %s\n", word.c_str());
                good = false;
            }
        return good ? 0 : 1;
    }

    Options m_options;
    std::map<::pid_t, std::uint64_t> m_running;
    std::map<End, std::uint64_t> m_ends;
    std::set<std::string> m_words;
};

} // namespace

int main(int argc, char **argv)
{
    auto options = parse(argc, argv);
    if (!options) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    return Driver(std::move(*options)).run();
}
