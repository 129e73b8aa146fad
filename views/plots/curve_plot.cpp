#include "views/plots/curve_plot.h"

#include "views/common/format.h"
#include "views/common/theme.h"

#include <QPaintEngine>
#include <QWheelEvent>

#include <cmath>

namespace tilewright::views {

namespace {

constexpr int kReplotMs = 100, kSlowestReplotMs = 300;
/// Live drawing takes at most one part in this many of a core's time, for each plot.
constexpr int kShare = 40;

/// A ticker whose labels the panel's owner writes.
template <typename Base> class Labelled : public Base {
public:
    explicit Labelled(std::function<QString(double)> text) : m_text(std::move(text)) {}
protected:
    QString getTickLabel(double tick, QLocale const &, QChar, int) override
    {
        return m_text ? m_text(tick) : numberText(tick);
    }
private:
    std::function<QString(double)> m_text;
};

bool drawsVectors(QPaintEngine const *engine)
{
    if (!engine) return false;
    auto const type = engine->type();
    return type == QPaintEngine::SVG || type == QPaintEngine::Pdf || type == QPaintEngine::Picture;
}

} // namespace

CurvePlot::CurvePlot(QWidget *parent) : QCustomPlot(parent)
{
    m_limit.setSingleShot(true);
    m_limit.setInterval(kReplotMs);
    QObject::connect(&m_limit, &QTimer::timeout, this, [this] {
        if (m_stale && isVisible() && !visibleRegion().isEmpty()) redraw();
    });
    setNoAntialiasingOnDrag(false);
    setMouseTracking(true);
    setMinimumSize(30 * kGrid, 20 * kGrid);
    axisRect()->setMinimumMargins(QMargins(0, kGrid, kGap, 0));
    m_crosshair = new QCPItemStraightLine(this);
    m_crosshair->setLayer(QStringLiteral("overlay"));
    m_crosshair->setVisible(false);
    m_box = new QCPItemRect(this);
    m_box->setLayer(QStringLiteral("overlay"));
    m_box->setVisible(false);
    installTickers();
    applyTheme();
}

void CurvePlot::installTickers()
{
    xAxis->setTicker(QSharedPointer<QCPAxisTicker>(new Labelled<QCPAxisTicker>(m_xText)));
    if (m_logarithmic) yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new Labelled<QCPAxisTickerLog>(m_yText)));
    else yAxis->setTicker(QSharedPointer<QCPAxisTicker>(new Labelled<QCPAxisTicker>(m_yText)));
    xAxis->ticker()->setTickCount(5);
    yAxis->ticker()->setTickCount(4);
}

void CurvePlot::setTexts(QString const &x, QString const &y, std::function<QString(double)> xText, std::function<QString(double)> yText)
{
    xAxis->setLabel(x);
    yAxis->setLabel(y);
    m_xText = std::move(xText);
    m_yText = std::move(yText);
    installTickers();
}

void CurvePlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    yAxis->setScaleType(on ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    installTickers();
}

void CurvePlot::applyTheme()
{
    auto const &look = theme();
    setBackground(look[Token::Panel]);
    for (auto *axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(look[Token::Border], 1));
        axis->setTickPen(QPen(look[Token::Border], 1));
        axis->setSubTickPen(Qt::NoPen);
        axis->setTickLabelColor(look[Token::SecondaryText]);
        axis->setLabelColor(look[Token::SecondaryText]);
        axis->setTickLabelFont(uiFont(TextSize::Caption));
        axis->setLabelFont(uiFont(TextSize::Caption));
        axis->setLabelPadding(2);
        axis->grid()->setPen(QPen(look[Token::Grid], 1));
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setZeroLinePen(QPen(look[Token::Border], 1));
    }
    m_crosshair->setPen(QPen(look[Token::SecondaryText], 1, Qt::DashLine));
    m_box->setPen(QPen(look[Token::Accent], 1));
    QColor ground = look[Token::Accent];
    ground.setAlphaF(0.15F);
    m_box->setBrush(ground);
    refresh(true);
}

void CurvePlot::setCrosshair(std::optional<double> x)
{
    m_crosshair->setVisible(x.has_value());
    if (x) {
        m_crosshair->point1->setCoords(*x, yAxis->range().lower);
        m_crosshair->point2->setCoords(*x, yAxis->range().upper);
    }
    refreshOverlay();
}

void CurvePlot::refreshOverlay()
{
    if (isVisible()) layer(QStringLiteral("overlay"))->replot();
}

void CurvePlot::zoomX(double factor, double around)
{
    xAxis->scaleRange(factor, around);
    if (touched) touched();
    refresh(true);
}

void CurvePlot::panX(double pixels)
{
    double const shift = xAxis->range().size() * pixels / qMax(1, axisRect()->width());
    xAxis->moveRange(shift);
    if (touched) touched();
    refresh(true);
}

void CurvePlot::refresh(bool urgent)
{
    m_stale = true;
    if (!isVisible()) return;
    if (urgent) redraw();
    else if (!m_limit.isActive()) m_limit.start();
}

