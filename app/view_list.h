#pragma once

#include "views/session/view.h"

#include <vector>

namespace tilewright::app {

/// All views in the order of menus and tabs.
std::vector<views::ViewDescriptor> viewList();

} // namespace tilewright::app
