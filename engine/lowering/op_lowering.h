#pragma once

#include "engine/lowering/builder.h"
#include "engine/lowering/callers.h"
#include "engine/lowering/conv_plan.h"
#include "engine/lowering/matmul_plan.h"
#include "engine/lowering/op_plan.h"
#include "engine/lowering/slice_plan.h"

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <string_view>

namespace tilewright::lowering {

/// A product's grid of tiles, decided before lowering.
struct MatmulGrid {
    PlanRole role = PlanRole::Forward;
    MatmulPlan plan; ///< of the forward product
    MatmulProblem problem;
    int firstTile = 0;
    std::string json;
};

/// The same for a convolution.
struct ConvGrid {
    cost::ConvPart part = cost::ConvPart::Output;
    ConvPlan plan;
    int firstTile = 0;
    std::string json;
};

/// A look-up's place on the tiles.
struct PlannedSlices {
    SlicePlan plan;
    int firstTile = 0;
};

struct CalledBody;
struct LoopFeeds;

/// The lowering of an operation. Planning handles groups of nodes before anything is lowered: each node's operation returns its `traits`,
/// and the leader's makes the `plan` (see planning.h). `lower` emits steps and binds the node's outputs.
struct OpLowering {
    std::function<Status(LowerContext &, graph::NodeId)> lower;
    std::function<PlanTraits(LowerContext const &, graph::NodeId)> traits; ///< with `plan`; empty: no planning
    std::function<OpPlan(LowerContext &, PlanGroup const &)> plan;
    /// An optimizer's update. Operands: states (the results replace them) on common tiles, then a gradient, and the step size.
    bool updatesWeights = false;
};
using LoweringLookup = std::function<OpLowering const *(std::string_view)>;

/// State of one lowering: the graph, the builder, the variable of each value.
class LowerContext {
public:
    LowerContext(graph::Graph const &g, ProgramBuilder &builder, LoweringLookup lookup)
        : graph(g), b(builder), ops(std::move(lookup)), callers(g), m_vars(g.values.size()), m_variables(g.variables.size())
    {
    }

    graph::Graph const &graph;
    ProgramBuilder &b;
    LoweringLookup ops;
    Callers const callers;
    int bodyOp = -1;                               ///< operation of the current called body; -1: the layer's operation
    std::map<std::uint32_t, MatmulGrid> grids;     ///< of products, by node
    std::map<std::uint32_t, ConvGrid> convs;       ///< of convolutions
    std::map<std::uint32_t, PlannedSlices> slices; ///< of look-ups
    PlanCache<std::pair<MatmulProblem, DType>, MatmulPlans> matmulPlans; ///< by problem and type of partial sums
    PlanCache<std::pair<ConvProblem, DType>, ConvPlans> convPlans;
    PlanCache<SliceProblem, SlicePlan> slicePlans;
    std::map<std::uint32_t, program::Layout> feedLayouts; ///< by value: requested layout of an infeed's tensor, rows x the rest
    std::map<graph::VariableId, program::Layout>
        workplaces;                      ///< layout in the products of weights that are stored elsewhere, because many share one layout
    std::map<std::string, int> layerOps; ///< keras-level op by layer name
    std::map<std::uint32_t, std::shared_ptr<CalledBody>> called; ///< by region: lowered bodies of calls
    /// All-gathers of updated weights that wait for others (Options::allGatherBytes): the parts of a weight's blocks, one per replica.
    struct Gathers {
        std::vector<program::VarId> weights;
        std::vector<int> firstChunk;
        Bytes bytes = 0;
        std::string name; ///< of the first
        int op = -1;
    } gathers;
    LoopFeeds *loopFeeds = nullptr; ///< inside an overlapped loop: its feeds, which the loop transfers (overlapped_loop.h)
    std::map<int, int> stageIpu;    ///< IPU of each pipeline stage

    int ipu(int stage) const
    {
        auto const it = stageIpu.find(stage);
        return it == stageIpu.end() ? 0 : it->second;
    }
    program::VarId var(graph::ValueId value) const
    {
        TW_CHECK(m_vars[value.index].valid(), "value " + graph.value(value).name + " has no storage");
        return m_vars[value.index];
    }
    bool isBound(graph::ValueId value) const { return m_vars[value.index].valid(); }
    void bind(graph::ValueId value, program::VarId id) { m_vars[value.index] = id; }
    program::VarId variable(graph::VariableId id) const { return m_variables[id.index]; }
    bool isVariable(program::VarId id) const { return std::ranges::find(m_variables, id) != m_variables.end(); }
    void bindVariable(graph::VariableId id, program::VarId var) { m_variables[id.index] = var; }

    /// Lowers the nodes of a region in order; copies of variables in streaming memory as in `withLateCopies`.
    Status lowerRegion(graph::RegionId region);
    Status lowerNode(graph::NodeId node);
    /// Gathers the parts of updated weights, now or together with later ones up to the limit of the options, at the latest before a node
    /// that reads them and at the end of their region. `firstChunk`: the part of replica 0.
    void gatherOverReplicas(program::VarId weights, int firstChunk, std::string const &name);
    void gatherPending();
    /// Whether the node loads or stores a variable in streaming memory.
    bool isRemote(graph::Node const &node) const;
    /// Nodes in the order of lowering: a variable in streaming memory is loaded right before its first use, and stored right after its
    /// new value is complete, so that its copies are on the tiles for a short time.
    std::vector<graph::NodeId> withLateCopies(std::vector<graph::NodeId> const &nodes) const;

private:
    void markRounding(graph::NodeId node, std::size_t firstComputeSet);
    void markFinished(graph::NodeId node, std::size_t firstComputeSet, std::size_t firstExchange);

    std::vector<program::VarId> m_vars;
    std::vector<program::VarId> m_variables;
};

} // namespace tilewright::lowering
