#include "views/training/training_curves.h"

#include "views/common/words.h"

#include <algorithm>

namespace tilewright::views {

namespace {

bool isValidation(QString const &name) { return name.startsWith(QLatin1String("val_")); }
/// A learning rate that never changes is no curve; the table of epochs has it.
bool isConstantRate(LiveSeries const &series)
{
    return series.name == QLatin1String("learning_rate") && std::ranges::all_of(series.y, [&](double y) { return y == series.y.front(); });
}
bool isLoss(QString const &name)
{
    return name == QLatin1String("loss") || name == QLatin1String("val_loss") || name.endsWith(QLatin1String("_loss"));
}

bool knownByStep(std::vector<LiveSeries> const &series, QString const &name)
{
    return std::any_of(series.begin(), series.end(), [&](auto const &s) { return !s.perEpoch && s.name == name && !s.x.empty(); });
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
        if (s.x.empty() || isLoss(s.name) != (group == CurveGroup::Loss) || isConstantRate(s)) continue;
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

} // namespace tilewright::views
