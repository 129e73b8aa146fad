#pragma once

#include "engine/compiler/compile.h"
#include "engine/model/resolve.h"

#include <string>
#include <vector>

namespace tilewright::compiler {

/// The graph of one entry as the passes leave it, with what a run needs to know of it; not on tiles yet.
struct EntryGraph {
    executable::Entry entry;
    std::vector<passes::PassStats> passes;
    bool stopped = false; ///< at passes::RunOptions::stopAfter
};

/// What is to be started: micro-batches of `batch` samples, `steps` of them in one execution (training: as the plan says).
struct EntryShape {
    RunKind kind = RunKind::Train;
    std::int64_t batch = 1, steps = 1;
};

/// How so many samples are validated by all replicas of a training: in the largest batch, not above the plan's, that deals them evenly and
/// fills a pipeline. Error: Invalid training.validation-executable when there is none.
Result<EntryShape> validationShape(project::Project const &project, model::ResolvedModel const &model, Distribution const &distribution,
                                   std::int64_t samples);

/// The refusal of samples that do not fill turns of `each`.
Diagnostic notInTurns(std::int64_t samples, std::int64_t each);
/// Notes where the batch that divides the samples is not half as large as the plan's: a validation then takes long.
void noteSmallBatch(std::int64_t batch, std::int64_t wanted, std::int64_t samples, JobContext const &job);

/// Builds a micro-batch of the model, makes the step of it and runs the graph's passes. `built` is called in between.
/// Errors: those of the builders and of the passes; Invalid compile.kept-state-replicas.
Result<EntryGraph> makeEntryGraph(project::Project const &project, model::ResolvedModel const &model, target::Machine const &machine,
                                  Distribution const &distribution, EntryShape const &shape, passes::RunOptions const &options,
                                  std::function<void()> const &built, JobContext const &job);

} // namespace tilewright::compiler
