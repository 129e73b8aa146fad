#pragma once

#include "engine/data/dataset.h"
#include "engine/runtime/run.h"

namespace tilewright::runtime {

/// verify() behind its compile: runs fused mode and tile mode of an executable side by side on the same data, one weight update after the
/// other, and compares them. Where a tensor differs by more than the stated tolerance, the update runs again in fused mode with random
/// errors of the size of the rounding of its sums (sum_noise.h), and what they do to the tensor is allowed as well.
/// Requires: `compiled` has tiles and fits; the data suit the model. Error: Invalid "verify.no-update" when the data hold no whole
/// weight update.
Result<VerifyOutcome> compareModes(project::Project const &project, compiler::CompileOutcome const &compiled, data::Dataset const &dataset,
                                   RunRequest const &request, std::int64_t steps, JobContext const &job);

} // namespace tilewright::runtime
