#include "engine/runtime/fused_storage.h"

#include "engine/core/host_memory.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/runtime/loop_binding.h"

#include <algorithm>
#include <optional>

namespace tilewright::runtime {

using graph::NodeId;
using graph::NodeKind;
using graph::RegionId;
using graph::ValueId;

std::vector<char> meetingNodes(graph::Graph const &graph)
{
    std::vector<char> meets(graph.nodes.size()), known(graph.nodes.size());
    auto const visit = [&](auto &&self, NodeId id) -> bool {
        auto &answer = meets[id.index];
        if (known[id.index]) return answer;
        auto const &node = graph.node(id);
        bool within = false;
        for (auto region : node.regions)
            for (auto inner : graph.region(region).nodes) within = self(self, inner) || within;
        bool const overVariables =
            graph::is(node, NodeKind::Pipeline) || (graph::is(node, NodeKind::Repeat) && graph::repeatForm(node).isLoopOverVariables());
        answer = within || overVariables || graph::is(node, NodeKind::AllReduce, NodeKind::If, NodeKind::While);
        known[id.index] = true;
        return answer;
    };
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        visit(visit, NodeId(n));
        if (!graph::is(graph.nodes[n], NodeKind::While)) continue;
        // All replicas take part in the decision whether to continue.
        auto const &test = graph.region(graph.nodes[n].regions[0]).nodes;
        if (!test.empty()) meets[test.back().index] = true;
    }
    return meets;
}

ValueLifetimes::ValueLifetimes(graph::Graph const &graph) : m_ending(graph.nodes.size()), m_between(graph.values.size())
{
    struct Standing {
        RegionId region;
        std::size_t at = 0;
        int stretch = 0;
    };
    auto const meets = meetingNodes(graph);
    std::vector<std::optional<Standing>> standing(graph.nodes.size());
    std::vector<std::optional<NodeId>> holder(graph.regions.size()); // bodies of calls have several; they read nothing from outside
    int stretch = 0;                                                 // from one meeting of the replicas to the next
    for (std::size_t r = 0; r < graph.regions.size(); ++r, ++stretch)
        for (std::size_t i = 0; i < graph.regions[r].nodes.size(); ++i) {
            auto const id = graph.regions[r].nodes[i];
            if (meets[id.index]) ++stretch;
            standing[id.index] = Standing{RegionId(r), i, stretch};
            if (meets[id.index]) ++stretch;
            for (auto body : graph.node(id).regions) holder[body.index] = id;
        }
    std::vector<std::optional<NodeId>> last(graph.values.size());
    std::vector<char> forever(graph.values.size());
    auto const need = [&](ValueId value, NodeId node) {
        auto const owner = bytesOwner(graph, value);
        auto const maker = graph.value(owner).producer;
        if (!standing[maker.index]) return;
        while (standing[node.index] && standing[node.index]->region != standing[maker.index]->region) {
            auto const around = holder[standing[node.index]->region.index];
            if (!around) {
                forever[owner.index] = true;
                return;
            }
            node = *around;
        }
        auto &end = last[owner.index];
        if (!end || standing[end->index]->at < standing[node.index]->at) end = node;
    };
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        if (!standing[n]) continue;
        for (auto input : graph.nodes[n].inputs) need(input, NodeId(n));
        for (auto output : graph.nodes[n].outputs) need(output, NodeId(n));
    }
    for (std::size_t v = 0; v < last.size(); ++v) {
        auto const maker = graph.values[v].producer;
        if (!last[v] || forever[v] || graph::is(graph.node(maker), NodeKind::Constant)) continue;
        m_ending[last[v]->index].emplace_back(v);
        m_between[v] = !meets[maker.index] && standing[maker.index]->stretch == standing[last[v]->index]->stretch;
    }
}

std::size_t BufferBook::take(Bytes bytes)
{
    constexpr Bytes kMostWaste = 4; // factor: a scalar must not occupy the storage of a matrix
    auto const found = m_free.lower_bound(bytes);
    if (found == m_free.end() || found->first > kMostWaste * bytes) {
        m_sizes.push_back(bytes);
        return m_sizes.size() - 1;
    }
    auto const number = found->second;
    m_free.erase(found);
    return number;
}

void BufferBook::give(std::size_t number) { m_free.emplace(m_sizes[number], number); }

Bytes BufferBook::total() const
{
    Bytes sum = 0;
    for (auto bytes : m_sizes) sum = addBytes(sum, bytes);
    return sum;
}

} // namespace tilewright::runtime
