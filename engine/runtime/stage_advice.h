#pragma once

#include "engine/runtime/proposals.h"

namespace tilewright::runtime {

struct AdviceSearch {
    double seconds = 5;                                   ///< no trial starts after that time; 0: no trials, the costs of layers decide
    int trials = 24;                                      ///< maximum number of trials
    std::optional<std::int64_t> samples = {};             ///< per epoch, divided by weight updates; nullopt: unknown
    std::function<void(int tried, int of)> progress = {}; ///< called before each trial
};

/// A proposed cut of a model into pipeline stages.
struct StageAdvice {
    std::vector<int> stages; ///< one per entry of model::stageAssignment
    LayerCosts layers;
    std::vector<model::StageCost> costs; ///< of the stages, from those of the layers
    std::int64_t microBatches = 1;       ///< per weight update: the project's, or the schedule's minimum
    double expected = 0; ///< cost of a micro-batch in the units of `layers`: from the trial's compile, else model::pipelineCost
    std::vector<std::pair<std::string, std::string>> settings; ///< further settings that the stages require
    std::optional<Diagnostic> obstacle;                        ///< why the project still does not run on its data
    std::optional<Trial> trial;                                ///< of the proposed cut; nullopt: not compiled
    int tried = 0;
    bool complete = true; ///< false: time was up, or the job was cancelled, before all trials were made
};

/// Compiles the cheapest cuts by the costs of layers and returns the fastest that fits; if none fits, the one with the smallest need on its
/// worst tile. Errors: those of layerCosts and model::bestCuts. If the job is cancelled during the trials, returns the best so far.
Result<StageAdvice> adviseStages(project::Project const &project, int count, compiler::CompileRequest const &request,
                                 AdviceSearch const &search, JobContext const &job);

} // namespace tilewright::runtime
