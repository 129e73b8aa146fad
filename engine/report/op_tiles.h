#pragma once

#include "engine/report/distribution.h"
#include "engine/report/quantities.h"

#include <functional>
#include <vector>

// An operation, including all operations below it, by tile of a replica: its code, its cycles, the durations of its steps.
namespace tilewright::report {

/// The values of a tile vector, from data.tileVecs or a file. Empty: no such vector.
using TileVecOf = std::function<std::vector<std::int64_t>(int vec)>;
/// Reads the vectors in `data`, to which it refers.
TileVecOf tileVecsOf(ReportData const &data);

/// The operation and all operations below it, as flags by operation.
std::vector<char> withAllBelow(ReportData const &data, int op);

/// Code by tile. Its sum plus `elsewhere` is the operation's codeAttributed.
struct OpCode {
    std::vector<double> vertex; ///< of a codelet by the share of its compute sets on that tile
    std::vector<double> exchange, control;
    /// The part of codeAttributed without tiles in the report: transfers of variables at the start and the end.
    double elsewhere = 0;
    double on(int tile) const;
    double onTiles() const;
};
OpCode opCode(ReportData const &data, int op, TileVecOf const &vec);

/// Modelled cycles by tile for one step of one replica: the time of vertices and exchanges on the tile itself, times their executions in a
/// step. Excludes waiting for slower tiles. Without a run: for one execution of each of its steps.
struct OpCycles {
    std::vector<double> compute, exchange;
    bool ofStep = false; ///< false: there is no run
    double on(int tile) const;
};
OpCycles opCycles(ReportData const &data, int op, RunFrame const &frame, TileVecOf const &vec);

/// Durations of the operation's steps on the tiles that take part: one per execution of a step on a tile.
struct OpDurations {
    enum class Over {
        Tiles,             ///< each step once: the report has only the schedule of one execution
        TilesAndExecutions ///< a run measured that all executions of a step took equally long
    };
    Over over = Over::Tiles;
    std::vector<Weighted> values; ///< ascending, each value once
    std::int64_t steps = 0;       ///< of the program
    std::int64_t tiles = 0;       ///< that take part in at least one of them
    std::int64_t executions = 0;  ///< of its steps, in the run, on one replica; 0 without a run
};
OpDurations opDurations(ReportData const &data, int op, RunFrame const &frame, TileVecOf const &vec);

} // namespace tilewright::report
