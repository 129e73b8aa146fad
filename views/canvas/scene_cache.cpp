#include "views/canvas/scene_cache.h"

#include "views/common/theme.h"

#include <QPainter>
#include <QRegion>

#include <cmath>

namespace tilewright::views {

namespace {

void draw(QPixmap &picture, QRect const &part, QPointF const &origin, CanvasScene const &scene, Overlay const &overlay, CanvasPaint paint)
{
    double const ratio = picture.devicePixelRatio();
    QRectF const area(QPointF(part.topLeft()) / ratio, QSizeF(part.size()) / ratio);
    QPainter painter(&picture);
    painter.setClipRect(area);
    painter.fillRect(area, theme()[Token::Window]);
    painter.scale(paint.zoom, paint.zoom);
    painter.translate(-origin);
    paint.visible = QRectF(area.topLeft() / paint.zoom + origin, area.size() / paint.zoom);
    paintScene(painter, scene, overlay, paint);
}

} // namespace

QPointF SceneCache::snapped(QPointF const &origin, double zoom, double ratio)
{
    double const scale = zoom * ratio;
    return {std::round(origin.x() * scale) / scale, std::round(origin.y() * scale) / scale};
}

QPixmap const &SceneCache::picture(QSize const &size, double ratio, QPointF const &origin, CanvasScene const &scene, Overlay const &overlay,
                                   CanvasPaint const &paint)
{
    QSize const pixels(static_cast<int>(std::ceil(size.width() * ratio)), static_cast<int>(std::ceil(size.height() * ratio)));
    CanvasPaint wanted = paint;
    wanted.visible = {}; // `origin` holds the position
    bool const same = m_valid && m_picture.size() == pixels && m_picture.devicePixelRatio() == ratio && wanted == m_paint;
    QPointF const shift = (m_origin - origin) * paint.zoom * ratio;
    QPoint const whole = shift.toPoint();
    bool const near = std::abs(whole.x()) < pixels.width() && std::abs(whole.y()) < pixels.height();
    if (same && near && QPointF(shift - whole).manhattanLength() < 0.02) {
        if (!whole.isNull()) {
            QRegion exposed;
            m_picture.scroll(whole.x(), whole.y(), QRect(QPoint(), pixels), &exposed);
            for (auto const &part : exposed) draw(m_picture, part, origin, scene, overlay, paint);
        }
    } else {
        if (m_picture.size() != pixels) m_picture = QPixmap(pixels);
        m_picture.setDevicePixelRatio(ratio);
        draw(m_picture, QRect(QPoint(), pixels), origin, scene, overlay, paint);
        m_paint = std::move(wanted);
        m_valid = true;
    }
    m_origin = origin;
    return m_picture;
}

} // namespace tilewright::views
