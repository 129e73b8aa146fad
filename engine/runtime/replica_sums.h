#pragma once

#include "engine/kernels/kernel.h"

#include <vector>

namespace tilewright::runtime {

/// Sums the tensors of all replicas into the first of them: in float32, in the order of the replicas; float16 is widened
/// and rounded once. Requires: one shape, float32 or float16.
void sumReplicas(std::vector<kernels::HostTensor> const &copies);

} // namespace tilewright::runtime
