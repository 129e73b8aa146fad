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

/// A report as the views read it: an immutable picture of one file, shared. Rows of tables, and the packed data that
/// headlines and panels ask for (tile metrics, parts of memory, liveness curves, points of series, what lies on the worst
/// tiles), are in memory. Other packed data are read when asked for, on threads of the pool, and kept for a while: what
/// comes back holds its own (Kept). Thread-safe. A head alone answers nothing of the packed data.
class ReportSnapshot {
public:
    /// Head: meta, parts, options, figures, target, verdicts, splits, runs, insights: enough for Summary.
    static Result<std::shared_ptr<ReportSnapshot const>> openHead(QString const &path);
    /// Everything but the packed data. `before`: a snapshot of the same file, whose open file and cache are used on.
    static Result<std::shared_ptr<ReportSnapshot const>> open(QString const &path, JobContext const &job, ReportPtr const &before = {});
    /// What a report has become that somebody still writes: `before` itself when nothing has come, else a new picture with
    /// what was appended. What a compile wrote is not read again. Requires: `before` is whole and of a file.
    static Result<std::shared_ptr<ReportSnapshot const>> follow(ReportPtr const &before, JobContext const &job);
    /// A report held in memory only (tests, previews).
    static std::shared_ptr<ReportSnapshot const> ofData(report::ReportData data, QString const &name);
    /// A report without any rows: what ReportPtr reads as when it is none.
    static ReportSnapshot const &none();
    ~ReportSnapshot();

    QString path() const;
    QString title() const;
    QString uuid() const;
    bool isWhole() const;                     ///< false: head only so far
    bool isLive() const;                      ///< a living process was still writing when this was read
    bool isInMemory() const;                  ///< of no file: asking for packed data never waits
    std::optional<Diagnostic> damage() const; ///< why some packed data could not be read
    /// Row tables. Not filled here: layouts, tileVecs, liveCurves' points, events, seriesPoints.
    report::ReportData const &data() const;
    QString figureText(char const *name) const; ///< "" when absent
    std::optional<double> figure(char const *name) const;
    report::PartRow const *part(char const *name) const; ///< null when the file does not list it
    int tiles() const;                                   ///< of replica 0, all its IPUs
    int tilesPerIpu() const;

    // Packed data; empty on an error or when absent.
    KeptList<std::int64_t> tileVec(int id) const;
    KeptList<std::int64_t> tileMetric(char const *name) const; ///< with_gaps, need, headroom, …
    KeptList<std::int64_t> runTileMetric(int run, char const *name) const;
    std::vector<PlacedBytes> placedOn(int tile) const;
    std::vector<LiveItem> liveAt(int step, int tile = -1) const;
    Kept<report::LiveCurveRow> liveCurve(std::string const &scope, int id) const;
    Kept<report::EventColumns> events(int pattern, int lane) const;
    report::SeriesPoints points(int series) const;

    // Indices, made once.
    std::span<int const> programsOfOp(int op) const; ///< of the op itself
    std::span<int const> opsOfProgram(int program) const;
    std::span<int const> childrenOf(int program) const; ///< in order
    std::span<int const> childOps(int op) const;
    std::span<int const> variablesOf(int program) const;
    std::span<int const> stepsOf(int program) const; ///< liveness steps
    int exchangeOf(int program) const;               ///< row of `exchanges`, or -1
    Cycles exchangeCycles(int exchange) const;       ///< of its slowest tile, or -1
    int layerOp(int op) const;                       ///< the op of level keras above it (or itself), or -1
    QString layerOf(int op) const;                   ///< name of that layer, or ""

    /// One SELECT over the file (insights' evidence).
    Result<SqlRows> query(QString const &sql, int rowCap = 1000) const;

private:
    ReportSnapshot();
    struct Impl;
    std::shared_ptr<Impl> m; ///< what is kept of data in memory keeps all of it
};

} // namespace tilewright::views
