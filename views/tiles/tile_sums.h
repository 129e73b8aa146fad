#pragma once

#include "engine/core/job_context.h"
#include "views/reports/report_ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::views {

/// Of the tiles given, of all when none are.
std::int64_t sumOver(std::vector<std::int64_t> const &values, std::vector<int> const &tiles);

/// Sums over some tiles (all of them when none are given), by row of the report's tables.
struct TileSums {
    int tiles = 0; ///< how many they are over
    bool all = true;
    std::vector<std::int64_t> variableBytes, setVertices, setCycles /**< of the slowest of the tiles */, typeCode, typeVertices,
        exchangeSent, exchangeReceived, exchangeCode;
    /// State of the vertices of a type. A report has it by compute set: of some tiles it is their share of a set's vertices.
    std::vector<std::int64_t> typeState;
};
/// Work for a job. Null when it was cancelled.
std::shared_ptr<TileSums const> tileSums(ReportPtr const &report, std::vector<int> const &tiles, JobContext const &job);

} // namespace tilewright::views
