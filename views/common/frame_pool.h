#pragma once

#include "engine/core/parallel.h"

namespace tilewright::views {

/// Two threads, including the caller, for the halves of slow frames. For the painting thread; shared by all widgets.
ThreadPool &framePool();

} // namespace tilewright::views
