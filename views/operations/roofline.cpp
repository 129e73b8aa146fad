#include "views/operations/roofline.h"

#include "views/common/format.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {
constexpr double kSmallestDisc = 3, kLargestDisc = 10; ///< radius in pixels; areas are proportional to cycles
} // namespace

double attainable(MachineRoof const &roof, double intensity) { return std::min(roof.flopsPerCycleF32, roof.bytesPerCycle * intensity); }

RoofAxes roofAxes(std::vector<RoofPoint> const &points, MachineRoof const &roof)
{
    double least = 1e300, most = 0, low = 1e300, high = roof.flopsPerCycleF32;
    for (auto const &point : points) {
        least = std::min(least, point.intensity);
        most = std::max(most, point.intensity);
        low = std::min(low, point.rate);
        high = std::max(high, point.rate);
    }
    if (points.empty() || most <= 0) return {};
    if (roof.bytesPerCycle > 0) most = std::max(most, 2 * roof.flopsPerCycleF32 / roof.bytesPerCycle);
    return {wholeDecades(least, most), wholeDecades(low, high)};
}

std::vector<ChartLine> roofLines(MachineRoof const &roof, RoofAxes const &axes)
{
    if (roof.flopsPerCycleF32 <= 0 || roof.bytesPerCycle <= 0) return {};
    double const ridge = std::min(roof.flopsPerCycleF32 / roof.bytesPerCycle, axes.x.upper);
    double const from = std::min(ridge, std::max(axes.x.lower, axes.y.lower / roof.bytesPerCycle));
    QString const peak = Roofline::tr("peak in 32 bits: %1").arg(shortCount(roof.flopsPerCycleF32));
    return {{{from, ridge}, {attainable(roof, from), attainable(roof, ridge)}, Token::InternalExchange, {}},
            {{ridge, axes.x.upper}, {attainable(roof, ridge), attainable(roof, axes.x.upper)}, Token::Text, peak}};
}

Roofline::Roofline(QWidget *parent) : ScatterChart(parent)
{
    setAccessibleName(tr("Roofline: FLOPs per cycle against FLOPs per byte moved"));
    setEmptyText(tr("No operation here both computes and moves data"));
    connect(this, &Chart::clicked, this, [this](int index) {
        if (index >= 0) Q_EMIT picked(m_points[static_cast<std::size_t>(index)].id);
    });
}

void Roofline::setPoints(std::vector<RoofPoint> points, MachineRoof const &roof)
{
    m_points = std::move(points);
    m_roof = roof;
    QStringList words;
    double most = 1;
    for (auto const &point : m_points) {
        most = std::max(most, point.cycles);
        if (words.size() < 5) words << tr("%1: %2 FLOPs per cycle").arg(point.label, numberText(point.rate));
    }
    std::vector<ScatterPoint> discs;
    for (auto const &point : m_points)
        discs.push_back({point.intensity, point.rate, kSmallestDisc + (kLargestDisc - kSmallestDisc) * std::sqrt(point.cycles / most),
                         point.token, false});
    auto const range = roofAxes(m_points, roof);
    setScatter(std::move(discs), roofLines(roof, range));
    setDescription(words.join(QStringLiteral("; ")));
    ChartAxis x, y;
    x.title = tr("FLOPs per byte moved");
    y.title = tr("FLOPs per cycle of an IPU (modelled)");
    x.kind = y.kind = AxisKind::Logarithmic;
    x.limits.home = range.x;
    y.limits.home = range.y;
    setAxes(std::move(x), std::move(y));
}

void Roofline::setMarked(std::vector<int> ids)
{
    std::vector<char> marked;
    for (auto const &point : m_points) marked.push_back(std::ranges::binary_search(ids, point.id) ? 1 : 0);
    setMarkedPoints(marked);
}

QString Roofline::tipOf(int index) const
{
    auto const &point = m_points[static_cast<std::size_t>(index)];
    double const could = attainable(m_roof, point.intensity);
    return tr("%1\n%2 FLOPs per cycle, %3 FLOPs per byte\n%4 of what the machine could do here")
        .arg(point.label, numberText(point.rate), numberText(point.intensity),
             could > 0 ? shareText(point.rate / could) : QStringLiteral("–"));
}

} // namespace tilewright::views
