#include "engine/layers/build_context.h"

namespace tilewright::layers {

using namespace graph;

BuildContext::BuildContext(model::ResolvedModel const &model, Graph &graph, OpLookup lookup, std::int64_t batchSize,
                           bool forTraining)
    : resolved(model), ops(std::move(lookup)), b(graph, RegionId(0)), batch(batchSize), training(forTraining)
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

ValueId BuildContext::readOnce(VariableId variable)
{
    auto const key = std::pair(b.region(), variable);
    auto const it = m_reads.find(key);
    if (it != m_reads.end()) return it->second;
    return m_reads[key] = b.read(variable);
}

ValueId BuildContext::op(std::string name, std::vector<ValueId> inputs, Attrs attrs, std::string leaf)
{
    if (leaf.empty()) leaf = name;
    return addInferred(b, ops, std::move(name), std::move(inputs), std::move(attrs), leaf + suffix)[0];
}

ValueId BuildContext::reshape(ValueId value, Shape shape, std::string leaf)
{
    if (this->value(value).shape == shape) return value;
    auto const dtype = this->value(value).dtype;
    return b.one("reshape", {value}, std::move(shape), dtype, {}, leaf + suffix);
}

ValueId BuildContext::broadcast(ValueId value, Shape shape)
{
    if (this->value(value).shape == shape) return value;
    auto const dtype = this->value(value).dtype;
    return b.one("broadcast", {value}, std::move(shape), dtype, {}, "Broadcast" + suffix);
}

ValueId BuildContext::cast(ValueId value, DType dtype)
{
    if (this->value(value).dtype == dtype) return value;
    auto shape = this->value(value).shape;
    return b.one("cast", {value}, std::move(shape), dtype, {}, "Cast" + suffix);
}

ValueId BuildContext::scaled(ValueId value, double factor, std::string leaf)
{
    return op("mul_scalar", {value}, {{"p0", factor}}, std::move(leaf));
}

ValueId BuildContext::mean(ValueId value, std::string leaf)
{
    auto const count = elementCount(this->value(value).shape);
    auto const sum = this->value(value).shape.empty() ? value : op("reduce_sum", {value}, {{"axes", std::string("all")}}, leaf + "/Sum");
    return count == 1 ? sum : scaled(sum, 1.0 / static_cast<double>(count), std::move(leaf));
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
    std::string const name = "dropout_counter" + (b.stage ? "_" + std::to_string(b.stage) : std::string());
    counter.variable = addState(name, {}, DType::I32, Role::Other, "", b.stage);
    auto const layer = b.layer;
    b.layer.clear();
    counter.read = readOnce(counter.variable);
    // In a pipeline the backward pass of this micro-batch comes after later micro-batches have counted on.
    auto const role = b.role;
    b.role = Role::Other;
    counter.value = graph().stages > 1 ? op("copy", {counter.read}, {}, name) : counter.read;
    b.role = role;
    b.layer = layer;
    m_counters[b.stage] = counter;
    return counter.value;
}

void BuildContext::advanceRandomCounters()
{
    auto const stage = b.stage;
    auto const layer = b.layer;
    auto const role = b.role;
    b.layer.clear();
    b.role = Role::Other;
    for (auto const &[where, counter] : m_counters) {
        b.stage = where;
        b.assign(counter.variable, op("increment", {counter.read}, {{"by", std::int64_t{1}}}, graph().variable(counter.variable).name));
    }
    m_counters.clear();
    b.stage = stage;
    b.layer = layer;
    b.role = role;
}

VariableId BuildContext::addState(std::string name, Shape shape, DType dtype, Role role, std::string layer, int stage)
{
    Variable variable;
    variable.name = std::move(name);
    variable.shape = std::move(shape);
    variable.dtype = dtype;
    variable.role = role;
    variable.layer = std::move(layer);
    variable.stage = stage;
    return addVariable(graph(), std::move(variable));
}

} // namespace tilewright::layers
