#pragma once

#include "engine/core/result.h"

#include <QString>

#include <vector>

namespace tilewright::views {

/// "No problems", "2 errors, 1 warning", "3 notes".
QString problemsHeadline(std::vector<Diagnostic> const &problems);
/// "Error", "Warning", "Note".
QString severityWord(Severity severity);
/// Text for the clipboard, in English for support: "error model.shape dense: message. remedy".
QString plainProblem(Diagnostic const &problem);

} // namespace tilewright::views
