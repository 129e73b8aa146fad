#pragma once

#include "engine/core/job_context.h"
#include "engine/graph/op_table.h"

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::config {
class IpuConfig;
}

namespace tilewright::passes {

/// Options of the passes.
struct PassOptions {
    std::string scheduler = "CHOOSE_BEST"; ///< ipu_config.scheduling.algorithm
    int lookAheadDepth = 5;                ///< of LOOK_AHEAD: nodes that a trial order places
    int lookAheadSpace = 64;               ///< of LOOK_AHEAD: trial orders before each node
    int maxFusedInstructions = 8;          ///< of one map
    int maxFusedOperands = 6;              ///< of one map
    enum class StochasticRounding { Off, On, ReplicaIdenticalOnly };
    StochasticRounding stochasticRounding = StochasticRounding::Off; ///< floating_point_behaviour.esr
    std::int64_t halfProducts = 0;     ///< matmuls.poplar_options.partialsType: inputs between two stores of a float16 sum; 0: float32
    std::int64_t halfConvolutions = 0; ///< convolutions.poplar_options.partialsType, the same
    bool onePassVariances = false;     ///< unless norms.use_stable_statistics is on
    bool recompute = false;            ///< allow_recompute
    /// training.recomputation_mode: what lies between two checkpoints is computed again one by one, in the backward tasks of a pipeline.
    bool recomputeInterleaved = false;
    bool combineProducts = false; ///< optimizations.combine_matmuls
    bool combineLookUps = false;  ///< optimizations.combine_embedding_lookups
    bool fastMath = false;        ///< optimizations.math.fast: rewrites may change the last bits
    /// Variables in streaming memory: training.offload_… and optimizations.minimum_remote_tensor_size.
    bool offloadOptimizerState = false, offloadAccumulators = false, offloadWeights = false;
    bool shardOptimizerState = false; ///< over the replicas
    bool shardWeights = false;        ///< over the replicas
    bool offloadActivations = false;  ///< of the stashes of pipelines
    Bytes minimumRemoteBytes = 0;
    int replicas = 1;
    int outlineTiles = 0; ///< tiles of the IPUs whose code outlining should reduce; 0: no outlining
    bool operator==(PassOptions const &) const = default;
};
/// `tiles`: of an IPU; 0 without tiles: the host neither outlines, nor rounds stochastically, nor stores partial sums as float16.
PassOptions passOptions(config::IpuConfig const &config, int tiles = 0, int replicas = 1);

struct PassContext {
    graph::OpLookup ops;
    PassOptions options;
    JobContext const &job;
};

/// Graph to graph. A pass does not renumber: dead nodes only leave their region.
struct Pass {
    std::string name;
    std::string help; ///< one line
    std::function<Result<graph::Graph>(graph::Graph, PassContext const &)> run;
};

/// The passes of every compile, in order; the explicit table is in pipeline_table.cpp.
std::span<Pass const> graphPasses();

struct PassStats {
    std::string name;
    double seconds = 0; ///< wall time of the pass alone
    int nodesBefore = 0;
    int nodesAfter = 0;
};

struct RunOptions {
    std::string dumpAfter;                 ///< name of a pass, "all", or "" for none
    std::string dumpFolder;                ///< receives NN_name.txt, graph::print of the graph
    std::string stopAfter;                 ///< name of a pass, or ""
    std::string dumpMatching;              ///< with dumpFolder: a regular expression for names of passes; "" with a folder: the last pass
    bool dumpText = true, dumpDot = false; ///< forms of the dump
};

struct RunOutcome {
    graph::Graph graph;
    bool stopped = false; ///< at stopAfter: the later passes did not run
    std::vector<PassStats> stats;
};

/// Runs the passes in order and verifies the graph after each. Errors: Usage "passes.unknown" for an unknown pass name in the options;
/// Cancelled; a pass's own; Internal "graph.…" with the pass that broke the graph. Reports progress in the phase "Passes".
Result<RunOutcome> runPasses(std::span<Pass const> passes, graph::Graph graph, PassContext const &context, RunOptions const &options = {});

/// The graph in Graphviz's language: one box per node with its place in the schedule, one arrow per operand.
std::string dotText(graph::Graph const &graph);

/// Nodes in all regions.
int nodeCount(graph::Graph const &graph);

// The passes, each in its own file.
Result<graph::Graph> foldConstants(graph::Graph graph, PassContext const &context);
Result<graph::Graph> mergeEqualNodes(graph::Graph graph, PassContext const &context);
Result<graph::Graph> removeDeadNodes(graph::Graph graph, PassContext const &context);
Result<graph::Graph> combineAlike(graph::Graph graph, PassContext const &context);
Result<graph::Graph> fuseElementwise(graph::Graph graph, PassContext const &context);
Result<graph::Graph> insertStageCopies(graph::Graph graph, PassContext const &context);
Result<graph::Graph> recomputeActivations(graph::Graph graph, PassContext const &context);
Result<graph::Graph> markPrecision(graph::Graph graph, PassContext const &context);
Result<graph::Graph> outlineRuns(graph::Graph graph, PassContext const &context);
Result<graph::Graph> offloadVariables(graph::Graph graph, PassContext const &context);
Result<graph::Graph> scheduleNodes(graph::Graph graph, PassContext const &context);
Result<graph::Graph> reuseStorage(graph::Graph graph, PassContext const &context);

} // namespace tilewright::passes
