#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor inspectorView();

} // namespace tilewright::views
