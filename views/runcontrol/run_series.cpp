#include "views/runcontrol/run_series.h"

#include "views/reports/report_snapshot.h"

#include <algorithm>

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

std::vector<LiveSeries> reportSeries(ReportSnapshot const &report, int run)
{
    std::vector<LiveSeries> list;
    auto const &all = report.data().series;
    for (int id = 0; id < static_cast<int>(all.size()); ++id) {
        auto const &row = all[static_cast<std::size_t>(id)];
        if (row.run != run || (row.axis != "step" && row.axis != "epoch")) continue;
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

} // namespace tilewright::views
