#pragma once

#include "engine/compiler/compile.h"

#include <cstdint>
#include <optional>
#include <vector>

/// The rules that check a project before a compile. `compile`, `train`, `verify`, `tune`, proposals, fixes and the window
/// call them, so that all of them accept and refuse the same projects.
namespace tilewright::compiler {

struct RuleInputs {
    RunKind kind = RunKind::Train;
    std::optional<std::int64_t> samples = {};    ///< of a training epoch; empty: not counted, and rules of the data are left out
    config::EnvironmentOptions environment = {}; ///< flags can change the machine
};

struct Judgement {
    std::optional<target::Machine> machine;
    std::optional<model::ResolvedModel> model;
    std::optional<Distribution> distribution;
    std::int64_t stepsPerEpoch = 0;   ///< of each replica; 0: not known
    std::vector<Diagnostic> problems; ///< errors, warnings and notes, in the order in which a run finds them

    /// The first error, which prevents a run; nullptr: the project may run.
    Diagnostic const *error() const;
    Status status() const;
};
Judgement judge(project::Project const &project, RuleInputs const &inputs);

/// What a compile that names no entry compiles: the training, or the prediction of a model without trainable weights, as the real system
/// compiles it. An invalid model is compiled as a training, which names its errors.
RunKind kindToCompile(project::Project const &project);

/// The feeds of a run's executable: inputs, labels and sample weights. Errors: those of the model and its plan.
Result<std::vector<graph::FeedSpec>> feedsOf(project::Project const &project, RunKind kind, std::int64_t batch);

} // namespace tilewright::compiler
