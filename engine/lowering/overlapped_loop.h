#pragma once

#include "engine/lowering/op_lowering.h"

namespace tilewright::lowering {

struct NamedGraph;

/// Whether the feeds of a program go to IO tiles.
struct IoTilesUse {
    bool placed = false;
    Bytes bytes = 0, room = 0; ///< of the largest round of feeds and outputs; of the IO tiles for them. 0: no loop could use them
};
IoTilesUse ioTilesUse(std::vector<NamedGraph> const &entries, target::Machine const &machine, int ipusPerReplica, Options const &options);

/// Whether the transfers of a loop may overlap its compute steps: a loop over variables with at least two rounds that takes feeds itself,
/// without control flow that depends on data, because its predicates are on all tiles, and with all variables at home on the tiles, because
/// remote copies use the same link.
bool mayOverlap(graph::Graph const &graph, graph::Node const &node);

/// What the body of an overlapped loop reads from the host and returns to it.
struct LoopFeeds {
    struct Feed {
        std::string name;
        program::VarId var; ///< on the compute tiles
        int queueIndex = 0, op = -1;
    };
    std::vector<Feed> in, out;
};

/// Lowers a loop so that the IO tiles receive the feeds of the next round, and send the outputs of the last one, while the compute tiles
/// work. An exchange at the beginning of a round copies its feeds to the compute tiles, and the outputs of the last round to the IO tiles.
/// The first feeds come before the first round, and the last outputs leave after the last one. See program::OverlappedLoop. Requires:
/// mayOverlap.
Status lowerOverlappedLoop(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
