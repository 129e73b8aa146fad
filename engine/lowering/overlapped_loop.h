#pragma once

#include "engine/lowering/op_lowering.h"

#include <map>
#include <string>
#include <vector>

namespace tilewright::lowering {

struct NamedGraph;

/// Whether the feeds of a program go to IO tiles.
struct IoTilesUse {
    bool placed = false;
    Bytes bytes = 0, room = 0; ///< of the largest round of feeds and outputs; of the IO tiles for them. 0: no loop could use them
};
IoTilesUse ioTilesUse(std::vector<NamedGraph> const &entries, target::Machine const &machine, int ipusPerReplica, Options const &options);

/// Whether the transfers of a loop or a pipeline may overlap its compute steps: a loop over variables on one IPU, or a pipeline, with at
/// least two rounds, that takes feeds itself, without control flow that depends on data, because its predicates are on all tiles, and with
/// all variables at home on the tiles, because remote copies use the same link.
bool mayOverlap(graph::Graph const &graph, graph::Node const &node, int ipusPerReplica);

/// What the body of an overlapped loop reads from the host and returns to it.
struct LoopFeeds {
    struct Feed {
        std::string name;
        program::VarId var; ///< on the compute tiles
        int queueIndex = 0, op = -1;
    };
    std::vector<Feed> in, out;
};

/// Buffers on the IO tiles for the feeds of a loop: on the IPUs of the feeds.
class FeedBuffers {
public:
    FeedBuffers(ProgramBuilder &builder, std::string name) : b(builder), m_name(std::move(name)) {}

    /// A body of the streams between the host and new buffers; invalid without feeds. Appends the transfers between the buffers and the
    /// variables on the compute tiles to `moves`.
    program::StepId streams(std::vector<LoopFeeds::Feed> const &feeds, bool in, std::vector<program::Transfer> &moves);
    /// A body of one exchange; invalid without transfers.
    program::StepId exchange(char const *part, std::vector<program::Transfer> moves);

private:
    program::VarId buffer(program::VarId like);

    ProgramBuilder &b;
    std::string m_name;
    std::map<int, int> m_nextTile; ///< by IPU
};

/// Whether a step is an exchange between the IO tiles and the compute tiles of an IPU: the price of transfers that overlap.
bool isIoExchange(program::Program const &program, program::Step const &step);

/// Lowers a loop so that the IO tiles receive the feeds of the next round, and send the outputs of the last one, while the compute tiles
/// work. An exchange at the beginning of a round copies its feeds to the compute tiles, and the outputs of the last round to the IO tiles.
/// The first feeds come before the first round, and the last outputs leave after the last one. See program::OverlappedLoop. Requires:
/// mayOverlap.
Status lowerOverlappedLoop(LowerContext &ctx, graph::NodeId id);

} // namespace tilewright::lowering
