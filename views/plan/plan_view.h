#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor planView();

} // namespace tilewright::views
