#include "views/memory/step_heat.h"

#include "views/common/format.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {
constexpr double kClosestCells = 8; ///< of one direction at maximum zoom
} // namespace

HeatCells heatCells(TileContents const &contents, std::vector<int> const &order, int mostRows, int mostColumns)
{
    HeatCells cells;
    cells.positions = static_cast<int>(order.size());
    cells.steps = contents.lives.steps();
    cells.rows = std::min(cells.positions, mostRows);
    cells.columns = std::min(cells.steps, mostColumns);
    if (cells.rows <= 0 || cells.columns <= 0) return {};
    // By group: the curve over all steps, then the largest value of each column.
    std::vector<std::vector<std::int64_t>> curves;
    for (auto const &group : contents.groups) {
        std::vector<std::int64_t> change(static_cast<std::size_t>(cells.steps) + 1, 0);
        for (auto const &item : group.items) {
            if (contents.lives.isAlways(item.livenessClass)) {
                change[0] += item.bytes;
                continue;
            }
            for (auto const &[first, end] : contents.lives.of(item.livenessClass)) {
                change[static_cast<std::size_t>(std::clamp(first, 0, cells.steps))] += item.bytes;
                change[static_cast<std::size_t>(std::clamp(end, 0, cells.steps))] -= item.bytes;
            }
        }
        std::vector<std::int64_t> curve(static_cast<std::size_t>(cells.columns), 0);
        std::int64_t live = 0;
        int column = 0;
        for (int step = 0; step < cells.steps; ++step) {
            while (column + 1 < cells.columns && step >= cells.firstStep(column + 1)) ++column;
            live += change[static_cast<std::size_t>(step)];
            auto &most = curve[static_cast<std::size_t>(column)];
            most = std::max(most, live);
        }
        curves.push_back(std::move(curve));
    }
    cells.most.assign(static_cast<std::size_t>(cells.rows) * static_cast<std::size_t>(cells.columns), 0);
    for (int row = 0; row < cells.rows; ++row) {
        int const end = row + 1 < cells.rows ? cells.firstPosition(row + 1) : cells.positions;
        int last = -1;
        for (int p = cells.firstPosition(row); p < end; ++p) {
            auto const tile = static_cast<std::size_t>(order[static_cast<std::size_t>(p)]);
            int const group = tile < contents.groupOf.size() ? contents.groupOf[tile] : -1;
            if (group < 0 || group == last) continue;
            last = group;
            for (int c = 0; c < cells.columns; ++c) {
                auto &most =
                    cells.most[static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.columns) + static_cast<std::size_t>(c)];
                most = std::max(most, curves[static_cast<std::size_t>(group)][static_cast<std::size_t>(c)]);
            }
        }
    }
    return cells;
}

StepHeat::StepHeat(QWidget *parent) : HeatMap(parent)
{
    setAccessibleName(tr("Live bytes of each tile over the liveness steps"));
    setEmptyText(tr("This report holds no lifetimes."));
    setDragSelects(true);
    setScale(tr("live bytes"), byteUnits() == ByteUnits::Binary ? AxisKind::Binary : AxisKind::Linear,
             [](double bytes) { return bytesText(std::llround(bytes)); });
    connect(this, &Chart::clicked, this, [this](int index, QPointF const &value, Qt::KeyboardModifiers modifiers) {
        if (index < 0) return;
        auto const [position, step] = placeOf(value);
        emit picked(m_order[static_cast<std::size_t>(position)], step, modifiers);
    });
    connect(this, &Chart::boxDrawn, this, [this](QRectF const &box) {
        if (elements() == 0) return;
        auto const first = placeOf(box.topLeft()), last = placeOf(box.bottomRight());
        std::vector<int> tiles(m_order.begin() + first.first, m_order.begin() + last.first + 1);
        std::sort(tiles.begin(), tiles.end());
        emit brushed(tiles, first.second, last.second);
    });
}

QSize StepHeat::sizeHint() const { return {120 * kGrid, 60 * kGrid}; }
QSize StepHeat::minimumSizeHint() const { return {50 * kGrid, 30 * kGrid}; }

void StepHeat::setCells(HeatCells cells, std::vector<int> order, std::int64_t limit)
{
    setCurrent(-1);
    m_cells = std::move(cells);
    m_order = std::move(order);
    m_scale = scaleFor(ScaleKind::Linear, m_cells.most, limit);
    m_colors.reset();
    HeatGrid grid{m_cells.rows,
                  m_cells.columns,
                  std::vector<double>(m_cells.most.begin(), m_cells.most.end()),
                  {0, static_cast<double>(m_scale.max)}};
    ChartAxis x, y;
    x.title = tr("liveness step");
    y.title = tr("tile");
    x.kind = y.kind = AxisKind::Whole;
    x.text = [](double step) { return countText(std::llround(step)); };
    y.text = [this](double position) {
        auto const at = std::llround(position);
        return at >= 0 && at < static_cast<long long>(m_order.size()) ? QString::number(m_order[static_cast<std::size_t>(at)]) : QString();
    };
    auto const limits = [](int all, int shown) {
        return ZoomLimits{{-0.5, std::max(1, all) - 0.5}, shown > 0 ? std::min(1.0 * all, kClosestCells * all / shown) : 0};
    };
    x.limits = limits(m_cells.steps, m_cells.columns);
    y.limits = limits(m_cells.positions, m_cells.rows);
    setGrid(std::move(grid), std::move(x), std::move(y));
    setDescription(m_cells.rows > 0 ? tr("0 to %1 live").arg(bytesText(m_scale.max)) : QString());
}

void StepHeat::setMarks(int step, std::vector<char> markedPositions)
{
    setHeatMarks(step >= 0 ? std::optional<double>(step) : std::nullopt, std::move(markedPositions));
}

std::pair<int, int> StepHeat::placeOf(QPointF const &value) const
{
    return {std::clamp(static_cast<int>(std::lround(value.y())), 0, m_cells.positions - 1),
            std::clamp(static_cast<int>(std::lround(value.x())), 0, m_cells.steps - 1)};
}

std::optional<std::pair<int, int>> StepHeat::at(QPoint point) const
{
    if (elementAt(point) < 0) return std::nullopt;
    return placeOf(toValue(point));
}

QColor StepHeat::colorOf(double value) const
{
    if (!m_colors) m_colors.emplace(m_scale, theme());
    return QColor((*m_colors)(std::llround(value)));
}

void StepHeat::themeChanged()
{
    m_colors.reset();
    HeatMap::themeChanged();
}

QString StepHeat::tipOf(int index) const
{
    int const row = index / m_cells.columns, column = index % m_cells.columns;
    bool const one = m_cells.rows == m_cells.positions && m_cells.columns == m_cells.steps;
    QString const what = one ? tr("%1 live on tile %2 at liveness step %3") : tr("up to %1 live around tile %2, liveness step %3");
    return what.arg(bytesExact(m_cells.most[static_cast<std::size_t>(index)]))
        .arg(m_order[static_cast<std::size_t>(m_cells.firstPosition(row))])
        .arg(m_cells.firstStep(column));
}

} // namespace tilewright::views
