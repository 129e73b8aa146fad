#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor problemsView();

} // namespace tilewright::views
