#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor insightsView();

} // namespace tilewright::views
