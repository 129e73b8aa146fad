#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor configView();

} // namespace tilewright::views
