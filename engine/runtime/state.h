#pragma once

#include "engine/runtime/session.h"

namespace tilewright::runtime {

/// Whether a variable is part of a training's state; what each update begins anew (accumulators) or one run alone needs is not.
bool survives(graph::Variable const &variable);
/// Puts a state into an executor; variables the state lacks keep what they have. Error: Invalid
/// "checkpoint.shape" when a tensor does not fit the model.
Status loadState(Executor &executor, executable::Executable const &executable, TrainingState const &state);
/// Weights alone, for an evaluation or a prediction: what layers keep from batch to batch begins with zeros. Errors as loadState.
Status loadWeights(Executor &executor, executable::Executable const &executable, TrainingState const &state);
/// Everything that must survive: weights, slots, counters (not accumulators).
TrainingState saveState(Executor const &executor, executable::Executable const &executable);

} // namespace tilewright::runtime
