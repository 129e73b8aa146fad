// Painting of the chart: ground, axes, legend and strips once into a pixmap, marks over it.
#include "views/tiles/column_chart.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kMarkHeight = kGrid;    ///< of the bar under the plot
constexpr int kTickRoom = 16 * kGrid; ///< pixels between marks of the horizontal axis

} // namespace

void ColumnChart::renderCache()
{
    m_stale = false;
    auto const ratio = devicePixelRatioF();
    m_cache = QPixmap(size() * ratio);
    m_cache.setDevicePixelRatio(ratio);
    auto const &colors = theme();
    m_cache.fill(colors[Token::Panel]);
    QPainter painter(&m_cache);
    painter.setFont(uiFont(TextSize::Caption));
    if (m_plot.width() < 2 || m_plot.height() < 2) return;
    painter.fillRect(m_plot, colors[Token::Raised]);
    paintLanes(painter);
    paintAxes(painter);
    painter.save();
    painter.setClipRect(m_plot);
    m_painter.paint(painter, m_plot, *m_scene, m_window, static_cast<double>(m_painter.low()) * kHeadroom, topValue(), colors);
    painter.restore();
    // Dividers and limit are drawn over the columns.
    painter.setPen(QPen(colors[Token::Border], 1));
    for (int const position : m_scene->dividers) {
        double const x = m_window.pixelOf(m_scene->axis.edge(position));
        if (x > 0 && x < m_window.pixels)
            painter.drawLine(m_plot.left() + static_cast<int>(x), m_plot.top(), m_plot.left() + static_cast<int>(x), m_plot.bottom());
    }
    if (m_scene->limit > 0) {
        double const low = static_cast<double>(m_painter.low()) * kHeadroom, high = topValue();
        auto const y = static_cast<int>(m_plot.bottom() + 1 - (static_cast<double>(m_scene->limit) - low) / (high - low) * m_plot.height());
        // Red only if something exceeds it.
        painter.setPen(QPen(colors[m_painter.high() > m_scene->limit ? Token::Bad : Token::SecondaryText], 1, Qt::DashLine));
        QString const text = tr("limit %1").arg(valueText(m_scene->limit));
        QRect const label = limitLabel();
        if (y >= m_plot.top()) {
            painter.drawLine(m_plot.left(), y, m_plot.right(), y);
            painter.fillRect(label, colors[Token::Panel]);
            painter.drawText(label, Qt::AlignCenter, text);
        } else painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, tr("%1 is above ↑").arg(text));
    }
    paintLegend(painter);
    if (m_scene->axis.count == 0 && !m_emptyText.isEmpty()) {
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(m_plot.adjusted(kGap, 0, -kGap, 0), Qt::AlignCenter | Qt::TextWordWrap, m_emptyText);
    }
}

QString spanText(QString const &whole, int room, QFontMetrics const &metrics)
{
    QString const last = whole.section(QLatin1Char(' '), -1);
    bool const numbered = !last.isEmpty() && last.front().isDigit();
    for (QString const &text : {whole, numbered ? last : whole.left(1).toUpper()})
        if (metrics.horizontalAdvance(text) <= room) return text;
    return {};
}

void ColumnChart::paintAxes(QPainter &painter) const
{
    auto const &colors = theme();
    auto const metrics = painter.fontMetrics();
    double const low = static_cast<double>(m_painter.low()) * kHeadroom, high = topValue();
    for (double const tick : axisTicks(low, high, std::clamp(m_plot.height() / (3 * metrics.height()), 1, 8), binaryValues)) {
        int const y = static_cast<int>(std::lround(m_plot.bottom() + 1 - (tick - low) / (high - low) * m_plot.height()));
        painter.setPen(colors[Token::Grid]);
        painter.drawLine(m_plot.left(), y, m_plot.right(), y);
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(QRect(0, y - metrics.height() / 2, m_plot.left() - kGrid, metrics.height()), Qt::AlignRight | Qt::AlignVCenter,
                         valueText(static_cast<std::int64_t>(tick)));
    }
    painter.setPen(colors[Token::SecondaryText]);
    int const textTop = m_plot.bottom() + 1 + kMarkHeight + kGrid / 2;
    int free = m_plot.left() - kGap;
    for (double const tick : axisTicks(m_window.from, m_window.to, std::max(1, m_plot.width() / kTickRoom), false)) {
        if (m_scene->axis.edges.empty() && tick != std::floor(tick)) continue;
        if (m_scene->axis.edges.empty() && tick >= m_scene->axis.count) continue;
        double const middle = m_scene->axis.edges.empty() ? tick + 0.5 : tick; // a unit position has its label at its middle
        int const x = m_plot.left() + static_cast<int>(m_window.pixelOf(middle));
        QString const text = coordinateText(tick);
        int const width = metrics.horizontalAdvance(text);
        int const from = std::clamp(x - width / 2, 0, std::max(0, this->width() - width));
        if (x < m_plot.left() || x > m_plot.right() || from < free) continue;
        painter.drawLine(x, m_plot.bottom() + 1, x, m_plot.bottom() + kGrid / 2 + 1);
        painter.drawText(QRect(from, textTop, width + 1, metrics.height()), Qt::AlignLeft, text);
        free = from + width + kGap;
    }
    if (m_axisTitle.isEmpty()) return;
    QRect const line(m_plot.left(), textTop + metrics.height(), m_plot.width(), metrics.height());
    QString const title = metrics.elidedText(m_axisTitle, Qt::ElideRight, line.width()), merged = mergedText();
    // The meaning of areas and line is beside the title if both fit, otherwise in its place.
    int const titleWidth = metrics.horizontalAdvance(title), mergedWidth = metrics.horizontalAdvance(merged);
    if (merged.isEmpty()) return painter.drawText(line, Qt::AlignHCenter, title);
    if (titleWidth + mergedWidth + 2 * kGap <= line.width()) {
        painter.drawText(line, Qt::AlignLeft, merged);
        int const left = std::max(line.left() + mergedWidth + 2 * kGap, line.center().x() - titleWidth / 2);
        painter.drawText(QRect(left, line.top(), line.right() + 1 - left, line.height()), Qt::AlignLeft, title);
    } else painter.drawText(line, Qt::AlignLeft, metrics.elidedText(merged, Qt::ElideRight, line.width()));
}

