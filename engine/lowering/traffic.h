#pragma once

#include "engine/program/program.h"
#include "engine/target/machine.h"

#include <vector>

namespace tilewright::lowering {

/// What one exchange moves, by tile of the replica. Bytes that stay on their tile go through its own
/// exchange port too and count. A multicast counts once for its sender and once for each receiver.
struct Traffic {
    std::vector<Bytes> sent, received;
    std::vector<std::int64_t> messages;  ///< sent
    std::vector<std::int64_t> fragments; ///< received
    std::vector<Cycles> cycles;          ///< each tile's own part of the phase
    std::vector<Bytes> linkBytes;        ///< by IPU of the replica: bytes that leave it (global exchanges)
    Bytes totalSent = 0, totalReceived = 0;
    Cycles phaseCycles = 0;              ///< slowest tile plus latency and distance
    struct Pair { int from = 0, to = 0; Bytes bytes = 0; };
    std::vector<Pair> pairs;             ///< the 4,096 largest, largest first; then one remainder with from = to = -1
};

/// Expands an exchange and prices it: a tile receives 4 bytes a cycle (8 when its bus neighbour receives the
/// same), sends 4, pays 3 cycles a message or fragment. Across IPUs the links' rate bounds the phase.
Traffic analyseTraffic(program::Program const &program, program::Exchange const &exchange, target::Machine const &machine,
                       bool withPairs);

} // namespace tilewright::lowering
