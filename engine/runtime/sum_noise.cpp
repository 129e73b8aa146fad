#include "engine/runtime/sum_noise.h"

#include "engine/core/random.h"
#include "engine/kernels/kernel_table.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/fused_values.h"

#include <algorithm>
#include <cmath>

namespace tilewright::runtime {

using kernels::HostTensor;

void SumNoise::perturb(HostTensor const &tensor, double addends)
{
    auto const stream = deriveSeed(m_seed, m_drawn++);
    std::int64_t const n = tensor.elements();
    if (tensor.dtype == DType::F32) {
        auto const size = static_cast<float>(0x1p-24 * std::sqrt(std::max(1.0, addends)));
        for (std::int64_t i = 0; i < n; ++i)
            tensor.f32()[i] *= 1 + size * (2 * unitFloat(randomBits(stream, static_cast<std::uint64_t>(i))) - 1);
    } else if (tensor.dtype == DType::F16) {
        for (std::int64_t i = 0; i < n; ++i) {
            auto &half = tensor.f16()[i];
            unsigned const magnitude = half & 0x7FFFu;
            if (magnitude == 0 || magnitude >= 0x7BFFu) continue; // zero, the largest number, infinity, NaN
            half = static_cast<std::uint16_t>(half + randomBits(stream, static_cast<std::uint64_t>(i)) % 3 - 1);
        }
    }
}

std::optional<double> addendsOf(graph::Graph const &graph, graph::Node const &node)
{
    auto const *kernel = kernels::findKernel(node.op);
    if (!kernel || kernel->addends < 0) return {};
    double result = 0, operand = 1;
    for (auto const id : node.outputs) {
        auto const elements = static_cast<double>(elementCount(graph.value(id).shape));
        result = result == 0 ? elements : std::min(result, elements);
    }
    for (auto const id : node.inputs) operand = std::max(operand, static_cast<double>(elementCount(graph.value(id).shape)));
    result = std::max(result, 1.0);
    // A product's are its multiply-adds; a reduction's what it reads; of results as large as the operand, a row.
    auto const *op = ops::findOp(node.op);
    double const flops = op && op->spec.flops ? static_cast<double>(op->spec.flops(graph, node)) : 0.0;
    auto const &shape = graph.value(node.inputs[0]).shape;
    return std::max({flops / result / 2, operand / result, shape.empty() ? 1.0 : static_cast<double>(shape.back())});
}

kernels::Prepared withNoise(kernels::Prepared kernel, graph::Node const &node, double addends, std::vector<HostTensor> inputs,
                            std::vector<HostTensor> outputs, SumNoise &noise)
{
    inputs.erase(inputs.begin(), inputs.begin() + kernels::findKernel(node.op)->addends);
    return
        [kernel = std::move(kernel), addends, inputs = std::move(inputs), outputs = std::move(outputs), &noise](kernels::RunContext &ctx) {
            std::vector<std::vector<std::byte>> saved;
            for (auto const &tensor : inputs) {
                saved.emplace_back(tensor.data, tensor.data + bytesOf(tensor));
                noise.perturb(tensor, addends);
            }
            kernel(ctx);
            // The last first: an operand may be there twice. Where a result has taken over the operand's bytes it stays.
            for (std::size_t i = inputs.size(); i-- > 0;) {
                bool const replaced = std::ranges::any_of(outputs, [&](HostTensor const &output) { return output.data == inputs[i].data; });
                if (!replaced) std::ranges::copy(saved[i], inputs[i].data);
            }
            for (auto const &tensor : outputs) noise.perturb(tensor, addends);
        };
}

} // namespace tilewright::runtime
