#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor reportLogView();

} // namespace tilewright::views
