#pragma once

#include "engine/graph/op_table.h"
#include "engine/model/activations.h"
#include "engine/model/resolve.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace tilewright::layers {

/// State of building one graph from a model: the graph, where nodes go, which variable each weight is.
/// Nodes are stamped by `b`; the forward build sets layer and stage for each call.
class BuildContext {
public:
    /// Adds a variable for every weight of the model, in Keras's order. `batch` replaces the open extent.
    BuildContext(model::ResolvedModel const &model, graph::Graph &graph, graph::OpLookup lookup, std::int64_t batchSize,
                 bool forTraining);

    model::ResolvedModel const &resolved;
    graph::OpLookup ops;
    graph::Builder b;
    std::int64_t batch;
    bool training;
    int nextNodeSeed = 0; ///< of the next random node
    std::string suffix;   ///< "_1" in the second call of a shared layer: keeps node names apart

    graph::Graph &graph() { return b.graph(); }
    graph::Value const &value(graph::ValueId id) { return b.graph().value(id); }

    /// The call's output shape with the batch filled in.
    Shape shapeOf(model::ResolvedCall const &call) const;
    /// Weight `index` of the layer of `call` as a value of the layer's compute type.
    graph::ValueId weight(model::ResolvedCall const &call, std::size_t index);
    graph::VariableId variableOf(std::size_t layer, std::size_t index) const { return m_weights[layer][index]; }
    /// All weights in the order of Keras's get_weights, and those of them that are trained.
    std::vector<graph::VariableId> weights() const;
    std::vector<graph::VariableId> trainable() const;

    /// Reads a variable once per region and stage; later calls return the same value. Requires: nobody assigned
    /// it meanwhile in this region.
    graph::ValueId readOnce(graph::VariableId variable);
    /// Appends an op with inferred output types and returns its first output.
    graph::ValueId op(std::string name, std::vector<graph::ValueId> inputs, graph::Attrs attrs = {}, std::string leaf = {});
    graph::ValueId reshape(graph::ValueId value, Shape shape, std::string leaf = "Reshape");
    graph::ValueId broadcast(graph::ValueId value, Shape shape);
    graph::ValueId cast(graph::ValueId value, DType dtype);
    graph::ValueId scaled(graph::ValueId value, double factor, std::string leaf = {});
    /// Sum over everything divided by the element count.
    graph::ValueId mean(graph::ValueId value, std::string leaf = "Mean");

    /// Remembered by a layer that ends in a softmax or sigmoid: the values before it.
    void setLogits(std::size_t call, graph::ValueId value) { m_logits[call] = value; }
    graph::ValueId logits(std::size_t call) const;

    /// The micro-batch counter of the present stage, for random ops; read (and its variable made) on first use.
    graph::ValueId randomCounter();
    /// Adds one to every counter that was read: the end of a micro-batch.
    void advanceRandomCounters();

    /// A state variable beside a weight or of its own; initialised to zeros.
    graph::VariableId addState(std::string name, Shape shape, DType dtype, graph::Role role, std::string layer, int stage);

private:
    struct Counter {
        graph::VariableId variable;
        graph::ValueId read;  ///< the value that the increment takes over
        graph::ValueId value; ///< what random ops use
    };
    std::vector<std::vector<graph::VariableId>> m_weights; ///< by resolved layer
    std::map<std::pair<graph::RegionId, graph::VariableId>, graph::ValueId> m_reads;
    std::map<std::size_t, graph::ValueId> m_logits; ///< by call
    std::map<int, Counter> m_counters;              ///< by stage
};

} // namespace tilewright::layers
