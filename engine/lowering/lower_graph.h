#pragma once

#include "engine/core/job_context.h"
#include "engine/lowering/op_lowering.h"

#include <string>
#include <vector>

namespace tilewright::lowering {

/// Result of lowering: the program, and the program variables of the graphs' variables.
struct Lowered {
    program::Program program;
    std::vector<std::vector<program::VarId>> variables; ///< by graph and its variable; invalid: not in the program
    std::vector<program::VarId> values;                 ///< by value of the first graph, after its computation; invalid: no storage
    std::vector<ConstantData> constants;
    /// IO tiles of each IPU that stay reserved, and the bytes of a round's feeds and of the room for them (0: nothing could go there).
    struct Io {
        int tiles = 0;
        Bytes bytes = 0, room = 0;
    } io;
    bool productsApart = false; ///< Options::productsTogether gives another program, which may take less memory
};

/// The graph of an entry of a program, with its name.
struct NamedGraph {
    std::string name;
    graph::Graph const *graph;
    bool movesState = false; ///< every variable of it is the one of this name in the first graph, not only the weights
};

/// Lowers a scheduled graph onto the IPUs of one replica: plans products jointly, places variables, emits and verifies the control tree.
Result<Lowered> lowerGraph(graph::Graph const &graph, target::Machine const &machine, int ipusPerReplica, int replicas,
                           Options const &options, LoweringLookup const &ops, JobContext const &job);
/// The same for the entries of one program. Weights of equal name are one variable, with the layout of the first graph. Operations of equal
/// name and problem use the tiles of the first graph, products also with fewer rows. Everything else is separate for each graph.
Result<Lowered> lowerGraphs(std::vector<NamedGraph> const &entries, target::Machine const &machine, int ipusPerReplica, int replicas,
                            Options const &options, LoweringLookup const &ops, JobContext const &job);

} // namespace tilewright::lowering
