#pragma once

#include "engine/runtime/session.h"

/// Entries that move state between host and device (executable::movesState), beside the entry of a loaded session.
namespace tilewright::runtime {

/// Runs an entry whose feeds are variables. Errors: Invalid "checkpoint.missing", "checkpoint.shape" if the state has no such tensor; those
/// of the executor. Requires: the entry is of the session's executable.
Status loadThrough(Session &session, executable::EntryRef const &entry, TrainingState const &state, JobContext const &job);
/// Runs an entry whose outputs are variables; their values, of the first replica, in the order of the outputs.
Result<TrainingState> readThrough(Session &session, executable::EntryRef const &entry, JobContext const &job);

} // namespace tilewright::runtime
