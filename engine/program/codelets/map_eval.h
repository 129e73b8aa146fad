#pragma once

#include "engine/graph/prims.h"

#include <cstdint>

namespace tilewright::program {

/// A primitive of n elements: operands x, y and z (null if unused), parameters p and q, results.
using MapEval = void (*)(std::int64_t n, float const *x, float const *y, float const *z, float p, float q, float *out);
MapEval mapEvalOf(graph::Prim prim);

} // namespace tilewright::program
