#pragma once

#include "views/session/view.h"

namespace tilewright::views {

/// Evaluate, Predict, Verify and Tune: their progress, and the result of the last of them.
ViewDescriptor resultsView();

} // namespace tilewright::views