QString ColumnChart::mergedText() const
{
    if (m_scene->signedValues || m_scene->bands.empty() || m_window.pixels < 1) return {};
    int const first = m_scene->axis.positionAt(m_window.from), last = m_scene->axis.positionAt(std::max(m_window.from, m_window.to - 1e-9));
    double const pixel = (m_window.to - m_window.from) / m_window.pixels;
    bool several = false;
    for (int i = std::max(0, first); i <= last && !several; ++i)
        several = m_scene->axis.edge(i + 1) - m_scene->axis.edge(i) < pixel * (1 - 1e-9);
    return several ? tr("areas: mean of the columns in a pixel · line: their maximum") : QString();
}

int ColumnChart::limitWidth() const
{
    if (m_scene->limit <= 0 || isLimitInPlot()) return 0;
    return QFontMetrics(uiFont(TextSize::Caption)).horizontalAdvance(tr("%1 is above ↑").arg(tr("limit %1").arg(valueText(m_scene->limit))))
        + kGrid;
}

bool ColumnChart::isLimitInPlot() const { return m_scene->limit > 0 && static_cast<double>(m_scene->limit) <= topValue(); }

QRect ColumnChart::limitLabel() const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    QString const text = tr("limit %1").arg(valueText(m_scene->limit));
    // Above the plot if there is room, because the drawing can reach the top of the plot.
    if (int const wide = limitWidth(); wide > 0) return {width() - kGap - wide, 0, wide, metrics.height()};
    int const wide = metrics.horizontalAdvance(text) + kGap;
    double const low = static_cast<double>(m_painter.low()) * kHeadroom, high = topValue();
    auto const y = static_cast<int>(m_plot.bottom() + 1 - (static_cast<double>(m_scene->limit) - low) / (high - low) * m_plot.height());
    int const above = y - metrics.height() - 1;
    int const top = above >= m_plot.top() ? above : y + 1;
    // At the end of the line with less under it.
    auto const highest = [&](int from, int to) {
        std::int64_t most = 0;
        for (int x = from; x <= to; ++x)
            if (int const p = m_scene->axis.positionAt(m_window.coordinateOf(x)); p >= 0 && p < static_cast<int>(m_painter.totals().size()))
                most = std::max(most, m_painter.totals()[static_cast<std::size_t>(p)]);
        return most;
    };
    bool const left = highest(0, wide) < highest(m_window.pixels - wide, m_window.pixels - 1);
    return {left ? m_plot.left() + 1 : m_plot.right() - wide, top, wide, metrics.height()};
}

void ColumnChart::paintLegend(QPainter &painter) const
{
    auto const &colors = theme();
    auto const metrics = painter.fontMetrics();
    if (!m_legendRest.isEmpty()) {
        auto const rest = std::count_if(m_legend.begin(), m_legend.end(), [](QRect const &box) { return box.isEmpty(); });
        painter.setPen(colors[Token::SecondaryText]);
        painter.drawText(m_legendRest, Qt::AlignRight | Qt::AlignVCenter, tr("%1 more").arg(rest));
    }
    for (std::size_t b = 0; b < m_legend.size(); ++b) {
        if (m_legend[b].isEmpty()) continue;
        auto const &band = m_scene->bands[b];
        int const side = metrics.height() - kGrid;
        QRect const box(m_legend[b].left(), m_legend[b].top() + (m_legend[b].height() - side) / 2, side, side);
        if (band.shown) painter.fillRect(box, bandColor(band, colors));
        painter.setPen(band.shown ? colors[Token::Border] : colors[Token::SecondaryText]);
        painter.drawRect(box.adjusted(0, 0, -1, -1));
        painter.setPen(band.shown ? colors[Token::Text] : colors[Token::SecondaryText]);
        QRect const line = m_legend[b].adjusted(side + kGrid, 0, 0, 0);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, metrics.elidedText(band.name, Qt::ElideMiddle, line.width()));
    }
}