void CurvePlot::redraw()
{
    QElapsedTimer clock;
    clock.start();
    m_stale = false;
    ++m_drawn;
    if (fill) fill();
    replot(QCustomPlot::rpQueuedRefresh);
    m_limit.setInterval(qBound(kReplotMs, static_cast<int>(clock.nsecsElapsed() * kShare / 1'000'000), kSlowestReplotMs));
}

void CurvePlot::paintEvent(QPaintEvent *event)
{
    if (m_stale) {
        m_stale = false;
        ++m_drawn;
        if (fill) fill();
        replot(QCustomPlot::rpQueuedRefresh);
    }
    QCPPainter painter(this);
    if (!painter.isActive() || !drawsVectors(painter.paintEngine())) {
        painter.end();
        QCustomPlot::paintEvent(event);
        return;
    }
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.fillRect(rect(), theme()[Token::Panel]);
    draw(&painter);
}

void CurvePlot::resizeEvent(QResizeEvent *event)
{
    // The number of pixel columns is another: what is drawn has to be chosen anew.
    m_stale = true;
    QCustomPlot::resizeEvent(event);
}

void CurvePlot::mousePressEvent(QMouseEvent *event)
{
    m_pressed = m_last = event->position();
    if (event->button() == Qt::MiddleButton || (event->button() == Qt::LeftButton && event->modifiers() & Qt::ShiftModifier)) {
        m_drag = Drag::Pan;
        setCursor(Qt::ClosedHandCursor);
    } else if (event->button() == Qt::LeftButton) {
        m_drag = Drag::Box;
    }
    event->accept();
}

void CurvePlot::mouseMoveEvent(QMouseEvent *event)
{
    QPointF const at = event->position();
    if (m_drag == Drag::Pan) {
        xAxis->moveRange(xAxis->pixelToCoord(m_last.x()) - xAxis->pixelToCoord(at.x()));
        if (m_logarithmic) {
            double const factor = yAxis->pixelToCoord(m_last.y()) / yAxis->pixelToCoord(at.y());
            yAxis->setRange(yAxis->range().lower * factor, yAxis->range().upper * factor);
        } else {
            yAxis->moveRange(yAxis->pixelToCoord(m_last.y()) - yAxis->pixelToCoord(at.y()));
        }
        if (touched) touched();
        refresh(true);
    } else if (m_drag == Drag::Box && (at - m_pressed).manhattanLength() > 2 * kGrid) {
        m_box->topLeft->setPixelPosition(QPointF(qMin(at.x(), m_pressed.x()), qMin(at.y(), m_pressed.y())));
        m_box->bottomRight->setPixelPosition(QPointF(qMax(at.x(), m_pressed.x()), qMax(at.y(), m_pressed.y())));
        m_box->setVisible(true);
        refreshOverlay();
    } else if (m_drag == Drag::None && hover) {
        if (axisRect()->rect().contains(at.toPoint())) hover(xAxis->pixelToCoord(at.x()));
        else hover(std::nullopt);
    }
    m_last = at;
}

void CurvePlot::mouseReleaseEvent(QMouseEvent *event)
{
    Drag const was = m_drag;
    m_drag = Drag::None;
    unsetCursor();
    m_box->setVisible(false);
    if (was != Drag::Box) return;
    if ((event->position() - m_pressed).manhattanLength() > 2 * kGrid) zoomToBox(m_pressed, event->position());
    else if (click) click(event->position());
    refreshOverlay();
}

void CurvePlot::zoomToBox(QPointF from, QPointF to)
{
    // A flat box is meant for one axis only.
    bool const wide = std::abs(from.x() - to.x()) > 2 * kGrid, tall = std::abs(from.y() - to.y()) > 2 * kGrid;
    if (wide) xAxis->setRange(QCPRange(xAxis->pixelToCoord(qMin(from.x(), to.x())), xAxis->pixelToCoord(qMax(from.x(), to.x()))));
    if (tall) yAxis->setRange(QCPRange(yAxis->pixelToCoord(qMax(from.y(), to.y())), yAxis->pixelToCoord(qMin(from.y(), to.y()))));
    if (touched) touched();
    refresh(true);
}

void CurvePlot::mouseDoubleClickEvent(QMouseEvent *event)
{
    m_drag = Drag::None;
    if (event->button() == Qt::LeftButton && fitRequested) fitRequested();
}

void CurvePlot::wheelEvent(QWheelEvent *event)
{
    double const steps = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    if (event->modifiers() & Qt::ControlModifier) zoomX(std::pow(0.85, steps), xAxis->pixelToCoord(event->position().x()));
    else if (event->modifiers() & Qt::ShiftModifier) panX(-steps * axisRect()->width() / 10.0);
    else {
        event->ignore(); // the page around it scrolls
        return;
    }
    event->accept();
}

void CurvePlot::leaveEvent(QEvent *)
{
    if (hover) hover(std::nullopt);
}

} // namespace tilewright::views
