#pragma once

#include "engine/graph/graph.h"
#include "engine/runtime/fused_values.h"

#include <cstddef>
#include <map>
#include <span>
#include <vector>

/// Which values of the fused mode have bytes, and until when: those that are not needed at the same time share them.
namespace tilewright::runtime {

/// For each node, the values whose bytes nobody reads behind it in its region. Nodes of bodies count as the node they are in: what is
/// read inside a loop is needed until the loop ends.
class ValueLifetimes {
public:
    explicit ValueLifetimes(graph::Graph const &graph);
    /// Owners of bytes (bytesOwner()); never constants, which are filled once.
    std::span<graph::ValueId const> endingWith(graph::NodeId node) const { return m_ending[node.index]; }
    /// Whether nobody needs an owner's bytes across a node at which replicas meet (meetingNodes()). One replica after the other
    /// goes from such a node to the next, so all of them can have these bytes in turn.
    bool endsBeforeReplicasMeet(graph::ValueId owner) const { return m_between[owner.index]; }

private:
    std::vector<std::vector<graph::ValueId>> m_ending;
    std::vector<char> m_between; ///< by value
};

/// By node: whether replicas go through it together. Sums over replicas, loops over variables, what is decided by a value, and
/// what has one of these in it.
std::vector<char> meetingNodes(graph::Graph const &graph);

/// Which buffers are free. Only sizes: who takes a number keeps the bytes.
class BufferBook {
public:
    /// The smallest free buffer that holds them and is not much larger, else a new one: its number is the number of buffers so far.
    std::size_t take(Bytes bytes);
    void give(std::size_t number);
    std::size_t count() const { return m_sizes.size(); }
    Bytes total() const;

private:
    std::vector<Bytes> m_sizes;
    std::multimap<Bytes, std::size_t> m_free;
};

} // namespace tilewright::runtime
