#include "views/runcontrol/run_series.h"

#include "engine/report/quantities.h"
#include "views/reports/report_snapshot.h"

#include <algorithm>
#include <limits>

namespace tilewright::views {

int trainingRun(report::ReportData const &data)
{
    int found = -1;
    for (int run = 0; run < static_cast<int>(data.runs.size()); ++run) {
        bool const hasSeries = std::any_of(data.series.begin(), data.series.end(), [run](auto const &series) { return series.run == run; });
        if (hasSeries || data.runs[static_cast<std::size_t>(run)].kind == "train") found = run;
    }
    return found;
}

namespace {

// Times of epochs are no curves.
constexpr char const *kSecondsHere = "epoch_seconds_here", *kSecondsDevice = "epoch_seconds_device";

/// The times of the epochs as the run measured them; reports of earlier versions hold none.
void readEpochTimes(ReportSnapshot const &report, int run, LiveRun &into)
{
    auto const &all = report.data().series;
    for (int id = 0; id < static_cast<int>(all.size()); ++id) {
        auto const &row = all[static_cast<std::size_t>(id)];
        auto const seconds = row.name == kSecondsHere ? &LiveEpoch::hostSeconds
            : row.name == kSecondsDevice              ? &LiveEpoch::emulatedSeconds
                                                      : nullptr;
        if (row.run != run || row.axis != "epoch" || !seconds) continue;
        auto const points = report.points(id);
        for (std::size_t i = 0; i < points.x.size(); ++i)
            for (auto &epoch : into.epochTable)
                if (epoch.epoch == static_cast<int>(points.x[i])) epoch.*seconds = points.y[i];
    }
    for (auto &epoch : into.epochTable) epoch.deviceMeasured = into.deviceMeasured;
}

} // namespace

std::vector<LiveSeries> reportSeries(ReportSnapshot const &report, int run)
{
    std::vector<LiveSeries> list;
    auto const &all = report.data().series;
    for (int id = 0; id < static_cast<int>(all.size()); ++id) {
        auto const &row = all[static_cast<std::size_t>(id)];
        if (row.run != run || (row.axis != "step" && row.axis != "epoch")) continue;
        if (row.name == kSecondsHere || row.name == kSecondsDevice) continue;
        LiveSeries series;
        series.perEpoch = row.axis == "epoch";
        series.name = QString::fromStdString(row.name);
        if (series.perEpoch && series.name.startsWith(QLatin1String("epoch_"))) series.name.remove(0, 6);
        auto const points = report.points(id);
        series.x.assign(points.x.begin(), points.x.end());
        series.y = points.y;
        list.push_back(std::move(series));
    }
    return list;
}

std::int64_t stepsPerEpochOf(report::ReportData const &data, std::vector<LiveSeries> const &series)
{
    if (auto const said = data.meta.find("steps_per_epoch"); said != data.meta.end())
        if (auto const steps = QString::fromStdString(said->second).toLongLong(); steps > 0) return steps;
    double steps = 0, epochs = 0;
    for (auto const &s : series)
        if (!s.x.empty()) (s.perEpoch ? epochs : steps) = std::max(s.perEpoch ? epochs : steps, s.x.back());
    return epochs > 0 ? static_cast<std::int64_t>(steps / epochs) : 0;
}

double lastStep(std::vector<LiveSeries> const &series)
{
    double last = 0;
    for (auto const &s : series)
        if (!s.perEpoch && !s.x.empty()) last = std::max(last, s.x.back());
    return last;
}

std::vector<LiveEpoch> epochsOf(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch)
{
    std::vector<LiveEpoch> rows;
    auto const last = static_cast<std::int64_t>(lastStep(series));
    for (auto const &s : series) {
        if (!s.perEpoch) continue;
        for (std::size_t i = 0; i < s.x.size(); ++i) {
            int const epoch = static_cast<int>(s.x[i]);
            auto at = std::lower_bound(rows.begin(), rows.end(), epoch, [](LiveEpoch const &row, int value) { return row.epoch < value; });
            if (at == rows.end() || at->epoch != epoch) {
                LiveEpoch row;
                row.epoch = epoch;
                row.steps = std::min(stepsPerEpoch, last > 0 ? last - (epoch - 1) * stepsPerEpoch : stepsPerEpoch);
                row.loss = std::numeric_limits<double>::quiet_NaN();
                at = rows.insert(at, row);
            }
            if (s.name == QLatin1String("loss")) at->loss = s.y[i];
            else at->metrics.emplace_back(s.name, s.y[i]);
        }
    }
    return rows;
}

LiveRun runOfReport(ReportSnapshot const &report)
{
    LiveRun run;
    auto const &data = report.data();
    int const index = trainingRun(data);
    run.exists = index >= 0;
    if (!run.exists) return run;
    auto const &row = data.runs[static_cast<std::size_t>(index)];
    run.title = report.title();
    run.reportPath = report.path();
    run.mode = row.mode == "tile" ? RunMode::Tile : RunMode::Fused;
    run.state = report.isLive() && row.state == "running" ? RunState::Running : RunState::Idle;
    if (run.state == RunState::Idle) run.ended = QString::fromStdString(row.state);
    run.series = reportSeries(report, index);
    run.stepsPerEpoch = stepsPerEpochOf(data, run.series);
    run.epochTable = epochsOf(run.series, run.stepsPerEpoch);
    run.step = std::max(static_cast<std::int64_t>(lastStep(run.series)), row.steps);
    run.firstStep = run.step - row.steps; // a resumed run counts on
    for (auto const &option : data.options)
        if (option.scope == "training" && option.name == "epochs") run.epochs = QString::fromStdString(option.value).toLongLong();
    // The command line can request another number of epochs than the plan.
    std::int64_t const ended = run.epochTable.empty() ? 0 : run.epochTable.back().epoch;
    run.epochs = row.state == "done" && ended > 0 ? ended : std::max(run.epochs, ended);
    run.hostSeconds = static_cast<double>(row.hostNs) * 1e-9;
    if (data.target.clockHz > 0) run.emulatedSeconds = static_cast<double>(row.cycles) / static_cast<double>(data.target.clockHz);
    run.deviceMeasured = report::originOfRun(data.figures, row) == "measured";
    readEpochTimes(report, index, run);
    if (run.state == RunState::Running && run.hostSeconds > 0) run.stepsPerSecond = static_cast<double>(row.steps) / run.hostSeconds;
    return run;
}

} // namespace tilewright::views
