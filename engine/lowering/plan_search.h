#pragma once

#include "engine/core/types.h"
#include "engine/target/machine.h"

#include <vector>

/// What the planners of products and convolutions share.
namespace tilewright::lowering {

/// What a product or a convolution computes in its group.
enum class PlanRole : std::uint8_t {
    Forward,  ///< reads the weights
    Backward, ///< the gradient of its data
    Update    ///< the gradient of its weights
};

/// Control code and barrier of one step of a plan.
inline constexpr Cycles kStepOverhead = 120;
/// Plans that a report shows.
inline constexpr std::size_t kPlansKept = 5;

/// Values of ceil(extent / parts) change at few part counts only: those are worth trying.
std::vector<std::int64_t> usefulSplits(std::int64_t extent, std::int64_t limit);

/// Exchange and arithmetic of summing `depth` partials of a block of `elements` over the tiles that made them.
struct ReduceCost {
    Cycles exchange = 0, compute = 0;
};
ReduceCost partialReduction(std::int64_t elements, std::int64_t depth, DType partials, target::Chip const &chip);

} // namespace tilewright::lowering
