#pragma once

#include "engine/core/parallel.h"

namespace tilewright::views {

/// Two threads, the calling one among them, for the halves of a frame that would take too long on one. Of the thread
/// that paints; shared by all widgets.
ThreadPool &framePool();

} // namespace tilewright::views
