#include "views/plots/chart.h"

#include "views/common/format.h"
#include "views/common/theme.h"
#include "views/plots/plot_surface.h"
#include "views/common/key_help.h"

#include <QAccessible>
#include <QHelpEvent>
#include <QLabel>
#include <QLayout>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kMostTicks = 12;

Span spanOf(QCPAxis const &axis) { return {axis.range().lower, axis.range().upper}; }

QString tickText(ChartAxis const &axis, double value) { return axis.text ? axis.text(value) : numberText(value); }

/// The range moved so that `value` is its middle, when it lies outside.
Span showing(Span range, double value, AxisKind kind)
{
    if (value >= range.lower && value <= range.upper) return range;
    if (kind != AxisKind::Logarithmic) return {value - range.size() / 2, value + range.size() / 2};
    double const factor = std::sqrt(range.upper / range.lower);
    return {value / factor, value * factor};
}

} // namespace

Chart::Chart(QWidget *parent)
    : QWidget(parent), m_surface(new PlotSurface(this)), m_mark(new QCPItemRect(m_surface)), m_empty(new QLabel(this))
{
    setFocusPolicy(Qt::StrongFocus);
    m_surface->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_surface->setFocusPolicy(Qt::NoFocus);
    setKeyHelp(*this, {tr("arrows\tnext element"), tr("Enter\tselect it"), tr("+, -\tzoom"), tr("Home\tshow all"), tr("Esc\tclear")});
    m_mark->setLayer(QStringLiteral("overlay"));
    m_mark->setVisible(false);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setTextFormat(Qt::PlainText);
    m_empty->setProperty("role", "secondary");
    m_empty->setContentsMargins(kGap, kGap, kGap, kGap);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_empty->hide();
    m_surface->fill = [this] { fill(); };
    m_surface->touched = [this] { emit zoomChanged(); };
    m_surface->fitRequested = [this] { resetZoom(); };
    m_surface->click = [this](QPointF at, Qt::KeyboardModifiers modifiers) {
        int const index = elements() > 0 ? elementUnder(at) : -1;
        setCurrent(index);
        emit clicked(index, {m_surface->xAxis->pixelToCoord(at.x()), m_surface->yAxis->pixelToCoord(at.y())}, modifiers);
    };
    applyLook();
}

Chart::~Chart() = default;

void Chart::setAxes(ChartAxis x, ChartAxis y)
{
    bool const same =
        m_hasAxes && x.limits.home == m_x.limits.home && y.limits.home == m_y.limits.home && x.kind == m_x.kind && y.kind == m_y.kind;
    m_hasAxes = true;
    m_x = std::move(x);
    m_y = std::move(y);
    m_surface->setRules(*m_surface->xAxis, {m_x.kind, m_x.text, m_x.limits, m_x.zooms});
    m_surface->setRules(*m_surface->yAxis, {m_y.kind, m_y.text, m_y.limits, m_y.zooms});
    m_surface->yAxis->setRangeReversed(m_y.downwards);
    if (!same) resetZoom();
    changed();
}

Span Chart::xRange() const { return spanOf(*m_surface->xAxis); }
Span Chart::yRange() const { return spanOf(*m_surface->yAxis); }

void Chart::setRanges(Span x, Span y)
{
    m_surface->setRange(*m_surface->xAxis, x);
    m_surface->setRange(*m_surface->yAxis, y);
    m_surface->refresh(true);
    emit zoomChanged();
}

bool Chart::isZoomed() const { return xRange() != m_x.limits.home || yRange() != m_y.limits.home; }

void Chart::resetZoom() { setRanges(m_x.limits.home, m_y.limits.home); }

int Chart::replots() const { return m_surface->drawn(); }

void Chart::setCurrent(int index)
{
    m_current = index >= 0 && index < elements() ? index : -1;
    describe();
    showMark();
}

QPointF Chart::inSurface(QPointF const &pixel) const { return pixel - m_surface->pos(); }

int Chart::elementAt(QPointF const &pixel) const
{
    if (elements() == 0) return -1;
    settle();
    return elementUnder(inSurface(pixel));
}

QRectF Chart::elementRect(int index) const
{
    settle();
    return rectOf(index).translated(m_surface->pos());
}

QRectF Chart::surfaceRect() const { return m_surface->axisRect()->rect(); }

QRectF Chart::plotRect() const
{
    settle();
    return surfaceRect().translated(m_surface->pos());
}

QPointF Chart::toPixel(QPointF const &value) const
{
    settle();
    return QPointF(m_surface->xAxis->coordToPixel(value.x()), m_surface->yAxis->coordToPixel(value.y())) + m_surface->pos();
}

