#pragma once

#include "engine/graph/op_table.h"

#include <optional>
#include <string>
#include <vector>

/// What outlining asks of single nodes.
namespace tilewright::passes {

class OutlineNodes {
public:
    OutlineNodes(graph::Graph const &graph, graph::OpLookup const &ops) : g(graph), m_ops(ops) {}

    /// Whether a node may stand in a body: it computes, from operands alone, and so do the bodies of a loop.
    bool mayMove(graph::NodeId id) const;
    /// Equal for nodes that compute the same but for whose results they read and which stream they draw from.
    std::string keyOf(graph::NodeId id) const;
    /// Where the number of a node's stream is its own, not given by an operand: that attribute.
    std::optional<std::string> streamOf(graph::Node const &node) const;
    /// What it reads: its operands, then what its bodies read of what is around them.
    std::vector<graph::ValueId> operandsOf(graph::NodeId id) const;
    /// Bytes on a tile of its vertices, exchanges and control, as far as a body of its own saves them.
    Bytes codeOf(graph::NodeId id) const;

private:
    bool computes(graph::Node const &node) const;
    bool loopComputes(graph::Node const &node) const;
    void appendBody(std::string &key, graph::RegionId region, std::vector<std::int64_t> &numbers, std::int64_t &next) const;

    graph::Graph const &g;
    graph::OpLookup const &m_ops;
};

/// Copies nodes of one region into another, with the bodies they have.
class BodyWriter {
public:
    BodyWriter(graph::Graph &graph, graph::RegionId body) : g(graph), m_body(body) {}

    /// Appends the node, whose operands and bodies are of the new region, with results like these, which stand for them from now on.
    void append(graph::Node node, std::vector<graph::ValueId> const &like) { appendTo(m_body, std::move(node), like); }
    /// The node as it is in the new region: its operands, and copies of its bodies. Requires: what it reads was appended.
    graph::Node copyOf(graph::Node const &node);
    bool knows(graph::ValueId value) const;
    graph::ValueId inside(graph::ValueId value) const { return m_inside[value.index]; }

private:
    void appendTo(graph::RegionId region, graph::Node node, std::vector<graph::ValueId> const &like);

    graph::Graph &g;
    graph::RegionId m_body;
    std::vector<graph::ValueId> m_inside; ///< by value outside; invalid: not there
};

/// Of the number of a stream, what a call can give; the rest stays with the node.
inline constexpr std::int64_t kGivenOfStream = 0xffffffff;

} // namespace tilewright::passes
