#pragma once

#include "engine/compiler/compile.h"
#include "engine/model/stage_cut.h"

#include <string>

namespace tilewright::runtime {

/// The costs of a project's layers for cutting it into pipeline stages. This is the only definition.
///
/// Cycles come from a compile of the project on one IPU of its target, without stages and replicas, with its micro-batch (singleIpu); it
/// need not fit. The static schedule is attributed to layers as in a report (report/quantities: costsByOp): compute, exchange and sync of
/// all operations below a layer. Accumulation of gradients counts as backward, their application as update. A transfer between the IPUs of
/// a pipeline costs the time of the busiest link. If the target cannot compile the project, costs are multiply-adds.
struct LayerCosts {
    model::CutCosts costs;
    std::string why; ///< of multiply-adds: the reason why there are no cycles
    bool operator==(LayerCosts const &) const = default;
};

/// The project that is compiled for the costs of its layers. Projects with equal results have equal costs: settings without influence
/// (stages, schedule, accumulation, replicas, epochs, canvas, title …) have one value. Errors: the target's.
Result<project::Project> singleIpu(project::Project const &project);

/// Runs one compile outside the cache. Errors: the model's; job.cancelled.
Result<LayerCosts> layerCosts(project::Project const &project, compiler::CompileRequest const &request, JobContext const &job);

/// Execution parameters of the project's stages.
model::CutPlan cutPlan(project::Project const &project);

/// The request for a compile that returns verdict and cycles only, outside the cache.
compiler::CompileRequest verdictRequest(compiler::CompileRequest const &request);

} // namespace tilewright::runtime
