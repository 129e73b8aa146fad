#pragma once

#include "tests/bench/frames/scene.h"

namespace tilewright::bench {

/// The floor plan of 64 IPUs (94 208 tiles) hovered and recoloured, the profile of as many tiles zoomed, and live
/// bytes over 10⁵ steps zoomed.
std::vector<Scene> tileScenes();

} // namespace tilewright::bench
