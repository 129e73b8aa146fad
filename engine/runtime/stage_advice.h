#pragma once

#include "engine/runtime/proposals.h"

namespace tilewright::runtime {

struct AdviceSearch {
    double seconds = 5;                                   ///< no trial begins after that; 0: none is made, the costs of layers decide
    int trials = 24;                                      ///< at most
    std::optional<std::int64_t> samples = {};             ///< of an epoch, which weight updates have to divide; empty: not known
    std::function<void(int tried, int of)> progress = {}; ///< before each trial
};

/// Where to cut a model into pipeline stages.
struct StageAdvice {
    std::vector<int> stages; ///< one for each entry of model::stageAssignment
    LayerCosts layers;
    std::vector<model::StageCost> costs; ///< of the stages, from those of the layers
    std::int64_t microBatches = 1;       ///< of a weight update: the project's, or what the schedule wants
    double expected = 0; ///< cost of a micro-batch in the units of `layers`: of the trial's compile, else model::pipelineCost
    std::vector<std::pair<std::string, std::string>> settings; ///< that the project needs besides, to run in these stages
    std::optional<Diagnostic> obstacle;                        ///< why the project does not run on its data with them all the same
    std::optional<Trial> trial;                                ///< of the cut that is advised; none: it was not compiled
    int tried = 0;
    bool complete = true; ///< false: time was over, or the job was cancelled, before all trials were made
};

/// The cuts that cost least by the costs of layers are compiled, and the fastest that fits is taken; where none fits, the one whose fullest
/// tile needs least. Errors: those of layerCosts and model::bestCuts. A job that is cancelled while trials are made leaves the best so far.
Result<StageAdvice> adviseStages(project::Project const &project, int count, compiler::CompileRequest const &request,
                                 AdviceSearch const &search, JobContext const &job);

} // namespace tilewright::runtime
