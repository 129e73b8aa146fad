#pragma once

#include "engine/lowering/memory.h"

#include <string>
#include <vector>

namespace tilewright::lowering {

/// The variables of a tile that are live at its peak, the largest first. Requires: placed memory (with layouts).
std::vector<Placement const *> liveAtPeak(Liveness const &liveness, Memory const &memory, int tile);

/// Bytes of one Keras layer that are live at a tile's peak.
struct PeakOwner {
    std::string layer;
    Bytes bytes = 0;
    bool operator==(PeakOwner const &) const = default;
};
/// The layers whose variables are live at a tile's peak, the one with the most bytes first. Variables of no layer are left out.
std::vector<PeakOwner> peakOwners(program::Program const &program, Liveness const &liveness, Memory const &memory, int tile);

/// The Keras layer that an operation belongs to: the nearest operation of level "keras" above it, except shared functions. "" without one.
std::string layerOf(program::Program const &program, int op);

} // namespace tilewright::lowering
