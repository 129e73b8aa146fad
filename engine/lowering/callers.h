#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::lowering {

/// Who calls which body, and what its parameters stand for.
class Callers {
public:
    explicit Callers(graph::Graph const &graph);

    /// Calls of a body, in the order of the program.
    std::vector<graph::NodeId> const &of(graph::RegionId body) const;
    /// The variables that a value reads, through reshapes and parameters of called bodies: one, or one for each call. Empty
    /// when it is computed, in any of them.
    std::vector<graph::VariableId> variablesOf(graph::ValueId value) const;
    /// The layer that stands for a layer where they share bodies: its twin in the first call of each. Itself where it is in none.
    std::string const &twin(std::string const &layer) const;
    /// How often a node runs in one pass through the program: its loops multiplied through, its calls added up. What depends on
    /// the device's numbers counts as one.
    std::int64_t executions(graph::NodeId node) const { return m_executions[node.index]; }

private:
    void countExecutions();

    graph::Graph const &g;
    std::map<graph::RegionId, std::vector<graph::NodeId>> m_calls;
    std::map<graph::NodeId, graph::RegionId> m_bodyOf; ///< by the node that makes a body's parameters
    std::map<std::string, std::string> m_twins;
    std::vector<std::int64_t> m_executions; ///< by node
};

} // namespace tilewright::lowering
