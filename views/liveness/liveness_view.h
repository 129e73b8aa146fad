#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor livenessView();

} // namespace tilewright::views
