#pragma once

#include "views/help/help_page.h"

// The reference part of the help, generated at run time from the engine's tables, so it is always complete and current.
namespace tilewright::views {

/// One page per layer, loss, optimizer, metric, option (of the IPUConfig, the flags and the engine's, target's and runtime's options),
/// machine and insight rule, and an index page per kind.
QList<HelpPage> referencePages();

} // namespace tilewright::views
