#pragma once

#include "engine/core/rounding.h"
#include "engine/graph/rounding.h"

#include <algorithm>
#include <vector>

namespace tilewright::runtime {

/// What stochastic rounding counts in fused mode: weight updates, and in each how often a node ran. Tiles count the same
/// (emulator/tile_machine), so that both draw the same bits.
class RoundingCounts {
public:
    /// `stageIpus`: of the replica, by stage; stages behind its end: on the IPU of their number.
    RoundingCounts(graph::Graph const &graph, std::vector<int> const &stageIpus, int ipus, int replicas, std::uint64_t seed)
        : m_graph(graph), m_stageIpus(stageIpus), m_ipus(static_cast<std::size_t>(std::max(1, ipus))), m_seed(seed)
    {
        bool const any =
            std::ranges::any_of(graph.nodes, [](graph::Node const &node) { return graph::roundingOf(node) != graph::Rounding::Nearest; });
        if (any) m_executions.assign(static_cast<std::size_t>(replicas), std::vector<std::int64_t>(graph.nodes.size() * m_ipus));
    }

    /// A node whose float16 results are rounded by chance; without a number: one whose are not.
    struct Node {
        int number = -1, ipu = 0;
        bool alike = false;
    };
    /// `callerStage`: of the call in whose body it stands; -1: in none.
    Node nodeOf(graph::NodeId id, int callerStage) const
    {
        auto const &node = m_graph.node(id);
        auto const rounding = graph::roundingOf(node);
        if (rounding == graph::Rounding::Nearest) return {};
        return {static_cast<int>(id.index), ipuOf(id, callerStage), rounding == graph::Rounding::StochasticAlike};
    }
    /// Of the replica, where the node runs.
    int ipuOf(graph::NodeId id, int callerStage) const
    {
        int const stage = callerStage < 0 ? m_graph.node(id).stage : callerStage;
        bool const mapped = stage >= 0 && static_cast<std::size_t>(stage) < m_stageIpus.size();
        return (mapped ? m_stageIpus[static_cast<std::size_t>(stage)] : stage) % static_cast<int>(m_ipus);
    }

    void setUpdates(std::int64_t done) { m_updates = done; }
    void beginUpdate()
    {
        ++m_updates;
        for (auto &executions : m_executions) std::ranges::fill(executions, 0);
    }
    /// What this execution draws by; 0: to the nearest.
    std::uint64_t seed(Node const &node, int replica) const
    {
        if (node.number < 0) return 0;
        return roundingSeed({m_seed, node.alike ? 0 : replica, node.number, node.ipu, m_updates,
                             m_executions[static_cast<std::size_t>(replica)][at(node)]});
    }
    void ran(Node const &node, int replica)
    {
        if (node.number >= 0) ++m_executions[static_cast<std::size_t>(replica)][at(node)];
    }

private:
    std::size_t at(Node const &node) const { return static_cast<std::size_t>(node.number) * m_ipus + static_cast<std::size_t>(node.ipu); }

    graph::Graph const &m_graph;
    std::vector<int> const &m_stageIpus;
    std::size_t m_ipus;
    std::uint64_t m_seed;
    std::int64_t m_updates = 0;                          ///< begun
    std::vector<std::vector<std::int64_t>> m_executions; ///< [replica]
};

} // namespace tilewright::runtime
