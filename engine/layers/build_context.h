#pragma once

#include "engine/graph/op_builder.h"
#include "engine/model/activations.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::layers {

/// A counter of micro-batches on one stage, which random operations draw by.
struct RandomCounter {
    int stage = 0;
    graph::VariableId variable;
    graph::ValueId read; ///< what the increment at the end of a micro-batch takes over
    bool operator==(RandomCounter const &) const = default;
};

/// State of building one graph from a model: the graph, where nodes go, which variable each weight is.
/// Nodes are stamped by `b`; the forward build sets layer and stage for each call.
class BuildContext : public graph::OpBuilder {
public:
    /// Adds a variable for every weight of the model, in Keras's order. `batch` replaces the open extent.
    BuildContext(model::ResolvedModel const &model, graph::Graph &graph, graph::OpLookup lookup, std::int64_t batchSize, bool forTraining);

    model::ResolvedModel const &resolved;
    std::int64_t batch;
    bool training;
    int nextNodeSeed = 0; ///< of the next random node
    /// Masks of the inputs of the call that is being built, f32 [batch, steps] of 1 and 0; invalid: that one has none.
    std::vector<graph::ValueId> inputMasks;
    graph::ValueId outputMask; ///< for its builder to set where the output's mask is not that of its inputs

    /// The layer that is being built: that of the call, or the one inside it.
    model::Layer const &layerOf(model::ResolvedCall const &call) const { return m_inner ? *m_inner : resolved.layers[call.layer].layer; }
    bool isInside() const { return m_inner != nullptr; }
    /// While it lives, builders build `layer`, whose weights are those of the call's layer from `firstWeight` on, and take
    /// `batchFactor` samples for each.
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
    /// Weight `index` of the layer of `call` as a value of the layer's compute type.
    graph::ValueId weight(model::ResolvedCall const &call, std::size_t index);
    graph::VariableId variableOf(std::size_t layer, std::size_t index) const { return m_weights[layer][m_firstWeight + index]; }
    /// All weights in the order of Keras's get_weights, and those of them that are trained.
    std::vector<graph::VariableId> weights() const;
    std::vector<graph::VariableId> trainable() const;

    /// Remembered by a layer that ends in a softmax or sigmoid: the values before it.
    void setLogits(std::size_t call, graph::ValueId value) { m_logits[call] = value; }
    graph::ValueId logits(std::size_t call) const;

    /// The micro-batch counter of the present stage, for random ops; read (and its variable made) on first use.
    graph::ValueId randomCounter();
    /// What the layer of `call` keeps from one batch to the next, zeros at first; made when it is first asked for. `label` tells it
    /// from others of the layer.
    graph::VariableId keptState(model::ResolvedCall const &call, std::string const &label, Shape shape, DType dtype);
    /// All that were made.
    std::vector<graph::VariableId> const &keptStates() const { return m_kept; }

    /// The counters that were made, by stage.
    std::vector<RandomCounter> randomCounters() const;

private:
    struct Counter {
        RandomCounter made;
        graph::ValueId value; ///< what random ops use
    };
    model::Layer const *m_inner = nullptr;
    std::size_t m_firstWeight = 0;                         ///< of the layer at hand
    std::vector<std::vector<graph::VariableId>> m_weights; ///< by resolved layer
    std::map<std::size_t, graph::ValueId> m_logits;        ///< by call
    std::map<int, Counter> m_counters;                     ///< by stage
    std::vector<graph::VariableId> m_kept;
};

} // namespace tilewright::layers
