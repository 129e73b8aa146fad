#include "views/time/time_canvas.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/common/key_help.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kTipDelayMs = 300;
constexpr int kSnapPixels = 6;
constexpr double kZoomStep = 1.25;

} // namespace

TimeCanvas::TimeCanvas(TimeWindow &window, QWidget *parent) : QWidget(parent), m_window(window), m_tipTimer(new QTimer(this))
{
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    m_tipTimer->setSingleShot(true);
    m_tipTimer->setInterval(kTipDelayMs);
    connect(m_tipTimer, &QTimer::timeout, this, &TimeCanvas::showTip);
    for (auto const signal : {&TimeWindow::changed, &TimeWindow::selectionChanged, &TimeWindow::playheadChanged})
        connect(&window, signal, this, qOverload<>(&QWidget::update));
}

void TimeCanvas::setGutter(int pixels)
{
    if (pixels == m_gutter) return;
    m_gutter = pixels;
    update();
    emit gutterChanged();
}

void TimeCanvas::setScroll(int pixels)
{
    pixels = std::clamp(pixels, 0, std::max(0, contentHeight() - height()));
    if (pixels == m_scroll) return;
    m_scroll = pixels;
    update();
    emit scrolled();
}

void TimeCanvas::resizeEvent(QResizeEvent *)
{
    setScroll(m_scroll);
    emit scrolled();
}

QStringList TimeCanvas::keyHelp() const
{
    return {tr("W, S\tzoom in, out (Shift: faster)"),
            tr("A, D\tpan (Shift: faster)"),
            tr("F\tfocus selection, again: all"),
            tr("M\trange from what is selected"),
            tr("Z, Shift+Z\tzoom back, forward"),
            tr("G\tgo to a moment"),
            tr("Esc\tclear"),
            tr("wheel\tscroll"),
            tr("Ctrl+wheel\tzoom at the pointer"),
            tr("Shift+wheel, middle drag\tpan"),
            tr("drag\tselect a range (Alt at its end: no snapping)"),
            tr("Alt+drag\tzoom to a range"),
            tr("double click\tfit what is there")};
}

std::int64_t TimeCanvas::snapped(QPoint const &where, Qt::KeyboardModifiers modifiers) const
{
    std::int64_t time = timeAt(where);
    if (!(modifiers & Qt::AltModifier))
        if (auto const border = snap(where, kSnapPixels)) time = *border;
    return std::clamp(time, m_window.extent().begin, m_window.extent().end);
}

bool TimeCanvas::event(QEvent *event)
{
    // Letters typed here mean this canvas, not a shortcut of the window.
    if (event->type() == QEvent::ShortcutOverride) {
        auto *key = static_cast<QKeyEvent *>(event);
        bool const plain = !(key->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
        if (plain && key->key() >= Qt::Key_Space && key->key() <= Qt::Key_AsciiTilde) {
            event->accept();
            return true;
        }
    }
    if (event->type() == QEvent::Show) setKeyHelp(*this, keyHelp());
    return QWidget::event(event);
}

void TimeCanvas::wheelEvent(QWheelEvent *event)
{
    QPoint const delta = event->angleDelta();
    auto const modifiers = event->modifiers();
    // With Alt and with Shift some platforms turn the wheel sideways.
    int const notches = delta.y() != 0 ? delta.y() : delta.x();
    QPoint const where = event->position().toPoint();
    if (modifiers.testFlag(Qt::ControlModifier) && modifiers.testFlag(Qt::ShiftModifier)) {
        verticalZoom(where, std::pow(kZoomStep, -notches / 120.0));
    } else if (modifiers.testFlag(Qt::ControlModifier)) {
        m_window.zoomAt(timeAt({std::max(where.x(), m_gutter), where.y()}), std::pow(kZoomStep, -notches / 120.0));
    } else if (modifiers.testFlag(Qt::ShiftModifier) || (delta.y() == 0 && delta.x() != 0)) {
        m_window.panBy(std::llround(-notches / 120.0 * 0.1 * static_cast<double>(m_window.visible().length())));
    } else {
        setScroll(m_scroll - notches / 2);
    }
    event->accept();
}

void TimeCanvas::mousePressEvent(QMouseEvent *event)
{
    m_press = m_last = event->pos();
    m_moved = false;
    m_tipTimer->stop();
    if (event->pos().x() < m_gutter) {
        if (event->button() == Qt::LeftButton && gutterPress(event->pos())) m_drag = Drag::Gutter;
        return;
    }
    if (event->button() == Qt::MiddleButton) m_drag = Drag::Pan;
    if (event->button() == Qt::LeftButton) {
        m_drag = event->modifiers().testFlag(Qt::AltModifier) ? Drag::ZoomBox : Drag::Select;
        m_pressTime = snapped(event->pos(), event->modifiers());
    }
}

void TimeCanvas::mouseMoveEvent(QMouseEvent *event)
{
    QPoint const where = event->pos();
    bool const far = (where - m_press).manhattanLength() >= QApplication::startDragDistance();
    if (m_drag != Drag::None && far) m_moved = true;
    switch (m_drag) {
    case Drag::Pan:
        m_window.panBy(std::llround((m_last.x() - where.x()) * axis().ticksPerPixel()));
        setScroll(m_scroll + m_last.y() - where.y());
        break;
    case Drag::Select:
    case Drag::ZoomBox:
        if (m_moved) {
            std::int64_t const time = snapped(where, event->modifiers());
            TimeSpan const span{std::min(time, m_pressTime), std::max(time, m_pressTime)};
            if (m_drag == Drag::Select) m_window.setSelection(span);
            else m_box = span;
        }
        break;
    case Drag::Gutter: gutterMove(where); break;
    case Drag::None: setCursor(where.x() < m_gutter ? gutterCursor(where) : Qt::ArrowCursor); break;
    }
    m_last = where;
    m_hover = where;
    QToolTip::hideText();
    if (m_drag == Drag::None) m_tipTimer->start();
    emit hovered(where, timeAt(where));
    update();
}

void TimeCanvas::mouseReleaseEvent(QMouseEvent *event)
{
    Drag const drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::ZoomBox && m_box) m_window.show(*m_box);
    m_box.reset();
    if ((drag == Drag::Select || drag == Drag::ZoomBox) && !m_moved) clicked(event->pos(), event->modifiers());
    update();
}

