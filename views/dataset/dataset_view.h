#pragma once

#include "views/session/view.h"

namespace tilewright::views {

ViewDescriptor datasetView();

} // namespace tilewright::views
