#pragma once

#include "engine/runtime/run.h"
#include "engine/runtime/weight_keeper.h"

/// Host memory of a training in addition to its executors, in bytes.
namespace tilewright::runtime {

/// Memory of a save: the state, and packed data and file buffers of its largest tensor.
Bytes savingBytes(executable::EntryRef const &entry);
/// Memory in addition to the executors: the state during creation and saving, the last save, prefetched micro-batches.
Bytes bytesBesideExecutor(executable::EntryRef const &entry);
/// Size of a checkpoint.
WeightKeeper::Size checkpointSize(executable::EntryRef const &entry, model::TrainingPlan const &plan);
/// Bytes of the weights alone, a lower bound of a checkpoint's size. 0 if the model is invalid, which the compiler reports.
Bytes leastStateBytes(project::Project const &project);

} // namespace tilewright::runtime
