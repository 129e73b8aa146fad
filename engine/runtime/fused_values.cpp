#include "engine/runtime/fused_values.h"

#include "engine/core/host_memory.h"
#include "engine/graph/control.h"
#include "engine/graph/node_kind.h"
#include "engine/kernels/half_storage.h"
#include "engine/ops/op_def.h"
#include "engine/runtime/executor.h"
#include "engine/runtime/fused_storage.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <map>
#include <new>

namespace tilewright::runtime {

using graph::NodeId;
using graph::NodeKind;
using graph::RegionId;
using graph::ValueId;

namespace {
constexpr std::size_t kAlignment = 64;
}

Bytes valueBytes(DType dtype, Shape const &shape)
{
    Bytes const bytes = multiplyBytes(elementCount(shape), sizeOf(dtype));
    return roundUp(std::clamp<Bytes>(bytes, 1, std::numeric_limits<Bytes>::max() - static_cast<Bytes>(kAlignment)), kAlignment);
}

Buffer allocateValue(DType dtype, Shape const &shape)
{
    auto const size = static_cast<std::size_t>(valueBytes(dtype, shape));
    auto *p = static_cast<std::byte *>(std::aligned_alloc(kAlignment, size));
    if (!p) throw std::bad_alloc();
    std::memset(p, 0, size);
    return Buffer(p);
}

bool hasOwnBytes(graph::Node const &node, std::size_t output)
{
    if (graph::is(node, NodeKind::VariableRead, NodeKind::AllReduce) || graph::isView(node)) return false;
    if (graph::is(node, NodeKind::Parameters, NodeKind::Repeat)) return false; // see LoopBinding
    return node.inPlace.empty() || node.inPlace[output] < 0;
}

graph::TransposedOperand const *transposedOperand(graph::Node const &node)
{
    auto const *op = ops::findOp(node.op);
    return op && op->spec.transposed && node.attrs.flag(op->spec.transposed->flag) ? &*op->spec.transposed : nullptr;
}

std::vector<ValueId> matricesToTurn(graph::Graph const &graph, graph::Node const &loop)
{
    constexpr std::int64_t kLeastSteps = 4;
    std::vector<ValueId> matrices;
    auto const &nodes = graph.region(loop.regions[0]).nodes;
    // What is read inside may change on the way where something is assigned, or loops for itself.
    bool const plain = std::ranges::none_of(
        nodes, [&](NodeId id) { return graph::is(graph.node(id), NodeKind::VariableAssign) || !graph.node(id).regions.empty(); });
    if (!plain || graph::repeatForm(loop).count < kLeastSteps) return matrices;
    for (auto const id : nodes) {
        auto const &node = graph.node(id);
        auto const *transposed = transposedOperand(node);
        if (!transposed) continue;
        auto const operand = node.inputs[transposed->operand];
        auto const &matrix = graph.value(operand);
        if (matrix.dtype != DType::F32 || matrix.shape.size() != 2 || std::ranges::find(nodes, matrix.producer) != nodes.end()) continue;
        if (std::ranges::find(matrices, operand) == matrices.end()) matrices.push_back(operand);
    }
    return matrices;
}

Bytes fusedExecutorBytes(executable::EntryRef const &entry)
{
    auto const &graph = entry->graph;
    Bytes bytes = 0;
    for (auto const &variable : graph.variables) bytes = addBytes(bytes, valueBytes(variable.dtype, variable.shape));
    ValueLifetimes const lifetimes(graph);
    BufferBook own, inTurn; // of each replica; of all of them
    std::map<ValueId, std::size_t> taken;
    auto const bookOf = [&](ValueId owner) -> BufferBook & { return lifetimes.endsBeforeReplicasMeet(owner) ? inTurn : own; };
    kernels::WideCopiesBytes wide; // of float16, shared by all kernels
    // A body's values are there once; what kernels keep for themselves, and the list of them, for each step.
    constexpr Bytes kPerBoundNode = 512;
    auto const visit = [&](auto &&self, RegionId region, std::int64_t steps) -> void {
        for (auto id : graph.region(region).nodes) {
            auto const &node = graph.node(id);
            std::vector<Bytes> copies;
            for (auto input : node.inputs)
                copies.push_back(kernels::halfStorageBytes(node.op, graph.value(input).dtype, graph.value(input).shape));
            auto const form = graph::is(node, NodeKind::Repeat) ? graph::repeatForm(node) : graph::RepeatForm();
            for (std::size_t o = 0; o < node.outputs.size(); ++o) {
                auto const &value = graph.value(node.outputs[o]);
                copies.push_back(kernels::halfStorageBytes(node.op, value.dtype, value.shape));
                Bytes const size = valueBytes(value.dtype, value.shape);
                bool const carried = graph::is(node, NodeKind::Repeat) && o < form.carried;
                if (carried) bytes = addBytes(bytes, multiplyBytes(size, multiplyBytes(steps, 2)));
                else if (hasOwnBytes(node, o) || graph::is(node, NodeKind::Repeat))
                    taken.try_emplace(node.outputs[o], bookOf(node.outputs[o]).take(size));
            }
            if (graph::is(node, NodeKind::Repeat) && !form.isLoopOverVariables())
                for (auto const matrix : matricesToTurn(graph, node))
                    bytes = addBytes(bytes, multiplyBytes(valueBytes(DType::F32, graph.value(matrix).shape), steps));
            if (form.index) bytes = addBytes(bytes, multiplyBytes(valueBytes(DType::I32, {form.count}), steps));
            wide.addKernel(copies);
            bytes = addBytes(bytes, multiplyBytes(kPerBoundNode, steps));
            bool const bound = graph::is(node, NodeKind::Repeat) && !form.isLoopOverVariables();
            for (auto sub : node.regions) self(self, sub, bound ? multiplyBytes(steps, form.count) : steps);
            for (auto value : lifetimes.endingWith(id))
                if (auto const ended = taken.find(value); ended != taken.end()) {
                    bookOf(value).give(ended->second);
                    taken.erase(ended);
                }
        }
    };
    visit(visit, RegionId(0), 1);
    return addBytes(addBytes(multiplyBytes(addBytes(bytes, own.total()), entry.replicas()), inTurn.total()), wide.total());
}

} // namespace tilewright::runtime
