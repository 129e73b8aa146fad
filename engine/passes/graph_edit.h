#pragma once

#include "engine/graph/op_table.h"

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

/// Helpers shared by several passes.
namespace tilewright::passes {

/// Visits every used region once, outer before inner.
void forEachRegion(graph::Graph const &graph, std::function<void(graph::RegionId)> const &visit);
/// Visits the node and all nodes in its regions.
void forEachNodeWithin(graph::Graph const &graph, graph::NodeId node, std::function<void(graph::NodeId)> const &visit);

/// Number of uses of each value by nodes in regions.
std::vector<int> countUses(graph::Graph const &graph);

/// Replacements of values. Chains are followed.
class Replacements {
public:
    void set(graph::ValueId from, graph::ValueId to);
    graph::ValueId of(graph::ValueId value) const;
    bool empty() const { return m_to.empty(); }
    void applyTo(graph::Node &node) const;
    /// Rewrites the inputs of all nodes in regions.
    void applyTo(graph::Graph &graph) const;

private:
    std::vector<graph::ValueId> m_to; ///< by value; invalid: unchanged
};

/// The element of a `constant` whose elements are all equal.
std::optional<double> uniformConstant(graph::Graph const &graph, graph::ValueId value);

/// Appends all attributes to a key: equal text exactly for equal attributes.
void appendAttrs(std::string &key, graph::Attrs const &attrs);

/// Bytes of a value on the device.
Bytes bytesOf(graph::Value const &value);

/// The computed value whose elements this one shares through reshapes.
graph::ValueId viewSource(graph::Graph const &graph, graph::ValueId value);

/// The input whose storage an output always reuses (OpSpec::updates): updates of variables, collectives. -1: none.
int forcedInPlace(graph::OpLookup const &ops, graph::Node const &node, int output);

/// Appends a copy of the node to the graph, to no region, with results of its own and its own copies of its bodies (calls share theirs).
/// `renamed` replaces operands, and receives the results of the copy and of its bodies. `suffix` is appended to the copy's name; the copy
/// and its bodies belong to the pass Recompute.
graph::NodeId copyToRecompute(graph::Graph &graph, graph::NodeId node, std::map<graph::ValueId, graph::ValueId> &renamed,
                              std::string_view suffix);

/// Whether the node has no side effects and gives the same results when it is repeated. Values read of `changing` variables, which a
/// micro-batch assigns before its backward pass, cannot be read again.
bool isRepeatable(graph::Graph const &graph, graph::OpLookup const &ops, graph::NodeId node, std::set<graph::VariableId> const &changing);
/// Whether the value is read of such a variable, through views.
bool readsChanging(graph::Graph const &graph, graph::ValueId value, std::set<graph::VariableId> const &changing);

/// Whether the variable is assigned by this node or inside its regions.
bool writesVariable(graph::Graph const &graph, graph::NodeId node, graph::VariableId variable);

} // namespace tilewright::passes
