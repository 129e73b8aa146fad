#pragma once

#include "engine/report/bubble_shares.h"
#include "views/execution/execution_data.h"
#include "views/widgets/color_keys.h"

#include <QString>

#include <vector>

namespace tilewright::views {

enum class PipelineRows { Ipus, Stages };

/// One box of the pipeline picture: a stage task, or a bubble between tasks.
struct PipelineBox {
    std::int64_t begin = 0, end = 0;
    bool bubble = false;
    int task = -1; ///< row of stageTasks
    int gap = -1;  ///< row of bubbles
    bool operator==(PipelineBox const &) const = default;
};

/// Tasks and bubbles of one IPU, or of one stage on one IPU, in order of time without overlaps: tasks win over overlapping bubbles.
struct PipelineRow {
    int ipu = 0, stage = -1; ///< stage -1: all stages of the IPU
    std::vector<PipelineBox> boxes;
};
std::vector<PipelineRow> pipelineRows(report::ReportData const &data, int pattern, PipelineRows rows);

/// "4 stages · weight update of 8 steps · bubbles 22 % of the pipeline's time (ramp 14 %, imbalance 8 %: IPU 2) · outside the pipeline 3
/// % of the weight update · modelled". `steps`: of a weight update, one micro-batch each; 0: unknown.
QString pipelineHeadline(report::BubbleShares const &shares, std::int64_t steps);

/// A letter (lower case; passes have upper case) and a text for the cause of a bubble.
QChar causeLetter(std::string const &cause);
QString causeText(std::string const &cause);
/// F, R, B, U and the micro-batch: "F3".
QString taskLabel(report::StageTaskRow const &task);
QString taskTip(report::ReportData const &data, report::StageTaskRow const &task, TimeScale const &scale);
QString bubbleTip(report::BubbleRow const &bubble, TimeScale const &scale);

/// Keys for everything drawn in its lanes: passes, bubbles with their causes, lines.
QList<ColorKey> pipelineKeys(report::ReportData const &data, LaneSet const &set);

/// Rows as lanes at the run's placements of the pattern, with the slots as grid lines.
ExecutionLanes pipelineLanes(Blocks const &blocks, RunPlaces const &run, PipelineRows rows);

} // namespace tilewright::views
