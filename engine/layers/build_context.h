#pragma once

#include "engine/graph/op_builder.h"
#include "engine/model/activations.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::layers {

/// A counter of micro-batches on one stage, for random operations.
struct RandomCounter {
    int stage = 0;
    graph::VariableId variable;
    graph::ValueId read; ///< incremented at the end of a micro-batch
    bool operator==(RandomCounter const &) const = default;
};

/// A penalty of a weight or an output, an f32 scalar on the stage of its layer.
struct PenaltyTerm {
    int stage = 0;
    graph::ValueId value;
};

/// State of building one graph from a model: the graph, the insertion point, and the variable of each weight. `b` stamps the nodes; the
/// forward build sets layer and stage for each call.
class BuildContext : public graph::OpBuilder {
public:
    /// Adds a variable for every weight of the model, in Keras's order. `batch` replaces the open extent.
    BuildContext(model::ResolvedModel const &model, graph::Graph &graph, graph::OpLookup lookup, std::int64_t batchSize, bool forTraining);

    model::ResolvedModel const &resolved;
    std::int64_t batch;
    bool training;
    std::vector<std::string> checkpointLayers; ///< whose outputs are checkpoints
    bool recomputes = false;                   ///< checkpoints act
    std::int64_t recurrentCheckpoints = 0;     ///< in the loop over time of each recurrent layer
    int normReplicas = 1;                      ///< whose batches have statistics in common
    int nextNodeSeed = 0;                      ///< seed of the next random node
    /// Masks of the inputs of the current call, f32 [batch, steps] of 1 and 0; invalid: that input has no mask.
    std::vector<graph::ValueId> inputMasks;
    bool penalizes = false;             ///< penalties are built (penalties.h)
    std::vector<PenaltyTerm> penalties; ///< in the order of the calls
    graph::ValueId outputMask;          ///< set by the builder if the output's mask differs from that of its inputs

    /// The current layer: that of the call, or the inner layer.
    model::Layer const &layerOf(model::ResolvedCall const &call) const { return m_inner ? *m_inner : resolved.layers[call.layer].layer; }
    bool isInside() const { return m_inner != nullptr; }
    /// While it lives, builders build `layer`. Its weights are those of the call's layer from `firstWeight` on, and each sample counts as
    /// `batchFactor` samples.
    class Inside {
    public:
        Inside(BuildContext &context, model::Layer const &layer, std::size_t firstWeight, std::int64_t batchFactor = 1);
        ~Inside();
        Inside(Inside const &) = delete;
        Inside &operator=(Inside const &) = delete;

    private:
        BuildContext &m_context;
        model::Layer const *m_inner;
        std::size_t m_firstWeight;
        std::int64_t m_batch;
    };

    /// The call's output shape with the batch filled in.
    Shape shapeOf(model::ResolvedCall const &call) const;
    /// Weight `index` of the call's layer as a value of the layer's compute type.
    graph::ValueId weight(model::ResolvedCall const &call, std::size_t index);
    graph::VariableId variableOf(std::size_t layer, std::size_t index) const { return m_weights[layer][m_firstWeight + index]; }
    /// All weights in the order of Keras's get_weights, and the trained ones.
    std::vector<graph::VariableId> weights() const;
    std::vector<graph::VariableId> trainable() const;

    /// Called by a layer that ends in a softmax or sigmoid, with the values before it.
    void setLogits(std::size_t call, graph::ValueId value) { m_logits[call] = value; }
    graph::ValueId logits(std::size_t call) const;

    /// The value, marked as a recomputation checkpoint if these act.
    graph::ValueId checkpoint(graph::ValueId value);

    /// The micro-batch counter of the current stage, for random ops. Read, and its variable created, on first use.
    graph::ValueId randomCounter();
    /// A state that the layer of `call` keeps between batches, initially zeros. Created on first use. `label` distinguishes several states
    /// of a layer.
    graph::VariableId keptState(model::ResolvedCall const &call, std::string const &label, Shape shape, DType dtype);
    /// All created states.
    std::vector<graph::VariableId> const &keptStates() const { return m_kept; }

    /// The created counters, by stage.
    std::vector<RandomCounter> randomCounters() const;

private:
    struct Counter {
        RandomCounter made;
        graph::ValueId value; ///< the operand of random ops
    };
    model::Layer const *m_inner = nullptr;
    std::size_t m_firstWeight = 0;                         ///< of the current layer
    std::vector<std::vector<graph::VariableId>> m_weights; ///< by resolved layer
    std::map<std::size_t, graph::ValueId> m_logits;        ///< by call
    std::map<int, Counter> m_counters;                     ///< by stage
    std::vector<graph::VariableId> m_kept;
};

} // namespace tilewright::layers
