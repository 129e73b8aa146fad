#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor summaryView();

} // namespace tilewright::views
