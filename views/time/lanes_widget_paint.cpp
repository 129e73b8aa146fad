// Painting of the lanes: boxes, gutter, marks, highlight, current event.
#include "views/time/lanes_widget.h"

#include "views/common/figure_parts.h"
#include "views/common/frame_pool.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QKeyEvent>
#include <QLocale>
#include <QMenu>
#include <QPainter>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr std::size_t kWorkForTwo = 40000; // columns of all lanes
constexpr int kIndent = 10;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

} // namespace

/// Brings the boxes of visible rows up to date.
void LanesWidget::findBoxes(std::vector<LanesLayout::Row const *> const &rows, ColumnGrid const &grid)
{
    std::vector<std::pair<LaneTimeline const *, Band *>> stale;
    for (auto const *row : rows) {
        Band &band = m_bands[row->lane];
        if (band.generation == m_generation && band.axis == grid.axis()) continue;
        band.axis = grid.axis();
        band.generation = m_generation;
        if (auto const &events = m_set.lanes[at(row->lane)].events) stale.emplace_back(events.get(), &band);
    }
    auto const find = [&](std::size_t i) { stale[i].first->boxes(grid, stale[i].second->boxes); };
    // Little work is sooner done than another thread woken.
    if (stale.size() * static_cast<std::size_t>(grid.width()) > kWorkForTwo) framePool().run(stale.size(), find);
    else
        for (std::size_t i = 0; i < stale.size(); ++i) find(i);
}

LanesWidget::Band const &LanesWidget::band(LanesLayout::Row const &row, ColumnGrid const &grid, int labels)
{
    Band &band = m_bands[row.lane];
    double const scale = devicePixelRatioF();
    if (band.imageGeneration == m_generation && band.imageAxis == grid.axis() && band.height == row.height && band.scale == scale
        && band.labels == labels)
        return band;
    auto const &lane = m_set.lanes[at(row.lane)];
    BandSettings const settings{row.height, scale, &m_colors, labels, &m_texts};
    if (lane.chart) paintChartBand(lane, grid, settings, band.image);
    else paintBand(m_set, row.lane, grid, band.boxes, settings, band.image);
    band.imageAxis = grid.axis();
    band.imageGeneration = m_generation;
    band.height = row.height;
    band.labels = labels;
    band.scale = scale;
    return band;
}

void LanesWidget::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Token::Panel]);
    QRect const plot = plotRect();
    if (plot.width() > 1) {
        ColumnGrid const grid(axis());
        m_texts.setFont(uiFont(TextSize::Caption));
        std::vector<LanesLayout::Row const *> visible;
        for (auto const &row : m_layout.rows()) {
            int const top = LanesLayout::top(row, scroll(), m_layout.pinnedHeight());
            if (top + row.height > (row.pinned ? 0 : m_layout.pinnedHeight()) && top < height()) visible.push_back(&row);
        }
        findBoxes(visible, grid);
        int const labels = std::max(1, kLabelsPerFrame / std::max<int>(1, static_cast<int>(visible.size())));
        // What scrolls goes first and under the pinned lanes.
        std::ranges::stable_partition(visible, [](auto const *row) { return !row->pinned; });
        for (auto const *row : visible) {
            int const top = LanesLayout::top(*row, scroll(), m_layout.pinnedHeight());
            painter.setClipRect(row->pinned ? rect() : rect().adjusted(0, m_layout.pinnedHeight(), 0, 0));
            painter.drawImage(QPoint(plot.left(), top), band(*row, grid, labels).image);
            drawHighlight(painter, *row, top, grid);
            drawMarks(painter, *row, top, grid);
            drawGutter(painter, *row, top);
        }
        painter.setClipping(false);
        if (m_layout.pinnedHeight() > 0) {
            painter.setPen(QPen(theme()[Token::SecondaryText], 1));
            painter.drawLine(0, m_layout.pinnedHeight() - 1, width(), m_layout.pinnedHeight() - 1);
        }
        drawStarts(painter, visible, grid);
        drawCurrent(painter);
    }
    painter.setPen(theme()[Token::Border]);
    painter.drawLine(gutter() - 1, 0, gutter() - 1, height());
    drawOverlay(painter);
}

