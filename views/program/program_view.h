#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor programView();

} // namespace tilewright::views
