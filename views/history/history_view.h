#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor historyView();

} // namespace tilewright::views
