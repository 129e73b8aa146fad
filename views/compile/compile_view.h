#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor compileView();

} // namespace tilewright::views
