#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor logView();

} // namespace tilewright::views
