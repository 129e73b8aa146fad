#pragma once

#include "engine/core/types.h"
#include "engine/target/machine.h"

#include <cstdint>

/// Moving bytes within a tile, between tiles and between IPUs; tile cycles.
namespace tilewright::cost {

/// Setting up one contiguous region of an on-tile copy: 20 to 30 cycles on the reference machine.
inline constexpr Cycles kCopyRegionCycles = 25;

/// On-tile copy of `bytes` in total, in `regions` contiguous pieces: ceil(bytes / 8) + 25 per region.
constexpr Cycles memcpyCycles(Bytes bytes, std::int64_t regions = 1, int bytesPerCycle = 8)
{
    return ceilDiv(bytes, bytesPerCycle) + kCopyRegionCycles * regions;
}

/// Cycles to receive `bytes` on a tile: four bytes per cycle, eight if the bus neighbour receives the same data at the same time. Without
/// latency, distance and message overhead. Source: poplibs lib/poplin/ExchangeEstimator.
constexpr Cycles exchangeReceiveCycles(target::Chip const &chip, Bytes bytes, bool sharedBus = false)
{
    return ceilDiv(bytes, static_cast<std::int64_t>(chip.exchangeBytesPerCycle) * (sharedBus ? chip.tilesPerExchangeBus : 1));
}

/// Cycles to send `bytes` of distinct data. A multicast is sent once.
constexpr Cycles exchangeSendCycles(target::Chip const &chip, Bytes bytes) { return ceilDiv(bytes, chip.exchangeBytesPerCycle); }

/// Barrier of `ipus` IPUs at the chip's clock (Machine::externalSyncCycles). Requires: ipus >= 1.
Cycles externalSyncCycles(target::Chip const &chip, int ipus);

} // namespace tilewright::cost
