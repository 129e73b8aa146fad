#include "views/training/confusion_matrix.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QFontMetrics>
#include <QResizeEvent>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace tilewright::views {

namespace {
constexpr double kClosestClasses = 4;
} // namespace

ConfusionMatrix::ConfusionMatrix(QWidget *parent) : HeatMap(parent)
{
    setAccessibleName(tr("Confusion matrix"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    setSquare(true);
    setShowsCurrentAlways(true);
    connect(this, &Chart::clicked, this, [this](int index) {
        auto const cell = index >= 0 ? std::optional(cellOf(index)) : std::nullopt;
        pick(cell == m_picked ? std::nullopt : cell);
    });
    connect(this, &Chart::currentChanged, this, [this](int index) { pick(index >= 0 ? std::optional(cellOf(index)) : std::nullopt); });
}

void ConfusionMatrix::setCounts(Counts counts)
{
    m_counts = std::move(counts);
    if (m_picked && (m_picked->first >= classes() || m_picked->second >= classes())) m_picked.reset();
    setCurrent(-1);
    std::int64_t right = 0, all = 0;
    HeatGrid grid{classes(), classes(), {}, {0, 1}};
    for (std::size_t i = 0; i < m_counts.size(); ++i) {
        auto const &row = m_counts[i];
        right += row[i];
        all = std::accumulate(row.begin(), row.end(), all);
        auto const most = static_cast<double>(std::max<std::int64_t>(1, *std::max_element(row.begin(), row.end())));
        for (auto const count : row)
            grid.values.push_back(count == 0 ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(count) / most);
    }
    ChartAxis x, y;
    x.title = tr("taken for class");
    y.title = tr("true class");
    x.kind = y.kind = AxisKind::Whole;
    x.text = y.text = [](double label) { return QString::number(std::llround(label)); };
    int const some = std::max(1, classes());
    x.limits = y.limits = {{-0.5, some - 0.5}, std::min(kClosestClasses, static_cast<double>(some))};
    setGrid(std::move(grid), std::move(x), std::move(y));
    setDescription(tr("%1 of %2 samples right in %3 classes").arg(countText(right), countText(all)).arg(classes()));
    setPicked(m_picked);
}

void ConfusionMatrix::setPicked(std::optional<Cell> cell)
{
    m_picked = cell;
    setCurrent(cell ? indexOf(*cell) : -1);
}

void ConfusionMatrix::pick(std::optional<Cell> cell)
{
    setPicked(cell);
    emit cellPicked(cell);
}

QString ConfusionMatrix::tipOf(Cell cell) const
{
    auto const &row = m_counts[static_cast<std::size_t>(cell.first)];
    auto const all = std::accumulate(row.begin(), row.end(), std::int64_t{0});
    auto const count = countOf(cell);
    return tr("%1 of the %2 samples of class %3 taken for class %4 (%5)")
        .arg(countText(count), countText(all))
        .arg(cell.first)
        .arg(cell.second)
        .arg(shareText(all > 0 ? static_cast<double>(count) / static_cast<double>(all) : 0));
}

std::optional<ConfusionMatrix::Cell> ConfusionMatrix::cellAt(QPointF const &at) const
{
    int const index = elementAt(at);
    return index >= 0 ? std::optional(cellOf(index)) : std::nullopt;
}

void ConfusionMatrix::resizeEvent(QResizeEvent *event)
{
    HeatMap::resizeEvent(event);
    // Cells are square, so more width would stay empty.
    setMaximumWidth(std::max(minimumSizeHint().width(), event->size().height() + fontMetrics().height() + kGrid));
}

QSize ConfusionMatrix::sizeHint() const { return {60 * kGrid, 60 * kGrid}; }
QSize ConfusionMatrix::minimumSizeHint() const { return {40 * kGrid, 40 * kGrid}; }

QColor ConfusionMatrix::colorOf(double value) const { return theme().sequential(value); }

QString ConfusionMatrix::cellText(int index, double width) const
{
    auto const count = countOf(cellOf(index));
    if (count == 0) return {};
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    for (auto const &text : {QString::number(count), shortCount(static_cast<double>(count))})
        if (metrics.horizontalAdvance(text) < width) return text;
    return {};
}

/// The diagonal is correct; a frame shows it without colour.
bool ConfusionMatrix::isCellFramed(int index) const
{
    auto const cell = cellOf(index);
    return cell.first == cell.second;
}

} // namespace tilewright::views