void ColumnChart::paintLanes(QPainter &painter) const
{
    auto const &colors = theme();
    auto const metrics = painter.fontMetrics();
    int const lanes = static_cast<int>(m_scene->lanes.size());
    for (int lane = 0; lane < lanes; ++lane) {
        int const top = m_plot.top() - (lanes - lane) * kLaneHeight;
        for (auto const &span : m_scene->lanes[static_cast<std::size_t>(lane)]) {
            int const left =
                std::max(m_plot.left(), m_plot.left() + static_cast<int>(std::floor(m_window.pixelOf(m_scene->axis.edge(span.first)))));
            int const right = std::min(m_plot.right() + 1,
                                       m_plot.left() + static_cast<int>(std::ceil(m_window.pixelOf(m_scene->axis.edge(span.last + 1)))));
            if (right <= left) continue;
            QColor const color = colors[span.token];
            painter.fillRect(QRect(left, top, std::max(1, right - left - (right - left > 3 ? 1 : 0)), kLaneHeight - 1), color);
            if (lane == 0) {
                QColor tint = color;
                tint.setAlpha(22);
                painter.fillRect(QRect(left, m_plot.top(), right - left, m_plot.height()), tint);
            }
            QString const text = spanText(span.text, right - left - kGrid, metrics);
            if (text.isEmpty()) continue;
            painter.setPen(textOn(color));
            painter.drawText(QRect(left, top, right - left, kLaneHeight - 1), Qt::AlignCenter, text);
        }
    }
}

void ColumnChart::paintMarks(QPainter &painter) const
{
    auto const &colors = theme();
    auto const xOf = [&](int position) { return pixelOf(position); };
    auto const seen = [&](int position) {
        return position >= 0 && position < m_scene->axis.count && xOf(position) >= m_plot.left() && xOf(position) <= m_plot.right();
    };
    // Marked columns as a bar under the plot; one pass over the columns for any number of marks.
    if (!m_marks.marked.empty()) {
        int next = 0;
        for (int c = 0; c < m_window.pixels; ++c) {
            int const first = m_scene->axis.positionAt(m_window.coordinateOf(c)),
                      last = m_scene->axis.positionAt(m_window.coordinateOf(c + 1) - 1e-9);
            bool any = false;
            for (int p = std::max(first, next); p <= last && !any; ++p)
                any = p < static_cast<int>(m_marks.marked.size()) && m_marks.marked[static_cast<std::size_t>(p)];
            if (any) painter.fillRect(QRect(m_plot.left() + c, m_plot.bottom() + 1, 1, kMarkHeight), colors[Token::Accent]);
        }
    }
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors[Token::Text]);
    for (int const peak : m_marks.peaks) {
        if (!seen(peak)) continue;
        QPainterPath triangle;
        triangle.moveTo(xOf(peak), m_plot.top() + kGap);
        triangle.lineTo(xOf(peak) - kGrid, m_plot.top() + 1);
        triangle.lineTo(xOf(peak) + kGrid, m_plot.top() + 1);
        painter.drawPath(triangle);
    }
    auto const line = [&](int position, QPen const &pen) {
        if (!seen(position)) return;
        painter.setPen(pen);
        painter.drawLine(xOf(position), m_plot.top(), xOf(position), m_plot.bottom());
    };
    line(m_marks.playhead, QPen(colors[Token::Text], 2));
    line(m_marks.second, QPen(colors[Token::Accent], 2, Qt::DashLine));
    line(m_marks.locked, QPen(colors[m_marks.chosen ? Token::Accent : Token::Text], 2));
    if (m_hover != m_marks.locked) line(m_hover, QPen(colors[Token::SecondaryText], 1, Qt::DotLine));
}

void ColumnChart::paintEvent(QPaintEvent *)
{
    if (m_stale || m_cache.size() != size() * devicePixelRatioF()) renderCache();
    QPainter painter(this);
    painter.drawPixmap(0, 0, m_cache);
    paintMarks(painter);
    if (m_dragging && m_pressed) {
        QColor fill = theme()[Token::Accent];
        fill.setAlpha(48);
        painter.fillRect(QRect(QPoint(m_pressed->x(), m_plot.top()), QPoint(m_dragTo.x(), m_plot.bottom())).normalized(), fill);
    }
    if (hasFocus()) {
        painter.setPen(QPen(theme()[Token::Accent], 1, Qt::DotLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(m_plot.adjusted(-1, -1, 0, 0));
    }
}

} // namespace tilewright::views
