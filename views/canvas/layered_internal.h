#pragma once

#include "views/canvas/layered_layout.h"

#include <vector>

// The steps of layeredLayout(), each in its own file. "Cross" runs along a rank, "along" with the data.
namespace tilewright::views::layered {

/// A node, or a point where a long edge passes a rank.
struct Vertex {
    int node = -1; ///< -1: a passing edge
    int rank = 0;
    double size = 0;           ///< across
    double x = 0;              ///< centre, across
    double want = 0;           ///< stable drawing: where it was, or would be
    bool old = false;          ///< has a place from the drawing before
    std::vector<int> up, down; ///< vertices of the rank before and behind
};

struct Ranked {
    std::vector<Vertex> vertices;        ///< nodes first, in their order
    std::vector<std::vector<int>> ranks; ///< vertices by rank, in order across
    std::vector<int> place;              ///< by vertex: index in its rank

    void renumber(int rank);
    bool isPassing(int vertex) const { return vertices[static_cast<std::size_t>(vertex)].node < 0; }
};

/// Edges that close a cycle, found by depth-first search in node order; loops at a node too.
std::vector<char> backwardEdges(LayoutGraph const &graph);
/// Ranks by longest path, sources pulled towards what they feed. `lanes`: whether lanes can be kept apart.
std::vector<int> assignRanks(LayoutGraph const &graph, std::vector<char> const &backward, bool *lanes);

/// First order, then sweeps of medians and transpositions.
void orderRanks(Ranked &graph);
long countCrossings(Ranked const &graph);
/// Cross coordinates that keep the order and the gaps.
void placeAcross(Ranked &graph, LayoutOptions const &options);
/// Order and coordinates at once when most vertices have a place from before.
void placeStable(Ranked &graph, LayoutOptions const &options);

/// Least distance of two neighbours' centres.
double gapBetween(Ranked const &graph, int a, int b, LayoutOptions const &options);
/// The least weighted square deviation from `want` under the order and gaps of a rank: isotonic regression by
/// pooling adjacent violators, exact and linear.
void placeRank(Ranked &graph, std::vector<int> const &row, std::vector<double> const &want, std::vector<double> const &weight,
               LayoutOptions const &options);

} // namespace tilewright::views::layered
