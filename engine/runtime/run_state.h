#pragma once

#include "engine/model/param.h"
#include "engine/runtime/run.h"

/// The part of a training state that no variable holds: values that the host wrote, callbacks, means of the epoch in progress. It
/// travels as further tensors, so that every checkpoint can hold it and older programs ignore it.
namespace tilewright::runtime {

/// A text tensor. No layer has a name with '@'.
inline constexpr char const *kRunState = "@run";
/// Before the names of the weights that a callback keeps: "@best/0/dense/kernel".
inline constexpr char const *kBestWeights = "@best/";

void addRunState(TrainingState &state, model::Json const &run);
/// Null if the state holds none. Error: Data "checkpoint.run" if it is not an object.
Result<model::Json> runStateOf(TrainingState const &state);

/// Members of such objects. The text of a checkpoint may hold anything: absent, or of another type, is nothing.
std::optional<double> numberOf(model::Json const &object, char const *name);
std::optional<std::int64_t> countOf(model::Json const &object, char const *name);

} // namespace tilewright::runtime