QPointF Chart::toValue(QPointF const &pixel) const
{
    settle();
    auto const at = inSurface(pixel);
    return {m_surface->xAxis->pixelToCoord(at.x()), m_surface->yAxis->pixelToCoord(at.y())};
}

/// Brings places up to date: a chart that is not shown gets no events of its size.
void Chart::settle() const
{
    if (isVisible()) m_surface->place();
    else arrange();
}

void Chart::arrange() const
{
    int top = 0;
    if (m_head && !m_head->isHidden()) {
        auto const *layout = m_head->layout();
        int const height = layout && layout->hasHeightForWidth() ? layout->heightForWidth(width()) : m_head->sizeHint().height();
        m_head->setGeometry(0, 0, width(), height);
        top = height + kGrid;
    }
    QRect const rest = rect().adjusted(0, std::min(top, height()), 0, 0);
    bool const none = elements() == 0 && !m_empty->text().isEmpty();
    m_empty->setGeometry(rest);
    m_empty->setVisible(none);
    m_surface->setGeometry(rest);
    m_surface->setVisible(!none);
    fitTitles();
}

void Chart::fitTitles() const
{
    QFontMetrics const metrics(uiFont(TextSize::Caption));
    auto *x = m_surface->xAxis, *y = m_surface->yAxis;
    auto const wide = [&metrics, this](double value) { return metrics.horizontalAdvance(tickText(m_x, value)); };
    auto const home = m_x.limits.home;
    bool const whole = m_x.kind == AxisKind::Whole;
    int const last = wide(whole ? std::floor(home.upper) : home.upper),
              widest = std::max({last, wide(whole ? std::ceil(home.lower) : home.lower), metrics.horizontalAdvance(QStringLiteral("000"))});
    m_surface->axisRect()->setAutoMargins(QCP::msAll);
    // The last label stands half beside its tick.
    m_surface->axisRect()->setMinimumMargins(QMargins(last / 2 + 2, metrics.height() / 2 + 2, std::max(kGap, last / 2 + 2), 0));
    x->setLabel(m_x.title);
    y->setLabel(m_y.title);
    m_surface->place();
    auto const plot = surfaceRect();
    m_surface->setTickCounts(std::clamp(static_cast<int>(plot.width() / (widest + 2 * kGap)), 1, kMostTicks),
                             std::clamp(static_cast<int>(plot.height() / (2 * metrics.height())), 1, kMostTicks));
    x->setLabel(metrics.elidedText(m_x.title, Qt::ElideRight, static_cast<int>(plot.width())));
    y->setLabel(metrics.elidedText(m_y.title, Qt::ElideRight, static_cast<int>(plot.height())));
    m_surface->place();
    arrangePlot();
}

void Chart::fill()
{
    fitTitles();
    fillPlot();
    markCurrent();
}

void Chart::changed()
{
    if (m_current >= elements()) setCurrent(-1);
    arrange();
    m_surface->refresh(true);
}

void Chart::setHead(QWidget *head)
{
    m_head = head;
    head->setParent(this);
}

void Chart::setEmptyText(QString const &text) { m_empty->setText(text); }

void Chart::setDescription(QString const &text)
{
    m_description = text;
    describe();
}

