#pragma once

#include "engine/core/job_context.h"
#include "engine/report/tables.h"
#include "views/reports/kept.h"
#include "views/reports/report_ptr.h"

#include <QString>
#include <QStringList>
#include <QVariant>
#include <QVariantList>

#include <chrono>
#include <memory>
#include <span>
#include <vector>

namespace tilewright::views {

/// Bytes of one variable, or of one kind of compiler-made data (variable -1), live at a liveness step.
struct LiveItem {
    int variable = report::kNone;
    report::MemoryCategory category = report::MemoryCategory::Variable;
    Bytes bytes = 0;
    bool alwaysLive = false;
    int born = report::kNone, dies = report::kNone; ///< half open; -1: always live
    int lastUse = report::kNone;
};

struct PlacedBytes {
    report::LoweredVariable item;
    Bytes gapBefore = 0;
};

struct SqlRows {
    QStringList columns;
    QList<QVariantList> rows;
    bool capped = false;
};

class ReportFile;

/// A report as read by the views: an immutable, shared snapshot of one file. Row tables are in memory, and so are the packed data for
/// headlines and panels (tile metrics, memory parts, liveness curves, points of series, layouts of the worst tiles). Other packed data are
/// read on request, on pool threads, and cached; the returned object keeps them alive (Kept). Thread-safe. A snapshot of the head alone
/// returns no packed data.
class ReportSnapshot {
public:
    /// Reads the head: meta, parts, options, figures, target, verdicts, splits, runs, insights; enough for Summary.
    static Result<std::shared_ptr<ReportSnapshot const>> openHead(QString const &path);
    /// Reads everything except the packed data. `before`: a snapshot of the same file, whose open file and cache are reused.
    static Result<std::shared_ptr<ReportSnapshot const>> open(QString const &path, JobContext const &job, ReportPtr const &before = {});
    /// Follows a report that is still being written: returns `before` if nothing was added, else a new snapshot with the additions. Does
    /// not read the compile's parts again. Requires: `before` is whole and has a file.
    static Result<std::shared_ptr<ReportSnapshot const>> follow(ReportPtr const &before, JobContext const &job);
    /// A report in memory only (tests, previews).
    static std::shared_ptr<ReportSnapshot const> ofData(report::ReportData data, QString const &name);
    /// The report without rows behind a null ReportPtr.
    static ReportSnapshot const &none();
    ~ReportSnapshot();

    QString path() const;
    QString title() const;
    QString uuid() const;
    bool isWhole() const;                     ///< false: head only so far
    bool isLive() const;                      ///< its writer was alive when this was read
    bool isInMemory() const;                  ///< without a file: packed data are available immediately
    std::optional<Diagnostic> damage() const; ///< why some packed data could not be read
    /// Row tables. Not included: layouts, tileVecs, points of liveCurves, events, seriesPoints.
    report::ReportData const &data() const;
    QString figureText(char const *name) const; ///< "" when absent
    std::optional<double> figure(char const *name) const;
    report::PartRow const *part(char const *name) const; ///< null if the file does not list it
    int tiles() const;                                   ///< of replica 0, all its IPUs
    int tilesPerIpu() const;

    // Packed data; empty on an error or if absent.
    KeptList<std::int64_t> tileVec(int id) const;
    KeptList<std::int64_t> tileMetric(char const *name) const; ///< with_gaps, need, headroom, …
    KeptList<std::int64_t> runTileMetric(int run, char const *name) const;
    std::vector<PlacedBytes> placedOn(int tile) const;
    std::vector<LiveItem> liveAt(int step, int tile = -1) const;
    Kept<report::LiveCurveRow> liveCurve(std::string const &scope, int id) const;
    Kept<report::EventColumns> events(int pattern, int lane) const;
    report::SeriesPoints points(int series) const;

    // Indices, built once.
    std::span<int const> programsOfOp(int op) const; ///< of the op itself
    std::span<int const> opsOfProgram(int program) const;
    std::span<int const> childrenOf(int program) const; ///< in order
    std::span<int const> childOps(int op) const;
    std::span<int const> variablesOf(int program) const;
    std::span<int const> stepsOf(int program) const; ///< liveness steps
    int exchangeOf(int program) const;               ///< row of `exchanges`, or -1
    Cycles exchangeCycles(int exchange) const;       ///< of its slowest tile, or -1
    int layerOp(int op) const;                       ///< its enclosing op of level keras (or itself), or -1
    QString layerOf(int op) const;                   ///< name of that layer, or ""

    /// Runs one SELECT on the file (evidence of insights).
    Result<SqlRows> query(QString const &sql, int rowCap = 1000) const;

private:
    ReportSnapshot();
    struct Impl;
    std::shared_ptr<Impl> m; ///< kept parts of in-memory data share it
};

/// Whether both are whole and of the same file: then only what its run has written differs.
bool showsSameCompile(ReportPtr const &one, ReportPtr const &other);

} // namespace tilewright::views
