#pragma once

#include "engine/runtime/run.h"

namespace tilewright::distributed {

/// Trains with so many workers, each a thread of this process. Worker 0 runs on the calling thread with the request and the observer; its
/// outcome is returned. Errors: those of train; Usage "workers.threads" if a thread cannot be started.
Result<runtime::TrainOutcome> trainOnThreads(project::Project const &project, runtime::RunRequest const &request,
                                             runtime::RunObserver const &observer, JobContext const &job, int workers);
/// The request of a worker that keeps nothing: worker 0 saves and reports.
runtime::RunRequest requestOfOthers(runtime::RunRequest request);

} // namespace tilewright::distributed