void LanesWidget::drawGutter(QPainter &painter, LanesLayout::Row const &row, int top) const
{
    auto const &lane = m_set.lanes[at(row.lane)];
    QRect const cell(0, top, gutter() - 1, row.height);
    painter.fillRect(cell, theme()[row.lane == m_lane && hasFocus() ? Token::Raised : Token::Window]);
    painter.setPen(theme()[Token::Grid]);
    painter.drawLine(0, top + row.height - 1, width(), top + row.height - 1);
    auto const &metrics = m_texts.metrics();
    if (row.height < metrics.ascent()) return;
    int x = kGrid + (row.pinned ? 0 : m_set.depth(row.lane) * kIndent);
    if (m_set.hasChildren(row.lane)) {
        QPointF const middle(x + 4, top + std::min(row.height, kRowHeight) / 2.0);
        QPolygonF triangle =
            m_layout.isCollapsed(row.lane) ? QPolygonF{{{-2, -4}, {3, 0}, {-2, 4}}} : QPolygonF{{{-4, -2}, {4, -2}, {0, 3}}};
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme()[Token::SecondaryText]);
        painter.drawPolygon(triangle.translated(middle));
    }
    x += kIconSize - 4;
    QString const name = row.pinned ? m_set.path(row.lane) : lane.name;
    double const line = metrics.height();
    bool const charted = lane.chart && row.height >= kRowHeight + 2 * line + 2;
    double room = cell.right() - x - kGrid;
    if (charted && !lane.chart->peakName.isEmpty()) { // where the scale ends, beside the line there
        auto const end = m_texts.whole(lane.chart->peakName);
        painter.setPen(theme()[Token::SecondaryText]);
        for (double const y : {top + 1.0, top + row.height - line - 2})
            m_texts.draw(painter, QRectF(cell.right() - 2 - end.width, y, end.width, line), end);
        room -= end.width;
    }
    painter.setPen(theme()[Token::Text]);
    m_texts.draw(painter, QRectF(x, top, room, std::min(row.height, kRowHeight)), m_texts.fitted(name, room));
    if (charted) {
        painter.setPen(theme()[Token::SecondaryText]);
        m_texts.draw(painter, QRectF(x, top + row.height - line - 2, room, line), m_texts.fitted(lane.chart->downName, room));
        m_texts.draw(painter, QRectF(x, top + kRowHeight, room, line), m_texts.fitted(lane.chart->upName, room));
    }
}

void LanesWidget::drawMarks(QPainter &painter, LanesLayout::Row const &row, int top, ColumnGrid const &grid) const
{
    auto const &marks = m_set.lanes[at(row.lane)].marks;
    if (!marks) return;
    QColor const color = theme()[Token::Text];
    int joined = -1, begin = 0;
    auto const flush = [&] {
        if (joined > begin) painter.fillRect(gutter() + begin, top, joined - begin, 2, color);
    };
    for (auto const &box : marks->boxes(grid)) {
        if (joined >= 0 && box.x0 <= joined) {
            joined = std::max(joined, box.x1);
            continue;
        }
        flush();
        begin = box.x0;
        joined = box.x1;
    }
    flush();
}

/// Charts have no boxes to fade: what belongs to the selection stands on a ground of its own.
void LanesWidget::drawHighlight(QPainter &painter, LanesLayout::Row const &row, int top, ColumnGrid const &grid) const
{
    auto const &lane = m_set.lanes[at(row.lane)];
    if (!lane.chart || !lane.events || m_highlight.empty()) return;
    QColor ground = theme()[Token::Accent];
    ground.setAlphaF(0.12F);
    for (auto const &box : lane.events->boxes(grid)) {
        if (box.type < 0 || box.type >= static_cast<int>(m_highlight.size()) || !m_highlight[at(box.type)]) continue;
        painter.fillRect(gutter() + box.x0, top, std::max(1, box.x1 - box.x0), row.height, ground);
        painter.fillRect(gutter() + box.x0, top + row.height - 3, std::max(1, box.x1 - box.x0), 3, theme()[Token::Accent]);
    }
}

