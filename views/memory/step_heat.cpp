#include "views/memory/step_heat.h"

#include "views/common/format.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace tilewright::views {

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
                auto &most = cells.most[static_cast<std::size_t>(row) * static_cast<std::size_t>(cells.columns) + static_cast<std::size_t>(c)];
                most = std::max(most, curves[static_cast<std::size_t>(group)][static_cast<std::size_t>(c)]);
            }
        }
    }
    return cells;
}

StepHeat::StepHeat(QWidget *parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Live bytes of each tile over the liveness steps"));
}

QSize StepHeat::sizeHint() const { return {120 * kGrid, 60 * kGrid}; }
QSize StepHeat::minimumSizeHint() const { return {50 * kGrid, 30 * kGrid}; }

void StepHeat::setCells(HeatCells cells, std::vector<int> order, std::int64_t limit)
{
    m_cells = std::move(cells);
    m_order = std::move(order);
    m_scale = scaleFor(ScaleKind::Linear, m_cells.most, limit);
    m_image = QImage();
    update();
}

void StepHeat::setMarks(int step, std::vector<char> markedPositions)
{
    m_step = step;
    m_marked = std::move(markedPositions);
    update();
}

QRect StepHeat::plot() const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    return rect().adjusted(metrics.horizontalAdvance(QStringLiteral("00000")) + kGap, kGrid, -kGrid, -metrics.height() - kGrid);
}

std::optional<std::pair<int, int>> StepHeat::at(QPoint point) const
{
    QRect const area = plot();
    if (m_cells.rows == 0 || !area.contains(point)) return std::nullopt;
    int const position = static_cast<int>((point.y() - area.top()) * static_cast<std::int64_t>(m_cells.positions) / area.height());
    int const step = static_cast<int>((point.x() - area.left()) * static_cast<std::int64_t>(m_cells.steps) / area.width());
    return std::pair(std::clamp(position, 0, m_cells.positions - 1), std::clamp(step, 0, m_cells.steps - 1));
}

void StepHeat::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    auto const &colors = theme();
    painter.fillRect(rect(), colors[Token::Panel]);
    painter.setFont(uiFont(TextSize::Caption));
    QRect const area = plot();
    painter.setPen(colors[Token::SecondaryText]);
    if (m_cells.rows == 0 || area.width() < 2 || area.height() < 2) {
        painter.drawText(rect().adjusted(kGap, kGap, -kGap, -kGap), Qt::AlignCenter | Qt::TextWordWrap, tr("This report tells nothing of lifetimes."));
        return;
    }
    if (m_image.isNull()) {
        m_image = QImage(m_cells.columns, m_cells.rows, QImage::Format_RGB32);
        ScaleColors const scale(m_scale, colors);
        for (int row = 0; row < m_cells.rows; ++row) {
            auto *line = reinterpret_cast<QRgb *>(m_image.scanLine(row));
            for (int c = 0; c < m_cells.columns; ++c) line[c] = scale(m_cells.most[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_cells.columns) + static_cast<std::size_t>(c)]);
        }
    }
    painter.drawImage(area, m_image);
    auto const metrics = painter.fontMetrics();
    painter.drawText(QRect(0, area.top(), area.left() - kGrid, metrics.height()), Qt::AlignRight, QString::number(m_order.front()));
    painter.drawText(QRect(0, area.bottom() - metrics.height(), area.left() - kGrid, metrics.height()), Qt::AlignRight, QString::number(m_order.back()));
    QRect const below(area.left(), area.bottom() + 1, area.width(), metrics.height());
    painter.drawText(below, Qt::AlignLeft, tr("step 0"));
    painter.drawText(below, Qt::AlignRight, countText(m_cells.steps - 1));
    painter.drawText(below, Qt::AlignHCenter, tr("0 to %1 live").arg(bytesText(m_scale.max)));
    for (std::size_t p = 0; p < m_marked.size(); ++p)
        if (m_marked[p]) painter.fillRect(QRect(area.left() - kGrid, area.top() + static_cast<int>(p * static_cast<std::size_t>(area.height()) / m_marked.size()), kGrid, std::max(1, area.height() / static_cast<int>(m_marked.size()))), colors[Token::Accent]);
    if (m_step >= 0) {
        int const x = area.left() + static_cast<int>((m_step + 0.5) * area.width() / m_cells.steps);
        painter.setPen(QPen(colors[Token::Accent], 2));
        painter.drawLine(x, area.top(), x, area.bottom());
    }
    if (!m_brush.isEmpty()) {
        QColor fill = colors[Token::Accent];
        fill.setAlpha(64);
        painter.fillRect(m_brush.intersected(area), fill);
    }
}

void StepHeat::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    m_pressed = event->position().toPoint();
    m_brush = {};
}

void StepHeat::mouseMoveEvent(QMouseEvent *event)
{
    if (!m_pressed || !(event->buttons() & Qt::LeftButton)) return;
    QPoint const to = event->position().toPoint();
    if (m_brush.isEmpty() && (to - *m_pressed).manhattanLength() < QApplication::startDragDistance()) return;
    m_brush = QRect(*m_pressed, to).normalized();
    update();
}

void StepHeat::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || !m_pressed) return QWidget::mouseReleaseEvent(event);
    QPoint const from = *m_pressed;
    m_pressed.reset();
    if (m_brush.isEmpty()) {
        if (auto const cell = at(from)) emit picked(m_order[static_cast<std::size_t>(cell->first)], cell->second, event->modifiers());
        return;
    }
    QRect const part = m_brush.intersected(plot());
    m_brush = {};
    update();
    auto const a = at(part.topLeft()), b = at(part.bottomRight());
    if (!a || !b) return;
    std::vector<int> tiles(m_order.begin() + a->first, m_order.begin() + b->first + 1);
    std::sort(tiles.begin(), tiles.end());
    emit brushed(tiles, a->second, b->second);
}

void StepHeat::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() != QEvent::PaletteChange) return;
    m_image = QImage();
    update();
}

bool StepHeat::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto const *help = static_cast<QHelpEvent *>(event);
    auto const cell = at(help->pos());
    if (!cell) {
        QToolTip::hideText();
        return true;
    }
    int row = static_cast<int>(static_cast<std::int64_t>(cell->first) * m_cells.rows / m_cells.positions), column = static_cast<int>(static_cast<std::int64_t>(cell->second) * m_cells.columns / m_cells.steps);
    while (row + 1 < m_cells.rows && m_cells.firstPosition(row + 1) <= cell->first) ++row;
    while (column + 1 < m_cells.columns && m_cells.firstStep(column + 1) <= cell->second) ++column;
    auto const most = m_cells.most[static_cast<std::size_t>(row) * static_cast<std::size_t>(m_cells.columns) + static_cast<std::size_t>(column)];
    bool const one = m_cells.rows == m_cells.positions && m_cells.columns == m_cells.steps;
    QString const what = one ? tr("%1 live on tile %2 at step %3") : tr("up to %1 live around tile %2, step %3");
    QToolTip::showText(help->globalPos(), what.arg(bytesExact(most)).arg(m_order[static_cast<std::size_t>(cell->first)]).arg(cell->second), this);
    return true;
}

} // namespace tilewright::views
