#pragma once

#include "engine/runtime/session.h"

#include <nlohmann/json_fwd.hpp>

namespace tilewright::runtime {

/// Adds `emulated_seconds`, and `measured_cycles` if the tiles measured them.
void addDeviceTime(nlohmann::ordered_json &json, DeviceTime const &time);

/// The entry of a run in the project's history, beside its report: `steps`, times, `weights_hash`; cycles, rate and memory of the program;
/// loss and metrics of the last epoch; the parts of the project at that time; the reason of its end.
nlohmann::ordered_json runFacts(TrainOutcome const &outcome, project::Project const &project);
/// The entry of a run in progress: its process and the parts of the project, so that the project of a killed run can be restored.
nlohmann::ordered_json startFacts(project::Project const &project);
/// The entry of a run that failed without an outcome: the error and the parts of the project.
nlohmann::ordered_json failureFacts(Diagnostic const &error, project::Project const &project);
/// runFacts() or failureFacts().
nlohmann::ordered_json endFacts(Result<TrainOutcome> const &outcome, project::Project const &project);

} // namespace tilewright::runtime
