#pragma once

#include "views/canvas/canvas_scene.h"
#include "views/canvas/overlay.h"

#include <QLineF>
#include <QRectF>

#include <set>
#include <string>

class QPainter;

namespace tilewright::views {

/// Additional state to draw with the scene.
struct CanvasPaint {
    double zoom = 1;
    QRectF visible;                 ///< in scene coordinates; nothing outside is drawn
    std::set<std::string> selected; ///< ids of nodes
    std::set<std::string> lit;      ///< layers that belong to a selection in another view
    int hovered = -1;
    int selectedEdge = -1;
    int dropEdge = -1; ///< edge into which a layer would be dropped
    int target = -1;   ///< node at which a connection would end
    bool targetRefused = false;
    QLineF pulling; ///< a connection being drawn; null: none
    QRectF band;    ///< rubber band; null: none
    bool focused = false;
    std::string current; ///< node with the keyboard focus
    bool operator==(CanvasPaint const &) const = default;
};

/// Draws in scene coordinates on a transformed painter. The zoom determines the detail: texts, boxes with stripes, or plain boxes.
void paintScene(QPainter &painter, CanvasScene const &scene, Overlay const &overlay, CanvasPaint const &paint);
/// Draws the legend in device coordinates, at the bottom left of `area`. Returns the used rectangle.
QRectF paintLegend(QPainter &painter, QRectF const &area, Overlay const &overlay);

} // namespace tilewright::views
