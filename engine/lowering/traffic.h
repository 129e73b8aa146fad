#pragma once

#include "engine/core/by_tile.h"
#include "engine/program/program.h"
#include "engine/target/links.h"

#include <vector>

namespace tilewright::lowering {

/// Traffic of one exchange, by tile of the replica. Bytes that stay on their tile pass its exchange port too and count. A multicast counts
/// once for its sender and once per receiver.
struct Traffic {
    ByTile<Bytes> sent, received;
    ByTile<std::int64_t> messages;  ///< sent
    ByTile<std::int64_t> fragments; ///< received
    ByTile<Cycles> cycles;          ///< each tile's own part of the phase
    /// Bytes from one IPU of a replica to another, equal in all replicas (`replica` -1); or from this replica to the same IPU of the next
    /// one (a ring).
    struct IpuFlow {
        int from = 0, to = 0;
        int replica = -1;
        Bytes bytes = 0;
    };
    std::vector<IpuFlow> ipuFlows;
    /// Load of all replicas' flows on the links of the system (target::LinkLadder of its IPUs), and its time.
    std::vector<target::LinkLadder::Load> links; ///< by link and direction
    Bytes totalSent = 0, totalReceived = 0;
    Cycles phaseCycles = 0; ///< slowest tile plus latency and distance
    struct Pair {
        int from = 0, to = 0;
        Bytes bytes = 0;
    };
    std::vector<Pair> pairs; ///< the 4,096 largest, largest first; then one remainder with from = to = -1
};

/// Expands an exchange and costs it: a tile receives 4 bytes per cycle (8 if its bus neighbour receives the same), sends 4, and takes 3
/// cycles per message or fragment. Across IPUs the busiest direction of a link bounds the phase; all traffic routed over it shares its
/// rate.
Traffic analyseTraffic(program::Program const &program, program::Exchange const &exchange, target::Machine const &machine, bool withPairs);

} // namespace tilewright::lowering
