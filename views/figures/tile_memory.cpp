#include "views/figures/tile_memory.h"

#include "views/reports/report_snapshot.h"

namespace tilewright::views {

namespace {

/// Keeps the values alive while they are read.
struct Metrics {
    explicit Metrics(ReportSnapshot const &report)
        : withGaps(report.tileMetric("with_gaps")), withoutGaps(report.tileMetric("without_gaps")), need(report.tileMetric("need"))
    {
    }
    report::TileMetrics metrics() const { return {*withGaps, *withoutGaps, *need}; }
    KeptList<std::int64_t> withGaps, withoutGaps, need;
};

} // namespace

std::optional<report::TileMemory> worstTileMemory(ReportSnapshot const &report)
{
    auto const *verdict = report::verdictOfAll(report.data());
    if (!verdict) return std::nullopt;
    return report::tileMemory(*verdict, Metrics(report).metrics());
}

report::TileMemory tileMemory(ReportSnapshot const &report, int tile)
{
    return report::tileMemory(tile, report.data().target.bytesPerTile, Metrics(report).metrics());
}

} // namespace tilewright::views
