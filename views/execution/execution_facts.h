#pragma once

#include "views/execution/execution_data.h"

#include <QString>

#include <utility>
#include <vector>

namespace tilewright::views {

/// Content of the panel for an event, a range or a whole run.
struct Facts {
    QString title;
    PhaseTicks busy{};                             ///< over all IPUs
    std::int64_t ticks = 0;                        ///< IPUs times cycles: the sum of `busy` and idle time
    std::vector<std::pair<QString, QString>> rows; ///< name, value with its unit
};

/// Recorded figures of a run: splits, steps, balances.
Facts runFacts(Blocks const &blocks, RunPlaces const &run);
/// Figures of a range over the lanes of all IPUs: cycles are exact at its borders; bytes and counts are of events that begin in it.
Facts rangeFacts(Blocks const &blocks, RunPlaces const &run, TimeSpan range);
Facts eventFacts(Blocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event);

/// "compute 41 % · exchange 37 % · sync 9 % · stream 13 % · slowest: tile 12 (modelled)".
QString executionHeadline(ExecutionBlocks const &blocks, RunPlaces const &run);
/// Activity of the host's main thread: "6.52 s recorded · epoch 96 % · compile 2 % (measured on this computer)".
QString hostHeadline(ExecutionLanes const &lanes);
/// The tile that made others wait most in a run; -1: unknown.
int slowestTile(ReportSnapshot const &report, int run);

/// Text for an event: name, phase, duration, layer, meaning of its argument and vector.
QString eventTip(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event);
/// A tile's part in an event: "tile 12: 340 of 900 cycles busy, then waits".
QString tileTip(ExecutionBlocks const &blocks, RunPlaces const &run, int lane, LaneTimeline const &events, std::int64_t event, int tile);

/// A pair of tiles and the bytes sent from one to the other in a run.
struct TilePair {
    int from = 0, to = 0;
    Bytes bytes = 0;
    bool toNextReplica = false; ///< to the same tile of the next replica
};
/// The largest pairs over all exchanges times their executions. `rest`: bytes of pairs that the report only sums.
std::vector<TilePair> topPairs(ReportSnapshot const &report, int run, std::size_t most, Bytes *rest);

QString phaseName(LanePhase phase);
/// Displayed name of a run: "train, 1,875 steps (fused)".
QString runName(report::RunRow const &run, report::ReportData const &data);

} // namespace tilewright::views
