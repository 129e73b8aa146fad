#include "views/plots/bar_chart.h"

#include "views/common/theme.h"
#include "views/plots/legend_bar.h"
#include "views/plots/plot_surface.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tilewright::views {

namespace {
constexpr double kGroupGap = 0.2;  ///< empty share of a group
constexpr double kNarrow = 8;      ///< pixels of a group below which there is no gap
constexpr double kHeadRoom = 1.05; ///< top of the value axis relative to the largest bar
constexpr double kClosestGroups = 4;
constexpr double kLeastHeight = 3; ///< minimum pixels of a nonzero bar, so that one tile beside a thousand is visible
} // namespace

BarChart::BarChart(QWidget *parent) : Chart(parent), m_legend(new LegendBar(this))
{
    setHead(m_legend);
    surface().xAxis->grid()->setVisible(false);
    connect(m_legend, &LegendBar::toggled, this, [this](int entry, bool shown) {
        if (entry >= static_cast<int>(m_legendOf.size())) return; // the selection is not a series
        auto const &name = m_series[static_cast<std::size_t>(m_legendOf[static_cast<std::size_t>(entry)])].name;
        if (shown) m_hidden.erase(name);
        else m_hidden.insert(name);
        showLegend();
        changed();
    });
}

void BarChart::setBars(std::vector<BarSeries> series, ChartAxis x, ChartAxis y)
{
    m_series = std::move(series);
    m_groups = m_series.empty() ? 0 : static_cast<int>(m_series.front().values.size());
    double largest = 0;
    for (auto const &each : m_series)
        for (double const value : each.values) largest = std::max(largest, value);
    setCurrent(-1);
    auto &plot = surface();
    for (auto *bars : m_bars) plot.removePlottable(bars);
    if (m_chosenBars) plot.removePlottable(m_chosenBars);
    m_bars.clear();
    m_chosen = {};
    auto const add = [&plot](QString const &name) {
        auto *bars = new QCPBars(plot.xAxis, plot.yAxis);
        bars->setName(name);
        bars->setAntialiased(false);
        bars->setAntialiasedFill(false);
        bars->setPen(Qt::NoPen);
        return bars;
    };
    for (auto const &each : m_series) m_bars.push_back(add(each.name));
    m_chosenBars = add({}); // later ones are drawn over earlier ones
    x.kind = AxisKind::Whole;
    x.limits = {{-0.5, std::max(1, m_groups) - 0.5}, std::min(kClosestGroups, static_cast<double>(std::max(1, m_groups)))};
    y.limits = {{0, largest > 0 ? largest * kHeadRoom : 1}, 0};
    y.zooms = false;
    showLegend();
    setAxes(std::move(x), std::move(y));
}

void BarChart::setChosen(BarSeries chosen)
{
    if (static_cast<int>(chosen.values.size()) != m_groups) chosen.values.clear();
    m_chosen = std::move(chosen);
    showLegend();
    changed();
}

void BarChart::showLegend()
{
    QList<LegendEntry> entries;
    m_legendOf.clear();
    for (int i = 0; i < static_cast<int>(m_series.size()); ++i) {
        auto const &each = m_series[static_cast<std::size_t>(i)];
        if (each.name.isEmpty()) continue;
        m_legendOf.push_back(i);
        entries.append(
            {each.name, theme()[Token::Text], Qt::SolidLine, isShown(i), each.brush ? each.brush() : QBrush(theme()[Token::Compute])});
    }
    if (!m_chosen.values.empty())
        entries.append(
            {m_chosen.name, theme()[Token::Text], Qt::SolidLine, true, m_chosen.brush ? m_chosen.brush() : QBrush(theme()[Token::Accent])});
    m_legend->setEntries(entries);
}

double BarChart::heightOf(double value) const
{
    if (value <= 0 || surfaceRect().height() <= 0) return value;
    double const pixel = surface().yAxis->range().size() / surfaceRect().height();
    return std::max(value, kLeastHeight * pixel);
}

void BarChart::themeChanged()
{
    if (m_legend) showLegend();
}

BarChart::Place BarChart::placeOf(int series) const
{
    int shown = 0, before = 0;
    for (int i = 0; i < static_cast<int>(m_series.size()); ++i) {
        if (!isShown(i)) continue;
        before += i < series ? 1 : 0;
        ++shown;
    }
    if (shown == 0) return {};
    double const slot = surface().xAxis->coordToPixel(1) - surface().xAxis->coordToPixel(0);
    double const all = slot > kNarrow ? 1 - kGroupGap : 1, width = all / shown;
    return {(before + 0.5) * width - all / 2, width};
}

void BarChart::fillPlot()
{
    for (int i = 0; i < static_cast<int>(m_bars.size()); ++i) {
        auto const &each = m_series[static_cast<std::size_t>(i)];
        auto &bars = *m_bars[static_cast<std::size_t>(i)];
        bars.setVisible(isShown(i));
        bars.setBrush(each.brush ? each.brush() : QBrush(theme()[Token::Compute]));
        auto const place = placeOf(i);
        bars.setWidth(place.width);
        setValues(bars, place.offset, each.values);
    }
    if (!m_chosenBars) return;
    auto const place = m_series.empty() ? Place{} : placeOf(0);
    m_chosenBars->setVisible(!m_chosen.values.empty() && isShown(0));
    m_chosenBars->setBrush(m_chosen.brush ? m_chosen.brush() : QBrush(theme()[Token::Accent]));
    m_chosenBars->setWidth(place.width);
    setValues(*m_chosenBars, place.offset, m_chosen.values);
}

void BarChart::setValues(QCPBars &bars, double offset, std::vector<double> const &values) const
{
    QVector<double> keys(static_cast<qsizetype>(values.size())), heights;
    std::iota(keys.begin(), keys.end(), offset);
    for (double const value : values) heights.append(heightOf(value));
    bars.setData(keys, heights, true);
}

QRectF BarChart::rectOfBar(int group, int series, double value) const
{
    QRectF const slot = elementRect(group);
    if (!isShown(series)) return {};
    auto const place = placeOf(series);
    auto const from = toPixel({group + place.offset - place.width / 2, heightOf(value)}),
               to = toPixel({group + place.offset + place.width / 2, 0});
    return QRectF(from, to).intersected(slot.adjusted(-1, 0, 1, 0));
}

QRectF BarChart::barRect(int group, int series) const
{
    return rectOfBar(group, series, m_series[static_cast<std::size_t>(series)].values[static_cast<std::size_t>(group)]);
}

QRectF BarChart::chosenRect(int group) const
{
    return m_chosen.values.empty() ? QRectF() : rectOfBar(group, 0, m_chosen.values[static_cast<std::size_t>(group)]);
}

int BarChart::elementUnder(QPointF const &pixel) const
{
    if (!surfaceRect().contains(pixel)) return -1;
    return std::clamp(static_cast<int>(std::lround(surface().xAxis->pixelToCoord(pixel.x()))), 0, m_groups - 1);
}

QRectF BarChart::rectOf(int index) const
{
    double const left = surface().xAxis->coordToPixel(index - 0.5), right = surface().xAxis->coordToPixel(index + 0.5);
    return {left, surfaceRect().top(), right - left, surfaceRect().height()};
}

int BarChart::neighbour(int from, int key) const
{
    if (key != Qt::Key_Left && key != Qt::Key_Right) return -1;
    return std::clamp(from + (key == Qt::Key_Right ? 1 : -1), 0, m_groups - 1);
}

} // namespace tilewright::views
