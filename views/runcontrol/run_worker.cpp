#include "views/runcontrol/run_worker.h"

#include "engine/emulator/history.h"
#include "engine/report/build_report.h"
#include "views/diagnostics/diagnostic_text.h"

#include <algorithm>
#include <utility>

namespace tilewright::views {

namespace {

/// Between two points of the speed: shorter times say more of the clock than of the run.
constexpr double kLeastSeconds = 0.25;
/// Ends of training steps that are remembered: at least as many as the history of the tiles reaches back.
constexpr std::size_t kStepEnds = 64;

/// Of the points before `end` each two stay that stand for `group` values: the smallest and the largest, in their order.
void thinOlder(LiveSeries &series, std::size_t end, double group)
{
    auto &x = series.x, &y = series.y, &means = series.means, &counts = series.counts;
    std::size_t to = 0, from = 0;
    auto const keep = [&](std::size_t i, double mean, double count) {
        x[to] = x[i];
        y[to] = y[i];
        means[to] = mean;
        counts[to++] = count;
    };
    while (from < end) {
        std::size_t behind = from;
        double count = 0, sum = 0;
        while (behind < end && count < group) {
            sum += means[behind] * counts[behind];
            count += counts[behind++];
        }
        if (count < group) break; // not enough yet
        if (behind - from <= 2) {
            for (; from < behind; ++from) keep(from, means[from], counts[from]);
            continue;
        }
        auto const at = [&](std::size_t i) { return y.begin() + static_cast<std::ptrdiff_t>(i); };
        auto const [low, high] = std::minmax_element(at(from), at(behind));
        auto a = static_cast<std::size_t>(low - y.begin()), b = static_cast<std::size_t>(high - y.begin());
        if (a > b) std::swap(a, b);
        if (a == b) b = behind - 1;
        keep(a, sum / count, count / 2);
        keep(b, sum / count, count / 2);
        from = behind;
    }
    for (auto *values : {&x, &y, &means, &counts})
        values->erase(values->begin() + static_cast<std::ptrdiff_t>(to), values->begin() + static_cast<std::ptrdiff_t>(from));
}

} // namespace

void RunGate::pause()
{
    std::lock_guard const lock(m_mutex);
    m_paused = true;
    m_supersteppping = false;
}

void RunGate::resume()
{
    std::lock_guard const lock(m_mutex);
    m_paused = m_supersteppping = false;
    m_steps = m_supersteps = 0;
    m_back = Back::No;
    m_wake.notify_all();
}

void RunGate::allowStep()
{
    std::lock_guard const lock(m_mutex);
    m_supersteppping = false;
    ++m_steps;
    m_wake.notify_all();
}

void RunGate::allowSuperstep()
{
    std::lock_guard const lock(m_mutex);
    m_supersteppping = true;
    ++m_supersteps;
    m_wake.notify_all();
}

void RunGate::backStep()
{
    std::lock_guard const lock(m_mutex);
    m_back = Back::Step;
    m_wake.notify_all();
}

void RunGate::backSuperstep()
{
    std::lock_guard const lock(m_mutex);
    m_back = Back::Superstep;
    m_wake.notify_all();
}

void RunGate::open()
{
    std::lock_guard const lock(m_mutex);
    m_open = true;
    m_wake.notify_all();
}

void RunGate::watch(int tile)
{
    std::lock_guard const lock(m_mutex);
    m_tile = tile;
    if (m_held) m_news.tile = read(); // the run stands: its memory does not change
}

void RunGate::askRate(double rate)
{
    std::lock_guard const lock(m_mutex);
    m_askedRate = rate;
}

std::optional<double> RunGate::applyRate(runtime::Session &session)
{
    std::optional<double> asked;
    {
        std::lock_guard const lock(m_mutex);
        asked = std::exchange(m_askedRate, std::nullopt);
    }
    // The window has judged the number; a schedule on the device is the only refusal, and has no rate to show.
    if (asked && !session.setLearningRate(*asked, "set in the window").ok()) return {};
    auto const now = session.learningRate();
    if (!now || now == m_rate) return {};
    m_rate = now;
    return now;
}

TileValues RunGate::read() const
{
    TileValues values;
    values.tile = m_tile;
    if (m_machine) {
        auto const &position = m_machine->position();
        auto const step = position.last.index;
        values.program = position.last.valid() && step < m_programs.size() ? m_programs[step] : -1;
        values.superstep = position.supersteps;
        values.earliest = m_machine->history()->earliest();
        values.latest = m_machine->history()->latest();
    }
    if (m_tile >= 0 && m_machine) {
        auto const memory = m_machine->tileMemory(0, m_tile);
        auto const used = std::min<std::size_t>(memory.size(), static_cast<std::size_t>(m_tileBytes));
        values.bytes.assign(memory.begin(), memory.begin() + static_cast<std::ptrdiff_t>(used));
    }
    return values;
}

bool RunGate::isHeld() const
{
    std::lock_guard const lock(m_mutex);
    return m_held;
}

double RunGate::heldSeconds() const
{
    std::lock_guard const lock(m_mutex);
    return std::chrono::duration<double>(m_heldFor + (m_held ? Clock::now() - m_heldSince : Clock::duration{})).count();
}

void RunGate::addStep(std::int64_t step, double loss, std::vector<std::pair<std::string, double>> const &metrics)
{
    auto const device = m_deviceSeconds ? m_deviceSeconds() : std::nullopt;
    std::lock_guard const lock(m_mutex);
    m_news.points.push_back({step, loss, metrics, device});
}

void RunGate::addEpoch(runtime::EpochResult const &epoch)
{
    std::lock_guard const lock(m_mutex);
    m_news.epochs.push_back(epoch);
}

void RunGate::addLine(int level, std::string component, std::string text)
{
    std::lock_guard const lock(m_mutex);
    m_news.lines.push_back({level, std::move(component), std::move(text)});
}

void RunGate::wait(std::unique_lock<std::mutex> &lock)
{
    if (m_beforeStanding) {
        lock.unlock();
        m_beforeStanding();
        lock.lock();
    }
    if (m_machine && !m_open && m_paused) m_news.tile = read();
    m_held = true;
    m_heldSince = Clock::now();
    m_wake.wait(lock, [&] { return m_open || !m_paused || m_steps > 0 || m_supersteps > 0 || m_back != Back::No; });
    m_heldFor += Clock::now() - m_heldSince;
    m_held = false;
}

void RunGate::passStep()
{
    std::unique_lock lock(m_mutex);
    if (m_machine) { // the run stops at the superstep that is about to end: there it can be moved
        m_stepEnds.push_back(m_machine->position().supersteps + 1);
        if (m_stepEnds.size() > kStepEnds) m_stepEnds.pop_front();
        return;
    }
    if (m_open || !m_paused) return;
    if (m_steps > 0) --m_steps;
    if (m_steps == 0 && m_paused) wait(lock);
}

bool RunGate::isDue()
{
    auto &allowed = m_supersteppping ? m_supersteps : m_steps;
    if (!m_supersteppping && !std::ranges::count(m_stepEnds, m_machine->position().supersteps)) return false;
    if (allowed > 0) --allowed;
    return allowed == 0;
}

void RunGate::atSuperstep()
{
    std::unique_lock lock(m_mutex);
    while (!m_open && m_paused && isDue()) {
        wait(lock);
        if (m_open || !m_paused || m_back == Back::No) return;
        goBack(lock);
    }
}

void RunGate::goBack(std::unique_lock<std::mutex> &lock)
{
    auto &history = *m_machine->history();
    auto const here = m_machine->position().supersteps;
    auto target = here - 1;
    if (std::exchange(m_back, Back::No) == Back::Step) {
        auto const before = std::find_if(m_stepEnds.rbegin(), m_stepEnds.rend(), [&](std::int64_t end) { return end < here; });
        target = before == m_stepEnds.rend() ? 0 : *before;
    }
    target = std::max(target, history.earliest());
    m_steps = m_supersteps = 0;
    m_supersteppping = true; // wherever it is, the run stands there
    if (target >= here) return;
    lock.unlock();
    auto const moved = history.seek(target);
    lock.lock();
    if (!moved.ok()) m_news.lines.push_back({2, "run", toText(moved.error())});
}

void RunGate::hook(runtime::Session &session)
{
    auto &executor = session.executor();
    auto const &compiled = session.compiled();
    auto *machine = runtime::tileMachineOf(executor);
    if (!machine) return;
    machine->keepHistory(runtime::variableRanges(*compiled.executable), runtime::kHistoryBytes);
    auto const &used = compiled.executable->memory.withGaps;
    m_tileBytes = used.empty() ? compiled.machine.chip.bytesPerTile : *std::max_element(used.begin(), used.end());
    {
        std::lock_guard const lock(m_mutex);
        m_machine = machine;
        m_programs = report::programIds(compiled.executable->program).byStep;
    }
    m_deviceSeconds = [&executor, hertz = static_cast<double>(compiled.machine.chip.clockHz)]() -> std::optional<double> {
        auto const measured = executor.measured();
        return measured ? std::optional(static_cast<double>(measured->total) / hertz) : std::nullopt;
    };
    machine->onStep = [this](program::StepId) { atSuperstep(); };
}

RunGate::News RunGate::take()
{
    std::lock_guard const lock(m_mutex);
    News news = std::move(m_news);
    m_news = {};
    news.held = m_held;
    news.heldChanged = m_held != m_heldReported;
    m_heldReported = m_held;
    return news;
}

CompileInfo compileInfo(compiler::CompileOutcome const &outcome)
{
    CompileInfo info;
    auto const &exe = *outcome.executable;
    info.done = true;
    info.cache = QString::fromStdString(outcome.cache);
    info.cacheReason = messageText(outcome.cacheReason);
    info.seconds = outcome.seconds;
    for (auto const &phase : outcome.phases) info.phases.push_back({QString::fromStdString(phase.name), phase.seconds});
    for (auto const &pass : outcome.passes)
        info.passes.push_back({QString::fromStdString(pass.name), pass.seconds, static_cast<std::int64_t>(pass.nodesBefore),
                               static_cast<std::int64_t>(pass.nodesAfter)});
    info.emulated = exe.emulated;
    info.fits = !exe.emulated || exe.memory.fits;
    info.outOfMemory = outcome.outOfMemory;
    if (exe.emulated) {
        info.cyclesPerStep = outcome.entry()->cyclesPerStep();
        info.samplesPerSecond = outcome.samplesPerSecond();
        info.emulatedSecondsPerStep = outcome.emulatedSecondsPerStep();
        for (auto const &ipu : exe.memory.ipus)
            info.ipus.push_back({ipu.worstBytes, outcome.machine.chip.bytesPerTile, ipu.totalWithGaps, ipu.worstTile});
    }
    info.vertices = outcome.vertices;
    info.exchanges = outcome.exchanges;
    info.flopsPerStep = outcome.flopsPerStep;
    info.hostBytes = outcome.hostCompileBytes;
    return info;
}

void appendSpeed(LiveRun &run)
{
    auto const before = run.speed.empty() ? SpeedPoint{.step = run.firstStep} : run.speed.back();
    if (run.step <= run.firstStep || run.hostSeconds - before.seconds < kLeastSeconds) return;
    run.speed.push_back({run.hostSeconds, static_cast<double>(run.step - before.step) / (run.hostSeconds - before.seconds), run.step});
    std::erase_if(run.speed, [&](SpeedPoint const &point) { return point.seconds < run.hostSeconds - kSpeedWindow; });
}

void appendPoint(LiveSeries &series, double x, double y)
{
    series.x.push_back(x);
    series.y.push_back(y);
    if (!series.counts.empty()) {
        series.means.push_back(y);
        series.counts.push_back(1);
    }
    if (static_cast<int>(series.x.size()) < kLivePoints) return;
    if (series.counts.empty()) {
        series.means = series.y;
        series.counts.assign(series.y.size(), 1);
    }
    // Groups are powers of two of values and begin where twos of smaller ones do, so the oldest are thinned no further than all are.
    constexpr std::size_t kNewest = kLivePoints / 4, kOlder = kLivePoints / 2;
    for (double group = 4; series.x.size() > kNewest + kOlder; group *= 2) thinOlder(series, series.x.size() - kNewest, group);
}

} // namespace tilewright::views
