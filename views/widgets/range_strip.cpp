#include "views/widgets/range_strip.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kReach = 5;           ///< pixels on either side of the handle that react like it
constexpr double kKeyStep = 1 / 8.; ///< of what is shown
constexpr double kKeyZoom = 1.5;
constexpr int kVeil = 150;
constexpr double kHandleWidth = 4, kHandleHeight = 14;

} // namespace

RangeStrip::RangeStrip(QWidget *parent) : QWidget(parent)
{
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setToolTip(tr("All there is; the frame is the part on show. Drag it or its handles; double click shows everything. "
                  "By keyboard: Space chooses frame, left or right handle, arrows move it, + and - zoom, Home shows all."));
}

QRectF RangeStrip::frame() const
{
    QRect const strip = plot();
    auto const part = shown();
    double const scale = whole() > 0 ? strip.width() / whole() : 0;
    double const left = strip.left() + part.from * scale, right = strip.left() + part.to * scale;
    return {left, static_cast<double>(strip.top()), std::max(2.0, right - left), static_cast<double>(strip.height())};
}

void RangeStrip::describe()
{
    QString const part = m_byKey == Grip::Left ? tr("the left handle") : m_byKey == Grip::Right ? tr("the right handle") : tr("the frame");
    setAccessibleDescription(tr("%1 shown; arrows move %2").arg(shareWords(), part));
}

void RangeStrip::paintVeil(QPainter &painter, Token ground) const
{
    QRect const strip = plot();
    QRectF const part = frame();
    QColor veil = theme()[ground];
    veil.setAlpha(kVeil);
    painter.fillRect(QRectF(strip.left(), strip.top(), part.left() - strip.left(), strip.height()), veil);
    painter.fillRect(QRectF(part.right(), strip.top(), strip.right() + 1 - part.right(), strip.height()), veil);
}

void RangeStrip::paintFrame(QPainter &painter) const
{
    QRectF const part = frame();
    bool const focused = hasFocus();
    painter.setPen(QPen(theme()[focused ? Token::Accent : Token::SecondaryText], focused && m_byKey == Grip::Frame ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(part.adjusted(0, 0, -1, -1));
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing);
    for (auto const side : {Grip::Left, Grip::Right}) {
        bool const chosen = focused && m_byKey == side;
        double const x = std::clamp(side == Grip::Left ? part.left() : part.right(), kHandleWidth / 2, width() - kHandleWidth / 2),
                     wide = chosen ? 2 * kHandleWidth : kHandleWidth;
        painter.setBrush(theme()[chosen || m_grip == side ? Token::Accent : Token::SecondaryText]);
        painter.drawRoundedRect(QRectF(x - wide / 2, part.center().y() - kHandleHeight / 2, wide, kHandleHeight), 2, 2);
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

RangeStrip::Grip RangeStrip::gripAt(QPoint at) const
{
    QRectF const part = frame();
    bool const left = std::abs(at.x() - part.left()) <= kReach, right = std::abs(at.x() - part.right()) <= kReach;
    if (left && (!right || at.x() < part.center().x())) return Grip::Left;
    if (right) return Grip::Right;
    return at.x() > part.left() && at.x() < part.right() ? Grip::Frame : Grip::None;
}

double RangeStrip::positionAt(int x) const { return static_cast<double>(x - plot().left()) / std::max(1, plot().width()) * whole(); }

void RangeStrip::move(Grip grip, Part part, double by)
{
    double const all = whole(), shortest = std::min(least(), part.length());
    switch (grip) {
    case Grip::Frame: {
        double const from = std::clamp(part.from + by, 0.0, std::max(0.0, all - part.length()));
        return showPart({from, from + part.length()}, true);
    }
    case Grip::Left: return showPart({std::clamp(part.from + by, 0.0, std::max(0.0, part.to - shortest)), part.to}, true);
    case Grip::Right: return showPart({part.from, std::clamp(part.to + by, std::min(all, part.from + shortest), all)}, true);
    case Grip::None: return;
    }
}

void RangeStrip::zoom(double factor)
{
    auto const part = shown();
    double const all = whole(), length = std::clamp(part.length() * factor, std::min(least(), part.length()), std::max(all, part.length()));
    double const from = std::clamp(part.from + (part.length() - length) / 2, 0.0, std::max(0.0, all - length));
    showPart({from, from + length}, true);
}

void RangeStrip::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || whole() <= 0 || event->pos().x() < plot().left() - kReach) return;
    m_heldAt = positionAt(event->pos().x());
    m_grip = gripAt(event->pos());
    if (m_grip == Grip::None) {
        // A jump: "back" returns to the previous range.
        auto const part = shown();
        double const from = std::clamp(m_heldAt - part.length() / 2, 0.0, std::max(0.0, whole() - part.length()));
        showPart({from, from + part.length()}, false);
        m_grip = Grip::Frame;
    }
    m_held = shown();
    update();
}

void RangeStrip::mouseMoveEvent(QMouseEvent *event)
{
    if (m_grip == Grip::None) {
        auto const over = gripAt(event->pos());
        return setCursor(over == Grip::Left || over == Grip::Right ? Qt::SizeHorCursor
                             : over == Grip::Frame                 ? Qt::OpenHandCursor
                                                                   : Qt::ArrowCursor);
    }
    // Relative to where it was grabbed, so that after leaving and re-entering the range the handle is under the mouse.
    move(m_grip, m_held, positionAt(event->pos().x()) - m_heldAt);
}

void RangeStrip::mouseReleaseEvent(QMouseEvent *)
{
    m_grip = Grip::None;
    update();
}

void RangeStrip::mouseDoubleClickEvent(QMouseEvent *) { showAll(); }

void RangeStrip::keyPressEvent(QKeyEvent *event)
{
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return move(m_byKey, shown(), -shown().length() * kKeyStep);
    case Qt::Key_Right: return move(m_byKey, shown(), shown().length() * kKeyStep);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(1 / kKeyZoom);
    case Qt::Key_Minus: return zoom(kKeyZoom);
    case Qt::Key_Home: return showAll();
    case Qt::Key_Space: {
        m_byKey = m_byKey == Grip::Frame ? Grip::Left : m_byKey == Grip::Left ? Grip::Right : Grip::Frame;
        describe();
        QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
        QAccessible::updateAccessibility(&changed);
        return update();
    }
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace tilewright::views
