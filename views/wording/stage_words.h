#pragma once

#include <QString>

#include <string>

namespace tilewright::views {

/// Names that a report gives to parts of a pipeline: "Stage 0", "Stage 0 forward", "stage 0". Others unchanged.
QString stageLabel(std::string const &name);
/// The branch of a step of the program: "then", "else", "test", "body", "stage 0".
QString branchLabel(std::string const &label);

} // namespace tilewright::views
