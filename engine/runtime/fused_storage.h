#pragma once

#include "engine/graph/graph.h"
#include "engine/runtime/fused_values.h"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

/// Lifetimes of values in fused mode. Values that are not needed at the same time share memory.
namespace tilewright::runtime {

/// For each node, the values without readers after it in its region. A node with bodies stands for the nodes in them: a value read inside a
/// loop is needed until the loop ends.
class ValueLifetimes {
public:
    explicit ValueLifetimes(graph::Graph const &graph);
    /// Owners of memory (bytesOwner()). Never constants, which are filled once.
    std::span<graph::ValueId const> endingWith(graph::NodeId node) const { return m_ending[node.index]; }
    /// Whether an owner's memory is unused across every node at which replicas meet (meetingNodes()). Replicas run one after the other
    /// between such nodes, so they can use that memory in turn.
    bool endsBeforeReplicasMeet(graph::ValueId owner) const { return m_between[owner.index]; }

private:
    std::vector<std::vector<graph::ValueId>> m_ending;
    std::vector<char> m_between; ///< by value
};

/// By node: whether replicas pass it together. These are sums over replicas, loops over variables, data-dependent control flow, and nodes
/// that contain one of them.
std::vector<char> meetingNodes(graph::Graph const &graph);

/// Free buffers by size. The caller keeps the memory of a taken number.
class BufferBook {
public:
    /// Takes the smallest free buffer that is large enough and not much larger, else a new one, whose number is the current number of
    /// buffers.
    std::size_t take(Bytes bytes);
    void give(std::size_t number);
    std::size_t count() const { return m_sizes.size(); }
    Bytes total() const;

private:
    std::vector<Bytes> m_sizes;
    std::multimap<Bytes, std::size_t> m_free;
};

} // namespace tilewright::runtime
