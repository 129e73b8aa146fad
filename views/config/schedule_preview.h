#pragma once

#include "engine/core/pipeline_schedule.h"
#include "engine/project/project.h"

#include <QString>

#include <cstdint>
#include <string>
#include <vector>

namespace tilewright::views {

/// One stage working on one micro-batch, in units of estimated cost.
struct PreviewTask {
    int stage = 0;
    std::int64_t microBatch = 0;
    StagePass pass = StagePass::Forward;
    double start = 0, end = 0;
    bool operator==(PreviewTask const &) const = default;
};

/// The schedule of one weight update before anything is compiled. Stages run in steps that all of them end
/// together; a step lasts as long as its slowest stage. Times are estimates from multiply-adds: a backward
/// counts twice a forward, a recomputation as much as one.
struct SchedulePreview {
    int stages = 1;
    std::int64_t microBatches = 1;
    std::string schedule;        ///< grouped, interleaved, sequential
    std::int64_t multiple = 1;   ///< of which the micro-batches must be a multiple
    bool allowed = true;         ///< they are
    std::vector<PreviewTask> tasks; ///< of all micro-batches, or of the first `shown` when there are many
    std::int64_t shown = 0;      ///< micro-batches in `tasks`; the steady part of the others repeats
    std::int64_t steps = 0;      ///< of the whole schedule (slots; two a micro-batch where passes alternate)
    std::int64_t rampUpSteps = 0, steadySteps = 0, rampDownSteps = 0;
    double rampUpEnd = 0, rampDownStart = 0, end = 0; ///< of what is drawn
    double bubbleShare = 0;      ///< of stages × time, over the whole schedule
    bool recompute = false;      ///< stages but the last run again in front of their backward
    std::vector<int> copies;     ///< by stage: activations, or what stages receive where they run again, kept at once for the backward
};

/// Requires: as many costs as stages, at least one stage; microBatches >= 1.
SchedulePreview previewSchedule(std::string const &schedule, std::vector<double> const &forwardCosts, std::int64_t microBatches, bool recompute = false);

/// Multiply-adds of each stage of the project's model; empty: it has no pipeline or does not resolve.
std::vector<double> stageCosts(project::Project const &project);

} // namespace tilewright::views
