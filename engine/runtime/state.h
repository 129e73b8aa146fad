#pragma once

#include "engine/runtime/session.h"

namespace tilewright::runtime {

/// Whether a variable belongs to the training state. Accumulators, which each update resets, and variables of a single run do not.
bool survives(graph::Variable const &variable);
/// First value of a variable other than a weight: zeros, or its initializer's (Adagrad's accumulators).
Result<std::vector<std::byte>> firstBytes(graph::Variable const &variable);
/// Loads a state into an executor. Variables missing in the state keep their values; optimizer states missing in it begin anew. Error:
/// Invalid "checkpoint.shape" if a tensor does not fit the model.
Status loadState(Executor &executor, executable::EntryRef const &entry, TrainingState const &state);
/// Loads weights only, for evaluation or prediction: kept layer states start with zeros. Errors as loadState.
Status loadWeights(Executor &executor, executable::EntryRef const &entry, TrainingState const &state);
/// The training state: weights, slots, counters (no accumulators).
TrainingState saveState(Executor const &executor, executable::EntryRef const &entry);

} // namespace tilewright::runtime