void Chart::describe()
{
    setAccessibleDescription(m_current >= 0 ? tipOf(m_current) : m_description);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void Chart::setDragSelects(bool on)
{
    m_surface->boxed = nullptr;
    if (!on) return;
    m_surface->boxed = [this](QRectF const &box) {
        // A line along one axis is a box, too.
        QRectF const part = QRectF(box.topLeft(), box.size().expandedTo({1, 1})).intersected(surfaceRect());
        if (part.isEmpty()) return;
        auto const value = [this](QPointF const &at) {
            return QPointF(m_surface->xAxis->pixelToCoord(at.x()), m_surface->yAxis->pixelToCoord(at.y()));
        };
        emit boxDrawn(QRectF(value(part.topLeft()), value(part.bottomRight())).normalized());
    };
}

void Chart::setShowsCurrentAlways(bool on)
{
    m_alwaysShown = on;
    showMark();
}

void Chart::markCurrent()
{
    m_mark->setVisible(m_current >= 0 && m_current < elements() && (m_alwaysShown || hasFocus()));
    if (!m_mark->visible()) return;
    QRectF const rect = rectOf(m_current).adjusted(1, 1, -1, -1);
    m_mark->topLeft->setPixelPosition(rect.topLeft());
    m_mark->bottomRight->setPixelPosition(rect.bottomRight());
}

void Chart::showMark()
{
    if (m_surface->drawn() == 0) return m_surface->refresh(true);
    markCurrent();
    m_surface->refreshOverlay();
}

void Chart::bringIntoView(int index)
{
    if (!isZoomed()) return;
    QPointF const middle = rectOf(index).center();
    auto const x = showing(xRange(), m_surface->xAxis->pixelToCoord(middle.x()), m_x.kind),
               y = showing(yRange(), m_surface->yAxis->pixelToCoord(middle.y()), m_y.kind);
    if (x != xRange() || y != yRange()) setRanges(x, y);
}

void Chart::goTo(int index)
{
    settle();
    setCurrent(index);
    if (index >= 0) {
        bringIntoView(index);
        QPointF const at = rectOf(index).topLeft() + m_surface->pos();
        QToolTip::showText(mapToGlobal(QPoint(std::clamp(qRound(at.x()), 0, width()), std::clamp(qRound(at.y()), 0, height()))),
                           tipOf(index), this);
    }
    emit currentChanged(m_current);
}

bool Chart::event(QEvent *event)
{
    if (event->type() != QEvent::ToolTip) return QWidget::event(event);
    auto const *help = static_cast<QHelpEvent *>(event);
    if (int const index = elementAt(help->pos()); index >= 0) QToolTip::showText(help->globalPos(), tipOf(index), this);
    else QToolTip::hideText();
    return true;
}

void Chart::paintEvent(QPaintEvent *)
{
    QPainter(this).fillRect(rect(), theme()[Token::Panel]); // behind the legend and the words of an empty chart
}

void Chart::resizeEvent(QResizeEvent *event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void Chart::showEvent(QShowEvent *event)
{
    QWidget::showEvent(event);
    arrange();
    m_surface->refresh(true);
}

void Chart::changeEvent(QEvent *event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange) applyLook();
}

void Chart::applyLook()
{
    m_surface->applyTheme();
    m_mark->setPen(QPen(theme()[Token::Accent], 2));
    m_mark->setBrush(Qt::NoBrush);
    themeChanged();
    m_surface->refresh(true);
    updateGeometry();
    update();
}

void Chart::focusInEvent(QFocusEvent *event)
{
    QWidget::focusInEvent(event);
    m_surface->setFramed(true);
    showMark();
}

void Chart::focusOutEvent(QFocusEvent *event)
{
    QWidget::focusOutEvent(event);
    m_surface->setFramed(false);
    showMark();
}

void Chart::mousePressEvent(QMouseEvent *event)
{
    settle();
    m_surface->press(inSurface(event->position()), event->button(), event->modifiers());
}

void Chart::mouseMoveEvent(QMouseEvent *event) { m_surface->drag(inSurface(event->position())); }

void Chart::mouseReleaseEvent(QMouseEvent *event) { m_surface->release(inSurface(event->position()), event->modifiers()); }

void Chart::mouseDoubleClickEvent(QMouseEvent *event)
{
    if (event->button() == Qt::LeftButton) resetZoom();
}

void Chart::wheelEvent(QWheelEvent *event)
{
    event->setAccepted(elements() > 0 && m_surface->wheel(inSurface(event->position()), event->angleDelta(), event->modifiers()));
}

void Chart::keyPressEvent(QKeyEvent *event)
{
    if (elements() == 0 || event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) return QWidget::keyPressEvent(event);
    settle();
    QRectF const plot = surfaceRect();
    QPointF around = m_current >= 0 ? rectOf(m_current).center() : plot.center();
    around = {std::clamp(around.x(), plot.left(), plot.right() - 1), std::clamp(around.y(), plot.top(), plot.bottom() - 1)};
    if (m_surface->zoomKey(*event, around, false)) return;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: {
        int const next = neighbour(m_current, event->key());
        if (next < 0 && m_current < 0) return QWidget::keyPressEvent(event);
        return goTo(next < 0 ? m_current : next);
    }
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: {
        if (m_current < 0) return QWidget::keyPressEvent(event);
        QPointF const middle = rectOf(m_current).center();
        emit clicked(m_current, {m_surface->xAxis->pixelToCoord(middle.x()), m_surface->yAxis->pixelToCoord(middle.y())},
                     event->modifiers());
        return;
    }
    case Qt::Key_Escape:
        if (m_current < 0) return QWidget::keyPressEvent(event);
        return goTo(-1);
    default: QWidget::keyPressEvent(event);
    }
}

} // namespace tilewright::views
