#include "views/plots/heat_map.h"

#include "views/common/theme.h"
#include "views/plots/plot_surface.h"

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {
constexpr int kLevels = 256;
constexpr int kMostScaleTicks = 6;
constexpr int kScaleWidth = 3 * kGrid;    ///< pixels of the colours beside the cells
constexpr double kTextCell = 4.5 * kGrid; ///< minimum width of cells with words
constexpr double kFrameCell = kGrid;      ///< minimum width of cells with frames
} // namespace

/// Overlay: words and frames of cells, marked rows, marked position along x.
class HeatMap::Details : public QCPAbstractItem {
public:
    Details(PlotSurface *plot, HeatMap const &chart) : QCPAbstractItem(plot), m_chart(chart) {}
    double selectTest(QPointF const &, bool, QVariant *) const override { return -1; }

protected:
    void draw(QCPPainter *painter) override
    {
        if (m_chart.elements() == 0) return;
        painter->setAntialiasing(false);
        drawCells(*painter);
        drawMarks(*painter);
    }

private:
    void drawCells(QCPPainter &painter) const
    {
        QRectF const plot = m_chart.surfaceRect(), first = m_chart.rectOf(0);
        if (first.width() < kFrameCell || first.height() < kFrameCell) return;
        painter.setFont(uiFont(TextSize::Caption));
        int const from = m_chart.elementUnder(plot.topLeft() + QPointF(0.5, 0.5)),
                  to = m_chart.elementUnder(plot.bottomRight() - QPointF(1, 1));
        if (from < 0 || to < 0) return;
        int const columns = m_chart.m_grid.columns;
        bool const words = first.width() >= kTextCell && first.height() >= QFontMetrics(painter.font()).height();
        for (int row = from / columns; row <= to / columns; ++row)
            for (int column = from % columns; column <= to % columns; ++column) {
                int const index = row * columns + column;
                QRectF const cell = m_chart.rectOf(index);
                double const value = m_chart.m_grid.values[static_cast<std::size_t>(index)];
                if (QString const text = words ? m_chart.cellText(index, cell.width()) : QString(); !text.isEmpty()) {
                    painter.setPen(textOn(std::isnan(value) ? theme()[Token::Panel] : m_chart.colorOf(value)));
                    painter.drawText(cell, Qt::AlignCenter, text);
                }
                if (!m_chart.isCellFramed(index)) continue;
                painter.setPen(QPen(theme()[Token::SecondaryText], 1));
                painter.setBrush(Qt::NoBrush);
                painter.drawRect(cell.adjusted(0.5, 0.5, -0.5, -0.5));
            }
    }
    void drawMarks(QCPPainter &painter) const
    {
        QRectF const plot = m_chart.surfaceRect();
        QColor const accent = theme()[Token::Accent];
        auto const &rows = m_chart.m_markedRows;
        auto *y = m_chart.surface().yAxis;
        auto const edge = [&](std::size_t row) {
            return y->coordToPixel(m_chart.m_y.lower + m_chart.m_y.size() * static_cast<double>(row) / static_cast<double>(rows.size()));
        };
        for (std::size_t row = 0; row < rows.size(); ++row) {
            if (!rows[row]) continue;
            std::size_t end = row + 1;
            while (end < rows.size() && rows[end]) ++end;
            double const top = edge(row);
            painter.fillRect(QRectF(plot.left(), top, kGrid, std::max(1.0, edge(end) - top)), accent);
            row = end;
        }
        if (!m_chart.m_markedX) return;
        double const x = m_chart.surface().xAxis->coordToPixel(*m_chart.m_markedX);
        painter.setPen(QPen(accent, 2));
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()));
    }
    HeatMap const &m_chart;
};

HeatMap::HeatMap(QWidget *parent) : Chart(parent), m_map(new QCPColorMap(surface().xAxis, surface().yAxis))
{
    m_map->setInterpolate(false);
    m_map->setTightBoundary(false);
    m_map->setAntialiased(false);
    for (auto *axis : {surface().xAxis, surface().yAxis}) axis->grid()->setVisible(false);
    auto *details = new Details(&surface(), *this); // owned by the plot
    details->setSelectable(false);
}

void HeatMap::setGrid(HeatGrid grid, ChartAxis x, ChartAxis y)
{
    if (grid.rows != m_grid.rows || grid.columns != m_grid.columns) setCurrent(-1);
    m_grid = std::move(grid);
    m_x = x.limits.home;
    m_y = y.limits.home;
    m_cellsStale = true;
    y.downwards = true;
    setAxes(std::move(x), std::move(y));
}

void HeatMap::setHeatMarks(std::optional<double> x, std::vector<char> rows)
{
    m_markedX = x;
    m_markedRows = std::move(rows);
    changed();
}

