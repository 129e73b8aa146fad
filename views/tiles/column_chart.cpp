#include "views/tiles/column_chart.h"

#include "views/common/format.h"
#include "views/common/key_help.h"

#include <QApplication>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kMarkHeight = kGrid; ///< of the bar under the plot
constexpr double kWheelZoom = 0.8;

} // namespace

std::vector<double> axisTicks(double low, double high, int most, bool binary)
{
    std::vector<double> ticks;
    if (!(high > low) || most < 1) return ticks;
    double const raw = (high - low) / most;
    double step = 1;
    if (binary) step = std::exp2(std::ceil(std::log2(std::max(raw, 1.0))));
    else {
        double const ten = std::pow(10.0, std::floor(std::log10(raw)));
        step = raw <= ten ? ten : raw <= 2 * ten ? 2 * ten : raw <= 5 * ten ? 5 * ten : 10 * ten;
    }
    for (double at = std::ceil(low / step) * step; at <= high + step * 1e-9; at += step)
        ticks.push_back(std::abs(at) < step * 1e-9 ? 0 : at);
    return ticks;
}

ColumnChart::ColumnChart(QWidget *parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    valueText = [](std::int64_t value) { return bytesText(value); };
    coordinateText = [](double at) { return countText(static_cast<std::int64_t>(std::llround(at))); };
    setKeyHelp(*this, {tr("W, S\tzoom in, out"), tr("A, D\tpan"), tr("F, 0\tshow all"), tr("Ctrl+wheel\tzoom at the pointer")});
}

void ColumnChart::setScene(std::shared_ptr<ColumnScene const> scene)
{
    bool const sameAxis =
        scene->axis.count == m_scene->axis.count && scene->axis.length() == m_scene->axis.length() && m_window.to > m_window.from;
    m_scene = std::move(scene);
    m_painter.setScene(*m_scene);
    if (!sameAxis) {
        m_window.from = 0;
        m_window.to = m_scene->axis.length();
        m_hover = -1;
    }
    layOut();
}

void ColumnChart::setMarks(ColumnMarks marks)
{
    m_marks = std::move(marks);
    int const at = m_marks.locked;
    if (tip && at >= 0 && at < m_scene->axis.count) setAccessibleDescription(tip(at));
    update();
}

void ColumnChart::setLimitShown(bool on)
{
    m_limitShown = on;
    layOut();
}

void ColumnChart::setWindow(double from, double to)
{
    m_window.from = from;
    m_window.to = to;
    m_window = panned(m_window, m_scene->axis, 0);
    touch();
}

void ColumnChart::touch()
{
    m_stale = true;
    update();
    emit viewChanged();
}

void ColumnChart::fit() { setWindow(0, m_scene->axis.length()); }

double ColumnChart::topValue() const
{
    double top = static_cast<double>(m_painter.high()) * kHeadroom;
    if (m_limitShown && m_scene->limit > 0) top = std::max(top, static_cast<double>(m_scene->limit) * kHeadroom);
    return top > 0 ? top : m_scene->signedValues && m_painter.low() < 0 ? 0 : 1;
}

QSize ColumnChart::sizeHint() const { return {120 * kGrid, 55 * kGrid}; }
QSize ColumnChart::minimumSizeHint() const { return {50 * kGrid, 28 * kGrid}; }

void ColumnChart::layOut()
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    int left = 0;
    for (double const tick : axisTicks(static_cast<double>(m_painter.low()), topValue(), 5, binaryValues))
        left = std::max(left, metrics.horizontalAdvance(valueText(static_cast<std::int64_t>(tick))));
    left += kGap;
    // Legend: items from the left, wrapped; in low windows the first rows only.
    m_legendRest = {};
    m_legend.assign(m_scene->bands.size(), {});
    int x = left, y = 0, row = metrics.height() + kGrid / 2;
    bool const hasLegend = m_scene->bands.size() > 1;
    int const aboveWidth = limitWidth() > 0 ? limitWidth() + kGap : 0; // at the end of the first row
    for (std::size_t b = 0; hasLegend && b < m_scene->bands.size(); ++b) {
        int const width =
            std::min(metrics.height() + kGrid + metrics.horizontalAdvance(m_scene->bands[b].name), this->width() - left - kGap);
        int const end = this->width() - kGap - (y == 0 ? aboveWidth : 0);
        if (x + width > end && (x > left || (y == 0 && aboveWidth > 0))) {
            x = left;
            y += row;
        }
        if (y > height() / 6) {
            y -= row;
            m_legendRest = QRect(0, y, left - kGrid, row);
            break;
        }
        m_legend[b] = QRect(x, y, width, row);
        x += width + kGap + kGrid;
    }
    int const top = (hasLegend || aboveWidth > 0 ? y + row + kGrid : kGrid) + static_cast<int>(m_scene->lanes.size()) * kLaneHeight;
    int const bottom = height() - metrics.height() - kGrid - kMarkHeight - (m_axisTitle.isEmpty() ? 0 : metrics.height());
    m_plot = QRect(QPoint(left, top), QPoint(width() - kGap - 1, bottom));
    m_window.pixels = std::max(0, m_plot.width());
    touch();
}

void ColumnChart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    layOut();
}

int ColumnChart::positionAt(QPoint at) const
{
    if (m_scene->axis.count == 0 || at.x() < m_plot.left() || at.x() > m_plot.right()
        || at.y() < m_plot.top() - static_cast<int>(m_scene->lanes.size()) * kLaneHeight || at.y() > height())
        return -1;
    return m_scene->axis.positionAt(m_window.coordinateOf(at.x() - m_plot.left() + 0.5));
}

