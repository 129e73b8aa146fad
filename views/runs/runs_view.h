#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor runsView();

} // namespace tilewright::views
