#pragma once

#include "engine/target/machine.h"

namespace tilewright::target {

/// What passes one tile's exchange port in one phase. Bytes are whole words.
struct PortLoad {
    Bytes sent = 0, received = 0;
    Bytes onSharedBus = 0;                    ///< of what is received: the tile's bus neighbour receives the same at once
    std::int64_t messages = 0, fragments = 0; ///< sent, received
    bool any() const { return messages + fragments > 0; }
};

/// Cycles of a tile in an exchange: 4 bytes each cycle out and in, 8 in over a shared bus, 3 for each message or fragment.
/// 0: it takes no part. Source: cycle_model, "operand exchange".
Cycles portCycles(Chip const &chip, PortLoad const &load);
/// A phase inside an IPU: its slowest port and the way between tiles.
Cycles exchangePhaseCycles(Chip const &chip, Cycles slowestPort);
/// A phase between IPUs: the same, or the slowest link where that takes longer (0: none is used).
Cycles globalPhaseCycles(Machine const &machine, Cycles slowestPort, Cycles slowestLink);
/// A stream between host and IPU: two handshakes and the data. Replicas on one host share its link.
Cycles streamCycles(Machine const &machine, Bytes bytes, int replicas);

} // namespace tilewright::target
