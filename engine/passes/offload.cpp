// Variables in streaming memory: chooses them, and gives each use of a weight there a read of its own.
#include "engine/graph/checkpoint.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/passes/graph_edit.h"
#include "engine/passes/pass.h"

#include <algorithm>
#include <limits>
#include <map>

namespace tilewright::passes {

using namespace graph;

namespace {

bool isChosen(Variable const &variable, PassOptions const &options)
{
    if (elementCount(variable.shape) * sizeOf(variable.dtype) < std::max<Bytes>(options.minimumRemoteBytes, 1)) return false;
    switch (variable.role) {
    case Role::OptimizerState: return options.offloadOptimizerState;
    case Role::Accumulator: return options.offloadAccumulators;
    case Role::Weight: return options.offloadWeights;
    case Role::Activation:
    case Role::Gradient:
    case Role::Input:
    case Role::Output:
    case Role::Constant:
    case Role::Temporary:
    case Role::Other: return false;
    }
    return false;
}

/// State of updates that change each element by itself: nothing but such an update reads it, and its new value is only stored. The
/// other states of the update are of the same kind.
class Shardable {
public:
    Shardable(Graph const &graph, OpLookup const &ops, Bytes least) : g(graph)
    {
        m_possible.resize(g.variables.size());
        for (std::size_t v = 0; v < m_possible.size(); ++v) {
            auto const &variable = g.variables[v];
            m_possible[v] = variable.home == Home::Streaming && variable.role == Role::OptimizerState && variable.dtype == DType::F32
                && elementCount(variable.shape) * sizeOf(variable.dtype) >= least;
        }
        std::vector<NodeId> updates;
        forEachRegion(g, [&](RegionId region) {
            for (auto const id : g.region(region).nodes) {
                auto const *spec = ops(g.node(id).op);
                if (spec && spec->updates && g.node(id).outputs.size() > 1) updates.push_back(id);
                note(id, spec);
            }
        });
        for (bool changed = true; changed;) { // one state that cannot be shared out keeps the others of its update
            changed = false;
            for (auto const id : updates) changed = settle(g.node(id)) || changed;
        }
    }
    bool operator[](std::size_t variable) const { return m_possible[variable]; }

    /// Weights in streaming memory whose updates, if there are any, store shards alone: of weights without state, or with a shardable
    /// state.
    std::vector<char> weights(OpLookup const &ops, Bytes least) const
    {
        std::vector<char> possible(g.variables.size());
        for (std::size_t v = 0; v < possible.size(); ++v) {
            auto const &variable = g.variables[v];
            possible[v] = variable.home == Home::Streaming && variable.role == Role::Weight && variable.dtype == DType::F32
                && elementCount(variable.shape) * sizeOf(variable.dtype) >= least;
        }
        forEachRegion(g, [&](RegionId region) {
            for (auto const id : g.region(region).nodes) {
                auto const &node = g.node(id);
                auto const *spec = ops(node.op);
                bool const update = spec && spec->updates && !is(node, NodeKind::AllReduce);
                for (std::size_t i = 0; i < node.inputs.size(); ++i) {
                    auto const &producer = g.node(g.value(node.inputs[i]).producer);
                    auto const weight = stateOf(node.inputs[i]);
                    // A whole state, or a second weight of one update, needs the whole weight on the tiles.
                    if (update && i < node.outputs.size() && weight.valid() && (i > 0 || !hasShards(node))) possible[weight.index] = false;
                    // The new weights only go to the variable.
                    auto const *updates = ops(producer.op);
                    bool const made = updates && updates->updates && !is(producer, NodeKind::AllReduce);
                    if (!made || producer.outputs[0] != node.inputs[i] || is(node, NodeKind::VariableAssign)) continue;
                    if (auto const read = stateOf(producer.inputs[0]); read.valid()) possible[read.index] = false;
                }
            }
        });
        return possible;
    }

private:
    bool hasShards(Node const &update) const
    {
        for (std::size_t i = 1; i < update.outputs.size(); ++i)
            if (auto const state = stateOf(update.inputs[i]); !state.valid() || !m_possible[state.index]) return false;
        return true;
    }
    VariableId stateOf(ValueId value) const
    {
        auto const &producer = g.node(g.value(value).producer);
        return is(producer, NodeKind::VariableRead) ? producer.variable : VariableId();
    }
    void refuse(ValueId value)
    {
        if (auto const variable = stateOf(value); variable.valid()) m_possible[variable.index] = false;
    }
    void note(NodeId id, OpSpec const *spec)
    {
        auto const &node = g.node(id);
        bool const update = spec && spec->updates && node.outputs.size() > 1 && !is(node, NodeKind::AllReduce);
        for (std::size_t i = 0; i < node.inputs.size(); ++i) {
            if (!update || i == 0 || i >= node.outputs.size()) refuse(node.inputs[i]);
            // A result of an update that something else than its assignment reads.
            auto const &producer = g.node(g.value(node.inputs[i]).producer);
            auto const *made = std::ranges::find(producer.outputs, node.inputs[i]) - producer.outputs.begin() > 0 ? &producer : nullptr;
            if (!made || is(node, NodeKind::VariableAssign)) continue;
            auto const output = static_cast<std::size_t>(std::ranges::find(made->outputs, node.inputs[i]) - made->outputs.begin());
            if (output < made->inputs.size()) refuse(made->inputs[output]);
        }
    }
    bool settle(Node const &node)
    {
        bool const weights = g.value(node.inputs[0]).dtype == DType::F32;
        bool all = weights, any = false;
        for (std::size_t i = 1; i < node.outputs.size(); ++i) {
            auto const state = stateOf(node.inputs[i]);
            bool const possible = state.valid() && m_possible[state.index];
            all = all && possible;
            any = any || possible;
        }
        if (all || !any) return false;
        for (std::size_t i = 1; i < node.outputs.size(); ++i) refuse(node.inputs[i]);
        return true;
    }

