#include "views/plots/plot_surface.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QPaintEngine>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kReplotMs = 100, kSlowestReplotMs = 300;
/// Live drawing takes at most this fraction of a core's time per plot.
constexpr int kShare = 40;
constexpr double kKeyZoom = 0.8, kWheelZoom = 0.85;

/// Ticks by the kind of the axis, with labels from the plot's owner.
class SurfaceTicker : public QCPAxisTicker {
public:
    SurfaceTicker(AxisKind kind, std::function<QString(double)> text, int count) : m_kind(kind), m_text(std::move(text))
    {
        setTickCount(count);
    }

protected:
    /// Fewer ticks than requested rather than more, because there is no room for more labels.
    double getTickStep(QCPRange const &range) override
    {
        double step = QCPAxisTicker::getTickStep(range);
        for (int i = 0; i < 8 && step > 0 && range.size() / step > std::max(1, tickCount()) + 0.5; ++i) step = cleanMantissa(step * 2);
        return step;
    }
    QVector<double> createTickVector(double step, QCPRange const &range) override
    {
        auto const listed = [this, span = Span{range.lower, range.upper}](auto ticksOf) {
            auto const ticks = ticksOf(span, tickCount());
            return QVector<double>(ticks.begin(), ticks.end());
        };
        switch (m_kind) {
        case AxisKind::Linear: return QCPAxisTicker::createTickVector(step, range);
        case AxisKind::Whole: return listed(wholeTicks);
        case AxisKind::Binary: return listed(binaryTicks);
        case AxisKind::Logarithmic: return listed(logTicks);
        }
        return {};
    }
    QString getTickLabel(double tick, QLocale const &, QChar, int) override { return m_text ? m_text(tick) : numberText(tick); }

private:
    AxisKind m_kind;
    std::function<QString(double)> m_text;
};

bool drawsVectors(QPaintEngine const *engine)
{
    if (!engine) return false;
    auto const type = engine->type();
    return type == QPaintEngine::SVG || type == QPaintEngine::Pdf || type == QPaintEngine::Picture;
}

} // namespace

PlotSurface::PlotSurface(QWidget *parent) : QCustomPlot(parent)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(kReplotMs);
    QObject::connect(&m_limit, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible() && !visibleRegion().isEmpty()) redraw();
    });
    setNoAntialiasingOnDrag(false);
    setMouseTracking(true);
    setAttribute(Qt::WA_NoMousePropagation, false); // set by the library; it would prevent scrolling of the page around the plot
    axisRect()->setMinimumMargins(QMargins(0, kGrid, kGap, 0));
    m_box = new QCPItemRect(this);
    m_box->setLayer(QStringLiteral("overlay"));
    m_box->setVisible(false);
    setRules(*xAxis, {});
    setRules(*yAxis, {});
    fitTickCounts();
}

void PlotSurface::fitTickCounts()
{
    int const line = QFontMetrics(yAxis->tickLabelFont()).height();
    xAxis->ticker()->setTickCount(5);
    yAxis->ticker()->setTickCount(std::clamp((height() - 3 * line) / (2 * line), 1, 4)); // about what the plot has beside the axis below
}

