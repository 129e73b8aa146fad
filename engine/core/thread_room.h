#pragma once

#include "engine/core/parallel.h"
#include "engine/core/types.h"

namespace tilewright {

/// Starts threads as long as a limit of the address space leaves so many bytes beside their stacks: work comes before
/// threads.
ThreadStarter threadsBeside(Bytes bytes);

} // namespace tilewright
