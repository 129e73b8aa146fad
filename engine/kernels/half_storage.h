#pragma once

#include "engine/kernels/kernel.h"

#include <string_view>

/// Kernels of float32 with operands and results that are stored as float16.
namespace tilewright::kernels {

/// `prepare` for tensors stored as float16 too: what is stored so is widened before the kernel runs, and a result is
/// rounded once, when it is stored: to nearest even, or by chance where the context says so. Inside, the kernel computes in float32, as the
/// machine's float32 partials do, or rounds its partial sums itself (half_partials.h). Without a float16 tensor it is `prepare` itself.
PrepareFn withHalfStorage(PrepareFn prepare);

/// Bytes a kernel of that op takes besides its tensors when one of them is stored as float16.
Bytes halfStorageBytes(std::string_view op, DType dtype, Shape const &shape);

/// from[0 … count) widened.
void widen(std::uint16_t const *from, std::int64_t count, float *to);

} // namespace tilewright::kernels
