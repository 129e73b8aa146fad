#pragma once

#include "engine/core/parallel.h"
#include "engine/core/types.h"

namespace tilewright {

/// Starts threads while a limit on the address space leaves `bytes` bytes beside their stacks. Memory for the work has priority.
ThreadStarter threadsBeside(Bytes bytes);

} // namespace tilewright
