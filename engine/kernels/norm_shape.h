#pragma once

#include "engine/graph/graph.h"

namespace tilewright::kernels {

/// A normalisation's view of its operand: [outer, reduced, kept, inner], row-major, from the attribute "view". Statistics are taken over
/// `reduced` and `inner`, for every (outer, kept). Batch normalisation with channels last is [1, everything else, channels, 1], layer
/// normalisation [samples, 1, 1, features].
struct NormView {
    std::int64_t outer = 1, reduced = 1, kept = 1, inner = 1;

    std::int64_t elements() const { return outer * reduced * kept * inner; }
    std::int64_t groups() const { return outer * kept; }
    std::int64_t perGroup() const { return reduced * inner; }
};

/// Error "graph.norm": no view, or one with another size than the operand.
Result<NormView> normView(graph::Attrs const &attrs, Shape const &shape, std::string const &subject);

} // namespace tilewright::kernels
