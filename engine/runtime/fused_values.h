#pragma once

#include "engine/graph/op_table.h"
#include "engine/kernels/kernel.h"

#include <cstddef>
#include <cstdlib>
#include <memory>

/// Storage of values in fused mode.
namespace tilewright::runtime {

struct FreeBytes {
    void operator()(std::byte *p) const { std::free(p); }
};
using Buffer = std::unique_ptr<std::byte, FreeBytes>;

/// Zeroed, 64-byte aligned. Throws std::bad_alloc.
Buffer allocateValue(DType dtype, Shape const &shape);
/// What allocateValue() takes.
Bytes valueBytes(DType dtype, Shape const &shape);
/// The operand of a node that is transposed and could be given as its transpose; nullptr: there is none.
graph::TransposedOperand const *transposedOperand(graph::Node const &node);
/// Matrices from outside a loop that each of its steps multiplies by transposed: turned once, before the loop, they are
/// multiplied by as they lie. The library takes half as long again where it turns an operand while it packs it (oneDNN 2.6,
/// 32 x 512 x 128: 58 us for 37).
std::vector<graph::ValueId> matricesToTurn(graph::Graph const &graph, graph::Node const &loop);
inline std::size_t bytesOf(kernels::HostTensor const &t) { return static_cast<std::size_t>(t.elements() * sizeOf(t.dtype)); }
/// A slice of a stack along its first dimension, where it lies.
inline kernels::HostTensor sliceOf(kernels::HostTensor const &stack, std::int64_t index)
{
    auto slice = stack;
    slice.shape.erase(slice.shape.begin());
    slice.data += index * static_cast<std::int64_t>(bytesOf(slice));
    return slice;
}
/// Whether a result of a node has bytes of its own, not those of a variable or of an operand.
bool hasOwnBytes(graph::Node const &node, std::size_t output);

} // namespace tilewright::runtime
