#pragma once

#include "engine/runtime/session.h"

#include <nlohmann/json_fwd.hpp>

namespace tilewright::runtime {

/// `emulated_seconds`, and where the tiles measured them `measured_cycles`.
void addDeviceTime(nlohmann::ordered_json &json, DeviceTime const &time);

/// What a project's history tells of a run, beside its report: `steps`, times, `weights_hash`; cycles, rate and memory of the
/// program; the last epoch's loss and metrics; the parts of the project that was run; what ended it.
nlohmann::ordered_json runFacts(TrainOutcome const &outcome, project::Project const &project);
/// The same of a run that ended before there was an outcome: the error and the parts of the project.
nlohmann::ordered_json failureFacts(Diagnostic const &error, project::Project const &project);
/// The facts of either.
nlohmann::ordered_json endFacts(Result<TrainOutcome> const &outcome, project::Project const &project);

} // namespace tilewright::runtime
