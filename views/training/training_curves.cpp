#include "views/training/training_curves.h"

#include "views/common/words.h"

#include <algorithm>
#include <limits>

namespace tilewright::views {

namespace {

bool isValidation(QString const &name) { return name.startsWith(QLatin1String("val_")); }
bool isLoss(QString const &name)
{
    return name == QLatin1String("loss") || name == QLatin1String("val_loss") || name.endsWith(QLatin1String("_loss"));
}

bool knownByStep(std::vector<LiveSeries> const &series, QString const &name)
{
    return std::any_of(series.begin(), series.end(), [&](auto const &s) { return !s.perEpoch && s.name == name && !s.x.empty(); });
}

double lastStep(std::vector<LiveSeries> const &series)
{
    double last = 0;
    for (auto const &s : series)
        if (!s.perEpoch && !s.x.empty()) last = std::max(last, s.x.back());
    return last;
}

} // namespace

bool isByEpoch(std::vector<LiveSeries> const &series)
{
    return std::none_of(series.begin(), series.end(), [](auto const &s) { return !s.perEpoch && !s.x.empty(); });
}

std::vector<Curve> trainingCurves(std::vector<LiveSeries> const &series, std::int64_t stepsPerEpoch, CurveGroup group)
{
    std::vector<Curve> curves;
    bool const byEpoch = isByEpoch(series);
    double const last = lastStep(series);
    int color = 0;
    for (auto const &s : series) {
        if (s.x.empty() || isLoss(s.name) != (group == CurveGroup::Loss)) continue;
        if (s.perEpoch && !byEpoch && (stepsPerEpoch <= 0 || knownByStep(series, s.name))) continue;
        Curve curve;
        curve.name = s.perEpoch && !byEpoch ? Words::tr("%1 by epoch").arg(s.name) : s.name;
        curve.x = s.x;
        curve.y = s.y;
        curve.means = s.means;
        curve.counts = s.counts;
        if (s.perEpoch) {
            curve.smooth = false;
            // A line of one point would not be visible.
            curve.shape = isValidation(s.name) && s.x.size() > 1 ? CurveShape::Dashed : CurveShape::LineAndPoints;
            if (!byEpoch)
                for (auto &x : curve.x) x = std::min(x * static_cast<double>(stepsPerEpoch), last); // the last epoch can be partial
        }
        curve.color = curveToken(color++); // explicit, so that repeated colours do not become dotted lines
        curves.push_back(std::move(curve));
    }
    return curves;
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

} // namespace tilewright::views
