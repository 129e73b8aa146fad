#include "engine/graph/op_builder.h"

#include "engine/graph/node_kind.h"

#include <cmath>

namespace tilewright::graph {

ValueId OpBuilder::op(std::string name, std::vector<ValueId> inputs, Attrs attrs, std::string leaf)
{
    if (leaf.empty()) leaf = name;
    return addInferred(b, ops, std::move(name), std::move(inputs), std::move(attrs), leaf + suffix)[0];
}

ValueId OpBuilder::reshape(ValueId value, Shape shape, std::string leaf)
{
    if (this->value(value).shape == shape) return value;
    auto const dtype = this->value(value).dtype;
    return b.one("reshape", {value}, std::move(shape), dtype, {}, leaf + suffix);
}

ValueId OpBuilder::broadcast(ValueId value, Shape shape)
{
    if (this->value(value).shape == shape) return value;
    auto const dtype = this->value(value).dtype;
    return b.one("broadcast", {value}, std::move(shape), dtype, {}, "Broadcast" + suffix);
}

ValueId OpBuilder::cast(ValueId value, DType dtype)
{
    if (this->value(value).dtype == dtype) return value;
    auto shape = this->value(value).shape;
    return b.one("cast", {value}, std::move(shape), dtype, {}, "Cast" + suffix);
}

ValueId OpBuilder::scaled(ValueId value, double factor, std::string leaf)
{
    return op("mul_scalar", {value}, {{"p0", factor}}, std::move(leaf));
}

ValueId OpBuilder::divided(ValueId value, double number, std::string leaf)
{
    constexpr double kMostInHalf = 2048; // whole numbers up to here are float16
    int exponent = 0;
    auto const dtype = this->value(value).dtype;
    if (std::frexp(number, &exponent) == 0.5 || (dtype == DType::F16 && number > kMostInHalf))
        return scaled(value, 1.0 / number, std::move(leaf));
    return op("div", {value, b.constant(number, {}, dtype)}, {}, std::move(leaf));
}

ValueId OpBuilder::mean(ValueId value, std::string leaf)
{
    auto const count = elementCount(this->value(value).shape);
    auto const sum = this->value(value).shape.empty() ? value : op("reduce_sum", {value}, {}, leaf + "/Sum");
    return count == 1 ? sum : divided(sum, static_cast<double>(count), std::move(leaf));
}

ValueId OpBuilder::readOnce(VariableId variable)
{
    auto const key = std::pair(b.region(), variable);
    auto const it = m_reads.find(key);
    if (it != m_reads.end()) return it->second;
    return m_reads[key] = b.read(variable);
}

VariableId OpBuilder::addState(std::string name, Shape shape, DType dtype, Role role, std::string layer, int stage)
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

void OpBuilder::adoptReads()
{
    for (auto id : graph().region(b.region()).nodes) {
        auto const &node = graph().node(id);
        if (is(node, NodeKind::VariableRead)) m_reads.try_emplace({b.region(), node.variable}, node.outputs[0]);
    }
}

} // namespace tilewright::graph
