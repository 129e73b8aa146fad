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

/// Zeroed memory, aligned to 64 bytes. Throws std::bad_alloc.
Buffer allocateValue(DType dtype, Shape const &shape);
/// Size of allocateValue()'s memory.
Bytes valueBytes(DType dtype, Shape const &shape);
/// The transposed operand of a node that could be replaced by its transpose; nullptr if there is none.
graph::TransposedOperand const *transposedOperand(graph::Node const &node);
/// Matrices from outside a loop that its steps multiply by transposed. They are transposed once before the loop. Transposing while packing
/// takes the library half as long again (oneDNN 2.6, 32 x 512 x 128: 58 us against 37).
std::vector<graph::ValueId> matricesToTurn(graph::Graph const &graph, graph::Node const &loop);
inline std::size_t bytesOf(kernels::HostTensor const &t) { return static_cast<std::size_t>(t.elements() * sizeOf(t.dtype)); }
/// A slice of a stack along its first dimension, in place.
inline kernels::HostTensor sliceOf(kernels::HostTensor const &stack, std::int64_t index)
{
    auto slice = stack;
    slice.shape.erase(slice.shape.begin());
    slice.data += index * static_cast<std::int64_t>(bytesOf(slice));
    return slice;
}
/// Whether a result has its own memory and does not use that of a variable or an operand.
bool hasOwnBytes(graph::Node const &node, std::size_t output);

} // namespace tilewright::runtime
