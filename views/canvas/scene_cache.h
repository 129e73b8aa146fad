#pragma once

#include "views/canvas/canvas_painter.h"

#include <QPixmap>

namespace tilewright::views {

/// The last drawing of a scene. After a pure movement it is shifted and only the new parts are drawn.
class SceneCache {
public:
    void invalidate() { m_valid = false; }
    /// Rounds positions to whole device pixels, so that drawings can be shifted.
    static QPointF snapped(QPointF const &origin, double zoom, double ratio);
    /// The scene seen from `origin` at `size`, in pixels of a device with this ratio.
    QPixmap const &picture(QSize const &size, double ratio, QPointF const &origin, CanvasScene const &scene, Overlay const &overlay,
                           CanvasPaint const &paint);

private:
    QPixmap m_picture;
    CanvasPaint m_paint;
    QPointF m_origin;
    bool m_valid = false;
};

} // namespace tilewright::views
