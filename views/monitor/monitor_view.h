#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor monitorView();

} // namespace tilewright::views
