#include "views/canvas/layered_layout.h"
#include "views/canvas/layered_internal.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tilewright::views {

namespace {

using layered::Ranked;
using layered::Vertex;

// A point where an edge passes a rank costs as much as a node. Beyond this number the longest edges run along the side.
constexpr std::size_t kPassesPerNode = 4, kLeastPasses = 400;

std::size_t u(int i) { return static_cast<std::size_t>(i); }

struct Box {
    double x = 0, y = 0, width = 0, height = 0; ///< centre; x across, y along
    bool meets(Box const &other, double gap) const
    {
        return std::abs(x - other.x) < (width + other.width) / 2 + gap && std::abs(y - other.y) < (height + other.height) / 2 + gap;
    }
};

/// Computes in coordinates across and along; left-to-right drawings are swapped on input and output.
class Layouter {
public:
    Layouter(LayoutGraph const &graph, LayoutOptions const &options) : m_graph(graph), m_options(options), m_swap(options.leftToRight) {}

    LayeredLayout run()
    {
        LayeredLayout result;
        result.backward = layered::backwardEdges(m_graph);
        bool lanes = false;
        result.ranks = layered::assignRanks(m_graph, result.backward, &lanes);
        build(result);
        if (m_stable) {
            layered::placeStable(m_ranked, m_options);
        } else {
            layered::orderRanks(m_ranked);
            layered::placeAcross(m_ranked, m_options);
        }
        result.crossings = layered::countCrossings(m_ranked);
        placeAlong(lanes, result);
        placeNodes();
        for (auto const &box : m_boxes) result.centres.push_back(point(box.x, box.y));
        route(result);
        return result;
    }

private:
    LayoutPoint point(double x, double y) const { return m_swap ? LayoutPoint{y, x} : LayoutPoint{x, y}; }
    double across(LayoutNode const &node) const { return m_swap ? node.height : node.width; }
    double along(LayoutNode const &node) const { return m_swap ? node.width : node.height; }

