#include "views/tiles/column_overview.h"

#include "views/common/format.h"
#include "views/tiles/column_chart.h"

#include <QAccessible>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kReach = 5;           ///< pixels to either side that count as the handle
constexpr double kKeyStep = 1 / 8.; ///< of what is shown
constexpr double kKeyZoom = 1.5;
constexpr int kVeil = 150;
constexpr double kHandleWidth = 4, kHandleHeight = 14;

} // namespace

ColumnOverview::ColumnOverview(ColumnChart &chart, QWidget *parent) : QWidget(parent), m_chart(chart)
{
    setFocusPolicy(Qt::TabFocus);
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Overview of the whole axis"));
    setToolTip(tr("All there is; the frame is the part on show. Drag it or its handles; double click shows everything. "
                  "By keyboard: Space chooses frame, left or right handle, arrows move it, + and - zoom, Home shows all."));
    connect(&chart, &ColumnChart::viewChanged, this, [this] {
        describe();
        update();
    });
    describe();
}

QRect ColumnOverview::plot() const
{
    QRect const above = m_chart.plotRect();
    return QRect(above.left(), 2, std::max(0, above.width()), std::max(0, height() - 4)).intersected(rect());
}

AxisWindow ColumnOverview::whole() const { return {0, m_chart.scene().axis.length(), plot().width()}; }

QRectF ColumnOverview::frame() const
{
    auto const all = whole();
    auto const window = m_chart.window();
    QRect const strip = plot();
    double const left = strip.left() + all.pixelOf(window.from), right = strip.left() + all.pixelOf(window.to);
    return {left, static_cast<double>(strip.top()), std::max(2.0, right - left), static_cast<double>(strip.height())};
}

void ColumnOverview::describe()
{
    auto const window = m_chart.window();
    double const all = m_chart.scene().axis.length();
    QString const part = m_byKey == Grip::Left ? tr("the left handle") : m_byKey == Grip::Right ? tr("the right handle") : tr("the frame");
    setAccessibleDescription(tr("%1 of it shown; arrows move %2").arg(shareText(all > 0 ? (window.to - window.from) / all : 1), part));
}

void ColumnOverview::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange) m_drawn = nullptr;
}

void ColumnOverview::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    painter.fillRect(rect(), theme()[Token::Panel]);
    QRect const strip = plot();
    auto const &scene = m_chart.scene();
    if (strip.width() < 2 || strip.height() < 2 || scene.axis.count == 0) return;
    QSize const pixels = strip.size() * devicePixelRatioF();
    if (m_drawn != &scene || m_image.size() != pixels) {
        m_image = QImage(pixels, QImage::Format_ARGB32_Premultiplied);
        m_image.setDevicePixelRatio(devicePixelRatioF());
        m_image.fill(theme()[Token::Panel]);
        QPainter on(&m_image);
        ColumnPainter columns;
        columns.setScene(scene);
        columns.paint(on, QRect(QPoint(), strip.size()), scene, whole(), static_cast<double>(columns.low()), std::max(1.0, static_cast<double>(columns.high()) * kHeadroom), theme());
        m_drawn = &scene;
    }
    painter.drawImage(strip.topLeft(), m_image);
    QRectF const shown = frame();
    QColor veil = theme()[Token::Panel];
    veil.setAlpha(kVeil);
    painter.fillRect(QRectF(strip.left(), strip.top(), shown.left() - strip.left(), strip.height()), veil);
    painter.fillRect(QRectF(shown.right(), strip.top(), strip.right() + 1 - shown.right(), strip.height()), veil);
    bool const focused = hasFocus();
    painter.setPen(QPen(theme()[focused ? Token::Accent : Token::SecondaryText], focused && m_byKey == Grip::Frame ? 2 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(shown.adjusted(0, 0, -1, -1));
    painter.setPen(Qt::NoPen);
    painter.setRenderHint(QPainter::Antialiasing);
    for (auto const side : {Grip::Left, Grip::Right}) {
        bool const chosen = focused && m_byKey == side;
        double const x = std::clamp(side == Grip::Left ? shown.left() : shown.right(), kHandleWidth / 2, width() - kHandleWidth / 2), wide = chosen ? 2 * kHandleWidth : kHandleWidth;
        painter.setBrush(theme()[chosen || m_grip == side ? Token::Accent : Token::SecondaryText]);
        painter.drawRoundedRect(QRectF(x - wide / 2, shown.center().y() - kHandleHeight / 2, wide, kHandleHeight), 2, 2);
    }
}

ColumnOverview::Grip ColumnOverview::gripAt(QPoint at) const
{
    QRectF const shown = frame();
    bool const left = std::abs(at.x() - shown.left()) <= kReach, right = std::abs(at.x() - shown.right()) <= kReach;
    if (left && (!right || at.x() < shown.center().x())) return Grip::Left;
    if (right) return Grip::Right;
    return at.x() > shown.left() && at.x() < shown.right() ? Grip::Frame : Grip::None;
}

void ColumnOverview::move(Grip grip, double by)
{
    auto const window = m_chart.window();
    double const all = m_chart.scene().axis.length(), least = m_chart.scene().axis.count > 0 ? all / m_chart.scene().axis.count : 0;
    switch (grip) {
    case Grip::Frame: {
        double const from = std::clamp(window.from + by, 0.0, std::max(0.0, all - (window.to - window.from)));
        return m_chart.setWindow(from, from + window.to - window.from);
    }
    case Grip::Left: return m_chart.setWindow(std::clamp(window.from + by, 0.0, std::max(0.0, window.to - least)), window.to);
    case Grip::Right: return m_chart.setWindow(window.from, std::clamp(window.to + by, std::min(all, window.from + least), all));
    case Grip::None: return;
    }
}

void ColumnOverview::mousePressEvent(QMouseEvent *event)
{
    if (event->button() != Qt::LeftButton || m_chart.scene().axis.count == 0) return;
    m_last = whole().coordinateOf(event->pos().x() - plot().left());
    m_grip = gripAt(event->pos());
    if (m_grip == Grip::None) {
        auto const window = m_chart.window();
        move(Grip::Frame, m_last - (window.from + window.to) / 2);
        m_grip = Grip::Frame;
    }
    update();
}

void ColumnOverview::mouseMoveEvent(QMouseEvent *event)
{
    if (m_grip == Grip::None) {
        auto const over = gripAt(event->pos());
        return setCursor(over == Grip::Left || over == Grip::Right ? Qt::SizeHorCursor : over == Grip::Frame ? Qt::OpenHandCursor : Qt::ArrowCursor);
    }
    double const now = whole().coordinateOf(event->pos().x() - plot().left());
    move(m_grip, now - m_last);
    m_last = now;
}

void ColumnOverview::mouseReleaseEvent(QMouseEvent *)
{
    m_grip = Grip::None;
    update();
}

void ColumnOverview::mouseDoubleClickEvent(QMouseEvent *) { m_chart.fit(); }

void ColumnOverview::keyPressEvent(QKeyEvent *event)
{
    auto const window = m_chart.window();
    double const shown = window.to - window.from;
    auto const zoom = [&](double factor) {
        auto const next = zoomed(window, m_chart.scene().axis, (window.from + window.to) / 2, factor);
        m_chart.setWindow(next.from, next.to);
    };
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_Left: return move(m_byKey, -shown * kKeyStep);
    case Qt::Key_Right: return move(m_byKey, shown * kKeyStep);
    case Qt::Key_Plus: case Qt::Key_Equal: return zoom(1 / kKeyZoom);
    case Qt::Key_Minus: return zoom(kKeyZoom);
    case Qt::Key_Home: return m_chart.fit();
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
