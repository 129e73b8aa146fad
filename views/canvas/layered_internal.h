#pragma once

#include "views/canvas/layered_layout.h"

#include <vector>

// The steps of layeredLayout(), each in its own file. "Across" runs along a rank, "along" in data direction.
namespace tilewright::views::layered {

/// A node, or a point where a long edge crosses a rank.
struct Vertex {
    int node = -1; ///< -1: a crossing edge
    int rank = 0;
    double size = 0;           ///< across
    double x = 0;              ///< centre, across
    double want = 0;           ///< stable layout: previous or desired position
    bool old = false;          ///< has a position in the previous drawing
    std::vector<int> up, down; ///< vertices of the previous and the next rank
};

struct Ranked {
    std::vector<Vertex> vertices;        ///< nodes first, in their order
    std::vector<std::vector<int>> ranks; ///< vertices by rank, in order across
    std::vector<int> place;              ///< by vertex: index in its rank

    void renumber(int rank);
    bool isPassing(int vertex) const { return vertices[static_cast<std::size_t>(vertex)].node < 0; }
};

/// Edges that close a cycle, found by depth-first search in node order; including loops at a node.
std::vector<char> backwardEdges(LayoutGraph const &graph);
/// Ranks by longest path; sources move towards their targets. `lanes`: whether lanes can be separated.
std::vector<int> assignRanks(LayoutGraph const &graph, std::vector<char> const &backward, bool *lanes);

/// Initial order, then sweeps of medians and transpositions.
void orderRanks(Ranked &graph);
long countCrossings(Ranked const &graph);
/// Positions across that keep order and gaps.
void placeAcross(Ranked &graph, LayoutOptions const &options);
/// Order and positions together if most vertices have a previous position.
void placeStable(Ranked &graph, LayoutOptions const &options);

/// Minimum distance between the centres of two neighbours.
double gapBetween(Ranked const &graph, int a, int b, LayoutOptions const &options);
/// Minimises the weighted square deviation from `want` with a rank's order and gaps: isotonic regression by pooling adjacent violators,
/// exact and linear.
void placeRank(Ranked &graph, std::vector<int> const &row, std::vector<double> const &want, std::vector<double> const &weight,
               LayoutOptions const &options);

} // namespace tilewright::views::layered
