#pragma once

#include "engine/core/result.h"

#include <string>
#include <vector>

namespace tilewright::cli {

/// Path of the running program, or "" when the system does not tell.
std::string programPath();
/// Whether there is a display to open windows on.
bool hasDesktop();
/// Whether the workbench has a chance to show one: a display, or a platform that was chosen.
bool canShowWindows();
/// Replaces this process by tilewright-gui with these arguments; returns only when that fails. Error: Usage
/// "cli.not-installed" when the workbench is not beside this program.
Status startWorkbench(std::vector<std::string> const &arguments);

} // namespace tilewright::cli
