#pragma once

#include "engine/core/job_context.h"
#include "views/reports/report_ptr.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tilewright::views {

/// Sum over the given tiles, or over all if none are given.
std::int64_t sumOver(std::vector<std::int64_t> const &values, std::vector<int> const &tiles);

/// Sums over the given tiles (over all if none are given), by row of the report's tables.
struct TileSums {
    int tiles = 0; ///< number of tiles in the sum
    bool all = true;
    std::vector<std::int64_t> variableBytes, setVertices, setCycles /**< of the slowest of the tiles */, typeCode, typeVertices,
        exchangeSent, exchangeReceived, exchangeCode;
    /// Bytes of vertex state per vertex type. A report lists it per compute set, so some tiles get their share by number of vertices.
    std::vector<std::int64_t> typeState;
};
/// Run it in a job. Null when cancelled.
std::shared_ptr<TileSums const> tileSums(ReportPtr const &report, std::vector<int> const &tiles, JobContext const &job);

} // namespace tilewright::views
