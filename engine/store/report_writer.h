#pragma once

#include "engine/core/host_work.h"
#include "engine/core/result.h"
#include "engine/report/tables.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::store {

/// Whether a report may be written there: a report replaces reports, and nothing else; not one that a living process writes. Errors:
/// store.wrong-kind, store.cannot-open, store.busy.
Status checkReportPlace(std::filesystem::path const &path);

/// Writes one report file: first the compile's parts at once (`write`), then the run's parts as they grow. Readers may follow the file from
/// the beginning. Data reach the file at most 100 ms after the call as long as calls continue (call `tick` when idle), and immediately
/// after `flush`. If the process dies, the file stays valid and its unfinished parts are marked "writing".
///
/// After a failed call, all later calls fail with the same Diagnostic, and the file keeps the committed data. Errors: store.disk-full,
/// store.busy (another process writes this file), store.constraint (a row that violates the format, a bug), and the others of
/// engine/store/sqlite.h. One thread at a time.
class ReportWriter {
public:
    /// Replaces an existing file of that name, atomically, by an empty report.
    static Result<ReportWriter> create(std::filesystem::path const &path);
    ReportWriter(ReportWriter &&) noexcept;
    ReportWriter &operator=(ReportWriter &&) noexcept;
    ~ReportWriter();

    /// Writes all of `data`, including run tables, in one transaction. Ids are the indices. Call once, first. The compile's parts become
    /// complete, or absent if they have no rows, unless data.parts says otherwise (a failed compile: {"liveness", PartState::Failed,
    /// note}). Threads of `work` affect only the time. If the job is cancelled, the file contains nothing of `data`.
    Status write(report::ReportData const &data, HostWork const &work = {});

    // Growing parts. Each add returns the id of the row.
    Result<int> addRun(report::RunRow const &row);
    Status updateRun(int run, report::RunRow const &row);
    Result<int> addPattern(report::PatternRow const &row);
    Result<int> addLane(report::LaneRow const &row);
    Result<int> addEventType(report::EventTypeRow const &row);
    Result<int> addTileVec(std::vector<std::int64_t> values);
    Result<int> addSeries(report::SeriesRow const &row);
    Result<int> addHeatmap(report::HeatmapRow const &row);
    Result<int> addFlow(report::FlowRow const &row);
    Result<int> addInsight(report::InsightRow const &row);
    Result<int> addLog(report::LogRow const &row);
    /// Appends to the lane's events of that pattern. Requires: sorted events of known types.
    Status appendEvents(int pattern, int lane, report::EventColumns const &events);
    Status appendPoints(int series, report::SeriesPoints const &points);
    Status appendPoint(int series, std::int64_t x, double y);
    // Rows with a key: a second put with the same key replaces the first.
    Status put(report::FigureRow const &row);
    Status put(report::PatternPlaceRow const &row);
    Status put(report::StepStatRow const &row);
    Status put(report::StepOutlierRow const &row);
    Status put(report::IpuSplitRow const &row);
    Status put(report::RunTileMetricRow const &row);
    Status put(report::HeatmapColumnRow const &row);
    Status put(report::StageTaskRow const &row);
    Status put(report::BubbleRow const &row);
    Status put(report::CriticalRow const &row);
    Status setMeta(std::string const &key, std::string const &value);
    /// The cycle, step or ns up to which a part is complete.
    Status setWatermark(std::string const &part, std::int64_t value);
    /// Overrides the state that finish() would give to a part.
    void setPartState(std::string const &part, report::PartState state, std::string note);

    /// Data written until release() are committed together or not at all, so that readers see a report whose sums agree.
    void hold();
    Status release();
    /// Rolls back uncommitted data. Every later call fails with `why`.
    void abandon(Diagnostic why);

    /// Commits if 100 ms have passed since the last commit.
    Status tick();
    Status flush();
    /// The last call: closes all parts, runs SQLite's analysis, and leaves one plain file.
    Status finish();

private:
    struct Impl;
    explicit ReportWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// create, write, finish.
Status writeReport(std::filesystem::path const &path, report::ReportData const &data, HostWork const &work = {});

} // namespace tilewright::store
