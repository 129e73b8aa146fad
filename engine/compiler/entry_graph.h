#pragma once

#include "engine/compiler/compile.h"
#include "engine/model/resolve.h"

#include <string>
#include <vector>

namespace tilewright::compiler {

/// The graph of one entry after the passes, with the data for a run; before lowering.
struct EntryGraph {
    executable::Entry entry;
    std::vector<passes::PassStats> passes;
    bool stopped = false; ///< at passes::RunOptions::stopAfter
};

/// Shape of an entry: micro-batches of `batch` samples, `steps` per execution (training: from the plan).
struct EntryShape {
    RunKind kind = RunKind::Train;
    std::int64_t batch = 1, steps = 1;
};

/// The batch size of a shared validation: the largest one up to the plan's with which all replicas process equally many samples and a
/// pipeline is filled. Error: Invalid training.validation-executable if no batch size does.
Result<EntryShape> validationShape(project::Project const &project, model::ResolvedModel const &model, Distribution const &distribution,
                                   std::int64_t samples);

/// The error for a number of samples that is not a multiple of `each`.
Diagnostic notInTurns(std::int64_t samples, std::int64_t each);
/// Notes if the batch that divides the samples is less than half of the plan's: validation is then slow.
void noteSmallBatch(std::int64_t batch, std::int64_t wanted, std::int64_t samples, JobContext const &job);

/// Builds a micro-batch of the model, turns it into the step, and runs the graph passes. Calls `built` in between. Errors: those of the
/// builders and of the passes; Invalid compile.kept-state-replicas.
Result<EntryGraph> makeEntryGraph(project::Project const &project, model::ResolvedModel const &model, target::Machine const &machine,
                                  Distribution const &distribution, EntryShape const &shape, passes::RunOptions const &options,
                                  std::function<void()> const &built, JobContext const &job);

} // namespace tilewright::compiler
