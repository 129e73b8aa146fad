#pragma once

#include "views/canvas/layered_layout.h"
#include "views/modeledit/canvas_layout.h"
#include "views/modeledit/model_graph.h"

#include "engine/core/result.h"

#include <QPointF>
#include <QPolygonF>
#include <QRectF>
#include <QString>

#include <map>
#include <span>
#include <string>
#include <vector>

// Positions and texts of everything on the canvas, in pixels at 100 %. A value: built from the model, painted and hit-tested by free
// functions.
namespace tilewright::views {

struct CanvasNode {
    std::string id; ///< the layer's name, or "group:NAME" for a folded group
    bool group = false;
    std::vector<int> rows; ///< layers of the model graph: one, or those of a folded group
    QRectF rect;
    QString title, subtitle, facts; ///< cut to the node's width
    QStringList factParts;          ///< uncut
    QString shape;                  ///< of the output, beside its port
    QString exact;                  ///< tooltip and accessible text
    Token family = Token::FamilyOther;
    int stage = -1;
    int problem = -1; ///< Severity of the worst as a number; -1: none
    QString problemText;
    bool pinned = false, input = false, output = false, placeholder = false;
};

struct CanvasEdge {
    int from = 0, to = 0;         ///< nodes
    std::vector<ModelEdge> edges; ///< several if an end is a folded group
    QPolygonF route;
    bool backward = false;
};

struct CanvasFrame { ///< an unfolded group
    std::string group;
    QString title;
    QRectF rect;
};

struct CanvasLane {
    int stage = 0;
    QRectF rect;
};

struct CanvasScene {
    ModelGraph graph;
    std::vector<CanvasNode> nodes;
    std::vector<CanvasEdge> edges;
    std::vector<CanvasFrame> frames;
    std::vector<CanvasLane> lanes;
    QRectF bounds;
    bool leftToRight = false;
    std::map<std::string, int, std::less<>> places;  ///< node by id
    std::map<std::string, int, std::less<>> ofLayer; ///< node by layer, including folded ones

    int node(std::string const &id) const;      ///< -1: none
    int nodeOf(std::string const &layer) const; ///< -1: none
    /// The layers of a node.
    std::vector<std::string> layersOf(int node) const;
};

/// `previous`: the previous scene, whose positions guide this one; null: layout from scratch.
CanvasScene buildScene(ModelGraph graph, CanvasLayout const &layout, std::span<Diagnostic const> problems, CanvasScene const *previous);

inline constexpr char kGroupPrefix[] = "group:";

// Hit tests; `reach` in scene pixels. -1: nothing.
int nodeAt(CanvasScene const &scene, QPointF const &at);
int outputPortAt(CanvasScene const &scene, QPointF const &at, double reach);
int badgeAt(CanvasScene const &scene, QPointF const &at);
int edgeAt(CanvasScene const &scene, QPointF const &at, double reach);
int frameTitleAt(CanvasScene const &scene, QPointF const &at);
std::vector<int> nodesIn(CanvasScene const &scene, QRectF const &area);
QPointF outputPort(CanvasScene const &scene, CanvasNode const &node);
QRectF badgeRect(CanvasNode const &node);
QRectF frameTitleRect(CanvasFrame const &frame);

/// The target of an arrow key: along edges in data direction, across to the nearest node of about the same rank.
int neighbour(CanvasScene const &scene, int node, Qt::Key arrow);
/// All nodes upstream or downstream of a node, including itself.
std::vector<int> traced(CanvasScene const &scene, int node, bool downstream);
/// Nodes whose name, class or arguments contain the words, in model order.
std::vector<int> findNodes(CanvasScene const &scene, QString const &words);

} // namespace tilewright::views
