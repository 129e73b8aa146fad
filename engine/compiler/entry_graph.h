#pragma once

#include "engine/compiler/compile.h"
#include "engine/layers/step_graph.h"
#include "engine/model/resolve.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::compiler {

/// The graph of one entry after the passes, with the data for a run; before lowering.
struct EntryGraph {
    executable::Entry entry;
    std::vector<passes::PassStats> passes;
    bool stopped = false; ///< at passes::RunOptions::stopAfter
};

/// The batch size of an entry of the training's executable that reads so many samples: the largest one up to the plan's with which all
/// replicas process equally many and a pipeline is filled. Error: Invalid training.validation-executable if no batch size does.
Result<EntryShape> shapeFor(RunKind kind, project::Project const &project, model::ResolvedModel const &model,
                            Distribution const &distribution, std::int64_t samples);

/// The fewest micro-batches that fill the pipeline of an inference; 1 without stages.
std::int64_t stepsOfPipeline(project::Project const &project, model::ResolvedModel const &model);

/// The entries beside the training that a request and the plan ask for.
struct EntriesBeside {
    std::vector<EntryShape> shapes;  ///< validation first
    bool validates = false;          ///< the first one is the validation's
    std::optional<Diagnostic> apart; ///< why evaluation and prediction have no entries, although they could share the executable
};
/// The validation's entry is "evaluate" if the evaluation's has the same shape, or there is none; else "validate". Errors: as shapeFor, for
/// the validation.
Result<EntriesBeside> entriesBeside(project::Project const &project, model::ResolvedModel const &model, Distribution const &distribution,
                                    CompileRequest const &request);

/// How the model's inputs arrive (data.convert, data.scale).
layers::InputFeeds inputFeeds(project::Project const &project);

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
