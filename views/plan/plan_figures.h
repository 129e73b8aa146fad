#pragma once

#include "engine/data/data_counts.h"
#include "engine/project/project.h"
#include "views/subjects/facts.h"

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

/// Of the problems of a project those that the plan can end: its own, and of the data and the machine what batch, steps and replicas
/// decide.
std::vector<Diagnostic> planProblems(std::vector<Diagnostic> const &problems);

/// "Adam minimises SparseCategoricalCrossentropy · 5 epochs of 1,875 weight updates, 32 samples each".
QString planHeadline(project::Project const &project, PlanFigures const &figures);
QList<FactSection> planFacts(project::Project const &project, PlanFigures const &figures);

} // namespace tilewright::views
