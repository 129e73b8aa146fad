#pragma once

#include "engine/data/dataset.h"
#include "engine/runtime/run.h"

namespace tilewright::runtime {

/// The part of verify() after the compile: runs fused mode and tile mode of an executable on the same data, one weight update after the
/// other, and compares them. If a tensor exceeds the stated tolerance, fused mode repeats the update with random errors as large as the
/// rounding errors of its sums (sum_noise.h), and the effect of these errors on the tensor is allowed as well.
/// Requires: `compiled` has tiles and fits; the data suit the model. Error: Invalid "verify.no-update" if the samples are too few for
/// one weight update.
Result<VerifyOutcome> compareModes(project::Project const &project, compiler::CompileOutcome const &compiled, data::Dataset const &dataset,
                                   RunRequest const &request, std::int64_t steps, JobContext const &job);

} // namespace tilewright::runtime
