#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor reportlogView();

} // namespace tilewright::views
