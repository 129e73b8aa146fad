#pragma once

#include "engine/runtime/run.h"
#include "engine/runtime/worker_link.h"

namespace tilewright::distributed {

/// Trains with so many workers, each a thread of this process. Worker 0 runs on the calling thread with the request and the observer; its
/// outcome is returned. Errors: those of train; Usage "workers.threads" if a thread cannot be started.
Result<runtime::TrainOutcome> trainOnThreads(project::Project const &project, runtime::RunRequest const &request,
                                             runtime::RunObserver const &observer, JobContext const &job, int workers);
/// The request of a worker that keeps nothing: worker 0 saves and reports.
runtime::RunRequest requestOfOthers(runtime::RunRequest request);

/// A process under mpirun other than the first. Returns its exit code, or an error that no other worker tells.
Result<int> workFor(project::Project const &project, runtime::RunRequest const &request, JobContext const &job, runtime::WorkerLink &link);
/// Ends the connection after a training, unless a worker is lost: it would never answer.
void close(runtime::WorkerLink &link, Result<runtime::TrainOutcome> const &ran);

} // namespace tilewright::distributed
