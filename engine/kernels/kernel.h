#pragma once

#include "engine/core/parallel.h"
#include "engine/core/rounding.h"
#include "engine/core/types.h"
#include "engine/graph/graph.h"

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::kernels {

/// Dense row-major tensor in host memory, 64-byte aligned. Does not own its bytes.
struct HostTensor {
    DType dtype = DType::F32;
    Shape shape;
    std::byte *data = nullptr;

    std::int64_t elements() const { return elementCount(shape); }
    float *f32() const { return reinterpret_cast<float *>(data); }
    std::int32_t *i32() const { return reinterpret_cast<std::int32_t *>(data); }
    std::uint16_t *f16() const { return reinterpret_cast<std::uint16_t *>(data); }
};

/// Resources of a running kernel.
struct RunContext {
    ThreadPool &pool;
    std::uint64_t seed = 0; ///< of the run; random ops derive theirs from (seed, replica, node, counter, element)
    int replica = 0;
    std::uint64_t rounding = 0; ///< seed of this execution (rounding.h); 0: round to nearest

    /// Seed for a result stored as float16; 0: round to nearest.
    std::uint64_t roundingOf(std::size_t result) const { return rounding == 0 ? 0 : roundingSeed(rounding, result); }
};

/// A node bound to its operands. Call it once per execution. Addresses are fixed at prepare.
using Prepared = std::function<void(RunContext &)>;

struct PrepareArgs {
    graph::Node const &node;
    std::span<HostTensor const> inputs;
    std::span<HostTensor const> outputs; ///< may alias inputs as node.inPlace says
    /// The partition of the work depends on shapes alone, never on the number of threads.
};

/// Binds one node. The error is Invalid with code "kernel.unsupported" (type or shape not handled).
using PrepareFn = std::function<Result<Prepared>(PrepareArgs const &)>;

} // namespace tilewright::kernels
