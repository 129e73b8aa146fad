#pragma once

#include "engine/core/job_context.h"
#include "engine/report/tables.h"

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

/// A report as the views read it: an immutable picture of one file, shared. Rows of tables are in memory;
/// per-tile vectors, layouts, curves and events are fetched when asked for and kept (thread-safe).
class ReportSnapshot {
public:
    /// Head: meta, parts, options, figures, target, verdicts, splits, runs, insights: enough for Summary.
    static Result<std::shared_ptr<ReportSnapshot const>> openHead(QString const &path);
    /// Everything but the packed data.
    static Result<std::shared_ptr<ReportSnapshot const>> open(QString const &path, JobContext const &job);
    /// A report held in memory only (tests, previews).
    static std::shared_ptr<ReportSnapshot const> ofData(report::ReportData data, QString const &name);
    ~ReportSnapshot();

    QString path() const;
    QString title() const;
    QString uuid() const;
    bool isWhole() const;  ///< false: head only so far
    bool isLive() const;   ///< a living process was still writing when this was read
    /// Row tables. Not filled here: layouts, tileVecs, liveCurves' points, events, seriesPoints.
    report::ReportData const &data() const;
    QString figureText(char const *name) const;           ///< "" when absent
    std::optional<double> figure(char const *name) const;
    report::PartRow const *part(char const *name) const;  ///< null when the file does not list it
    int tiles() const;                                    ///< of replica 0, all its IPUs
    int tilesPerIpu() const;

    // Packed data; empty on an error or when absent.
    std::vector<std::int64_t> const &tileVec(int id) const;
    std::vector<std::int64_t> const &tileMetric(char const *name) const; ///< with_gaps, need, headroom, …
    std::vector<std::int64_t> const &runTileMetric(int run, char const *name) const;
    std::vector<PlacedBytes> placedOn(int tile) const;
    std::vector<LiveItem> liveAt(int step, int tile = -1) const;
    report::LiveCurveRow const &liveCurve(std::string const &scope, int id) const;
    report::EventColumns const &events(int pattern, int lane) const;
    report::SeriesPoints points(int series) const;

    // Indices, made once.
    std::span<int const> programsOfOp(int op) const;      ///< of the op itself
    std::span<int const> opsOfProgram(int program) const;
    std::span<int const> childrenOf(int program) const;   ///< in order
    std::span<int const> childOps(int op) const;
    std::span<int const> variablesOf(int program) const;
    std::span<int const> stepsOf(int program) const;      ///< liveness steps
    int exchangeOf(int program) const;                    ///< row of `exchanges`, or -1
    int layerOp(int op) const;                            ///< the op of level keras above it (or itself), or -1
    QString layerOf(int op) const;                        ///< name of that layer, or ""

    /// One SELECT over the file (insights' evidence).
    Result<SqlRows> query(QString const &sql, int rowCap = 1000) const;

private:
    ReportSnapshot();
    struct Impl;
    std::unique_ptr<Impl> m;
};

} // namespace tilewright::views
