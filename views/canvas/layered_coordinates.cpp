#include "views/canvas/layered_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::views::layered {

namespace {

constexpr int kRounds = 12;         ///< sweeps down and up; more change less than a pixel
constexpr double kStraightEdge = 8; ///< weight of a segment of a long edge relative to a short edge
constexpr double kHalfStraight = 2;

std::size_t u(int i) { return static_cast<std::size_t>(i); }

double edgeWeight(Ranked const &graph, int a, int b)
{
    bool const x = graph.isPassing(a), y = graph.isPassing(b);
    return x && y ? kStraightEdge : x || y ? kHalfStraight : 1.0;
}

void pull(Ranked &graph, std::vector<int> const &row, bool up, bool down, LayoutOptions const &options)
{
    std::vector<double> want, weight;
    for (int const at : row) {
        auto const &vertex = graph.vertices[u(at)];
        double sum = 0, total = 0;
        for (auto const *next : {&vertex.up, &vertex.down}) {
            if (next == &vertex.up ? !up : !down) continue;
            for (int const other : *next) {
                double const w = edgeWeight(graph, at, other);
                sum += w * graph.vertices[u(other)].x;
                total += w;
            }
        }
        want.push_back(total > 0 ? sum / total : vertex.x);
        weight.push_back(total > 0 ? total : 0.1);
    }
    placeRank(graph, row, want, weight, options);
}

/// Straightens chains without branches where their neighbours leave room.
void straighten(Ranked &graph, LayoutOptions const &options)
{
    auto const continues = [&](int at) {
        auto const &vertex = graph.vertices[u(at)];
        return vertex.down.size() == 1 && graph.vertices[u(vertex.down[0])].up.size() == 1;
    };
    std::vector<char> done(graph.vertices.size(), 0);
    for (auto const &row : graph.ranks)
        for (int const start : row) {
            if (done[u(start)] || !continues(start)) continue;
            std::vector<int> chain{start};
            while (continues(chain.back())) chain.push_back(graph.vertices[u(chain.back())].down[0]);
            std::vector<double> xs;
            double least = -std::numeric_limits<double>::infinity(), most = -least;
            for (int const at : chain) {
                done[u(at)] = 1;
                auto const &own = graph.ranks[u(graph.vertices[u(at)].rank)];
                std::size_t const place = u(graph.place[u(at)]);
                if (place > 0)
                    least = std::max(least, graph.vertices[u(own[place - 1])].x + gapBetween(graph, own[place - 1], at, options));
                if (place + 1 < own.size())
                    most = std::min(most, graph.vertices[u(own[place + 1])].x - gapBetween(graph, at, own[place + 1], options));
                xs.push_back(graph.vertices[u(at)].x);
            }
            if (least > most) continue;
            std::nth_element(xs.begin(), xs.begin() + static_cast<std::ptrdiff_t>(xs.size() / 2), xs.end());
            double const x = std::clamp(xs[xs.size() / 2], least, most);
            for (int const at : chain) graph.vertices[u(at)].x = x;
        }
}

} // namespace

double gapBetween(Ranked const &graph, int a, int b, LayoutOptions const &options)
{
    double const gap = graph.isPassing(a) || graph.isPassing(b) ? options.edgeGap : options.nodeGap;
    return (graph.vertices[u(a)].size + graph.vertices[u(b)].size) / 2 + gap;
}

void placeRank(Ranked &graph, std::vector<int> const &row, std::vector<double> const &want, std::vector<double> const &weight,
               LayoutOptions const &options)
{
    struct Block {
        double sum, weight;
        std::size_t end;
    };
    std::vector<double> offset(row.size(), 0);
    std::vector<Block> blocks;
    for (std::size_t i = 0; i < row.size(); ++i) {
        if (i > 0) offset[i] = offset[i - 1] + gapBetween(graph, row[i - 1], row[i], options);
        blocks.push_back({(want[i] - offset[i]) * weight[i], weight[i], i + 1});
        while (blocks.size() > 1) {
            Block const &b = blocks.back(), &a = blocks[blocks.size() - 2];
            if (a.sum * b.weight <= b.sum * a.weight) break;
            Block const both{a.sum + b.sum, a.weight + b.weight, b.end};
            blocks.pop_back();
            blocks.back() = both;
        }
    }
    std::size_t i = 0;
    for (auto const &block : blocks)
        for (; i < block.end; ++i) graph.vertices[u(row[i])].x = block.sum / block.weight + offset[i];
}

void placeAcross(Ranked &graph, LayoutOptions const &options)
{
    if (graph.vertices.empty()) return;
    for (auto const &row : graph.ranks) {
        double x = 0;
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0) x += gapBetween(graph, row[i - 1], row[i], options);
            graph.vertices[u(row[i])].x = x;
        }
        for (int const at : row) graph.vertices[u(at)].x -= x / 2;
    }
    std::size_t const ranks = graph.ranks.size();
    for (int round = 0; round < kRounds; ++round) {
        bool const both = round >= kRounds - 4;
        for (std::size_t rank = 0; rank < ranks; ++rank) pull(graph, graph.ranks[rank], true, both, options);
        for (std::size_t rank = ranks; rank-- > 0;) pull(graph, graph.ranks[rank], both, true, options);
    }
    straighten(graph, options);
    double left = std::numeric_limits<double>::infinity();
    for (auto const &vertex : graph.vertices) left = std::min(left, vertex.x - vertex.size / 2);
    for (auto &vertex : graph.vertices) vertex.x -= left;
}

} // namespace tilewright::views::layered
