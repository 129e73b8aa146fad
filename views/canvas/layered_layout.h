#pragma once

#include <optional>
#include <vector>

// A layered drawing of a directed graph: cycles are cut, ranks by longest path, few crossings, straight edges (Sugiyama, Tagawa, Toda 1981;
// ordering by medians and transposition after Gansner, Koutsofios, North, Vo 1993; coordinates by least squares per rank). Plain structs,
// deterministic: equal graphs give equal drawings.
namespace tilewright::views {

struct LayoutPoint {
    double x = 0, y = 0;
    bool operator==(LayoutPoint const &) const = default;
};

struct LayoutNode {
    double width = 0, height = 0;
    int lane = -1;                       ///< nodes of a higher lane come after all nodes of a lower one; -1: no lane
    std::optional<LayoutPoint> previous; ///< its centre in the previous drawing, which guides this one
    std::optional<LayoutPoint> pinned;   ///< its fixed centre
};

struct LayoutEdge {
    int from = 0, to = 0;
    std::vector<double> previous; ///< positions across at which it crossed ranks in the previous drawing
};

struct LayoutGraph {
    std::vector<LayoutNode> nodes;
    std::vector<LayoutEdge> edges;
};

struct LayoutOptions {
    bool leftToRight = false; ///< else top-down
    double rankGap = 44;      ///< between ranks
    double nodeGap = 28;      ///< between nodes of a rank
    double edgeGap = 18;      ///< between a crossing edge and its neighbours
    double laneGap = 28;      ///< additional gap between lanes
};

struct LayoutLane {
    int lane = 0;
    double begin = 0, end = 0; ///< along the direction of the data
};

struct LayeredLayout {
    std::vector<LayoutPoint> centres;             ///< by node
    std::vector<int> ranks;                       ///< by node, from 0
    std::vector<std::vector<LayoutPoint>> routes; ///< by edge: from border to border, two points or more
    std::vector<char> backward;                   ///< by edge: part of a cycle, drawn against the direction
    std::vector<LayoutLane> lanes;                ///< empty if an edge leads back to a lower lane
    long crossings = 0;
};

/// If at least half of the nodes have a `previous` centre, only the others are placed and the old ones keep their position across; else
/// everything is laid out from scratch. Nodes do not overlap, except pinned ones; edges that are not `backward` lead from a lower to a
/// higher rank. Edges over very many ranks run along the side of the drawing.
LayeredLayout layeredLayout(LayoutGraph const &graph, LayoutOptions const &options);

} // namespace tilewright::views
