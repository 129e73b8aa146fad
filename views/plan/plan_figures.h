#pragma once

#include "engine/data/data_counts.h"
#include "views/advice/setting_fixes.h"
#include "views/widgets/fact_list.h"

#include <optional>

namespace tilewright::views {

using data::countData;
using data::DataCounts;

/// Figures derived from plan, data and system, by the rules of a run.
struct PlanFigures {
    bool emulated = true;
    int replicas = 1;                  ///< more than requested if the system has more IPUs
    std::int64_t samplesPerUpdate = 0; ///< batch × accumulation × replicas
    std::optional<DataCounts> data;    ///< nullopt: not counted (yet)
    std::int64_t stepsPerEpoch = 0;    ///< of each replica
    std::int64_t updatesPerEpoch = 0, updates = 0;
    std::int64_t droppedBatches = 0; ///< at the end of an epoch, because they do not fill all replicas
    std::int64_t samplesAtOnce = 0;  ///< per start of the program
};
PlanFigures planFigures(project::Project const &project, std::optional<DataCounts> const &counts);

/// Problems of the plan, including those that depend on the data, each with fixes beyond settingFixes.
struct PlanProblems {
    std::vector<Diagnostic> problems;
    std::vector<std::vector<SettingFix>> fixes; ///< as many
};
PlanProblems planProblems(project::Project const &project, PlanFigures const &figures, std::vector<Diagnostic> const &known);

/// "Adam minimises SparseCategoricalCrossentropy · 5 epochs of 1,875 weight updates, 32 samples each".
QString planHeadline(project::Project const &project, PlanFigures const &figures);
QList<FactSection> planFacts(project::Project const &project, PlanFigures const &figures);

} // namespace tilewright::views
