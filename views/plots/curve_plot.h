#pragma once

#include "views/plots/plot_surface.h"

// Private to this folder.
namespace tilewright::views {

/// The drawing surface of curves: zooms along x, with a crosshair.
class CurvePlot : public PlotSurface {
public:
    explicit CurvePlot(QWidget *parent);
    void applyTheme() override;
    void setTexts(QString const &x, QString const &y, std::function<QString(double)> xText, std::function<QString(double)> yText);
    void setLogarithmic(bool on);
    void setCrosshair(std::optional<double> x);

private:
    void sayRules();
    bool m_logarithmic = false;
    std::function<QString(double)> m_xText, m_yText;
    QCPItemStraightLine *m_crosshair = nullptr;
};

} // namespace tilewright::views
