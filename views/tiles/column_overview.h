#pragma once

#include "views/tiles/column_painter.h"

#include <QImage>
#include <QWidget>

namespace tilewright::views {

class ColumnChart;

/// The whole axis of a chart as a strip, and a frame around the part that the chart shows: drag the frame or one of its two
/// handles, click elsewhere to go there, double click to see all. By keyboard: Space goes from the frame to its left and its
/// right handle, the arrows move what is chosen, + and - zoom, Home shows all.
class ColumnOverview : public QWidget {
    Q_OBJECT
public:
    ColumnOverview(ColumnChart &chart, QWidget *parent);
    QRectF frame() const; ///< in pixels
    QSize sizeHint() const override { return {80 * kGrid, 9 * kGrid}; }
    QSize minimumSizeHint() const override { return {20 * kGrid, 7 * kGrid}; }

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void mouseDoubleClickEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    enum class Grip { None, Frame, Left, Right };
    QRect plot() const; ///< under that of the chart
    AxisWindow whole() const;
    Grip gripAt(QPoint at) const;
    void move(Grip grip, double by); ///< in coordinates of the axis
    void describe();
    ColumnChart &m_chart;
    QImage m_image;                        ///< of the scene below
    ColumnScene const *m_drawn = nullptr;  ///< compared only
    Grip m_grip = Grip::None, m_byKey = Grip::Frame;
    double m_last = 0;                     ///< coordinate under the mouse
};

} // namespace tilewright::views
