#pragma once

#include "engine/graph/prims.h"

#include <cstdint>

/// The primitives of elementwise expressions as loops over blocks of elements.
namespace tilewright::kernels {

/// Elements of a block: its intermediate results stay in the first-level cache.
constexpr std::int64_t kMapBlock = 512;

/// Rows of elements, and where the next row begins, for the operands of a primitive and its result. A stride of 0 is one row
/// for all. The result may lie where an operand does, element by element.
template <typename T> struct Block {
    T const *from[3] = {nullptr, nullptr, nullptr};
    T *to = nullptr;
    std::int64_t fromStride[3] = {0, 0, 0}, toStride = 0;
    std::int64_t rows = 1, cols = 0;
    double p = 0, q = 0; ///< the primitive's parameters
};

template <typename T> using BlockFn = void (*)(Block<T> const &block);

/// For float or std::int32_t; null: the primitive has no meaning for integers. Integers wrap around.
template <typename T> BlockFn<T> blockFn(graph::Prim prim);
/// Cost of a primitive next to an addition, for the size of tasks.
int weightOf(graph::Prim prim);

} // namespace tilewright::kernels
