#pragma once

#include "engine/graph/graph.h"

namespace tilewright::kernels {

/// How a normalisation sees its operand: [outer, reduced, kept, inner], row-major, by the attribute "view". Statistics are
/// taken over `reduced` and `inner`; there is one of each for every (outer, kept). Batch normalisation of channels that come
/// last is [1, everything else, channels, 1], layer normalisation [samples, 1, 1, features].
struct NormView {
    std::int64_t outer = 1, reduced = 1, kept = 1, inner = 1;

    std::int64_t elements() const { return outer * reduced * kept * inner; }
    std::int64_t groups() const { return outer * kept; }
    std::int64_t perGroup() const { return reduced * inner; }
};

/// Error "graph.norm": no view, or one that is not of the operand's size.
Result<NormView> normView(graph::Attrs const &attrs, Shape const &shape, std::string const &subject);

} // namespace tilewright::kernels
