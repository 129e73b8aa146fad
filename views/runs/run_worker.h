#pragma once

#include "views/runs/run_controller.h"

#include "engine/runtime/session.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>

namespace tilewright::views {

/// What the run's thread and the user's thread share: a gate the run passes at every step and superstep, and the
/// buffer of what is new. Own lock, held for moments only.
class RunGate {
public:
    // --- the user's thread
    void pause();
    void resume();
    void allowStep();
    void allowSuperstep();
    void open(); ///< for good: the run is to end
    void watch(int tile);
    bool isHeld() const;        ///< the run waits at the gate now
    double heldSeconds() const; ///< for which it has waited there so far; from any thread

    // --- the run's thread
    struct Point {
        std::int64_t step = 0;
        double loss = 0;
        std::vector<std::pair<std::string, double>> metrics;
        std::optional<double> deviceSeconds; ///< so far, as the tiles measured it; empty: there are none
    };
    void addStep(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics);
    void addEpoch(runtime::EpochResult const &epoch);
    void addLine(int level, std::string component, std::string text);
    void passStep();                                                                           ///< waits while paused
    void setBeforeStanding(std::function<void()> tell) { m_beforeStanding = std::move(tell); } ///< called whenever the run is to wait
    void hook(runtime::Executor &executor, compiler::CompileOutcome const &compiled);

    struct Line {
        int level = 1;
        std::string component, text;
    };
    struct News {
        std::vector<Point> points;
        std::vector<runtime::EpochResult> epochs;
        std::vector<Line> lines;
        bool held = false, heldChanged = false;
        std::optional<TileValues> tile;
    };
    News take();

private:
    void wait(std::unique_lock<std::mutex> &lock);
    void atSuperstep(int program);
    TileValues read() const; ///< while the run stands, or on its thread

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    using Clock = std::chrono::steady_clock;
    Clock::duration m_heldFor{};     ///< all waits that are over
    Clock::time_point m_heldSince{}; ///< the one that is not
    bool m_paused = false, m_open = false, m_held = false, m_heldReported = false;
    int m_steps = 0, m_supersteps = 0; ///< how many more may pass although paused
    bool m_supersteppping = false;     ///< the last wish was a superstep: stop inside steps
    int m_tile = -1, m_program = -1;   ///< looked at; the leaf of the program that ran last
    emulator::TileMachine *m_machine = nullptr;
    std::int64_t m_superstep = 0;
    Bytes m_tileBytes = 0;
    std::function<void()> m_beforeStanding;                 ///< the run's thread's
    std::function<std::optional<double>()> m_deviceSeconds; ///< the run's thread's
    News m_news;
};

/// The views' form of what a compile came to.
CompileInfo compileInfo(compiler::CompileOutcome const &outcome);

/// How fast the run went since the last point, when that is long enough ago; what is older than kSpeedWindow goes.
void appendSpeed(LiveRun &run);
/// Appends; beyond kLivePoints older values are thinned, as evenly as there is room: of so many the smallest and the largest stay.
void appendPoint(LiveSeries &series, double x, double y);

} // namespace tilewright::views
