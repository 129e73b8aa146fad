#pragma once

#include "engine/core/pipeline_time.h"
#include "engine/model/stage_cut.h"

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::views {

/// The schedule of one weight update before compiling. All stages end a step together; a step lasts as long as its slowest stage plus the
/// transfers between stages. Times are in the unit of the stages' costs.
struct SchedulePreview {
    int stages = 1;
    std::int64_t microBatches = 1;
    std::string schedule;         ///< grouped, interleaved, sequential
    std::int64_t multiple = 1;    ///< required divisor of the number of micro-batches
    bool allowed = true;          ///< the number is a multiple
    std::vector<StageTask> tasks; ///< of all micro-batches, or of the first `shown` if there are many
    std::int64_t shown = 0;       ///< micro-batches in `tasks`; the steady part repeats for the others
    std::int64_t steps = 0;       ///< of the whole schedule (slots; two per micro-batch in alternating schedules)
    std::int64_t rampUpSteps = 0, steadySteps = 0, rampDownSteps = 0;
    double rampUpEnd = 0, rampDownStart = 0, end = 0;     ///< of the drawn part
    double bubbleShare = 0;                               ///< share of IPUs × time, over the whole schedule
    model::CostUnit unit = model::CostUnit::MultiplyAdds; ///< of the times
    bool recompute = false;                               ///< all stages but the last recompute before their backward task
    std::vector<int> copies; ///< by stage: activations (with recomputation: stage inputs) kept at the same time
};

/// `costs`: of the stages; `ipus`: by stage, empty: one IPU per stage. Requires: at least one stage; microBatches >= 1.
SchedulePreview previewSchedule(std::string const &schedule, std::vector<model::StageCost> const &stages, std::int64_t microBatches,
                                model::CutCosts const &costs = {}, std::vector<int> const &ipus = {});

} // namespace tilewright::views
