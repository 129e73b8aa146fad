#pragma once

#include <QPixmap>
#include <QRectF>
#include <QWidget>

namespace tilewright::views {

class CanvasWidget;

/// The whole drawing in a corner of the canvas; its frame is what the canvas shows and can be dragged.
class CanvasMinimap : public QWidget {
    Q_OBJECT
public:
    explicit CanvasMinimap(CanvasWidget *canvas);
    /// The scene, its colours or the canvas's size changed.
    void refresh();

protected:
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;

private:
    void jump(QPointF const &at);
    CanvasWidget *m_canvas;
    QPixmap m_picture; ///< of the nodes; made anew with the scene, not with each frame
    double m_scale = 1;
    QPointF m_shift; ///< of the scene's top left, in pixels
};

} // namespace tilewright::views
