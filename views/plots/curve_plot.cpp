#include "views/plots/curve_plot.h"

#include "views/common/theme.h"

namespace tilewright::views {

CurvePlot::CurvePlot(QWidget *parent) : PlotSurface(parent)
{
    setMinimumSize(30 * kGrid, 20 * kGrid);
    setWheelZoomsX(true);
    m_crosshair = new QCPItemStraightLine(this);
    m_crosshair->setLayer(QStringLiteral("overlay"));
    m_crosshair->setVisible(false);
    applyTheme();
}

void CurvePlot::applyTheme()
{
    PlotSurface::applyTheme();
    // Room for the usual numbers: plots below each other begin at the same x, also when a number gets longer during a run.
    auto margins = axisRect()->minimumMargins();
    margins.setLeft(QFontMetrics(yAxis->tickLabelFont()).horizontalAdvance(QStringLiteral("0.0000")) + 4 * kGrid);
    axisRect()->setMinimumMargins(margins);
    m_crosshair->setPen(QPen(theme()[Token::SecondaryText], 1, Qt::DashLine));
    refresh(true);
}

void CurvePlot::sayRules()
{
    setRules(*xAxis, {AxisKind::Linear, m_xText, {}, true});
    setRules(*yAxis, {m_logarithmic ? AxisKind::Logarithmic : AxisKind::Linear, m_yText, {}, true});
}

void CurvePlot::setTexts(QString const &x, QString const &y, std::function<QString(double)> xText, std::function<QString(double)> yText)
{
    xAxis->setLabel(x);
    yAxis->setLabel(y);
    m_xText = std::move(xText);
    m_yText = std::move(yText);
    sayRules();
}

void CurvePlot::setLogarithmic(bool on)
{
    m_logarithmic = on;
    sayRules();
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

} // namespace tilewright::views
