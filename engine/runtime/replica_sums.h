#pragma once

#include "engine/kernels/kernel.h"

#include <vector>

namespace tilewright::runtime {

/// Sums the tensors of all replicas into the first one: in float32, in replica order; float16 is widened and rounded once. Requires: equal
/// shapes, float32 or float16.
void sumReplicas(std::vector<kernels::HostTensor> const &copies);

} // namespace tilewright::runtime
