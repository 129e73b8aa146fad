#pragma once

#include "engine/core/job_context.h"
#include "engine/lowering/op_lowering.h"

#include <string>
#include <vector>

namespace tilewright::lowering {

/// Result of lowering: the program, and the program variables of the graph's variables and values. Of several graphs, those of the first;
/// `further` has the others.
struct Lowered {
    program::Program program;
    std::vector<program::VarId> variables; ///< by graph variable; invalid: not in the program
    std::vector<program::VarId> values;    ///< by graph value, after its computation; invalid: no storage
    std::vector<ConstantData> constants;
    bool productsApart = false;                       ///< Options::productsTogether gives another program, which may take less memory
    std::vector<std::vector<program::VarId>> further; ///< by further graph: by its variables
};

/// The graph of an entry of a program, with its name.
struct NamedGraph {
    std::string name;
    graph::Graph const *graph;
};

/// Lowers a scheduled graph onto the IPUs of one replica: plans products jointly, places variables, emits and verifies the control tree.
Result<Lowered> lowerGraph(graph::Graph const &graph, target::Machine const &machine, int ipusPerReplica, int replicas,
                           Options const &options, LoweringLookup const &ops, JobContext const &job);
/// The same for the entries of one program. Weights of equal name are one variable, with the layout of the first graph. Operations of equal
/// name and problem use the tiles of the first graph. Everything else is separate for each graph.
Result<Lowered> lowerGraphs(std::vector<NamedGraph> const &entries, target::Machine const &machine, int ipusPerReplica, int replicas,
                            Options const &options, LoweringLookup const &ops, JobContext const &job);

} // namespace tilewright::lowering