    void build(LayeredLayout const &result)
    {
        std::size_t known = 0;
        int ranks = 0;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            auto const &node = m_graph.nodes[i];
            Vertex vertex;
            vertex.node = static_cast<int>(i);
            vertex.rank = result.ranks[i];
            vertex.size = across(node);
            vertex.old = node.previous.has_value();
            if (vertex.old) vertex.want = m_swap ? node.previous->y : node.previous->x;
            known += vertex.old;
            ranks = std::max(ranks, vertex.rank + 1);
            m_ranked.vertices.push_back(std::move(vertex));
        }
        m_stable = known > 0 && known * 2 >= m_graph.nodes.size();
        m_ranked.ranks.resize(u(ranks));
        m_chains.resize(m_graph.edges.size());
        m_atSide.assign(m_graph.edges.size(), 0);
        // Short edges first, because those beyond the budget should be the longest.
        std::vector<std::pair<int, std::size_t>> bySpan;
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e)
            bySpan.push_back({std::abs(result.ranks[u(m_graph.edges[e].to)] - result.ranks[u(m_graph.edges[e].from)]), e});
        std::sort(bySpan.begin(), bySpan.end());
        std::size_t const budget = kPassesPerNode * m_graph.nodes.size() + kLeastPasses;
        std::size_t passes = 0;
        for (auto const &[span, e] : bySpan) {
            passes += static_cast<std::size_t>(std::max(0, span - 1));
            m_atSide[e] = span > 1 && passes > budget;
        }
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e)
            if (!m_atSide[e] && m_graph.edges[e].from != m_graph.edges[e].to) pass(e, result);
        m_ranked.place.resize(m_ranked.vertices.size());
        for (std::size_t i = 0; i < m_ranked.vertices.size(); ++i)
            m_ranked.ranks[u(m_ranked.vertices[i].rank)].push_back(static_cast<int>(i));
        for (int rank = 0; rank < ranks; ++rank) m_ranked.renumber(rank);
    }

    /// One vertex for each rank that the edge passes.
    void pass(std::size_t edge, LayeredLayout const &result)
    {
        auto const &each = m_graph.edges[edge];
        int const from = result.backward[edge] ? each.to : each.from, to = result.backward[edge] ? each.from : each.to;
        int const first = result.ranks[u(from)] + 1, last = result.ranks[u(to)] - 1;
        int at = from;
        for (int rank = first; rank <= last; ++rank) {
            int const passing = static_cast<int>(m_ranked.vertices.size());
            Vertex vertex;
            vertex.rank = rank;
            if (!each.previous.empty()) { // the number of ranks as before, or the nearest possible
                std::size_t const known = each.previous.size(), i = static_cast<std::size_t>(rank - first),
                                  n = static_cast<std::size_t>(last - first + 1);
                vertex.old = true;
                vertex.want = each.previous[n == known ? i : std::min(known - 1, i * known / n)];
            }
            m_ranked.vertices.push_back(std::move(vertex));
            link(at, passing);
            m_chains[edge].push_back(passing);
            at = passing;
        }
        link(at, to);
    }

    void link(int from, int to)
    {
        m_ranked.vertices[u(from)].down.push_back(to);
        m_ranked.vertices[u(to)].up.push_back(from);
    }

    void placeAlong(bool lanes, LayeredLayout &result)
    {
        std::size_t const ranks = m_ranked.ranks.size();
        std::vector<double> height(ranks, 0);
        std::vector<int> lane(ranks, -1);
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            auto const rank = u(result.ranks[i]);
            height[rank] = std::max(height[rank], along(m_graph.nodes[i]));
            if (lanes) lane[rank] = m_graph.nodes[i].lane;
        }
        m_begin.resize(ranks);
        m_end.resize(ranks);
        double y = 0;
        for (std::size_t rank = 0; rank < ranks; ++rank) {
            bool const fresh = lanes && (rank == 0 || lane[rank] != lane[rank - 1]);
            if (fresh && rank > 0) y += m_options.laneGap;
            m_begin[rank] = y;
            m_end[rank] = y + height[rank];
            double const margin = (m_options.rankGap + m_options.laneGap) / 2;
            if (fresh) result.lanes.push_back({lane[rank], y - margin, 0});
            if (lanes) result.lanes.back().end = m_end[rank] + margin;
            y += height[rank] + m_options.rankGap;
        }
        m_rank = result.ranks;
    }

    void placeNodes()
    {
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
            auto const &node = m_graph.nodes[i];
            auto const rank = u(m_rank[i]);
            Box box{m_ranked.vertices[i].x, (m_begin[rank] + m_end[rank]) / 2, across(node), along(node)};
            if (node.pinned) {
                box.x = m_swap ? node.pinned->y : node.pinned->x;
                box.y = m_swap ? node.pinned->x : node.pinned->y;
            }
            m_boxes.push_back(box);
        }
        std::vector<std::size_t> pinned;
        for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
            if (m_graph.nodes[i].pinned) pinned.push_back(i);
        m_pinned = !pinned.empty();
        if (pinned.empty()) return;
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            if (m_graph.nodes[i].pinned) continue;
            bool const hit = std::any_of(pinned.begin(), pinned.end(), [&](std::size_t p) { return m_boxes[i].meets(m_boxes[p], 0); });
            if (hit) moveAside(i);
        }
    }

    /// The nearest free position along the rank.
    void moveAside(std::size_t node)
    {
        Box const from = m_boxes[node];
        double const gap = m_options.nodeGap;
        std::vector<double> candidates;
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            Box const &other = m_boxes[i];
            if (i == node || std::abs(other.y - from.y) >= (other.height + from.height) / 2) continue;
            double const distance = (other.width + from.width) / 2 + gap;
            candidates.push_back(other.x - distance);
            candidates.push_back(other.x + distance);
        }
        std::sort(candidates.begin(), candidates.end(), [&](double a, double b) {
            double const da = std::abs(a - from.x), db = std::abs(b - from.x);
            return da != db ? da < db : a < b;
        });
        for (double const x : candidates) {
            Box box = from;
            box.x = x;
            bool free = true;
            for (std::size_t i = 0; free && i < m_boxes.size(); ++i) free = i == node || !box.meets(m_boxes[i], gap / 2);
            if (!free) continue;
            m_boxes[node] = box;
            return;
        }
    }

    void route(LayeredLayout &result)
    {
        // Inputs of a node arrive side by side in their order.
        std::vector<std::vector<std::pair<double, std::size_t>>> incoming(m_boxes.size());
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) {
            int from = m_graph.edges[e].from, to = m_graph.edges[e].to;
            if (from == to) continue;
            if (result.backward[e]) std::swap(from, to);
            double const x = m_atSide[e] ? std::numeric_limits<double>::infinity()
                : usesChain(e)           ? m_ranked.vertices[u(m_chains[e].back())].x
                                         : m_boxes[u(from)].x;
            incoming[u(to)].push_back({x, e});
        }
        std::vector<double> port(m_graph.edges.size(), 0);
        for (std::size_t node = 0; node < incoming.size(); ++node) {
            auto &list = incoming[node];
            std::sort(list.begin(), list.end());
            double const step = list.empty() ? 0 : std::min(24.0, m_boxes[node].width * 0.6 / static_cast<double>(list.size()));
            for (std::size_t i = 0; i < list.size(); ++i)
                port[list[i].second] = (static_cast<double>(i) - static_cast<double>(list.size() - 1) / 2) * step;
        }
        double side = 0;
        for (auto const &box : m_boxes) side = std::max(side, box.x + box.width / 2);
        m_side = side;
        m_sideEdges = std::max<double>(1, static_cast<double>(std::count(m_atSide.begin(), m_atSide.end(), 1)));
        for (std::size_t e = 0; e < m_graph.edges.size(); ++e) result.routes.push_back(routeOf(e, result.backward[e], port[e]));
    }

    bool usesChain(std::size_t edge) const
    {
        auto const &[from, to, previous] = m_graph.edges[edge];
        return !m_chains[edge].empty() && !m_graph.nodes[u(from)].pinned && !m_graph.nodes[u(to)].pinned;
    }

    /// True if the route from (x0, y0) to (x1, y1), straight or bent as drawn, crosses a box other than its two ends.
    bool crosses(double x0, double y0, double x1, double y1, int a, int b) const
    {
        constexpr int kSamples = 12;
        double const margin = m_options.edgeGap / 3;
        for (std::size_t i = 0; i < m_boxes.size(); ++i) {
            Box const &box = m_boxes[i];
            double const halfWidth = box.width / 2 + margin, halfHeight = box.height / 2 + margin;
            if (static_cast<int>(i) == a || static_cast<int>(i) == b) continue;
            if (std::max(x0, x1) < box.x - halfWidth || std::min(x0, x1) > box.x + halfWidth || std::max(y0, y1) < box.y - halfHeight
                || std::min(y0, y1) > box.y + halfHeight)
                continue;
            for (int s = 0; s <= kSamples; ++s) {
                double const t = static_cast<double>(s) / kSamples, eased = t * t * (3 - 2 * t);
                if (std::abs(x0 + (x1 - x0) * eased - box.x) < halfWidth && std::abs(y0 + (y1 - y0) * t - box.y) < halfHeight) return true;
            }
        }
        return false;
    }

    /// Corners of a route from below `a` to above `b` that crosses no box; none if the direct route crosses none.
    std::vector<std::pair<double, double>> around(int a, int b, double port) const
    {
        Box const &from = m_boxes[u(a)], &to = m_boxes[u(b)];
        double const bend = m_options.rankGap / 3, x0 = from.x, x1 = to.x + port;
        double const below = from.y + from.height / 2, above = to.y - to.height / 2;
        if (above - below >= bend && !crosses(x0, below, x1, above, a, b)) return {};
        double const begin = below + bend, end = above - bend;
        std::vector<double> lanes{(x0 + x1) / 2};
        for (auto const &box : m_boxes)
            for (double const side : {-1.0, 1.0}) lanes.push_back(box.x + side * (box.width / 2 + m_options.edgeGap));
        auto const length = [&](double x) { return std::abs(x - x0) + std::abs(x - x1); };
        std::sort(lanes.begin(), lanes.end(), [&](double p, double q) { return length(p) != length(q) ? length(p) < length(q) : p < q; });
        for (double const x : lanes) {
            bool const free =
                !crosses(x0, begin, x, begin, -1, -1) && !crosses(x, begin, x, end, -1, -1) && !crosses(x, end, x1, end, -1, -1);
            if (free) return {{x0, begin}, {x, begin}, {x, end}, {x1, end}};
        }
        double const x = m_side + m_options.nodeGap;
        return {{x0, begin}, {x, begin}, {x, end}, {x1, end}};
    }

    std::vector<LayoutPoint> routeOf(std::size_t edge, bool backward, double port) const
    {
        int const from = m_graph.edges[edge].from, to = m_graph.edges[edge].to;
        Box const &a = m_boxes[u(backward ? to : from)], &b = m_boxes[u(backward ? from : to)];
        std::vector<LayoutPoint> route;
        if (from == to) { // a loop beside the node
            double const right = a.x + a.width / 2, out = right + m_options.edgeGap;
            return {point(a.x, a.y + a.height / 2), point(out, a.y + a.height / 2), point(out, a.y - a.height / 2),
                    point(a.x, a.y - a.height / 2)};
        }
        route.push_back(point(a.x, a.y + a.height / 2));
        if (m_atSide[edge]) {
            // Leaves between two ranks, runs along the side and returns between two ranks, so it crosses no node.
            double const nth =
                static_cast<double>(std::count(m_atSide.begin(), m_atSide.begin() + static_cast<std::ptrdiff_t>(edge), 1)) / m_sideEdges;
            double const x = m_side + m_options.nodeGap * (1 + 4 * nth), bend = m_options.rankGap / 3;
            double const begin = a.y + a.height / 2 + bend, end = b.y - b.height / 2 - bend;
            for (auto const &[px, py] : {std::pair(a.x, begin), std::pair(x, begin), std::pair(x, end), std::pair(b.x + port, end)})
                route.push_back(point(px, py));
        }
        if (usesChain(edge))
            for (int const passing : m_chains[edge]) {
                auto const &vertex = m_ranked.vertices[u(passing)];
                route.push_back(point(vertex.x, m_begin[u(vertex.rank)]));
                route.push_back(point(vertex.x, m_end[u(vertex.rank)]));
            }
        else if (!m_atSide[edge] && m_pinned) {
            // A node placed by a person can be behind its source or behind other boxes; route around them.
            for (auto const &[px, py] : around(backward ? to : from, backward ? from : to, port)) route.push_back(point(px, py));
        }
        route.push_back(point(b.x + port, b.y - b.height / 2));
        if (backward) std::reverse(route.begin(), route.end());
        return route;
    }

    LayoutGraph const &m_graph;
    LayoutOptions m_options;
    bool m_swap;
    Ranked m_ranked;
    std::vector<std::vector<int>> m_chains; ///< by edge: points where it passes ranks, ascending
    std::vector<double> m_begin, m_end;     ///< by rank
    std::vector<int> m_rank;
    std::vector<Box> m_boxes;
    std::vector<char> m_atSide; ///< by edge: runs along the side
    double m_side = 0, m_sideEdges = 1;
    bool m_pinned = false; ///< some node is pinned
    bool m_stable = false; ///< previous positions guide the layout
};

} // namespace

LayeredLayout layeredLayout(LayoutGraph const &graph, LayoutOptions const &options) { return Layouter(graph, options).run(); }

} // namespace tilewright::views
