#pragma once

#include "engine/kernels/kernel.h"

#include <string_view>

/// float32 kernels for operands and results stored as float16.
namespace tilewright::kernels {

/// `prepare` for tensors that may be stored as float16: operands are widened before the kernel runs, and a result is rounded once when it
/// is stored, to nearest even or stochastically as the context says. The kernel computes in float32, like the machine with float32
/// partials, or rounds its partial sums itself (half_partials.h). Without a float16 tensor it is `prepare` itself.
PrepareFn withHalfStorage(PrepareFn prepare);

/// Additional bytes of a kernel of that op if one of its tensors is stored as float16.
Bytes halfStorageBytes(std::string_view op, DType dtype, Shape const &shape);

/// from[0 … count) widened.
void widen(std::uint16_t const *from, std::int64_t count, float *to);

} // namespace tilewright::kernels
