#include "engine/layers/build_context.h"

#include "engine/graph/checkpoint.h"
#include "engine/graph/draw_counter.h"

namespace tilewright::layers {

using namespace graph;

BuildContext::BuildContext(model::ResolvedModel const &model, Graph &graph, OpLookup lookup, std::int64_t batchSize, bool forTraining)
    : OpBuilder(graph, RegionId(0), std::move(lookup)), resolved(model), batch(batchSize), training(forTraining)
{
    graph.stages = std::max(1, model.stages());
    for (auto const &layer : model.layers) {
        auto &variables = m_weights.emplace_back();
        int const stage = layer.calls.empty() ? 0 : std::max(0, model.calls[layer.calls.front()].stage);
        for (auto const &weight : layer.weights) {
            Variable variable;
            variable.name = layer.layer.name + "/" + weight.name;
            variable.shape = weight.shape;
            variable.dtype = weight.dtype;
            variable.role = Role::Weight;
            variable.layer = layer.layer.name;
            variable.initializer = model::initializerJson(weight.initializer).dump();
            variable.trainable = weight.trainable;
            variable.stage = stage;
            variables.push_back(addVariable(graph, std::move(variable)));
        }
    }
}

BuildContext::Inside::Inside(BuildContext &context, model::Layer const &layer, std::size_t firstWeight, std::int64_t batchFactor)
    : m_context(context), m_inner(context.m_inner), m_firstWeight(context.m_firstWeight), m_batch(context.batch)
{
    context.m_inner = &layer;
    context.m_firstWeight += firstWeight;
    context.batch *= batchFactor;
}

BuildContext::Inside::~Inside()
{
    m_context.m_inner = m_inner;
    m_context.m_firstWeight = m_firstWeight;
    m_context.batch = m_batch;
}

Shape BuildContext::shapeOf(model::ResolvedCall const &call) const
{
    Shape shape = call.shape;
    if (!shape.empty()) shape[0] = batch;
    return shape;
}

ValueId BuildContext::weight(model::ResolvedCall const &call, std::size_t index)
{
    auto const value = readOnce(variableOf(call.layer, index));
    return cast(value, call.dtype);
}

std::vector<VariableId> BuildContext::weights() const
{
    std::vector<VariableId> all;
    for (auto const &layer : m_weights) all.insert(all.end(), layer.begin(), layer.end());
    return all;
}

std::vector<VariableId> BuildContext::trainable() const
{
    std::vector<VariableId> some;
    for (std::size_t layer = 0; layer < m_weights.size(); ++layer)
        for (std::size_t i = 0; i < m_weights[layer].size(); ++i)
            if (resolved.layers[layer].weights[i].trainable) some.push_back(m_weights[layer][i]);
    return some;
}

ValueId BuildContext::logits(std::size_t call) const
{
    auto const it = m_logits.find(call);
    return it == m_logits.end() ? ValueId() : it->second;
}

ValueId BuildContext::randomCounter()
{
    auto const it = m_counters.find(b.stage);
    if (it != m_counters.end()) return it->second.value;
    Counter counter;
    counter.made.stage = b.stage;
    std::string const name = std::string(graph::kDrawCounter) + (b.stage ? "_" + std::to_string(b.stage) : std::string());
    counter.made.variable = addState(name, {}, DType::I32, Role::Other, "", b.stage);
    auto const layer = b.layer;
    b.layer.clear();
    counter.made.read = readOnce(counter.made.variable);
    // In a pipeline, later micro-batches have advanced the counter before the backward pass of this one.
    auto const role = b.role;
    b.role = Role::Other;
    counter.value = graph().stages > 1 ? op("copy", {counter.made.read}, {}, name) : counter.made.read;
    b.role = role;
    b.layer = layer;
    m_counters[b.stage] = counter;
    return counter.value;
}

ValueId BuildContext::checkpoint(ValueId marked)
{
    if (!recomputes) return marked;
    auto const type = value(marked);
    return b.one("reshape", {marked}, type.shape, type.dtype, {{kCheckpoint, true}}, "Checkpoint");
}

VariableId BuildContext::keptState(model::ResolvedCall const &call, std::string const &label, Shape shape, DType dtype)
{
    // A layer that is called twice has one state, like its weights.
    std::string name = resolved.layers[call.layer].layer.name + "/" + (m_inner ? m_inner->name + "/" : std::string()) + label;
    for (auto id : m_kept)
        if (graph().variable(id).name == name) return id;
    return m_kept.emplace_back(addState(std::move(name), std::move(shape), dtype, Role::Other, b.layer, b.stage));
}

std::vector<RandomCounter> BuildContext::randomCounters() const
{
    std::vector<RandomCounter> counters;
    for (auto const &[stage, counter] : m_counters) counters.push_back(counter.made);
    return counters;
}

} // namespace tilewright::layers
