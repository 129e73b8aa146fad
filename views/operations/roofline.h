#pragma once

#include "views/operations/op_table.h"
#include "views/plots/scatter_chart.h"

#include <vector>

namespace tilewright::views {

struct RoofPoint {
    int id = -1;
    QString label;
    double intensity = 0; ///< FLOPs per byte moved
    double rate = 0;      ///< FLOPs per cycle of one IPU
    double cycles = 0;
    Token token = Token::Compute;
};

/// Both axes logarithmic.
struct RoofAxes {
    Span x{1e-2, 1e4}, y{1, 1e5};
};
/// Axes that contain all points and the machine's roof, in whole decades.
RoofAxes roofAxes(std::vector<RoofPoint> const &points, MachineRoof const &roof);
/// The attainable rate at an intensity: bounded by exchange below the ridge, by arithmetic above it.
double attainable(MachineRoof const &roof, double intensity);
/// The roof within the axes: the exchange bound, then the arithmetic bound. Empty without a machine.
std::vector<ChartLine> roofLines(MachineRoof const &roof, RoofAxes const &axes);

/// Operations against the limits of the machine: arithmetic peak and exchange rate, modelled.
class Roofline : public ScatterChart {
    Q_OBJECT
public:
    explicit Roofline(QWidget *parent = nullptr);
    void setPoints(std::vector<RoofPoint> points, MachineRoof const &roof);
    void setMarked(std::vector<int> ids); ///< ascending
    QSize minimumSizeHint() const override { return {kGrid * 30, kGrid * 10}; }
    QSize sizeHint() const override { return {kGrid * 80, kGrid * 55}; }
    QString tipOf(int index) const override;
Q_SIGNALS:
    void picked(int id);

private:
    std::vector<RoofPoint> m_points;
    MachineRoof m_roof;
};

} // namespace tilewright::views
