#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor outlineView();

} // namespace tilewright::views
