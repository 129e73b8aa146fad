#include "engine/layers/layer_builder.h"
#include "engine/model/layers/einsum_rules.h"

#include <numeric>
#include <string>

namespace tilewright::layers {

using namespace graph;

namespace {

bool has(std::string const &symbols, char symbol) { return symbols.find(symbol) != std::string::npos; }

/// A value whose axes have symbols.
struct Named {
    ValueId value;
    std::string symbols;
};

/// The axes in the order of `symbols`.
ValueId inOrder(BuildContext &c, Named const &named, std::string const &symbols)
{
    std::vector<std::int64_t> perm;
    for (char const symbol : symbols) perm.push_back(static_cast<std::int64_t>(named.symbols.find(symbol)));
    return c.op("transpose", {named.value}, {{"perm", perm}}, "Transpose");
}

Shape extentsOf(BuildContext &c, Named const &named, std::string const &symbols)
{
    Shape extents;
    for (char const symbol : symbols) extents.push_back(c.value(named.value).shape[named.symbols.find(symbol)]);
    return extents;
}

/// Sums over the axes of an operand that nothing else has.
void sumOwnAxes(BuildContext &c, Named &operand, std::string const &other, std::string const &output)
{
    Shape axes;
    std::string kept;
    for (std::size_t i = 0; i < operand.symbols.size(); ++i)
        if (has(other, operand.symbols[i]) || has(output, operand.symbols[i])) kept += operand.symbols[i];
        else axes.push_back(static_cast<std::int64_t>(i));
    if (axes.empty()) return;
    operand = {c.op("reduce_sum", {operand.value}, {{"axes", axes}}, "Sum"), kept};
}

/// The sum of products over the symbols that the output lacks: a batch of matrix products.
ValueId einsum(BuildContext &c, Named x, Named kernel, std::string const &output)
{
    sumOwnAxes(c, x, kernel.symbols, output);
    std::string shared, summed, rows, columns; // of both and the output, of both, of x, of the kernel
    for (char const symbol : x.symbols) (has(kernel.symbols, symbol) ? has(output, symbol) ? shared : summed : rows) += symbol;
    for (char const symbol : kernel.symbols)
        if (!has(x.symbols, symbol)) columns += symbol;
    auto const batch = extentsOf(c, x, shared), m = extentsOf(c, x, rows), k = extentsOf(c, x, summed), n = extentsOf(c, kernel, columns);
    auto const b = elementCount(batch);
    auto const left = inOrder(c, x, shared + rows + summed), right = inOrder(c, kernel, shared + summed + columns);
    auto const product = shared.empty()
        ? c.op("matmul", {c.reshape(left, {elementCount(m), elementCount(k)}), c.reshape(right, {elementCount(k), elementCount(n)})}, {},
               "MatMul")
        : c.op("batch_matmul",
               {c.reshape(left, {b, elementCount(m), elementCount(k)}), c.reshape(right, {b, elementCount(k), elementCount(n)})}, {},
               "MatMul");
    Shape shape = batch;
    shape.insert(shape.end(), m.begin(), m.end());
    shape.insert(shape.end(), n.begin(), n.end());
    return inOrder(c, {c.reshape(product, shape), shared + rows + columns}, output);
}

} // namespace

Result<std::vector<ValueId>> buildEinsumDense(BuildContext &context, model::ResolvedCall const &call, std::span<ValueId const> inputs)
{
    auto const &layer = context.layerOf(call);
    TW_ASSIGN(auto const form, model::einsumForm(layer, context.value(inputs[0]).shape));
    auto y = einsum(context, {inputs[0], form.input}, {context.weight(call, 0), form.kernel}, form.output);
    if (!form.biasShape.empty()) y = context.op("add", {y, context.weight(call, 1)}, {}, "BiasAdd");
    TW_ASSIGN(auto const out, buildActivation(context, call, model::findLayerSpec(layer.className)->activation(layer), y));
    return std::vector<ValueId>{out};
}

} // namespace tilewright::layers
