#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor operationsView();

} // namespace tilewright::views