void TimeCanvas::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || event->pos().x() < m_gutter) return;
    if (auto const span = spanAt(event->pos())) {
        std::int64_t const margin = std::max<std::int64_t>(1, span->length() / 10);
        m_window.show({span->begin - margin, span->end + margin});
    }
}

void TimeCanvas::leaveEvent(QEvent *)
{
    m_hover = {-1, -1};
    m_tipTimer->stop();
    update();
}

void TimeCanvas::showTip()
{
    if (m_hover.x() < 0 || !isVisible()) return;
    QString const tip = tipAt(m_hover);
    if (!tip.isEmpty()) QToolTip::showText(mapToGlobal(m_hover), tip, this);
}

bool TimeCanvas::timeKey(QKeyEvent *event)
{
    bool const shift = event->modifiers().testFlag(Qt::ShiftModifier);
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier)) return false;
    double const zoom = shift ? 4 : 1.5, pan = shift ? 0.8 : 0.15;
    TimeSpan const visible = m_window.visible();
    std::int64_t const anchor = m_hover.x() >= m_gutter ? timeAt(m_hover) : visible.begin + visible.length() / 2;
    auto const panBy = [&](double share) { m_window.panBy(std::llround(share * static_cast<double>(visible.length()))); };
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal: m_window.zoomAt(anchor, 1 / zoom); return true;
    case Qt::Key_S:
    case Qt::Key_Minus: m_window.zoomAt(anchor, zoom); return true;
    case Qt::Key_A:
    case Qt::Key_Left: panBy(-pan); return true;
    case Qt::Key_D:
    case Qt::Key_Right: panBy(pan); return true;
    case Qt::Key_Home: m_window.show({m_window.extent().begin, m_window.extent().begin + visible.length()}); return true;
    case Qt::Key_End: m_window.show({m_window.extent().end - visible.length(), m_window.extent().end}); return true;
    case Qt::Key_PageUp: setScroll(m_scroll - height()); return true;
    case Qt::Key_PageDown: setScroll(m_scroll + height()); return true;
    case Qt::Key_Z: shift ? m_window.forward() : m_window.back(); return true;
    case Qt::Key_0: m_window.fit(); return true;
    case Qt::Key_F: {
        auto const focus = m_window.selection() ? m_window.selection() : focusSpan();
        if (!focus) {
            m_window.fit();
            return true;
        }
        std::int64_t const margin = std::max<std::int64_t>(1, focus->length() / 10);
        TimeSpan const wanted = clampWindow({focus->begin - margin, focus->end + margin}, m_window.extent());
        if (wanted == visible) m_window.fit();
        else m_window.show(wanted);
        return true;
    }
    case Qt::Key_M:
        if (auto const span = focusSpan()) m_window.setSelection(span);
        return true;
    case Qt::Key_G: emit goToRequested(); return true;
    case Qt::Key_Escape:
        m_box.reset();
        m_window.setSelection(std::nullopt);
        clearSelection();
        return true;
    default: return false;
    }
}

void TimeCanvas::keyPressEvent(QKeyEvent *event)
{
    if (handleKey(event) || timeKey(event)) event->accept();
    else QWidget::keyPressEvent(event);
}

void TimeCanvas::drawOverlay(QPainter &painter) const
{
    TimeAxis const axis = this->axis();
    QRect const plot = plotRect();
    QColor const accent = theme()[Token::Accent];
    painter.save();
    painter.setClipRect(plot);
    auto const band = [&](TimeSpan span, int alpha) {
        double const x0 = plot.left() + axis.toPixel(span.begin), x1 = plot.left() + axis.toPixel(span.end);
        QColor fill = accent;
        fill.setAlpha(alpha);
        painter.fillRect(QRectF(x0, plot.top(), std::max(1.0, x1 - x0), plot.height()), fill);
        painter.setPen(accent);
        painter.drawLine(QLineF(x0, plot.top(), x0, plot.bottom()));
        painter.drawLine(QLineF(x1, plot.top(), x1, plot.bottom()));
    };
    if (m_window.selection()) band(*m_window.selection(), 40);
    if (m_box) band(*m_box, 80);
    if (auto const playhead = m_window.playhead()) {
        double const x = plot.left() + axis.toPixel(*playhead);
        painter.setPen(QPen(theme()[Token::Text], 2));
        painter.drawLine(QLineF(x, plot.top(), x, plot.bottom()));
    }
    if (m_hover.x() >= m_gutter) {
        QColor line = theme()[Token::Text];
        line.setAlpha(90);
        painter.setPen(QPen(line, 1, Qt::DotLine));
        painter.drawLine(m_hover.x(), plot.top(), m_hover.x(), plot.bottom());
    }
    painter.restore();
}

} // namespace tilewright::views
