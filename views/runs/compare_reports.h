#pragma once

#include "engine/report/tables.h"

#include <QString>

#include <optional>
#include <vector>

// Differences between two reports, aligned by meaning. A pure function of their tables.
namespace tilewright::views {

enum class ComparedKind { Result, Figure, Option, Memory, Layer, Operation, Variable, Tile };
inline constexpr int kComparedKinds = 8;
QString comparedKindLabel(ComparedKind kind);

enum class ComparedUnit { Number, Count, Bytes, Cycles, Seconds, Share, Words };

/// One different value, or one item of only one report.
struct ReportDifference {
    enum Where { Both, OnlySource, OnlyTarget };
    ComparedKind kind = ComparedKind::Figure;
    QString name;  ///< of the thing: layer path, option, variable, tile
    QString field; ///< the differing quantity; "" for an item of only one report
    ComparedUnit unit = ComparedUnit::Number;
    std::optional<double> source, target;
    QString sourceText, targetText; ///< of ComparedUnit::Words
    Where where = Both;
    int better = 0;                                     ///< +1: a higher value is better, -1: a lower one, 0: neither
    QString layer;                                      ///< its layer, "" = none
    int variable = report::kNone, tile = report::kNone; ///< of the target report
    double difference() const { return target.value_or(0) - source.value_or(0); }
    std::optional<double> percent() const; ///< nullopt without a nonzero source
    /// +1 better, -1 worse, 0 neither.
    int verdict() const;
};

/// A report with its packed vectors; both may be empty.
struct ComparedReport {
    report::ReportData const &data;
    std::vector<std::int64_t> tileBytes;             ///< by tile, with gaps
    std::vector<std::int64_t> memoryTotals;          ///< by row of memoryParts: bytes on all tiles
    std::vector<std::pair<QString, double>> results; ///< results of the run: loss, metrics
};

struct ReportComparison {
    std::vector<ReportDifference> rows; ///< by kind, then in the order of the source
    int tilesThatDiffer = 0, tilesCompared = 0;
    bool tilesByRank = false;            ///< the machines differ: fullest against fullest
    bool valuesPerStep = true;           ///< cycles are those of one step (weight update)
    bool batchesDiffer = false;          ///< steps process different numbers of samples and are not judged
    std::pair<double, double> samples{}; ///< of a step, then
    std::pair<bool, bool> unfinished{};  ///< the run of the source, of the target: their results are not judged
};
/// Why results are not judged; empty: they are.
QString unfinishedText(ReportComparison const &comparison);
/// Why bytes and cycles of a step are not judged; "": they are.
QString otherBatchText(ReportComparison const &comparison);
inline constexpr int kComparedTiles = 50; ///< listed at most, largest difference first

/// Layers by their path at the keras level, operations by kind and order inside their layer, variables by layer, role and name, options by
/// name, tiles by index on equal machines, else by rank. Without figures measured on this computer: equal projects give no rows.
ReportComparison compareReports(ComparedReport const &source, ComparedReport const &target);

/// Several reports compared with one, as one list of all differences.
struct AlignedComparisons {
    ReportComparison all;
    std::vector<std::vector<int>> places; ///< by row of `all`, by comparison: its row there, or -1 without a difference
};
AlignedComparisons alignComparisons(std::vector<ReportComparison> const &fromOne);

/// "12 % fewer cycles (modelled)", "" if neither report has a run.
QString compareHeadline(ReportComparison const &comparison, report::ReportData const &source, report::ReportData const &target);

QString differenceValueText(ReportDifference const &row, bool ofTarget);
QString differenceText(ReportDifference const &row);

} // namespace tilewright::views
