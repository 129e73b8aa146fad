#pragma once

#include "views/help/help_page.h"

// The reference part of the help, made at run time of the tables that the engine itself reads: what is not in
// them does not exist, and what is new there is in the help without anybody writing it.
namespace tilewright::views {

/// One page for each layer, loss, optimizer, metric, option (of the IPUConfig, the flags and the engine's,
/// target's and runtime's options), machine and insight rule, and an index page for each of these kinds.
QList<HelpPage> referencePages();

} // namespace tilewright::views
