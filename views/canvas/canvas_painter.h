#pragma once

#include "views/canvas/canvas_scene.h"
#include "views/canvas/overlay.h"

#include <QLineF>
#include <QRectF>

#include <set>
#include <string>

class QPainter;

namespace tilewright::views {

/// What is shown besides the scene itself.
struct CanvasPaint {
    double zoom = 1;
    QRectF visible;                 ///< in scene coordinates; nothing outside is drawn
    std::set<std::string> selected; ///< ids of nodes
    std::set<std::string> lit;      ///< layers that belong to the selection elsewhere
    int hovered = -1;
    int selectedEdge = -1;
    int dropEdge = -1; ///< a layer would go into this edge
    int target = -1;   ///< a connection would end at this node
    bool targetRefused = false;
    QLineF pulling; ///< a connection being drawn; null: none
    QRectF band;    ///< rubber band; null: none
    bool focused = false;
    std::string current; ///< the node the keyboard is at
    bool operator==(CanvasPaint const &) const = default;
};

/// Draws in scene coordinates; the painter is scaled and moved already. By zoom: texts, boxes with stripes, or
/// plain boxes.
void paintScene(QPainter &painter, CanvasScene const &scene, Overlay const &overlay, CanvasPaint const &paint);
/// The legend in device coordinates, at the bottom left of `area`; returns the space it took.
QRectF paintLegend(QPainter &painter, QRectF const &area, Overlay const &overlay);

} // namespace tilewright::views
