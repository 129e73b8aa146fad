#pragma once

#include "engine/core/types.h"
#include "engine/target/machine.h"

#include <vector>

/// Shared by the planners of products and convolutions.
namespace tilewright::lowering {

/// A node's computation in its group.
enum class PlanRole : std::uint8_t {
    Forward,  ///< reads the weights
    Backward, ///< the gradient of its data
    Update    ///< the gradient of its weights
};

/// Control code and barrier of one step of a plan.
inline constexpr Cycles kStepOverhead = 120;
/// Number of plans in a report.
inline constexpr std::size_t kPlansKept = 5;

/// Part counts at which ceil(extent / parts) changes. Only these need to be tried.
std::vector<std::int64_t> usefulSplits(std::int64_t extent, std::int64_t limit);

/// Exchange and arithmetic for summing `depth` partials of a block of `elements` over the tiles that made them.
struct ReduceCost {
    Cycles exchange = 0, compute = 0;
};
ReduceCost partialReduction(std::int64_t elements, std::int64_t depth, DType partials, target::Chip const &chip);

} // namespace tilewright::lowering
