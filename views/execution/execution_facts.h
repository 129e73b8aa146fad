#pragma once

#include "views/execution/execution_data.h"

#include <QString>

#include <utility>
#include <vector>

namespace tilewright::views {

/// What the panel says of an event, a range or a whole run.
struct Facts {
    QString title;
    PhaseTicks busy{};                             ///< over all IPUs
    std::int64_t ticks = 0;                        ///< IPUs times cycles: what `busy` and idleness add up to
    std::vector<std::pair<QString, QString>> rows; ///< name, value with its unit
};

/// As recorded: splits, steps, balances of a run.
Facts runFacts(Blocks const &blocks, RunPlaces const &run);
/// Counted over the lanes of all IPUs: exact at its borders for cycles; bytes and counts of what begins in it.
Facts rangeFacts(Blocks const &blocks, RunPlaces const &run, TimeSpan range);
Facts eventFacts(Blocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event);

/// "compute 41 % · exchange 37 % · sync 9 % · stream 13 % · slowest: tile 12 (modelled)".
QString executionHeadline(ExecutionBlocks const &blocks, RunPlaces const &run);
/// What the first thread of the host did: "6.52 s recorded here · epoch 96 % · compile 2 % (measured here)".
QString hostHeadline(ExecutionLanes const &lanes);
/// The tile that made others wait most in a run; -1: not known.
int slowestTile(ReportSnapshot const &report, int run);

/// Words for an event: name, phase, duration, layer, what its argument and vector say.
QString eventTip(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event);
/// What a tile does in an event: "tile 12: 340 of 900 cycles busy, then waits".
QString tileTip(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event, int tile);

/// A pair of tiles and what goes from one to the other in a run.
struct TilePair {
    int from = 0, to = 0;
    Bytes bytes = 0;
    bool toNextReplica = false; ///< to the tile of the same number there
};
/// The largest pairs over all exchanges times their executions. `rest`: bytes of pairs the report has only as a sum.
std::vector<TilePair> topPairs(ReportSnapshot const &report, int run, std::size_t most, Bytes *rest);

QString phaseName(LanePhase phase);
/// Name of a run for people: "train, 1,875 steps (fused)".
QString runName(report::RunRow const &run);

} // namespace tilewright::views
