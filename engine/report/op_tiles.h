#pragma once

#include "engine/report/distribution.h"
#include "engine/report/quantities.h"

#include <functional>
#include <vector>

// An operation, with all that is below it, by tile of a replica: its code, its cycles, how long its steps take there.
namespace tilewright::report {

/// The values of a tile vector: of data.tileVecs, or read from a file. Empty: there is none of that id.
using TileVecOf = std::function<std::vector<std::int64_t>(int vec)>;
/// Reads those that the data hold themselves. Refers to `data`.
TileVecOf tileVecsOf(ReportData const &data);

/// The operation and all that are below it, as flags by operation.
std::vector<char> withAllBelow(ReportData const &data, int op);

/// Code by tile. All of it, with what lies nowhere in particular, is the operation's codeAttributed.
struct OpCode {
    std::vector<double> vertex; ///< a codelet's by the share of the compute sets that use it there
    std::vector<double> exchange, control;
    /// Of codeAttributed what a report does not tell the tiles of: transfers of variables at the start and the end.
    double elsewhere = 0;
    double on(int tile) const;
    double onTiles() const;
};
OpCode opCode(ReportData const &data, int op, TileVecOf const &vec);

/// Cycles by tile of one step of one replica, as modelled: what vertices and exchanges take on the tile itself, times
/// their executions in a step. Waiting for slower tiles is none of it. Without a run: of one execution of each of its steps.
struct OpCycles {
    std::vector<double> compute, exchange;
    bool ofStep = false; ///< false: there is no run
    double on(int tile) const;
};
OpCycles opCycles(ReportData const &data, int op, RunFrame const &frame, TileVecOf const &vec);

/// How long the operation's steps take on tiles that take part: of each execution of a step on a tile one duration.
struct OpDurations {
    enum class Over {
        Tiles,             ///< each step once: the report has no more than the schedule of one execution
        TilesAndExecutions ///< a run measured that all executions of a step took as long as each other
    };
    Over over = Over::Tiles;
    std::vector<Weighted> values; ///< ascending, each value once
    std::int64_t steps = 0;       ///< of the program
    std::int64_t tiles = 0;       ///< that take part in any of them
    std::int64_t executions = 0;  ///< of its steps, in the run, on one replica; 0 without a run
};
OpDurations opDurations(ReportData const &data, int op, RunFrame const &frame, TileVecOf const &vec);

} // namespace tilewright::report
