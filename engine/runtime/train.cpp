#include "engine/project/reproducer.h"
#include "engine/runtime/training_session.h"

namespace tilewright::runtime {

bool trainsOnSyntheticData(RunRequest const &request)
{
    auto const synthetic = config::syntheticData(request.compile.environment.flags);
    return synthetic.ok() && (synthetic->infeed || synthetic->parameters);
}

Result<TrainOutcome> train(project::Project const &project, RunRequest const &request, RunObserver const &observer, JobContext const &job)
{
    auto outcome = project::guardedWork("train", project, [&]() -> Result<TrainOutcome> {
        TW_ASSIGN(auto const training, TrainingSession::prepare(project, request, observer, job));
        training->run();
        return training->finish();
    });
    if (outcome.ok() && outcome->stopped) outcome->stopped = project::withReproducer(project, *outcome->stopped);
    return outcome;
}

} // namespace tilewright::runtime
