#pragma once

#include "engine/target/machine.h"

namespace tilewright::target {

/// Load of one tile's exchange port in one phase. Bytes are whole words.
struct PortLoad {
    Bytes sent = 0, received = 0;
    Bytes onSharedBus = 0;                    ///< part of the received bytes that the tile's bus neighbour receives at the same time
    std::int64_t messages = 0, fragments = 0; ///< sent, received
    bool any() const { return messages + fragments > 0; }
};

/// Cycles of a tile in an exchange: 4 bytes per cycle out and in, 8 in over a shared bus, 3 cycles per message or fragment. 0: the tile
/// takes no part. Source: cycle_model, "operand exchange".
Cycles portCycles(Chip const &chip, PortLoad const &load);
/// A phase inside an IPU: the slowest port and the distance between tiles.
Cycles exchangePhaseCycles(Chip const &chip, Cycles slowestPort);
/// A phase between IPUs: as inside, or the slowest link if that takes longer (0: no link is used).
Cycles globalPhaseCycles(Machine const &machine, Cycles slowestPort, Cycles slowestLink);
/// A stream between host and IPU: two handshakes and the data. Replicas on one host share its link. `continues`: the transfer before it
/// goes on, and its handshakes serve both.
Cycles streamCycles(Machine const &machine, Bytes bytes, int replicas, bool continues = false);
/// A copy between a remote buffer and the tiles of one IPU: two handshakes and the data. All replicas copy at the same time; those on one
/// board share the rate of its memory. Requires: replicas, ipusPerReplica >= 1.
Cycles remoteCycles(Machine const &machine, Bytes bytes, int ipusPerReplica, int replicas);

} // namespace tilewright::target
