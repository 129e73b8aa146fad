#pragma once

#include "engine/core/job_context.h"
#include "engine/lowering/op_lowering.h"

#include <string>
#include <vector>

namespace tilewright::lowering {

/// What lowering a graph yields: the program, and where the graph's variables and constants lie in it. Of several graphs, those of
/// the first; of the others, `further`.
struct Lowered {
    program::Program program;
    std::vector<program::VarId> variables; ///< by graph variable; invalid where the program has none
    std::vector<program::VarId> values;    ///< by graph value: where it was left; invalid where it has no storage
    std::vector<ConstantData> constants;
    bool productsApart = false; ///< with Options::productsTogether there is another program, which may take less memory
    std::vector<std::vector<program::VarId>> further; ///< by further graph: by its variables
};

/// What an entry of a program runs, and its name.
struct EntryGraph {
    std::string name;
    graph::Graph const *graph;
};

/// Lowers a scheduled graph onto one replica's IPUs: plans products jointly, places variables, emits the
/// control tree, verifies it.
Result<Lowered> lowerGraph(graph::Graph const &graph, target::Machine const &machine, int ipusPerReplica, int replicas,
                           Options const &options, LoweringLookup const &ops, JobContext const &job);
/// The same for entries of one program. Weights of one name are the same variable, which lies as the first graph wants it; operations
/// of one name and problem go where the first graph's go. All else each graph has for itself.
Result<Lowered> lowerGraphs(std::vector<EntryGraph> const &entries, target::Machine const &machine, int ipusPerReplica, int replicas,
                            Options const &options, LoweringLookup const &ops, JobContext const &job);

} // namespace tilewright::lowering
