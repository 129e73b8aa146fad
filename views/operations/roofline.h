#pragma once

#include "views/common/theme.h"
#include "views/operations/op_table.h"

#include <QPointF>
#include <QRectF>
#include <QWidget>

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

/// Both axes logarithmic. `rect`: where the plot lies.
struct RoofAxes {
    QRectF rect;
    double minX = 1e-2, maxX = 1e4, minY = 1, maxY = 1e5;
    QPointF toPixel(double intensity, double rate) const;
};
/// Axes that hold all points and the machine's roof, in whole decades.
RoofAxes roofAxes(std::vector<RoofPoint> const &points, MachineRoof const &roof, QRectF const &rect);
/// What the machine could reach at an intensity: exchange below the ridge, arithmetic above it.
double attainable(MachineRoof const &roof, double intensity);

/// Operations against what the machine could do: arithmetic peak and exchange rate, modelled.
class Roofline : public QWidget {
    Q_OBJECT
public:
    explicit Roofline(QWidget *parent = nullptr);
    void setPoints(std::vector<RoofPoint> points, MachineRoof const &roof);
    void setMarked(std::vector<int> ids);
    QSize minimumSizeHint() const override { return {kGrid * 30, kGrid * 10}; }
    QSize sizeHint() const override { return {kGrid * 80, kGrid * 55}; }
    int pointAt(QPointF const &where) const;
Q_SIGNALS:
    void picked(int id);
protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    bool event(QEvent *event) override;
private:
    RoofAxes axes() const;
    double radius(RoofPoint const &point) const;
    std::vector<RoofPoint> m_points;
    MachineRoof m_roof;
    std::vector<int> m_marked;
};

} // namespace tilewright::views
