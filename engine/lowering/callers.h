#pragma once

#include "engine/graph/graph.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::lowering {

/// The calls of each body, and the origin of its parameters.
class Callers {
public:
    explicit Callers(graph::Graph const &graph);

    /// Calls of a body, in program order.
    std::vector<graph::NodeId> const &of(graph::RegionId body) const;
    /// The variables that a value reads, through reshapes and parameters of called bodies: one, or one per call. Empty if the value is
    /// computed in any of them.
    std::vector<graph::VariableId> variablesOf(graph::ValueId value) const;
    /// The representative of layers that share bodies: the layer in the first call of each. The layer itself without a shared body.
    std::string const &twin(std::string const &layer) const;
    /// Executions of a node in one run of the program: the product of its loops' counts, summed over calls. Data-dependent counts are 1.
    std::int64_t executions(graph::NodeId node) const { return m_executions[node.index]; }

private:
    void countExecutions();

    graph::Graph const &g;
    std::map<graph::RegionId, std::vector<graph::NodeId>> m_calls;
    std::map<graph::NodeId, graph::RegionId> m_bodyOf; ///< by the `parameters` node of the body
    std::map<std::string, std::string> m_twins;
    std::vector<std::int64_t> m_executions; ///< by node
};

} // namespace tilewright::lowering
