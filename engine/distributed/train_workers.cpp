#include "engine/distributed/train_workers.h"

#include "engine/core/parallel.h"
#include "engine/distributed/thread_link.h"
#include "engine/runtime/replica_seam.h"

#include <thread>

namespace tilewright::distributed {

using namespace runtime;

RunRequest requestOfOthers(RunRequest request)
{
    request.report.reset();
    request.keep = {};
    request.every = 0;
    request.compile.log = {};
    return request;
}

void close(WorkerLink &link, Result<TrainOutcome> const &ran)
{
    auto const *why = !ran.ok() ? &ran.error() : ran->stopped ? &*ran->stopped : nullptr;
    if (!why || why->code != kWorkerLost) link.close();
}

Result<int> workFor(project::Project const &project, RunRequest const &request, JobContext const &job, WorkerLink &link)
{
    auto ran = train(project, requestOfOthers(request), {}, job);
    close(link, ran);
    if (ran.ok() && !ran->stopped) return 0;
    auto const why = ran.ok() ? *ran->stopped : ran.error();
    if (why.code == kWorkerLost || why.kind == ErrorKind::Cancelled) return static_cast<int>(why.kind);
    // Worker 0 meets and tells the same; mpirun returns its code. A code of this one would let mpirun end worker 0 before it has told.
    if (why.code.starts_with("workers.")) return 0;
    return why;
}

Result<TrainOutcome> trainOnThreads(project::Project const &project, RunRequest const &request, RunObserver const &observer,
                                    JobContext const &job, int workers)
{
    if (workers <= 1) return train(project, request, observer, job);
    auto links = threadLinks(workers);
    std::vector<std::thread> threads;
    std::vector<std::optional<Diagnostic>> failures(links.size());
    auto const work = [&](std::size_t w) {
        auto own = requestOfOthers(request);
        own.link = links[w].get();
        JobContext quiet;
        quiet.stop = job.stop;
        auto const outcome = train(project, own, {}, quiet);
        if (!outcome.ok()) failures[w] = outcome.error();
        else if (outcome->stopped) failures[w] = *outcome->stopped;
        links[w].reset(); // the others must not wait for it
    };
    bool missing = false;
    for (std::size_t w = 1; w < links.size(); ++w) {
        threads.push_back(tryStartThread([&work, w] { work(w); }));
        if (threads.back().joinable()) continue;
        missing = true;
        links[w].reset();
    }
    auto own = request;
    own.link = links[0].get();
    auto outcome = train(project, own, observer, job);
    links[0].reset();
    for (auto &thread : threads)
        if (thread.joinable()) thread.join();
    if (missing)
        return makeError(ErrorKind::Usage, "workers.threads", "--workers", Message::of("the host cannot start %1 threads.", workers),
                         Message::of("Use fewer workers."));
    // Where this worker says only that another one failed, the other's own message tells more.
    auto *stopped = !outcome.ok() ? &outcome.error() : outcome->stopped ? &*outcome->stopped : nullptr;
    if (stopped && stopped->code.starts_with("workers."))
        for (auto const &failure : failures)
            if (failure && !failure->code.starts_with("workers.")) {
                if (!outcome.ok()) return *failure;
                outcome->stopped = failure;
                break;
            }
    return outcome;
}

} // namespace tilewright::distributed
