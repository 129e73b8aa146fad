#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor paletteView();

} // namespace tilewright::views
