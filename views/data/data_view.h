#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor dataView();

} // namespace tilewright::views
