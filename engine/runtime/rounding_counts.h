#pragma once

#include "engine/core/replica_seeds.h"
#include "engine/core/rounding.h"
#include "engine/graph/rounding.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tilewright::runtime {

/// Counters of stochastic rounding in fused mode: weight updates, and executions of each node per update. Tiles count the same way
/// (emulator/tile_machine), so that both draw the same bits.
class RoundingCounts {
public:
    /// `stageIpus`: IPU of the replica by stage; later stages use the IPU of their number.
    RoundingCounts(graph::Graph const &graph, std::vector<int> const &stageIpus, int ipus, int replicas,
                   std::shared_ptr<std::uint64_t const> seed)
        : m_graph(graph), m_stageIpus(stageIpus), m_ipus(static_cast<std::size_t>(std::max(1, ipus))), m_seed(std::move(seed))
    {
        bool const any =
            std::ranges::any_of(graph.nodes, [](graph::Node const &node) { return graph::roundingOf(node) != graph::Rounding::Nearest; });
        if (any) m_executions.assign(static_cast<std::size_t>(replicas), std::vector<std::int64_t>(graph.nodes.size() * m_ipus));
    }

    /// A node with stochastically rounded float16 results; without a number: another node.
    struct Node {
        int number = -1, ipu = 0;
        bool alike = false;
    };
    /// `callerStage`: stage of the call that contains the node; -1: no call.
    Node nodeOf(graph::NodeId id, int callerStage) const
    {
        auto const &node = m_graph.node(id);
        auto const rounding = graph::roundingOf(node);
        if (rounding == graph::Rounding::Nearest) return {};
        return {static_cast<int>(id.index), ipuOf(id, callerStage), rounding == graph::Rounding::StochasticAlike};
    }
    /// The node's IPU in the replica.
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
    /// Seed of this execution; 0: round to nearest.
    std::uint64_t seed(Node const &node, int replica) const
    {
        if (node.number < 0) return 0;
        return roundingSeed({runSeed(*m_seed), node.alike ? 0 : drawingReplica(*m_seed, replica), node.number, node.ipu, m_updates,
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
    std::shared_ptr<std::uint64_t const> m_seed;
    std::int64_t m_updates = 0;                          ///< started updates
    std::vector<std::vector<std::int64_t>> m_executions; ///< [replica]
};

} // namespace tilewright::runtime
