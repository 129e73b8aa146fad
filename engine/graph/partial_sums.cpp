#include "engine/graph/partial_sums.h"

#include "engine/graph/axes.h"
#include "engine/graph/conv.h"

#include <algorithm>
#include <array>
#include <utility>

namespace tilewright::graph {

namespace {

constexpr char const *kHalfPartials = "half_partials";
constexpr std::array<std::pair<std::string_view, PartialSums>, 6> kSums{{{"matmul", PartialSums::Product},
                                                                         {"batch_matmul", PartialSums::Product},
                                                                         {"conv", PartialSums::Convolution},
                                                                         {"conv_input_grad", PartialSums::Convolution},
                                                                         {"conv_weight_grad", PartialSums::Convolution},
                                                                         {"reduce_sum", PartialSums::Axis}}};

/// Accumulations of up to `inputs` inputs each.
std::int64_t accumulations(Graph const &graph, Node const &node, std::int64_t inputs)
{
    auto const &shape = graph.value(node.inputs[0]).shape;
    if (node.op == "reduce_sum")
        return ceilDiv(elementCount(shape) / std::max<std::int64_t>(1, elementCount(graph.value(node.outputs[0]).shape)), inputs);
    if (node.op == "matmul") {
        auto const rows = alongLast(shape);
        return ceilDiv(node.attrs.flag("transpose_a") ? rows.outer : rows.n, inputs);
    }
    if (node.op == "batch_matmul") return ceilDiv(shape[shape.size() - (node.attrs.flag("transpose_a") ? 2 : 1)], inputs);
    auto const conv = convGeometry(node, shape, graph.value(node.inputs[1]).shape).value();
    if (node.op == "conv_weight_grad") return conv.batch * ceilDiv(conv.outPositions(), inputs);
    return conv.kernelElements() * ceilDiv(node.op == "conv" ? conv.channels : conv.filters, inputs);
}

} // namespace

PartialSums partialSumsOf(std::string_view op)
{
    auto const it = std::ranges::find(kSums, op, &std::pair<std::string_view, PartialSums>::first);
    return it == kSums.end() ? PartialSums::None : it->second;
}

std::int64_t halfPartials(Node const &node) { return node.attrs.integer(kHalfPartials); }

void setHalfPartials(Node &node, std::int64_t inputs)
{
    if (inputs == 0) node.attrs.all().erase(kHalfPartials);
    else node.attrs.set(kHalfPartials, inputs);
}

AttrSpec halfPartialsAttribute()
{
    return optionalAttr(kHalfPartials, AttrType::Integer, "inputs summed in float32 between two stores of a float16 sum; all without it");
}

bool roundsSums(Graph const &graph, Node const &node) { return sumsPartially(node.op) && graph.value(node.outputs[0]).dtype == DType::F16; }

std::int64_t partialStores(Graph const &graph, Node const &node)
{
    auto const inputs = halfPartials(node);
    return inputs == 0 ? 1 : std::max<std::int64_t>(1, accumulations(graph, node, inputs));
}

Message partialsProblem(Graph const &graph, Node const &node)
{
    if (!node.attrs.has(kHalfPartials)) return {};
    if (!sumsPartially(node.op)) return Message::of("operation '%1' has no partial sums", node.op);
    if (!std::holds_alternative<std::int64_t>(node.attrs.all().find(kHalfPartials)->second) || halfPartials(node) < 1)
        return Message::of("half_partials must be the number of inputs between two stores");
    if (node.inputs.empty() || graph.value(node.inputs[0]).dtype != DType::F16)
        return Message::of("half_partials requires float16 operands");
    return {};
}

} // namespace tilewright::graph
