#include "views/training/training_text.h"

#include "engine/project/project.h"
#include "views/common/format.h"
#include "views/common/words.h"
#include "views/training/training_curves.h"
#include "views/wording/labels.h"
#include "views/wording/run_costs.h"

#include <QStringList>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::views {

namespace {

struct Mean {
    double value = std::numeric_limits<double>::quiet_NaN(), error = 0;
};

/// Mean of the finite values and its standard error.
Mean meanOf(std::span<double const> values)
{
    double sum = 0, squares = 0, count = 0;
    for (double const value : values)
        if (std::isfinite(value)) {
            sum += value;
            ++count;
        }
    if (count == 0) return {};
    double const mean = sum / count;
    for (double const value : values)
        if (std::isfinite(value)) squares += (value - mean) * (value - mean);
    return {mean, count > 1 ? std::sqrt(squares / (count - 1) / count) : 0};
}

LiveSeries const *find(LiveRun const &live, QString const &name, bool perEpoch)
{
    for (auto const &series : live.series)
        if (series.name == name && series.perEpoch == perEpoch && !series.y.empty()) return &series;
    return nullptr;
}

/// Mean of the values after step `begin`, or the last value if no point is after it. A thinned point counts with its number of values.
double meanSince(LiveSeries const &series, double begin)
{
    double sum = 0, count = 0;
    for (std::size_t i = series.x.size(); i-- > 0 && series.x[i] > begin;) {
        double const weight = i < series.counts.size() ? series.counts[i] : 1;
        sum += weight * (i < series.means.size() ? series.means[i] : series.y[i]);
        count += weight;
    }
    return count > 0 ? sum / count : series.y.back();
}

/// The metric of a headline: a validation metric if there is one, otherwise one of training.
void takeMetric(TrainingFacts &facts, std::vector<std::pair<QString, double>> const &metrics)
{
    for (auto const &[name, value] : metrics) {
        if (name == QLatin1String("loss") || name == QLatin1String("val_loss") || name == QLatin1String("learning_rate")) continue;
        bool const validation = name.startsWith(QLatin1String("val_"));
        if (facts.metricValue && !validation) continue;
        facts.metric = name;
        facts.metricValue = value;
        if (validation) return;
    }
}

} // namespace

int trendOf(std::span<double const> values)
{
    std::size_t const part = std::max<std::size_t>(1, values.size() / 4);
    if (values.size() < 2 * part) return 0;
    auto const now = meanOf(values.last(part)), before = meanOf(values.subspan(values.size() - 2 * part, part));
    if (!std::isfinite(now.value) || !std::isfinite(before.value)) return 0;
    // Losses of small batches vary, so a change must exceed random variation.
    double const change = now.value - before.value;
    double const least = std::max(std::max(std::abs(before.value), 1e-12) * 0.01, 3 * std::hypot(now.error, before.error));
    return change < -least ? -1 : change > least ? 1 : 0;
}

int trendOfEpochs(std::span<double const> means)
{
    if (means.size() < 2) return 0;
    double const before = means[means.size() - 2], change = means.back() - before;
    if (!std::isfinite(change)) return 0;
    double const least = std::max(std::abs(before), 1e-12) * 0.01;
    return change < -least ? -1 : change > least ? 1 : 0;
}

std::optional<LiveEpoch> runningEpoch(LiveRun const &live)
{
    bool const goesOn = live.state == RunState::Running || live.state == RunState::Paused;
    if (!goesOn || live.stepsPerEpoch <= 0 || live.step <= 0) return std::nullopt;
    LiveEpoch row;
    row.epoch = static_cast<int>((live.step - 1) / live.stepsPerEpoch + 1);
    if (!live.epochTable.empty() && live.epochTable.back().epoch >= row.epoch) return std::nullopt; // its end was told
    std::int64_t const before = (row.epoch - 1) * live.stepsPerEpoch;
    row.steps = live.step - std::max(before, live.firstStep);
    row.running = true;
    bool known = false;
    for (auto const &series : live.series) {
        if (series.perEpoch) continue;
        double sum = 0, count = 0;
        for (std::size_t i = series.x.size(); i-- > 0 && series.x[i] > static_cast<double>(before);) {
            bool const thinned = !series.counts.empty();
            double const weight = thinned ? series.counts[i] : 1;
            sum += weight * (thinned ? series.means[i] : series.y[i]);
            count += weight;
        }
        if (count == 0) continue;
        known = true;
        if (series.name == QLatin1String("loss")) row.loss = sum / count;
        else row.metrics.emplace_back(series.name, sum / count);
    }
    return known ? std::optional(row) : std::nullopt;
}