    Graph const &g;
    std::vector<char> m_possible; ///< by variable
};

/// A weight that the forward and the backward pass read would stay on the tiles in between. With a read for each user, it is loaded again.
/// Uses after the weight has changed keep the first read.
void readPerUser(Graph &g, RegionId region)
{
    std::map<ValueId, NodeId> reads;
    std::map<VariableId, bool> changed;
    auto const nodes = g.region(region).nodes;
    std::vector<NodeId> out;
    for (auto const id : nodes) {
        if (is(g.node(id), NodeKind::VariableRead)) {
            auto const &variable = g.variable(g.node(id).variable);
            if (variable.home != Home::Tiles && variable.role == Role::Weight) reads[g.node(id).outputs[0]] = id;
        }
        for (auto const value : graph::reads(g, id)) {
            auto const read = reads.find(value);
            if (read == reads.end() || changed[g.node(read->second).variable]) continue;
            Node own = g.node(read->second);
            own.stage = g.node(id).stage;
            own.pass = g.node(id).pass;
            NodeId const ownId(g.nodes.size());
            ValueId const ownValue(g.values.size());
            g.values.push_back(g.value(value));
            g.values.back().producer = ownId;
            own.outputs = {ownValue};
            g.nodes.push_back(std::move(own));
            out.push_back(ownId);
            forEachNodeWithin(g, id, [&](NodeId inner) { std::ranges::replace(g.nodes[inner.index].inputs, value, ownValue); });
        }
        for (auto const &[value, read] : reads)
            if (auto const variable = g.node(read).variable; writesVariable(g, id, variable)) changed[variable] = true;
        out.push_back(id);
    }
    std::erase_if(out, [&](NodeId id) { // reads that nobody is left for
        auto const &node = g.node(id);
        if (!is(node, NodeKind::VariableRead) || !reads.contains(node.outputs[0])) return false;
        return std::ranges::none_of(out, [&](NodeId user) {
            auto const used = graph::reads(g, user);
            return std::ranges::find(used, node.outputs[0]) != used.end();
        });
    });
    g.regions[region.index].nodes = std::move(out);
}

/// What waits for the backward pass of a pipeline goes to streaming memory. With the sequential schedule nothing waits.
void offloadStashes(Graph &g, Bytes least)
{
    forEachRegion(g, [&](RegionId region) {
        for (auto const id : g.region(region).nodes) {
            auto &node = g.node(id);
            if (is(node, NodeKind::Pipeline) && node.attrs.flag("training") && node.attrs.text("schedule") != "sequential")
                node.attrs.set(kRemoteStash, std::int64_t{least});
        }
    });
}

} // namespace

Result<Graph> offloadVariables(Graph graph, PassContext const &context)
{
    bool weights = false;
    for (auto &variable : graph.variables) {
        if (!isChosen(variable, context.options)) continue;
        variable.home = Home::Streaming;
        weights = weights || variable.role == Role::Weight;
    }
    if (context.options.offloadActivations) offloadStashes(graph, std::max<Bytes>(context.options.minimumRemoteBytes, 1));
    if (auto const &options = context.options; (options.shardOptimizerState || options.shardWeights) && options.replicas > 1) {
        Bytes const least = options.minimumRemoteBytes * options.replicas;
        Shardable const shardable(graph, context.ops, options.shardOptimizerState ? least : std::numeric_limits<Bytes>::max());
        auto const weightShards = options.shardWeights ? shardable.weights(context.ops, least) : std::vector<char>(graph.variables.size());
        for (std::size_t v = 0; v < graph.variables.size(); ++v)
            if (shardable[v] || weightShards[v]) graph.variables[v].home = Home::Shards;
    }
    if (!weights) return graph;
    std::vector<RegionId> regions;
    forEachRegion(graph, [&](RegionId id) { regions.push_back(id); });
    for (auto const id : regions) readPerUser(graph, id);
    return graph;
}

} // namespace tilewright::passes
