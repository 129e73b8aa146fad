#pragma once

#include "views/runcontrol/run_controller.h"

#include "engine/runtime/session.h"

#include <chrono>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>

namespace tilewright::views {

/// Shared by the run's thread and the user's thread: a gate that the run passes at every step and superstep, and the buffer of new data.
/// Has its own lock, held briefly.
class RunGate {
public:
    // --- user's thread
    void pause();
    void resume();
    void allowStep();
    void allowSuperstep();
    void backStep();      ///< tile mode: to the end of the step before
    void backSuperstep(); ///< tile mode: by one superstep
    void open();          ///< for good: the run shall end
    void watch(int tile);
    void askRate(double rate);  ///< for the steps that follow
    bool isHeld() const;        ///< the run is waiting at the gate
    double heldSeconds() const; ///< total waiting time so far; thread-safe

    // --- run's thread
    struct Point {
        std::int64_t step = 0;
        double loss = 0;
        std::vector<std::pair<std::string, double>> metrics;
        std::optional<double> deviceSeconds; ///< measured on the tiles so far; nullopt: no tiles
    };
    void addStep(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics);
    void addEpoch(runtime::EpochResult const &epoch);
    void addLine(int level, std::string component, std::string text);
    void passStep(); ///< waits while paused; on tiles, at the superstep that ends
    void setBeforeStanding(std::function<void()> tell) { m_beforeStanding = std::move(tell); } ///< called before the run waits
    void hook(runtime::Session &session);
    /// Between two executions: writes the rate that was asked for. Returns the rate if it is another one than at the last call.
    std::optional<double> applyRate(runtime::Session &session);

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
    void atSuperstep();
    bool isDue(); ///< whether a paused run stops at this superstep
    void goBack(std::unique_lock<std::mutex> &lock);
    TileValues read() const; ///< while the run waits, or on its thread

    mutable std::mutex m_mutex;
    std::condition_variable m_wake;
    using Clock = std::chrono::steady_clock;
    Clock::duration m_heldFor{};     ///< finished waits
    Clock::time_point m_heldSince{}; ///< start of the current wait
    bool m_paused = false, m_open = false, m_held = false, m_heldReported = false;
    int m_steps = 0, m_supersteps = 0; ///< steps allowed while paused
    bool m_supersteppping = false;     ///< the last request was a superstep: stop inside steps
    enum class Back { No, Step, Superstep } m_back = Back::No;
    int m_tile = -1; ///< watched
    emulator::TileMachine *m_machine = nullptr;
    std::vector<int> m_programs;         ///< of the report, by step of the program
    std::deque<std::int64_t> m_stepEnds; ///< supersteps that ended the last training steps
    std::optional<double> m_askedRate;
    std::optional<double> m_rate; ///< of the last applyRate; used by the run's thread
    Bytes m_tileBytes = 0;
    std::function<void()> m_beforeStanding;                 ///< used by the run's thread
    std::function<std::optional<double>()> m_deviceSeconds; ///< used by the run's thread
    News m_news;
};

/// A compile outcome in the form of the views.
CompileInfo compileInfo(compiler::CompileOutcome const &outcome);

/// Appends the speed since the last point if enough time has passed. Removes points older than kSpeedWindow.
void appendSpeed(LiveRun &run);
/// Appends a point. Beyond kLivePoints, thins older values evenly; the smallest and largest of each group stay.
void appendPoint(LiveSeries &series, double x, double y);

} // namespace tilewright::views
