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

/// What a kernel may use while it runs.
struct RunContext {
    ThreadPool &pool;
    std::uint64_t seed = 0; ///< of the run; random ops derive theirs from (seed, replica, node, counter, element)
    int replica = 0;
    std::uint64_t rounding = 0; ///< of this execution of the node (rounding.h); 0: results are rounded to the nearest

    /// What a result stored as float16 draws by; 0: to the nearest.
    std::uint64_t roundingOf(std::size_t result) const { return rounding == 0 ? 0 : roundingSeed(rounding, result); }
};

/// A node bound to its operands: call it as often as the node executes. Addresses are fixed at prepare.
using Prepared = std::function<void(RunContext &)>;

struct PrepareArgs {
    graph::Node const &node;
    std::span<HostTensor const> inputs;
    std::span<HostTensor const> outputs; ///< may alias inputs where node.inPlace says so
    /// The partition of work is a function of shapes alone, never of the number of threads.
};

/// Binds one node. The error is Invalid with code "kernel.unsupported" (type or shape not handled).
using PrepareFn = std::function<Result<Prepared>(PrepareArgs const &)>;

} // namespace tilewright::kernels
