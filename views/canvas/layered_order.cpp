#include "views/canvas/layered_internal.h"

#include <algorithm>

namespace tilewright::views::layered {

namespace {

// Limits of the work: more shows no difference, and thousands of nodes stay fast.
constexpr int kSweeps = 14;
constexpr int kSweepsWithoutGain = 4;
constexpr int kTransposeRounds = 6;

std::size_t u(int i) { return static_cast<std::size_t>(i); }

std::vector<int> placesOf(Ranked const &graph, std::vector<int> const &vertices)
{
    std::vector<int> places;
    places.reserve(vertices.size());
    for (int const vertex : vertices) places.push_back(graph.place[u(vertex)]);
    std::sort(places.begin(), places.end());
    return places;
}

/// Crossings between the edges of two neighbours in one direction if `left` is left of `right`.
long crossingsOf(std::vector<int> const &left, std::vector<int> const &right)
{
    long crossings = 0;
    std::size_t j = 0;
    for (int const place : left) {
        while (j < right.size() && right[j] < place) ++j;
        crossings += static_cast<long>(j);
    }
    return crossings;
}

/// Weighted median of positions in the neighbouring rank; -1 without neighbours.
double medianOf(std::vector<int> const &places)
{
    if (places.empty()) return -1;
    std::size_t const n = places.size(), middle = n / 2;
    if (n % 2) return places[middle];
    if (n == 2) return (places[0] + places[1]) / 2.0;
    double const left = places[middle - 1] - places.front(), right = places.back() - places[middle];
    if (left + right == 0) return (places[middle - 1] + places[middle]) / 2.0;
    return (places[middle - 1] * right + places[middle] * left) / (left + right);
}

void sortByMedians(Ranked &graph, int rank, bool downwards)
{
    auto &row = graph.ranks[u(rank)];
    std::vector<std::pair<double, int>> movable;
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < row.size(); ++i) {
        auto const &vertex = graph.vertices[u(row[i])];
        double const median = medianOf(placesOf(graph, downwards ? vertex.up : vertex.down));
        if (median < 0) continue; // keeps its position
        movable.push_back({median, row[i]});
        places.push_back(i);
    }
    std::stable_sort(movable.begin(), movable.end(), [](auto const &a, auto const &b) { return a.first < b.first; });
    for (std::size_t i = 0; i < places.size(); ++i) row[places[i]] = movable[i].second;
    graph.renumber(rank);
}

/// Swaps neighbours as long as that removes crossings.
void transpose(Ranked &graph)
{
    struct Places {
        std::vector<int> up, down;
    };
    bool better = true;
    for (int round = 0; better && round < kTransposeRounds; ++round) {
        better = false;
        for (auto &row : graph.ranks) {
            std::vector<Places> places; // not changed by a swap within a rank
            for (int const at : row)
                places.push_back({placesOf(graph, graph.vertices[u(at)].up), placesOf(graph, graph.vertices[u(at)].down)});
            for (std::size_t i = 0; i + 1 < row.size(); ++i) {
                auto &a = places[i], &b = places[i + 1];
                if (crossingsOf(a.up, b.up) + crossingsOf(a.down, b.down) <= crossingsOf(b.up, a.up) + crossingsOf(b.down, a.down))
                    continue;
                std::swap(row[i], row[i + 1]);
                std::swap(graph.place[u(row[i])], graph.place[u(row[i + 1])]);
                std::swap(a, b);
                better = true;
            }
        }
    }
}

/// Depth-first over all edges from the first node, so that connected nodes are near each other.
void firstOrder(Ranked &graph)
{
    std::vector<char> seen(graph.vertices.size(), 0);
    for (auto &row : graph.ranks) row.clear();
    std::vector<int> stack;
    for (std::size_t start = 0; start < graph.vertices.size(); ++start) {
        if (seen[start]) continue;
        stack.push_back(static_cast<int>(start));
        while (!stack.empty()) {
            int const at = stack.back();
            stack.pop_back();
            if (seen[u(at)]) continue;
            seen[u(at)] = 1;
            auto const &vertex = graph.vertices[u(at)];
            graph.ranks[u(vertex.rank)].push_back(at);
            for (auto const *next : {&vertex.up, &vertex.down})
                for (std::size_t i = next->size(); i-- > 0;)
                    if (!seen[u((*next)[i])]) stack.push_back((*next)[i]);
        }
    }
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) graph.renumber(static_cast<int>(rank));
}

} // namespace

void Ranked::renumber(int rank)
{
    auto const &row = ranks[u(rank)];
    for (std::size_t i = 0; i < row.size(); ++i) place[u(row[i])] = static_cast<int>(i);
}

long countCrossings(Ranked const &graph)
{
    long crossings = 0;
    for (std::size_t rank = 0; rank + 1 < graph.ranks.size(); ++rank) {
        std::vector<long> tree(graph.ranks[rank + 1].size() + 1, 0); // Fenwick tree: edges so far by lower position
        long seen = 0;
        for (int const vertex : graph.ranks[rank]) {
            auto const lower = placesOf(graph, graph.vertices[u(vertex)].down);
            for (int const place : lower) {
                long notRight = 0;
                for (std::size_t i = u(place) + 1; i > 0; i &= i - 1) notRight += tree[i];
                crossings += seen - notRight;
            }
            for (int const place : lower) {
                for (std::size_t i = u(place) + 1; i < tree.size(); i += i & (~i + 1)) ++tree[i];
                ++seen;
            }
        }
    }
    return crossings;
}

void orderRanks(Ranked &graph)
{
    firstOrder(graph);
    transpose(graph);
    auto best = graph.ranks;
    long fewest = countCrossings(graph);
    int idle = 0;
    for (int sweep = 0; sweep < kSweeps && fewest > 0 && idle < kSweepsWithoutGain; ++sweep) {
        int const ranks = static_cast<int>(graph.ranks.size());
        bool const downwards = sweep % 2 == 0;
        for (int i = 1; i < ranks; ++i) sortByMedians(graph, downwards ? i : ranks - 1 - i, downwards);
        transpose(graph);
        long const now = countCrossings(graph);
        idle = now < fewest ? 0 : idle + 1;
        if (now < fewest) {
            fewest = now;
            best = graph.ranks;
        }
    }
    graph.ranks = std::move(best);
    for (std::size_t rank = 0; rank < graph.ranks.size(); ++rank) graph.renumber(static_cast<int>(rank));
}

} // namespace tilewright::views::layered
