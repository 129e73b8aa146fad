#pragma once

#include "engine/graph/graph.h"

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
/// Matrices from outside a loop that each of its steps multiplies by transposed: turned once, before the loop, they are
/// multiplied by as they lie. The library takes half as long again where it turns an operand while it packs it (oneDNN 2.6,
/// 32 x 512 x 128: 58 us for 37).
std::vector<graph::ValueId> matricesToTurn(graph::Graph const &graph, graph::Node const &loop);
/// Whether a result of a node has bytes of its own, not those of a variable or of an operand.
bool hasOwnBytes(graph::Node const &node, std::size_t output);

} // namespace tilewright::runtime
