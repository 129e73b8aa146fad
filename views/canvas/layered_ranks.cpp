#include "views/canvas/layered_internal.h"

#include <algorithm>

namespace tilewright::views::layered {

namespace {

std::size_t u(int i) { return static_cast<std::size_t>(i); }

struct Links {
    std::vector<std::vector<int>> in, out; ///< edges by node, without backward ones
};

Links linksOf(LayoutGraph const &graph, std::vector<char> const &backward)
{
    Links links{std::vector<std::vector<int>>(graph.nodes.size()), std::vector<std::vector<int>>(graph.nodes.size())};
    for (std::size_t e = 0; e < graph.edges.size(); ++e) {
        int from = graph.edges[e].from, to = graph.edges[e].to;
        if (from == to) continue;
        if (backward[e]) std::swap(from, to);
        links.out[u(from)].push_back(to);
        links.in[u(to)].push_back(from);
    }
    return links;
}

std::vector<int> topological(Links const &links)
{
    std::vector<int> order, waiting;
    for (auto const &in : links.in) waiting.push_back(static_cast<int>(in.size()));
    for (std::size_t node = 0; node < waiting.size(); ++node)
        if (waiting[node] == 0) order.push_back(static_cast<int>(node));
    for (std::size_t i = 0; i < order.size(); ++i)
        for (int const to : links.out[u(order[i])])
            if (--waiting[u(to)] == 0) order.push_back(to);
    return order;
}

bool lanesAreInOrder(LayoutGraph const &graph, Links const &links)
{
    for (std::size_t node = 0; node < graph.nodes.size(); ++node) {
        if (graph.nodes[node].lane < 0) return false;
        for (int const to : links.out[node])
            if (graph.nodes[u(to)].lane < graph.nodes[node].lane) return false;
    }
    return true;
}

} // namespace

std::vector<char> backwardEdges(LayoutGraph const &graph)
{
    std::vector<std::vector<int>> out(graph.nodes.size());
    std::vector<char> backward(graph.edges.size(), 0), state(graph.nodes.size(), 0); // 0 new, 1 on the path, 2 done
    for (std::size_t e = 0; e < graph.edges.size(); ++e) out[u(graph.edges[e].from)].push_back(static_cast<int>(e));
    std::vector<std::pair<int, std::size_t>> path;
    for (std::size_t start = 0; start < graph.nodes.size(); ++start) {
        if (state[start]) continue;
        path.push_back({static_cast<int>(start), 0});
        state[start] = 1;
        while (!path.empty()) {
            auto &[node, next] = path.back();
            if (next == out[u(node)].size()) {
                state[u(node)] = 2;
                path.pop_back();
                continue;
            }
            int const edge = out[u(node)][next++];
            int const to = graph.edges[u(edge)].to;
            if (state[u(to)] == 1) backward[u(edge)] = 1;
            if (state[u(to)] == 0) {
                state[u(to)] = 1;
                path.push_back({to, 0}); // invalidates node and next, which are not used after this
            }
        }
    }
    return backward;
}

std::vector<int> assignRanks(LayoutGraph const &graph, std::vector<char> const &backward, bool *lanes)
{
    Links const links = linksOf(graph, backward);
    std::vector<int> order = topological(links);
    *lanes = !graph.nodes.empty() && lanesAreInOrder(graph, links);
    if (*lanes) std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return graph.nodes[u(a)].lane < graph.nodes[u(b)].lane; });
    std::vector<int> rank(graph.nodes.size(), 0);
    int lane = 0, first = 0, last = -1;             // of the lane's ranks
    std::vector<int> latest(graph.nodes.size(), 0); ///< last rank of the node's lane
    std::size_t laneBegin = 0;
    auto const closeLane = [&](std::size_t end) {
        for (std::size_t i = laneBegin; i < end; ++i) latest[u(order[i])] = last;
        laneBegin = end;
    };
    for (std::size_t i = 0; i < order.size(); ++i) {
        int const node = order[i];
        if (*lanes && graph.nodes[u(node)].lane != lane) {
            closeLane(i);
            lane = graph.nodes[u(node)].lane;
            first = last + 1;
        }
        int &own = rank[u(node)];
        own = first;
        for (int const from : links.in[u(node)]) own = std::max(own, rank[u(from)] + 1);
        last = std::max(last, own);
    }
    closeLane(order.size());
    // A node with more outputs than inputs gets shorter edges by moving towards its users.
    for (std::size_t i = order.size(); i-- > 0;) {
        int const node = order[i];
        auto const &out = links.out[u(node)];
        if (out.empty() || out.size() <= links.in[u(node)].size()) continue;
        int nearest = latest[u(node)] + 1;
        for (int const to : out) nearest = std::min(nearest, rank[u(to)]);
        rank[u(node)] = std::max(rank[u(node)], nearest - 1);
    }
    return rank;
}

} // namespace tilewright::views::layered
