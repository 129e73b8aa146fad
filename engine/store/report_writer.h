#pragma once

#include "engine/core/host_work.h"
#include "engine/core/result.h"
#include "engine/report/tables.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tilewright::store {

/// Writes one report file. First the parts of the compile at once (`write`), then, while a run goes on,
/// the parts of the run as they grow. Readers may follow the file from the first moment. What was handed
/// over is in the file after at most 100 ms as long as calls keep coming (call `tick` when idle), after
/// `flush` at once. A process that dies leaves a valid file whose unfinished parts say "writing".
///
/// A failed call fails all later ones with the same Diagnostic: the file keeps what was committed.
/// Errors: store.disk-full, store.busy (another process writes this file), store.constraint (a row that
/// breaks the format: our mistake), and the others of engine/store/sqlite.h. One thread at a time.
class ReportWriter {
public:
    /// An existing file of that name is replaced, at once and whole, by an empty report.
    static Result<ReportWriter> create(std::filesystem::path const &path);
    ReportWriter(ReportWriter &&) noexcept;
    ReportWriter &operator=(ReportWriter &&) noexcept;
    ~ReportWriter();

    /// Everything `data` holds, run tables included, in one transaction. Ids are the indices. Call once,
    /// first. Parts of the compile become complete, or absent where no row is there, unless data.parts
    /// says otherwise (a failed compile: {"liveness", PartState::Failed, note}).
    /// Threads of `work` change nothing but the time it takes; when its job is cancelled, nothing of `data` is in the file.
    Status write(report::ReportData const &data, HostWork const &work = {});

    // Growing parts. Each add returns the id the row got.
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
    /// Behind what the lane holds already in that pattern. Requires: sorted, of known event types.
    Status appendEvents(int pattern, int lane, report::EventColumns const &events);
    Status appendPoints(int series, report::SeriesPoints const &points);
    Status appendPoint(int series, std::int64_t x, double y);
    // Rows with a key of their own: a second put with the same key replaces the first.
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
    /// The cycle, step or ns up to which a part is whole.
    Status setWatermark(std::string const &part, std::int64_t value);
    /// What finish() shall say of a part instead of its own view.
    void setPartState(std::string const &part, report::PartState state, std::string note);

    /// What is written until release() is committed together or not at all: readers see a report whose sums agree.
    void hold();
    Status release();
    /// Gives up: what was not committed is undone, and every later call answers with `why`.
    void abandon(Diagnostic why);

    /// Commits when 100 ms have passed since the last commit.
    Status tick();
    Status flush();
    /// The last call: closes all parts, analyses, and leaves one plain file.
    Status finish();

private:
    struct Impl;
    explicit ReportWriter(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

/// create, write, finish.
Status writeReport(std::filesystem::path const &path, report::ReportData const &data, HostWork const &work = {});

} // namespace tilewright::store
