// The history of a tile run: what recording costs, what it takes of memory, and how long a superstep back takes. Argument: a template;
// default: mnist-mlp, on all tiles of a GC200. The two runs of each pair follow one another, and the ratio is the median over the pairs.
#include "engine/emulator/history.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <optional>
#include <string>
#include <vector>

using namespace tilewright;
using Clock = std::chrono::steady_clock;

namespace {

constexpr std::int64_t kSteps = 300;
constexpr int kPairs = 5, kBacks = 40;

double secondsSince(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

double median(std::vector<double> values)
{
    std::ranges::nth_element(values, values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2));
    return values[values.size() / 2];
}

/// Seconds of a run on tiles; `backs` receives those of each step back, made near its end.
double run(project::Project const &p, bool history, std::vector<double> *backs, Bytes *bytes)
{
    runtime::RunRequest request;
    request.mode = runtime::Mode::Tile;
    request.steps = kSteps;
    runtime::RunObserver observer;
    emulator::TileMachine *machine = nullptr;
    std::int64_t count = 0;
    double lost = 0;
    bool exact = true;
    observer.ready = [&](runtime::Session &session) {
        machine = runtime::tileMachineOf(session.executor());
        if (!history) return;
        machine->keepHistory(runtime::variableRanges(session.executable()), runtime::kHistoryBytes);
        auto const leaves = static_cast<std::int64_t>(program::leafSteps(session.executable().program).size()) * (kSteps - 20);
        machine->onStep = [&, leaves](program::StepId) {
            if (!backs || ++count != leaves) return;
            auto const begin = Clock::now();
            auto const here = machine->position().supersteps;
            std::optional<std::vector<std::byte>> before;
            auto const tile = machine->tileMemory(0, 0);
            before.emplace(tile.begin(), tile.end());
            for (int i = 1; i <= kBacks; ++i) {
                auto const start = Clock::now();
                if (!machine->history()->seek(here - i).ok()) exact = false;
                backs->push_back(secondsSince(start));
            }
            *bytes = machine->history()->bytes();
            exact = exact && machine->history()->seek(here).ok() && std::ranges::equal(machine->tileMemory(0, 0), *before);
            lost = secondsSince(begin);
        };
    };
    auto const outcome = runtime::train(p, request, observer, {});
    if (!outcome.ok() || !exact) {
        std::printf("%s\n", outcome.ok() ? "not the same bytes" : toText(outcome.error()).c_str());
        std::exit(1);
    }
    return outcome->hostSeconds - lost;
}

} // namespace

int main(int count, char **arguments)
{
    auto p = project::fromTemplate(count > 1 ? arguments[1] : "mnist-mlp").value();
    run(p, false, nullptr, nullptr); // compiles
    std::vector<double> ratios, backs;
    Bytes bytes = 0;
    for (int i = 0; i < kPairs; ++i) {
        double const plain = run(p, false, nullptr, nullptr);
        ratios.push_back(run(p, true, &backs, &bytes) / plain);
    }
    std::printf("recording: %.2f times the run without; %.0f MiB; one superstep back: median %.1f ms, most %.1f ms of %zu\n",
                median(ratios), static_cast<double>(bytes) / 1048576.0, median(backs) * 1e3, std::ranges::max(backs) * 1e3, backs.size());
}
