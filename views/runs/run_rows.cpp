#include "views/runs/run_rows.h"

#include "views/common/words.h"

#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QTimeZone>

#include <algorithm>
#include <tuple>

namespace tilewright::views {

namespace {

std::optional<double> number(QJsonObject const &json, char const *key)
{
    auto const value = json.value(QLatin1String(key));
    return value.isDouble() ? std::optional(value.toDouble()) : std::nullopt;
}

QJsonObject objectOf(QString const &json) { return QJsonDocument::fromJson(json.toUtf8()).object(); }

} // namespace

bool isCompile(RunRow const &row) { return row.kind == QLatin1String("profile") || row.kind == QLatin1String("compile"); }

QDateTime startOf(RunRow const &row)
{
    auto time = QDateTime::fromString(row.started, Qt::ISODate);
    if (time.isValid() && time.timeSpec() == Qt::LocalTime) time.setTimeZone(QTimeZone::utc());
    return time;
}

std::vector<int> comparisonOrder(std::vector<RunRow> const &rows, QStringList const &picked, QString const &baseline)
{
    std::vector<int> order;
    for (int i = 0; i < static_cast<int>(rows.size()); ++i)
        if (picked.contains(rows[static_cast<std::size_t>(i)].report)) order.push_back(i);
    auto const place = [&](int i) {
        auto const &row = rows[static_cast<std::size_t>(i)];
        auto const start = startOf(row);
        return std::tuple(baseline.isEmpty() || row.report != baseline, !start.isValid(), start.isValid() ? start.toMSecsSinceEpoch() : 0,
                          row.id);
    };
    std::ranges::stable_sort(order, {}, place);
    return order;
}

QString RunRow::name() const
{
    if (id > 0) return Words::tr("Run %1").arg(id);
    return isCompile(*this) ? Words::tr("Compile only") : QFileInfo(report).fileName();
}

QString RunRow::fullName() const { return title.isEmpty() ? name() : Words::tr("%1: %2").arg(name(), title); }

RunRow runRow(Run const &entry)
{
    RunRow row;
    row.id = entry.id;
    row.started = entry.started;
    row.title = entry.title;
    row.kind = entry.kind;
    row.state = entry.state;
    row.life = entry.life;
    row.report = entry.report;
    auto const json = objectOf(entry.json);
    row.steps = number(json, "steps");
    row.loss = number(json, "loss");
    auto const metrics = json.value(QLatin1String("metrics")).toObject();
    for (auto it = metrics.begin(); it != metrics.end(); ++it)
        if (it.value().isDouble()) row.metrics.insert(it.key(), it.value().toDouble());
    if (auto const val = number(json, "val_loss")) row.metrics.insert(QStringLiteral("val_loss"), *val);
    row.cyclesPerStep = number(json, "cycles_per_step");
    row.samplesPerSecond = number(json, "samples_per_second");
    row.worstBytes = number(json, "max_tile_bytes_with_gaps");
    if (json.value(QLatin1String("fits")).isBool()) row.fits = json.value(QLatin1String("fits")).toBool();
    row.hostSeconds = number(json, "host_seconds");
    row.reason = reasonOfRun(entry);
    row.hasProject = !json.value(QLatin1String("project")).toObject().isEmpty();
    QFileInfo const file(entry.report);
    if (!entry.report.isEmpty() && file.isFile()) row.reportBytes = file.size();
    return row;
}

RunRow headRow(ReportSnapshot const &head)
{
    RunRow row;
    row.title = head.title();
    auto const &d = head.data();
    if (auto const it = d.meta.find("time_created_utc"); it != d.meta.end()) row.started = QString::fromStdString(it->second);
    if (!d.runs.empty()) {
        auto const &run = d.runs.back();
        row.kind = QString::fromStdString(run.kind);
        row.state = QString::fromStdString(run.state);
        if (!isCompile(row)) row.steps = static_cast<double>(run.steps); // a compile has the pattern of one step, and ran none
        if (run.hostNs > 0) row.hostSeconds = static_cast<double>(run.hostNs) * 1e-9;
    }
    row.cyclesPerStep = head.figure("cycles_per_step");
    row.samplesPerSecond = head.figure("samples_per_second");
    for (auto const &verdict : d.verdicts) {
        if (verdict.scope != "all") continue;
        row.worstBytes = static_cast<double>(verdict.bytes);
        row.capacity = static_cast<double>(verdict.capacity);
        row.fits = verdict.fits;
    }
    return row;
}

void fillFrom(RunRow &row, RunRow const &head)
{
    for (auto const field : {&RunRow::title, &RunRow::started, &RunRow::kind, &RunRow::state})
        if ((row.*field).isEmpty()) row.*field = head.*field;
    for (auto const field :
         {&RunRow::steps, &RunRow::hostSeconds, &RunRow::cyclesPerStep, &RunRow::samplesPerSecond, &RunRow::worstBytes, &RunRow::capacity})
        if (!(row.*field)) row.*field = head.*field;
    if (!row.fits) row.fits = head.fits;
}

bool lacksFigures(RunRow const &row) { return !row.cyclesPerStep || !row.worstBytes || !row.capacity || !row.fits || row.kind.isEmpty(); }

} // namespace tilewright::views
