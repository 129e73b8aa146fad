#pragma once

#include "engine/core/job_context.h"
#include "engine/lowering/op_lowering.h"

#include <string>
#include <vector>

namespace tilewright::lowering {

/// What lowering a graph yields: the program, and where the graph's variables and constants lie in it.
struct Lowered {
    program::Program program;
    std::vector<program::VarId> variables; ///< by graph variable; invalid where the program has none
    std::vector<program::VarId> values;    ///< by graph value: where it was left; invalid where it has no storage
    std::vector<ConstantData> constants;
    bool productsApart = false; ///< with Options::productsTogether there is another program, which may take less memory
};

/// Lowers a scheduled graph onto one replica's IPUs: plans products jointly, places variables, emits the
/// control tree, verifies it.
Result<Lowered> lowerGraph(graph::Graph const &graph, target::Machine const &machine, int ipusPerReplica, int replicas,
                           Options const &options, LoweringLookup const &ops, JobContext const &job);

} // namespace tilewright::lowering
