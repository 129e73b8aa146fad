#pragma once

#include "engine/report/tables.h"

#include <QString>

#include <optional>
#include <vector>

// What differs between two reports, aligned by meaning. A pure function of their tables.
namespace tilewright::views {

enum class ComparedKind { Result, Figure, Option, Memory, Layer, Operation, Variable, Tile };
inline constexpr int kComparedKinds = 8;
QString comparedKindLabel(ComparedKind kind);

enum class ComparedUnit { Number, Count, Bytes, Cycles, Seconds, Share, Words };

/// One value that is not the same, or one thing that only one report has.
struct ReportDifference {
    enum Where { Both, OnlySource, OnlyTarget };
    ComparedKind kind = ComparedKind::Figure;
    QString name;  ///< of the thing: layer path, option, variable, tile
    QString field; ///< what of it; "" of a thing that only one has
    ComparedUnit unit = ComparedUnit::Number;
    std::optional<double> source, target;
    QString sourceText, targetText; ///< of ComparedUnit::Words
    Where where = Both;
    int better = 0;                                     ///< +1: a higher value is better, -1: a lower one, 0: neither
    QString layer;                                      ///< it belongs to, "" = none
    int variable = report::kNone, tile = report::kNone; ///< of the target report
    double difference() const { return target.value_or(0) - source.value_or(0); }
    std::optional<double> percent() const; ///< empty without a source other than 0
    /// +1 better, -1 worse, 0 neither.
    int verdict() const;
};

/// A report with what is packed in vectors rather than rows; either may be empty.
struct ComparedReport {
    report::ReportData const &data;
    std::vector<std::int64_t> tileBytes;             ///< by tile, with gaps
    std::vector<std::int64_t> memoryTotals;          ///< by row of memoryParts: bytes on all tiles
    std::vector<std::pair<QString, double>> results; ///< what the run came to: loss, metrics
};

struct ReportComparison {
    std::vector<ReportDifference> rows; ///< by kind, then in the order of the source
    int tilesThatDiffer = 0, tilesCompared = 0;
    bool tilesByRank = false;            ///< the machines differ: fullest against fullest
    bool valuesPerStep = true;           ///< cycles are those of one step (weight update)
    bool batchesDiffer = false;          ///< steps do not do the same work: what one takes is not judged
    std::pair<double, double> samples{}; ///< of a step, then
    std::pair<bool, bool> unfinished{};  ///< the run of the source, of the target: their results are not judged
};
/// Why results are not judged; empty: they are.
QString unfinishedText(ReportComparison const &comparison);
/// Why bytes and cycles of a step are not judged; empty: they are.
QString otherBatchText(ReportComparison const &comparison);
inline constexpr int kComparedTiles = 50; ///< listed at most, largest difference first

/// Layers by their path at the keras level, operations by kind and order inside their layer, variables by
/// layer, role and name, options by name, tiles by index when the machines are equal, else by rank. Figures
/// measured on this computer are left out: equal projects give no rows.
ReportComparison compareReports(ComparedReport const &source, ComparedReport const &target);

/// Several reports compared with one, as one list: everything in which any of them differs from it.
struct AlignedComparisons {
    ReportComparison all;
    std::vector<std::vector<int>> places; ///< by row of `all`, by comparison: its row there, or -1 where there is no difference
};
AlignedComparisons alignComparisons(std::vector<ReportComparison> const &fromOne);

/// "12 % fewer cycles (modelled)", "" when neither report has a run.
QString compareHeadline(ReportComparison const &comparison, report::ReportData const &source, report::ReportData const &target);

QString differenceValueText(ReportDifference const &row, bool ofTarget);
QString differenceText(ReportDifference const &row);

} // namespace tilewright::views
