#include "views/training/epoch_table.h"

#include "views/common/format.h"
#include "views/common/words.h"
#include "views/wording/labels.h"

#include <QLocale>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

using Rows = std::shared_ptr<std::vector<LiveEpoch> const>;

QLatin1String const kRate("learning_rate");

/// Decimals that the values of a column share, so that their points stand below each other: those of the value that needs most for four
/// digits. nullopt: a value is written with an exponent.
std::optional<int> decimalsOf(std::vector<double> const &values)
{
    int most = 0;
    for (double const value : values) {
        if (!std::isfinite(value)) continue;
        QString const text = QLocale::c().toString(value, 'g', 4);
        if (text.contains(QLatin1Char('e'))) return {};
        if (auto const point = text.indexOf(QLatin1Char('.')); point >= 0) most = std::max(most, static_cast<int>(text.size() - point) - 1);
    }
    return most;
}

QString valueText(double value, std::optional<int> decimals)
{
    if (!std::isfinite(value)) return Words::tr("not a number");
    return decimals ? QLocale().toString(value, 'f', *decimals) : numberText(value);
}

Column metricColumn(Rows const &rows, QString const &name)
{
    auto const find = [rows, name](int row) -> std::optional<double> {
        for (auto const &[metric, value] : (*rows)[static_cast<std::size_t>(row)].metrics)
            if (metric == name) return value;
        return std::nullopt;
    };
    std::vector<double> values;
    for (int row = 0; row < static_cast<int>(rows->size()); ++row)
        if (auto const value = find(row)) values.push_back(*value);
    return {.title = name,
            .text =
                [find, decimals = decimalsOf(values)](int row) {
                    auto const value = find(row);
                    return value ? valueText(*value, decimals) : QString();
                },
            .value =
                [find](int row) {
                    auto const value = find(row);
                    return value ? QVariant(*value) : QVariant();
                },
            .number = true,
            .width = name == kRate ? 24 * kGrid : 0,
            // A rate that never changes is shown where there is room: loss, metrics and times come first.
            .optional = name == kRate && std::ranges::all_of(values, [&](double value) { return value == values.front(); })};
}

Column secondsColumn(QString const &title, Rows const &rows, double LiveEpoch::*seconds)
{
    return {.title = title,
            .text =
                [rows, seconds](int row) {
                    double const s = (*rows)[static_cast<std::size_t>(row)].*seconds;
                    return s > 0 ? secondsText(s) : QString();
                },
            .value =
                [rows, seconds](int row) {
                    double const s = (*rows)[static_cast<std::size_t>(row)].*seconds;
                    return s > 0 ? QVariant(s) : QVariant();
                },
            .number = true};
}

} // namespace

std::shared_ptr<std::vector<LiveEpoch>> fillEpochTable(TablePane &pane, std::vector<LiveEpoch> const &epochs)
{
    auto const shown = std::make_shared<std::vector<LiveEpoch>>(epochs);
    Rows const rows = shown;
    auto const at = [rows](int row) -> LiveEpoch const & { return (*rows)[static_cast<std::size_t>(row)]; };
    std::vector<Column> columns;
    columns.push_back({.title = Words::tr("Epoch"),
                       .text =
                           [at](int row) {
                               QString const number = countText(at(row).epoch);
                               if (at(row).running) return Words::tr("%1 (running)").arg(number);
                               return at(row).complete ? number : Words::tr("%1 (stopped)").arg(number);
                           },
                       .value = [at](int row) { return QVariant(at(row).epoch); },
                       .number = true});
    std::vector<double> losses;
    for (auto const &epoch : epochs) losses.push_back(epoch.loss);
    columns.push_back({.title = Words::tr("Loss"),
                       .text = [at, decimals = decimalsOf(losses)](int row) { return valueText(at(row).loss, decimals); },
                       .value = [at](int row) { return QVariant(at(row).loss); },
                       .number = true});
    QStringList names;
    for (auto const &epoch : epochs)
        for (auto const &[name, value] : epoch.metrics)
            if (!names.contains(name)) names.append(name);
    for (auto const &name : names) columns.push_back(metricColumn(rows, name));
    // The progress above also shows the steps, so this column shrinks first.
    columns.push_back({.title = Words::tr("Steps"),
                       .text = [at](int row) { return at(row).steps > 0 ? countText(at(row).steps) : QString(); },
                       .value = [at](int row) { return QVariant(qlonglong(at(row).steps)); },
                       .number = true,
                       .width = kGrid * 16,
                       .optional = true});
    auto const known = [&](double LiveEpoch::*seconds) {
        return std::any_of(epochs.begin(), epochs.end(), [&](auto const &epoch) { return epoch.*seconds > 0; });
    };
    if (known(&LiveEpoch::hostSeconds)) columns.push_back(secondsColumn(Words::tr("Host"), rows, &LiveEpoch::hostSeconds));
    if (known(&LiveEpoch::emulatedSeconds)) {
        bool const measured = std::ranges::any_of(epochs, &LiveEpoch::deviceMeasured);
        columns.push_back(secondsColumn(Words::tr("Device, %1").arg(cyclesOrigin(measured)), rows, &LiveEpoch::emulatedSeconds));
        columns.back().shortTitle = Words::tr("Device");
    }
    pane.fill(std::move(columns), static_cast<int>(rows->size()), {}, rows);
    return shown;
}

} // namespace tilewright::views
