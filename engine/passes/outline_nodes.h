#pragma once

#include "engine/graph/op_table.h"

#include <optional>
#include <string>
#include <vector>

/// Properties of single nodes for outlining.
namespace tilewright::passes {

class OutlineNodes {
public:
    OutlineNodes(graph::Graph const &graph, graph::OpLookup const &ops) : g(graph), m_ops(ops) {}

    /// Whether a node may move into a body: it computes from its operands alone, and so do the bodies of a loop.
    bool mayMove(graph::NodeId id) const;
    /// Equal for nodes that compute the same, apart from the results they read and the stream they draw from.
    std::string keyOf(graph::NodeId id) const;
    /// The attribute with a node's stream number, if no operand gives it.
    std::optional<std::string> streamOf(graph::Node const &node) const;
    /// Its operands, then values of surrounding regions that its bodies read.
    std::vector<graph::ValueId> operandsOf(graph::NodeId id) const;
    /// Bytes on a tile of its vertices, exchanges and control that a shared body would save.
    Bytes codeOf(graph::NodeId id) const;

private:
    bool computes(graph::Node const &node) const;
    bool loopComputes(graph::Node const &node) const;
    void appendBody(std::string &key, graph::RegionId region, std::vector<std::int64_t> &numbers, std::int64_t &next) const;

    graph::Graph const &g;
    graph::OpLookup const &m_ops;
};

/// Copies nodes of one region into another, with their bodies.
class BodyWriter {
public:
    BodyWriter(graph::Graph &graph, graph::RegionId body) : g(graph), m_body(body) {}

    /// Appends the node, whose operands and bodies belong to the new region. Its results, typed like `like`, replace those from now on.
    void append(graph::Node node, std::vector<graph::ValueId> const &like) { appendTo(m_body, std::move(node), like); }
    /// A copy of the node for the new region: its operands, and copies of its bodies. Requires: its operands were appended.
    graph::Node copyOf(graph::Node const &node);
    bool knows(graph::ValueId value) const;
    graph::ValueId inside(graph::ValueId value) const { return m_inside[value.index]; }

private:
    void appendTo(graph::RegionId region, graph::Node node, std::vector<graph::ValueId> const &like);

    graph::Graph &g;
    graph::RegionId m_body;
    std::vector<graph::ValueId> m_inside; ///< by outer value; invalid: not in the new region
};

/// The part of a stream number that a call can give; the rest stays with the node.
inline constexpr std::int64_t kGivenOfStream = 0xffffffff;

} // namespace tilewright::passes
