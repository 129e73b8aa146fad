#pragma once

#include "engine/runtime/session.h"
#include "engine/runtime/weight_keeper.h"

/// What a training takes of the host beside its executors, in bytes.
namespace tilewright::runtime {

/// What saving takes beside the executors: the state, and of its largest tensor what is packed and what the file is handed.
Bytes savingBytes(executable::Executable const &exe);
/// What a run takes beside its executors: the state while it is made and saved, room for its last save, the micro-batches that are ready.
Bytes bytesBesideExecutor(executable::Executable const &exe);
/// What a checkpoint holds.
WeightKeeper::Size checkpointSize(executable::Executable const &exe);
/// Of the weights alone: what a checkpoint has at least. 0 when the model is wrong, which the compiler tells.
Bytes leastStateBytes(project::Project const &project);

} // namespace tilewright::runtime
