#include "views/canvas/layered_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>

// The drawing after an edit: existing nodes keep their position across the ranks, new ones get the nearest free position.
namespace tilewright::views::layered {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

/// Preferred positions of new vertices: the mean of their old or already placed neighbours.
void settleWishes(Ranked &graph)
{
    std::vector<char> known(graph.vertices.size(), 0);
    std::vector<int> byRank;
    for (auto const &row : graph.ranks) byRank.insert(byRank.end(), row.begin(), row.end());
    for (std::size_t i = 0; i < graph.vertices.size(); ++i) known[i] = graph.vertices[i].old;
    auto const settle = [&](int at, bool up, bool down) {
        auto &vertex = graph.vertices[u(at)];
        if (known[u(at)]) return;
        double sum = 0;
        int count = 0;
        for (auto const *next : {&vertex.up, &vertex.down}) {
            if (next == &vertex.up ? !up : !down) continue;
            for (int const other : *next)
                if (known[u(other)]) {
                    sum += graph.vertices[u(other)].want;
                    ++count;
                }
        }
        if (count == 0) return;
        vertex.want = sum / count;
        known[u(at)] = 1;
    };
    for (int const at : byRank) settle(at, true, true);
    for (std::size_t i = byRank.size(); i-- > 0;) settle(byRank[i], true, true);
    double right = 0;
    for (std::size_t i = 0; i < graph.vertices.size(); ++i)
        if (known[i]) right = std::max(right, graph.vertices[i].want + graph.vertices[i].size / 2);
    for (std::size_t i = 0; i < graph.vertices.size(); ++i)
        if (!known[i]) graph.vertices[i].want = right + graph.vertices[i].size; // no connection to old ones
}

/// The position nearest to the preferred one of `at` that keeps the gaps to `taken`.
double nearestFree(Ranked const &graph, std::vector<int> const &taken, int at, LayoutOptions const &options)
{
    double const want = graph.vertices[u(at)].want;
    auto const clear = [&](double x) {
        return std::none_of(taken.begin(), taken.end(), [&](int other) {
            return std::abs(x - graph.vertices[u(other)].want) < gapBetween(graph, at, other, options) - 1e-6;
        });
    };
    if (clear(want)) return want;
    double best = std::numeric_limits<double>::quiet_NaN();
    for (int const other : taken) {
        double const gap = gapBetween(graph, at, other, options);
        for (double const x : {graph.vertices[u(other)].want + gap, graph.vertices[u(other)].want - gap})
            if (!(std::abs(x - want) >= std::abs(best - want)) && clear(x)) best = x; // also true while best is NaN
    }
    return std::isnan(best) ? want : best;
}

} // namespace

void placeStable(Ranked &graph, LayoutOptions const &options)
{
    settleWishes(graph);
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) {
        auto &row = graph.ranks[rank];
        std::vector<int> taken, fresh;
        for (int const at : row) (graph.vertices[u(at)].old ? taken : fresh).push_back(at);
        // Nodes before edges, because an edge is easier to place.
        std::stable_sort(fresh.begin(), fresh.end(), [&](int a, int b) { return graph.isPassing(a) < graph.isPassing(b); });
        for (int const at : fresh) {
            graph.vertices[u(at)].want = nearestFree(graph, taken, at, options);
            taken.push_back(at);
        }
        std::stable_sort(row.begin(), row.end(), [&](int a, int b) { return graph.vertices[u(a)].want < graph.vertices[u(b)].want; });
        graph.renumber(static_cast<int>(rank));
        // Old vertices that are now in one rank can be too close: move both.
        std::vector<double> want;
        for (int const at : row) want.push_back(graph.vertices[u(at)].want);
        placeRank(graph, row, want, std::vector<double>(row.size(), 1.0), options);
    }
}

} // namespace tilewright::views::layered
