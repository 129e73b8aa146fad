#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor memoryView();

} // namespace tilewright::views
