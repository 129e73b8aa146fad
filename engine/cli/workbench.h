#pragma once

#include "engine/core/result.h"

#include <string>
#include <vector>

namespace tilewright::cli {

/// Path of the running program, or "" if unknown.
std::string programPath();
/// Whether there is a display for windows.
bool hasDesktop();
/// Whether the workbench may be able to open a window: a display, or an explicitly chosen platform.
bool canShowWindows();
/// Replaces this process by another program. Returns only on failure, with the reason as the system tells it.
std::string becomeProgram(std::string const &path, std::vector<std::string> const &arguments);
/// Replaces this process by tilewright-gui with these arguments. Returns only on failure. Error: Usage "cli.not-installed" if the workbench
/// is not beside this program.
Status startWorkbench(std::vector<std::string> const &arguments);

} // namespace tilewright::cli