int ColumnChart::pixelOf(int position) const
{
    return m_plot.left() + static_cast<int>(std::floor(m_window.pixelOf(m_scene->axis.middle(position))));
}

int ColumnChart::legendItemAt(QPoint at) const
{
    for (std::size_t b = 0; b < m_legend.size(); ++b)
        if (m_legend[b].contains(at)) return static_cast<int>(b);
    return -1;
}

void ColumnChart::mouseMoveEvent(QMouseEvent *event)
{
    QPoint const at = event->position().toPoint();
    if (m_panFrom) {
        m_window = panned(m_window, m_scene->axis, m_window.coordinateOf(m_panFrom->x()) - m_window.coordinateOf(at.x()));
        m_panFrom = at;
        return touch();
    }
    if (m_pressed && (event->buttons() & Qt::LeftButton)) {
        m_dragging = m_dragging || std::abs(at.x() - m_pressed->x()) >= QApplication::startDragDistance();
        m_dragTo = QPoint(std::clamp(at.x(), m_plot.left(), m_plot.right()), at.y());
    }
    setCursor(legendItemAt(at) >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    int const position = positionAt(at);
    if (position != m_hover) {
        m_hover = position;
        emit hovered(position);
    }
    update();
}

void ColumnChart::mousePressEvent(QMouseEvent *event)
{
    QPoint const at = event->position().toPoint();
    if (event->button() == Qt::MiddleButton) m_panFrom = at;
    if (event->button() != Qt::LeftButton) return;
    if (int const band = legendItemAt(at); band >= 0) return emit bandClicked(band);
    if (positionAt(at) < 0) return;
    m_pressed = at;
    m_dragging = false;
}

void ColumnChart::mouseReleaseEvent(QMouseEvent *event)
{
    if (event->button() == Qt::MiddleButton) m_panFrom.reset();
    if (event->button() != Qt::LeftButton || !m_pressed) return;
    QPoint const from = *m_pressed;
    m_pressed.reset();
    if (m_dragging) {
        m_dragging = false;
        int const a = positionAt(QPoint(from.x(), m_plot.center().y())), b = positionAt(QPoint(m_dragTo.x(), m_plot.center().y()));
        update();
        if (a >= 0 && b >= 0) emit brushed(std::min(a, b), std::max(a, b), event->modifiers());
        return;
    }
    if (int const position = positionAt(from); position >= 0) emit picked(position, event->modifiers());
}

void ColumnChart::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (int const position = positionAt(event->position().toPoint()); position >= 0 && event->button() == Qt::LeftButton)
        emit activated(position);
}

void ColumnChart::wheelEvent(QWheelEvent *event)
{
    QPoint const at = event->position().toPoint();
    if (m_scene->axis.count == 0) return event->ignore();
    if (event->modifiers() & Qt::ShiftModifier || event->angleDelta().y() == 0) {
        int const delta = event->angleDelta().x() != 0 ? event->angleDelta().x() : event->angleDelta().y();
        m_window = panned(m_window, m_scene->axis, -(m_window.to - m_window.from) * delta / 1200.0);
    } else
        m_window =
            zoomed(m_window, m_scene->axis, m_window.coordinateOf(std::clamp(at.x() - m_plot.left(), 0, std::max(0, m_window.pixels))),
                   std::pow(kWheelZoom, event->angleDelta().y() / 120.0));
    touch();
    event->accept();
}

void ColumnChart::keyPressEvent(QKeyEvent *event)
{
    double const middle = m_marks.locked >= 0 && m_marks.locked < m_scene->axis.count ? m_scene->axis.middle(m_marks.locked)
                                                                                      : (m_window.from + m_window.to) / 2;
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_W: m_window = zoomed(m_window, m_scene->axis, middle, kWheelZoom); break;
    case Qt::Key_Minus:
    case Qt::Key_S: m_window = zoomed(m_window, m_scene->axis, middle, 1 / kWheelZoom); break;
    case Qt::Key_A:
    case Qt::Key_D:
        m_window = panned(m_window, m_scene->axis, (m_window.to - m_window.from) * (event->key() == Qt::Key_A ? -0.1 : 0.1));
        break;
    case Qt::Key_F:
    case Qt::Key_0:
        m_window.from = 0;
        m_window.to = m_scene->axis.length();
        break;
    default: return QWidget::keyPressEvent(event);
    }
    touch();
}

void ColumnChart::leaveEvent(QEvent *event)
{
    QWidget::leaveEvent(event);
    m_hover = -1;
    emit hovered(-1);
    update();
}

void ColumnChart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange) layOut();
}

bool ColumnChart::event(QEvent *event)
{
    if (event->type() == QEvent::ToolTip) {
        auto const *help = static_cast<QHelpEvent *>(event);
        if (int const position = positionAt(help->pos()); position >= 0 && tip) QToolTip::showText(help->globalPos(), tip(position), this);
        else if (int const band = legendItemAt(help->pos()); band >= 0)
            QToolTip::showText(
                help->globalPos(),
                bandTip ? bandTip(band) : tr("%1: click to show or hide").arg(m_scene->bands[static_cast<std::size_t>(band)].name), this);
        else QToolTip::hideText();
        return true;
    }
    return QWidget::event(event);
}

} // namespace tilewright::views
