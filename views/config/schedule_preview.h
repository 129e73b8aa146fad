#pragma once

#include "engine/core/pipeline_time.h"
#include "engine/model/stage_cut.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::views {

/// The schedule of one weight update before anything is compiled as a pipeline. Stages run in steps that all of them end
/// together; a step lasts as long as its slowest stage, and what crosses between stages. Times are in the unit of the stages' costs.
struct SchedulePreview {
    int stages = 1;
    std::int64_t microBatches = 1;
    std::string schedule;         ///< grouped, interleaved, sequential
    std::int64_t multiple = 1;    ///< of which the micro-batches must be a multiple
    bool allowed = true;          ///< they are
    std::vector<StageTask> tasks; ///< of all micro-batches, or of the first `shown` when there are many
    std::int64_t shown = 0;       ///< micro-batches in `tasks`; the steady part of the others repeats
    std::int64_t steps = 0;       ///< of the whole schedule (slots; two a micro-batch where passes alternate)
    std::int64_t rampUpSteps = 0, steadySteps = 0, rampDownSteps = 0;
    double rampUpEnd = 0, rampDownStart = 0, end = 0;     ///< of what is drawn
    double bubbleShare = 0;                               ///< of IPUs × time, over the whole schedule
    model::CostUnit unit = model::CostUnit::MultiplyAdds; ///< of the times
    bool recompute = false;                               ///< stages but the last run again in front of their backward
    std::vector<int> copies; ///< by stage: activations, or what stages receive where they run again, kept at once for the backward
};

/// `costs`: those that the stages are made of; `ipus`: by stage, empty: each has its own. Requires: at least one stage; microBatches >= 1.
SchedulePreview previewSchedule(std::string const &schedule, std::vector<model::StageCost> const &stages, std::int64_t microBatches,
                                model::CutCosts const &costs = {}, std::vector<int> const &ipus = {});

} // namespace tilewright::views
