#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor consoleView();

} // namespace tilewright::views
