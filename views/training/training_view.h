#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor trainingView();

} // namespace tilewright::views
