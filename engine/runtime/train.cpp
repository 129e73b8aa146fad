#include "engine/project/reproducer.h"
#include "engine/runtime/auto_report.h"
#include "engine/runtime/training_session.h"

namespace tilewright::runtime {

bool trainsOnSyntheticData(RunRequest const &request)
{
    auto const synthetic = config::syntheticData(request.compile.environment.flags);
    return synthetic.ok() && (synthetic->infeed || synthetic->parameters || request.compile.environment.flags.boolean("null_data_feed"));
}

Result<TrainOutcome> train(project::Project const &project, RunRequest const &request, RunObserver const &observer, JobContext const &job)
{
    auto outcome = project::guardedWork("train", project, [&]() -> Result<TrainOutcome> {
        TW_ASSIGN(auto const automatic, beginAutoReport(project, request.compile.environment));
        auto asked = request;
        if (automatic) {
            asked.compile.forReport = true;
            if (automatic->run && !asked.report) asked.report = automatic->file();
        }
        TW_ASSIGN(auto const training, TrainingSession::prepare(project, asked, observer, job));
        training->run();
        auto finished = training->finish();
        if (automatic) {
            ThreadPool pool(hostThreads(request.threads));
            TW_TRY(writeAutoReport(*automatic, project, finished.compiled, {&pool, &job}));
            job.warn(autoReportNote(*automatic));
        }
        return finished;
    });
    if (outcome.ok() && outcome->stopped) outcome->stopped = project::withReproducer(project, *outcome->stopped);
    return outcome;
}

} // namespace tilewright::runtime