void PlotSurface::setRules(QCPAxis &axis, AxisRules rules)
{
    int const count = axis.ticker()->tickCount();
    auto &mine = rulesOf(axis);
    mine = std::move(rules);
    axis.setScaleType(mine.kind == AxisKind::Logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    setTicks(axis, mine.kind, mine.text, count);
}

void PlotSurface::setTickCounts(int x, int y)
{
    m_ownCounts = false;
    xAxis->ticker()->setTickCount(x);
    yAxis->ticker()->setTickCount(y);
}

void PlotSurface::dress(QCPAxis &axis)
{
    auto const &look = theme();
    axis.setBasePen(QPen(look[Token::Border], 1));
    axis.setTickPen(QPen(look[Token::Border], 1));
    axis.setSubTickPen(Qt::NoPen);
    axis.setTickLabelColor(look[Token::SecondaryText]);
    axis.setLabelColor(look[Token::SecondaryText]);
    axis.setTickLabelFont(uiFont(TextSize::Caption));
    axis.setLabelFont(uiFont(TextSize::Caption));
    axis.setLabelPadding(2);
    axis.grid()->setPen(QPen(look[Token::Grid], 1));
    axis.grid()->setSubGridVisible(false);
    axis.grid()->setZeroLinePen(QPen(look[Token::Border], 1));
}

void PlotSurface::setTicks(QCPAxis &axis, AxisKind kind, std::function<QString(double)> text, int count)
{
    axis.setTicker(QSharedPointer<QCPAxisTicker>(new SurfaceTicker(kind, std::move(text), count)));
}

void PlotSurface::applyTheme()
{
    auto const &look = theme();
    setBackground(look[Token::Panel]);
    dress(*xAxis);
    dress(*yAxis);
    m_box->setPen(QPen(look[Token::Accent], 1));
    QColor ground = look[Token::Accent];
    ground.setAlphaF(0.15F);
    m_box->setBrush(ground);
}

void PlotSurface::refreshOverlay()
{
    if (isVisible()) layer(QStringLiteral("overlay"))->replot();
}

void PlotSurface::setRange(QCPAxis &axis, Span wanted)
{
    auto const &rules = rulesOf(axis);
    if (rules.limits) wanted = limitedSpan(wanted, *rules.limits, rules.kind);
    axis.setRange(wanted.lower, wanted.upper);
}

void PlotSurface::zoom(double factor, QPointF around, bool onlyX)
{
    QRect const plot = axisRect()->rect();
    bool const besideY = around.x()<plot.left(), belowX = around.y()> plot.bottom();
    for (auto *axis : {xAxis, yAxis}) {
        bool const isX = axis == xAxis;
        if (!rulesOf(*axis).zooms || (isX ? besideY && !onlyX : onlyX || belowX)) continue;
        axis->scaleRange(factor, axis->pixelToCoord(isX ? around.x() : around.y()));
        setRange(*axis, {axis->range().lower, axis->range().upper});
    }
    if (touched) touched();
    refresh(true);
}

void PlotSurface::panX(double pixels)
{
    pan(*xAxis, axisRect()->left() + pixels, axisRect()->left());
    if (touched) touched();
    refresh(true);
}

void PlotSurface::pan(QCPAxis &axis, double fromPixel, double toPixel)
{
    auto const &rules = rulesOf(axis);
    if (!rules.zooms) return;
    auto const range = axis.range();
    double const from = axis.pixelToCoord(fromPixel), to = axis.pixelToCoord(toPixel);
    if (rules.kind == AxisKind::Logarithmic) setRange(axis, {range.lower * from / to, range.upper * from / to});
    else setRange(axis, {range.lower + from - to, range.upper + from - to});
}

bool PlotSurface::zoomKey(QKeyEvent const &event, QPointF around, bool onlyX)
{
    switch (event.key()) {
    case Qt::Key_Home:
        if (fitRequested) fitRequested();
        return true;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoom(kKeyZoom, around, onlyX); return true;
    case Qt::Key_Minus: zoom(1 / kKeyZoom, around, onlyX); return true;
    default: return false;
    }
}

void PlotSurface::refresh(bool urgent)
{
    m_stale = true;
    if (!isVisible()) return;
    if (urgent) update();
    else if (!m_limit.isActive()) m_limit.start();
}

void PlotSurface::place()
{
    if (!rect().isEmpty() && viewport() != rect()) setViewport(rect());
    updateLayout();
}

void PlotSurface::setFramed(bool on)
{
    m_framed = on;
    update();
}

void PlotSurface::drawNow()
{
    m_stale = false;
    ++m_drawn;
    if (fill) fill();
    replot(QCustomPlot::rpQueuedRefresh);
}

void PlotSurface::redraw()
{
    QElapsedTimer clock;
    clock.start();
    drawNow();
    m_limit.setInterval(qBound(kReplotMs, static_cast<int>(clock.nsecsElapsed() * kShare / 1'000'000), kSlowestReplotMs));
}

void PlotSurface::paintEvent(QPaintEvent *event)
{
    if (m_stale) drawNow();
    QCPPainter painter(this);
    if (!painter.isActive() || !drawsVectors(painter.paintEngine())) {
        painter.end();
        QCustomPlot::paintEvent(event);
        if (!m_framed) return;
        QPainter frame(this);
        frame.setPen(QPen(theme()[Token::Accent], 1, Qt::DotLine));
        frame.drawRect(rect().adjusted(0, 0, -1, -1));
        return;
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(rect(), theme()[Token::Panel]);
    draw(&painter);
}

void PlotSurface::resizeEvent(QResizeEvent *event)
{
    // The number of pixel columns changed, so the drawn points must be selected again.
    m_stale = true;
    if (m_ownCounts) fitTickCounts();
    if (!rect().isEmpty()) QCustomPlot::resizeEvent(event); // an empty plot keeps its last picture
}

void PlotSurface::pointWith(Qt::CursorShape shape)
{
    auto *widget = testAttribute(Qt::WA_TransparentForMouseEvents) ? parentWidget() : this;
    if (shape == Qt::ArrowCursor) widget->unsetCursor();
    else widget->setCursor(shape);
}

void PlotSurface::press(QPointF at, Qt::MouseButton button, Qt::KeyboardModifiers modifiers)
{
    m_pressed = m_last = at;
    m_button = button;
    if (button == Qt::MiddleButton || (button == Qt::LeftButton && modifiers & Qt::ShiftModifier)) {
        m_drag = Drag::Pan;
        pointWith(Qt::ClosedHandCursor);
    } else if (button == Qt::LeftButton) {
        m_drag = Drag::Box;
    }
}

void PlotSurface::drag(QPointF to)
{
    if (m_drag == Drag::Pan) {
        pan(*xAxis, m_last.x(), to.x());
        pan(*yAxis, m_last.y(), to.y());
        if (touched) touched();
        refresh(true);
    } else if (m_drag == Drag::Box && (to - m_pressed).manhattanLength() > 2 * kGrid) {
        m_box->topLeft->setPixelPosition(QPointF(qMin(to.x(), m_pressed.x()), qMin(to.y(), m_pressed.y())));
        m_box->bottomRight->setPixelPosition(QPointF(qMax(to.x(), m_pressed.x()), qMax(to.y(), m_pressed.y())));
        m_box->setVisible(true);
        refreshOverlay();
    } else if (m_drag == Drag::None && hover) {
        hover(axisRect()->rect().contains(to.toPoint()) ? std::optional(to) : std::nullopt);
    }
    m_last = to;
}

void PlotSurface::release(QPointF at, Qt::KeyboardModifiers modifiers)
{
    if (m_drag == Drag::Pan && at != m_last) drag(at);
    Drag const was = m_drag;
    m_drag = Drag::None;
    pointWith(Qt::ArrowCursor);
    m_box->setVisible(false);
    bool const moved = (at - m_pressed).manhattanLength() > 2 * kGrid;
    if (was == Drag::None || (was == Drag::Pan && (moved || m_button != Qt::LeftButton))) return;
    if (!moved) {
        if (click) click(at, modifiers);
    } else if (boxed) {
        boxed(QRectF(m_pressed, at).normalized());
    } else {
        zoomToBox(m_pressed, at);
    }
    refreshOverlay();
}

void PlotSurface::zoomToBox(QPointF from, QPointF to)
{
    // A flat box zooms only one axis.
    bool const wide = std::abs(from.x() - to.x()) > 2 * kGrid, tall = std::abs(from.y() - to.y()) > 2 * kGrid;
    auto const narrow = [this](QCPAxis &axis, double a, double b) {
        if (!rulesOf(axis).zooms) return;
        auto const [least, most] = std::minmax({axis.pixelToCoord(a), axis.pixelToCoord(b)});
        setRange(axis, {least, most});
    };
    if (wide) narrow(*xAxis, from.x(), to.x());
    if (tall) narrow(*yAxis, from.y(), to.y());
    if (touched) touched();
    refresh(true);
}

bool PlotSurface::wheel(QPointF at, QPoint angle, Qt::KeyboardModifiers modifiers)
{
    double const steps = (angle.y() != 0 ? angle.y() : angle.x()) / 120.0;
    if (modifiers & Qt::ControlModifier) zoom(std::pow(kWheelZoom, steps), at, m_onlyX);
    else if (modifiers & Qt::ShiftModifier) panX(-steps * axisRect()->width() / 10.0);
    else return false; // the page around it scrolls
    return true;
}

void PlotSurface::mousePressEvent(QMouseEvent *event)
{
    press(event->position(), event->button(), event->modifiers());
    event->accept();
}

void PlotSurface::mouseMoveEvent(QMouseEvent *event) { drag(event->position()); }

void PlotSurface::mouseReleaseEvent(QMouseEvent *event) { release(event->position(), event->modifiers()); }

void PlotSurface::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_drag = Drag::None;
    if (event->button() == Qt::LeftButton && fitRequested) fitRequested();
}

void PlotSurface::wheelEvent(QWheelEvent *event) { event->setAccepted(wheel(event->position(), event->angleDelta(), event->modifiers())); }

void PlotSurface::leaveEvent(QEvent *)
{
    if (hover) hover(std::nullopt);
}

} // namespace tilewright::views