TrainingFacts factsOf(LiveRun const &live)
{
    TrainingFacts facts;
    facts.exists = live.exists && live.kind == QLatin1String("train");
    if (!facts.exists) return facts;
    facts.state = live.state;
    facts.runState = live.ended;
    facts.tileMode = live.mode == RunMode::Tile;
    facts.epochs = live.epochs;
    facts.step = live.step;
    facts.steps = live.stepsPerEpoch * live.epochs;
    if (live.state == RunState::Idle && live.ended == QLatin1String("done") && live.step > 0)
        facts.steps = live.step; // a custom loop can end it early
    if (live.stepsPerEpoch > 0 && live.step > 0) facts.epoch = std::min(live.epochs, (live.step - 1) / live.stepsPerEpoch + 1);
    // The running mean of the epoch, as Keras and the table of epochs show it: the loss of a single step means little.
    bool const goesOn = live.state != RunState::Idle;
    double const begin =
        live.stepsPerEpoch > 0 && live.step > 0 ? static_cast<double>((live.step - 1) / live.stepsPerEpoch * live.stepsPerEpoch) : 0;
    if (auto const *loss = find(live, QStringLiteral("loss"), false)) {
        facts.loss = meanSince(*loss, begin);
        facts.trend = trendOf(loss->y);
    }
    if (!goesOn && !live.epochTable.empty()) facts.loss = live.epochTable.back().loss;
    // Means of epochs are comparable as soon as there are two.
    if (auto const *loss = find(live, QStringLiteral("loss"), true); loss && loss->y.size() > 1) facts.trend = trendOfEpochs(loss->y);
    // Loss and metric belong together, and to a row of the table of epochs: the running epoch, else the last one. The loss of a single
    // step means little.
    std::vector<std::pair<QString, double>> last;
    for (auto const &series : live.series)
        if (!series.perEpoch && !series.y.empty()) last.emplace_back(series.name, meanSince(series, begin));
    auto const running = runningEpoch(live);
    if (auto const *row = running ? &*running : live.epochTable.empty() ? nullptr : &live.epochTable.back()) {
        facts.loss = row->loss;
        last = row->metrics;
    }
    // The run's time from its steps, as in the later report; the table of epochs has the time of each.
    if (auto const steps = live.step - live.firstStep; steps > 0) {
        double const epochs = static_cast<double>(steps) / static_cast<double>(std::max<std::int64_t>(1, live.stepsPerEpoch));
        facts.epochSecondsHere = live.hostSeconds / epochs;
        facts.epochSecondsDevice = live.emulatedSeconds / epochs;
        facts.deviceMeasured = live.deviceMeasured;
    }
    takeMetric(facts, last);
    bool const works = live.state == RunState::Running || live.state == RunState::Paused;
    // At the rate of the run so far, as the time of an epoch: two rates would contradict each other.
    if (auto const steps = live.step - live.firstStep; works && steps > 0 && live.hostSeconds > 0 && facts.steps > facts.step)
        facts.remainingSecondsHere = static_cast<double>(facts.steps - facts.step) * live.hostSeconds / static_cast<double>(steps);
    return facts;
}

QString trainingHeadline(TrainingFacts const &facts)
{
    if (!facts.exists) return {};
    if (facts.state == RunState::Compiling) return Words::tr("Compiling before the first step");
    QStringList parts;
    if (facts.state != RunState::Running && facts.state != RunState::Idle) parts.append(toText(facts.state));
    if (facts.runState == QLatin1String("done")) parts.append(Words::tr("Finished"));
    else if (facts.runState == QLatin1String("stopped") || facts.runState == QLatin1String("failed")
             || facts.runState == QLatin1String("interrupted"))
        parts.append(runStateLabel(facts.runState.toStdString()));
    if (facts.epoch > 0)
        parts.append(facts.epochs > 0 ? Words::tr("epoch %1/%2").arg(facts.epoch).arg(facts.epochs)
                                      : Words::tr("epoch %1").arg(facts.epoch));
    else if (facts.step > 0) parts.append(Words::tr("step %1").arg(countText(facts.step)));
    if (facts.loss) {
        QString text = std::isfinite(*facts.loss) ? Words::tr("loss %1").arg(numberText(*facts.loss)) : Words::tr("loss is not a number");
        if (facts.trend != 0) text += facts.trend < 0 ? QStringLiteral(" ↓") : QStringLiteral(" ↑");
        parts.append(text);
    }
    if (facts.metricValue) parts.append(Words::tr("%1 %2").arg(facts.metric, numberText(*facts.metricValue)));
    QStringList times;
    if (facts.epochSecondsHere > 0) times.append(Words::tr("%1 per epoch on this computer").arg(secondsText(facts.epochSecondsHere)));
    if (facts.epochSecondsDevice > 0) {
        bool const alone = facts.epochSecondsHere <= 0;
        times.append((alone ? Words::tr("%1 per epoch, %2") : Words::tr("%1 %2"))
                         .arg(secondsText(facts.epochSecondsDevice), cyclesOrigin(facts.deviceMeasured)));
    }
    if (!times.isEmpty()) parts.append(times.join(QStringLiteral(", ")));
    return parts.isEmpty() ? Words::tr("No step done yet") : parts.join(QStringLiteral(" · "));
}

bool isClassifier(project::Project const &project)
{
    if (project.training.losses.empty()) return false;
    auto const &loss = project.training.losses.front().className;
    return loss == "SparseCategoricalCrossentropy" || loss == "CategoricalCrossentropy";
}

double progressOf(TrainingFacts const &facts)
{
    return facts.steps > 0 ? std::clamp(static_cast<double>(facts.step) / static_cast<double>(facts.steps), 0.0, 1.0) : 0.0;
}

QString progressText(TrainingFacts const &facts)
{
    if (!facts.exists) return {};
    QStringList parts;
    if (facts.steps > 0) {
        parts.append(Words::tr("step %1 of %2").arg(countText(facts.step), countText(facts.steps)));
        parts.append(shareText(progressOf(facts)));
    } else {
        parts.append(Words::tr("step %1").arg(countText(facts.step)));
    }
    if (facts.remainingSecondsHere >= 0) parts.append(Words::tr("%1 left").arg(secondsText(facts.remainingSecondsHere)));
    if (facts.tileMode) parts.append(Words::tr("tile mode"));
    return parts.join(QStringLiteral(" · "));
}

} // namespace tilewright::views
