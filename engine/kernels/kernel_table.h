#pragma once

#include "engine/kernels/kernel.h"

#include <span>
#include <string_view>

namespace tilewright::kernels {

struct KernelEntry {
    std::string_view op;
    PrepareFn prepare;      ///< for float32 and float16 alike
    bool takesHalf = false; ///< reads float16 itself; else through a widened copy (half_storage.h)
    /// The first operand whose elements the kernel adds up in an order of its own, so that another order changes the last bits of
    /// the result. Operands before it only select. -1: nothing is added up, or in one order everywhere.
    int addends = -1;
};

/// Every op with a host kernel, including elementwise primitives, in a fixed order. The runtime executes ops that move data between
/// program, host and devices (infeed, variable.read, repeat, all_reduce, …).
std::span<KernelEntry const> kernelTable();
/// The entry of one op, or null.
KernelEntry const *findKernel(std::string_view op);
/// Binds a node with the kernel of its op. Error "kernel.unsupported" if there is none.
Result<Prepared> prepare(PrepareArgs const &args);

} // namespace tilewright::kernels
