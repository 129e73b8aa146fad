#pragma once

#include "engine/graph/prims.h"

#include <cstdint>

/// The primitives of elementwise expressions as loops over blocks of elements.
namespace tilewright::kernels {

/// Elements of a block, small enough that intermediate results stay in the first-level cache.
constexpr std::int64_t kMapBlock = 512;

/// Rows of elements with a row stride, for operands and result of a primitive. A stride of 0 is one row for all. The result may coincide
/// with an operand, element by element.
template <typename T> struct Block {
    T const *from[3] = {nullptr, nullptr, nullptr};
    T *to = nullptr;
    std::int64_t fromStride[3] = {0, 0, 0}, toStride = 0;
    std::int64_t rows = 1, cols = 0;
    double p = 0, q = 0; ///< the primitive's parameters
};

template <typename T> using BlockFn = void (*)(Block<T> const &block);

/// For float or std::int32_t; null: not defined for integers. Integers wrap around.
template <typename T> BlockFn<T> blockFn(graph::Prim prim);
/// Cost of a primitive relative to an addition, for the size of tasks.
int weightOf(graph::Prim prim);

} // namespace tilewright::kernels
