#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor executionView();

} // namespace tilewright::views