/// Behind the boxes, which no line cuts; names have a strip of their own.
void LanesWidget::drawStarts(QPainter &painter, std::vector<LanesLayout::Row const *> const &visible, ColumnGrid const &grid) const
{
    if (!m_set.gridLines) return;
    auto const starts = shownStarts(*m_set.gridLines, grid);
    for (auto const *row : visible) {
        int const top = LanesLayout::top(*row, scroll(), m_layout.pinnedHeight());
        auto const band = m_bands.find(row->lane);
        bool const boxed = !m_set.lanes[at(row->lane)].chart && band != m_bands.end();
        painter.setClipRect(row->pinned ? rect() : rect().adjusted(0, m_layout.pinnedHeight(), 0, 0));
        paintStarts(painter, boxed ? startsBehind(starts, m_set, band->second.boxes) : starts,
                    QRect(gutter(), top, width() - gutter(), row->height));
    }
    painter.setClipping(false);
    int const names = namesHeight();
    if (names == 0) return;
    QRect const strip(gutter(), height() - names, width() - gutter(), names);
    painter.fillRect(QRect(0, strip.top(), width(), names), theme()[Token::Window]);
    paintStarts(painter, starts, strip);
    paintStartNames(painter, *m_set.gridLines, starts, m_set.gridLabel, strip, m_texts);
}

void LanesWidget::drawCurrent(QPainter &painter) const
{
    if (m_current.lane < 0) return;
    auto const *row = m_layout.rowOf(m_current.lane);
    auto const &events = m_set.lanes[at(m_current.lane)].events;
    if (!row || !events || m_current.event >= events->size()) return;
    TimeAxis const axis = this->axis();
    auto const pixel = [&](std::int64_t time) { return gutter() + std::clamp(axis.toPixel(time), -10.0, axis.width + 10.0); };
    auto const middle = [&](int lane) {
        auto const *r = m_layout.rowOf(lane);
        return r ? std::optional<double>(LanesLayout::top(*r, scroll(), m_layout.pinnedHeight()) + r->height / 2.0) : std::nullopt;
    };
    painter.save();
    painter.setClipRect(plotRect());
    painter.setRenderHint(QPainter::Antialiasing);
    QColor const accent = theme()[Token::Accent];
    if (m_set.flows)
        for (auto const &flow : m_set.flows(m_current.lane, m_current.event)) {
            auto const y0 = middle(flow.fromLane), y1 = middle(flow.toLane);
            if (!y0 || !y1) continue;
            QLineF const line(pixel(flow.from), *y0, pixel(flow.to), *y1);
            painter.setPen(QPen(accent, 1.5));
            painter.drawLine(line);
            if (line.length() < 6) continue;
            QLineF const unit = line.unitVector();
            QPointF const along(unit.dx() * 7, unit.dy() * 7), across(-unit.dy() * 3, unit.dx() * 3);
            painter.setBrush(accent);
            painter.drawPolygon(QPolygonF{{line.p2(), line.p2() - along + across, line.p2() - along - across}});
        }
    TimeSpan const span = events->span(m_current.event);
    int const top = LanesLayout::top(*row, scroll(), m_layout.pinnedHeight());
    QRectF const box(pixel(span.begin), top + 1, std::max(1.0, pixel(span.end) - pixel(span.begin)), row->height - 2);
    QColor halo = accent;
    halo.setAlpha(90);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 4));
    painter.drawRect(box);
    painter.setPen(QPen(accent, 1.5));
    painter.drawRect(box);
    painter.restore();
}

} // namespace tilewright::views
