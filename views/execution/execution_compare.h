#pragma once

#include "views/execution/execution_data.h"
#include "views/execution/execution_facts.h"
#include "views/figures/comparison.h"
#include "views/wording/run_costs.h"

#include <array>

namespace tilewright::views {

/// The step of another report, shown below the lanes of the displayed one. Made in a job, shared.
struct ComparedStep {
    ReportPtr report;
    QString name;
    RunFrame frame;
    int firstType = 0;              ///< its event types are numbered after those of the displayed report
    std::vector<EventStyle> styles; ///< by type, from firstType on
    BlockMap lanes;                 ///< by pattern and IPU lane
    EventStyle const &style(int type) const { return styles[static_cast<std::size_t>(type - firstType)]; }
};
using Compared = std::shared_ptr<ComparedStep const>;
Result<Compared> buildCompared(ReportPtr const &report, QString const &name, Blocks const &beside, JobContext const &job);

/// Placement beside a run. Beside a finished run: its own run. Beside a schedule or a current run: its step, repeated to fill the time.
RunPlaces comparedPlaces(ComparedStep const &compared, RunPlaces const &beside);
/// Appends a lane for each of its IPUs. Returns the previous number of lanes.
int addComparedLanes(LaneSet &set, ComparedStep const &compared, RunPlaces const &places);
QString comparedTip(ComparedStep const &compared, RunPlaces const &places, LaneTimeline const &events, std::int64_t event);
Facts comparedFacts(ComparedStep const &compared, RunPlaces const &places, LaneTimeline const &events, std::int64_t event);

/// Cycles of a step by phase, mean over the IPUs; they sum to the step.
using PhaseCycles = std::array<double, kPhases>;
PhaseCycles phasesOfStep(report::ReportData const &data, RunFrame const &frame);
struct PhaseComparison {
    PhaseCycles now{}, before{};
    double step = 0, stepBefore = 0; ///< cycles
    bool known = false;              ///< both have a run
    bool fair = true;
    QString name;
    bool measured = false;
};
PhaseComparison comparePhases(ReportSnapshot const &now, int run, ComparedStep const &before);
/// A row for each phase of either report, then the whole step.
std::vector<Column> phaseColumns(std::shared_ptr<PhaseComparison const> comparison, std::vector<int> const &rows);
std::vector<int> phaseRows(PhaseComparison const &comparison); ///< phases; kPhases: the step

} // namespace tilewright::views
