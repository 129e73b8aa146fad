#pragma once

#include "engine/compiler/compile.h"
#include "engine/model/stage_cut.h"

#include <string>

namespace tilewright::runtime {

/// What the layers of a project cost where it is to be cut into pipeline stages: the one place that says it.
///
/// Cycles come from a compile of the project as it would be on one IPU of its target, without stages and replicas, with its own micro-batch
/// (singleIpu); it need not fit. The static schedule is attributed to layers as in a report (report/quantities: costsByOp): compute,
/// exchange and sync of all operations below a layer. What accumulates gradients is part of the backward, what applies them is the update.
/// What crosses between the IPUs of a pipeline costs what the busiest link takes. What the target cannot compile has multiply-adds.
struct LayerCosts {
    model::CutCosts costs;
    std::string why; ///< of multiply-adds: why there are no cycles
    bool operator==(LayerCosts const &) const = default;
};

/// The project as it is compiled for its layers' costs. Two projects with the same have the same costs: what those do not depend on
/// (stages, schedule, accumulation, replicas, epochs, canvas, title …) is set to one value. Errors: the target's.
Result<project::Project> singleIpu(project::Project const &project);

/// Errors: the model's; job.cancelled. Takes one compile, apart from the cache.
Result<LayerCosts> layerCosts(project::Project const &project, compiler::CompileRequest const &request, JobContext const &job);

/// How the project's stages would run.
model::CutPlan cutPlan(project::Project const &project);

/// The request for a compile of which only verdict and cycles are wanted, apart from the cache.
compiler::CompileRequest verdictRequest(compiler::CompileRequest const &request);

} // namespace tilewright::runtime
