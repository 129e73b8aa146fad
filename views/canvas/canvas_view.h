#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor canvasView();

} // namespace tilewright::views