void HeatMap::setScale(QString const &title, AxisKind kind, std::function<QString(double)> text)
{
    auto &plot = surface();
    if (!m_scale) {
        m_scale = new QCPColorScale(&plot);
        m_scale->setBarWidth(kScaleWidth);
        m_scale->setRangeDrag(false);
        m_scale->setRangeZoom(false);
        plot.plotLayout()->addElement(0, 1, m_scale);
        auto *level = new QCPMarginGroup(&plot); // as high as the cells
        plot.axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, level);
        m_scale->setMarginGroup(QCP::msTop | QCP::msBottom, level);
        m_map->setColorScale(m_scale);
    }
    m_scaleTitle = title;
    m_scaleKind = kind;
    m_scaleText = std::move(text);
    themeChanged();
    changed();
}

void HeatMap::themeChanged()
{
    m_cellsStale = true;
    if (m_scale) PlotSurface::dress(*m_scale->axis());
}

void HeatMap::fillCells()
{
    m_cellsStale = false;
    if (elements() == 0) {
        m_map->data()->clear();
        return;
    }
    // The library draws nothing for a single row or column, so there it gets two halves.
    int const rows = std::max(2, m_grid.rows), columns = std::max(2, m_grid.columns);
    double const halfX = m_x.size() / columns / 2, halfY = m_y.size() / rows / 2;
    auto &cells = *m_map->data();
    cells.setSize(columns, rows);
    cells.setRange(QCPRange(m_x.lower + halfX, m_x.upper - halfX), QCPRange(m_y.lower + halfY, m_y.upper - halfY));
    for (int row = 0; row < rows; ++row) {
        auto const *values =
            m_grid.values.data() + static_cast<std::size_t>(std::min(row, m_grid.rows - 1)) * static_cast<std::size_t>(m_grid.columns);
        for (int column = 0; column < columns; ++column) cells.setCell(column, row, values[std::min(column, m_grid.columns - 1)]);
    }
    Span const range = m_grid.range.size() > 0 ? m_grid.range : Span{m_grid.range.lower, m_grid.range.lower + 1};
    QMap<double, QColor> stops;
    for (int i = 0; i < kLevels; ++i) stops.insert(i / (kLevels - 1.0), colorOf(range.lower + range.size() * i / (kLevels - 1.0)));
    QCPColorGradient gradient;
    gradient.setColorInterpolation(QCPColorGradient::ciRGB);
    gradient.setLevelCount(kLevels);
    gradient.setColorStops(stops);
    gradient.setNanHandling(QCPColorGradient::nhTransparent);
    m_map->setGradient(gradient);
    m_map->setDataRange(QCPRange(range.lower, range.upper));
}

void HeatMap::fillPlot()
{
    if (m_cellsStale) fillCells();
}

void HeatMap::arrangePlot() const
{
    if (m_scale) {
        QFontMetrics const metrics(uiFont(TextSize::Caption));
        int const high = static_cast<int>(surfaceRect().height());
        m_scale->axis()->setLabel(metrics.elidedText(m_scaleTitle, Qt::ElideRight, high));
        PlotSurface::setTicks(*m_scale->axis(), m_scaleKind, m_scaleText, std::clamp(high / (3 * metrics.height()), 1, kMostScaleTicks));
        surface().place();
    }
    if (!m_square || elements() == 0) return;
    auto *plot = surface().axisRect();
    auto margins = plot->margins();
    int const slack = plot->width() - plot->height();
    if (slack > 0) margins.setRight(margins.right() + slack);
    else margins.setBottom(margins.bottom() - slack);
    plot->setAutoMargins(QCP::msNone);
    plot->setMargins(margins);
    surface().place();
}

QRectF HeatMap::rectOf(int index) const
{
    int const row = index / m_grid.columns, column = index % m_grid.columns;
    auto const x = [this](int c) { return surface().xAxis->coordToPixel(m_x.lower + m_x.size() * c / m_grid.columns); };
    auto const y = [this](int r) { return surface().yAxis->coordToPixel(m_y.lower + m_y.size() * r / m_grid.rows); };
    return {QPointF(x(column), y(row)), QPointF(x(column + 1), y(row + 1))};
}

int HeatMap::elementUnder(QPointF const &pixel) const
{
    if (!surfaceRect().contains(pixel)) return -1;
    double const x = surface().xAxis->pixelToCoord(pixel.x()), y = surface().yAxis->pixelToCoord(pixel.y());
    int const column = std::clamp(static_cast<int>((x - m_x.lower) / m_x.size() * m_grid.columns), 0, m_grid.columns - 1);
    int const row = std::clamp(static_cast<int>((y - m_y.lower) / m_y.size() * m_grid.rows), 0, m_grid.rows - 1);
    return row * m_grid.columns + column;
}

int HeatMap::neighbour(int from, int key) const
{
    if (from < 0) return 0;
    int row = from / m_grid.columns, column = from % m_grid.columns;
    switch (key) {
    case Qt::Key_Left: --column; break;
    case Qt::Key_Right: ++column; break;
    case Qt::Key_Up: --row; break;
    default: ++row; break;
    }
    return std::clamp(row, 0, m_grid.rows - 1) * m_grid.columns + std::clamp(column, 0, m_grid.columns - 1);
}

} // namespace tilewright::views
