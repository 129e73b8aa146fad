#pragma once

#include <QPixmap>
#include <QRectF>
#include <QWidget>

namespace tilewright::views {

class CanvasWidget;

/// The whole drawing in a corner of the canvas, with a draggable frame around the visible part.
class CanvasMinimap : public QWidget {
    Q_OBJECT
public:
    explicit CanvasMinimap(CanvasWidget *canvas);
    /// Call after changes of the scene, its colours or the canvas's size.
    void refresh();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    void jump(QPointF const &at);
    CanvasWidget *m_canvas;
    QPixmap m_picture; ///< of the nodes; redrawn with the scene, not with each frame
    double m_scale = 1;
    QPointF m_shift; ///< of the scene's top left, in pixels
};

} // namespace tilewright::views
