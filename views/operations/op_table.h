#pragma once

#include "engine/report/match.h"
#include "views/wording/run_costs.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

// Operations of one level with their costs, rolled up from the programs below them. Each program counts for
// exactly one row of a level, so every level adds up to the same cycles.
namespace tilewright::views {

inline constexpr std::array<char const *, 4> kOpLevels{"keras", "graph", "library", "compute_set"};
enum class OpGroup { None, Pass, Stage, Kind, Layer };

/// What a row is in the report compared with.
struct OpBefore {
    bool there = false;
    int op = report::kNone; ///< row of that report's operations
    double cyclesOfStep = 0, codeAttributed = 0;
    Bytes variableBytes = 0;
};

/// A row: an operation, the rest that belongs to none of this level (op kNone, no group), or a group above its members.
struct OpTableRow {
    int op = report::kNone;
    int parent = -1; ///< row of its group
    QString group;   ///< title of a group row
    bool isGroup = false;
    int members = 0; ///< of a group
    RunCost cost;
    // Static figures; of a group the sum over its members.
    std::int64_t flops = 0; ///< of one execution
    double flopsInAll = 0;  ///< over all executions and replicas shown
    Bytes codeExclusive = 0, codeShared = 0, variableBytes = 0, stateBytes = 0;
    double codeAttributed = 0;
    Cycles estimated = 0, ideal = 0;
    double mean = 0;   ///< cycles of one execution on one IPU
    OpBefore before;   ///< of a group the sum
    bool gone = false; ///< only the report compared with has it: no operation here, no costs
};

struct OpTable {
    QString level;
    OpGroup group = OpGroup::None;
    std::vector<OpTableRow> rows; ///< a group stands before its members
    RunCost total;                ///< over all rows that are no groups
    double cycles = 0;            ///< of the run on the IPUs shown, idle time included: what shares are of
    RunFrame frame;
    int ipu = report::kNone; ///< the one shown
    bool compared = false;   ///< rows say what they were before
    /// What of a step a row takes, in cycles.
    std::int64_t cyclesOfStep(RunCost const &cost) const;
    Bytes bytesOfStep(RunCost const &cost) const; ///< moved
    std::vector<int> parents() const;             ///< empty for a flat table
    int operations() const;                       ///< rows that are no groups, and of an operation
    int added() const, removed() const;           ///< operations that only one of both reports has
};

/// `replicas`: how many copies of an operation the costs hold (1 when one IPU is shown).
OpTable opTable(report::ReportData const &data, std::vector<RunCost> const &byProgram, RunFrame const &frame, int ipu,
                std::string_view level, OpGroup group);

/// One report of a comparison.
struct OpSide {
    report::ReportData const &data;
    std::vector<RunCost> const &byProgram;
    RunFrame const &frame;
};
/// With what each row was before, and the rows that only `before` has. `pairs`: report::matchOperations of both.
OpTable comparedOpTable(OpSide const &now, OpSide const &before, std::vector<report::RowPair> const &pairs, int ipu, std::string_view level,
                        OpGroup group);

/// Sums over rows that are no groups.
struct OpSum {
    int operations = 0;
    RunCost cost;
    double codeAttributed = 0;
    Bytes variableBytes = 0;
    double cyclesBefore = 0;
};
OpSum sumOf(OpTable const &table, std::vector<int> const &rows);

/// The row of an operation, or of the operation above it that the level shows; -1: none.
int rowOfOp(OpTable const &table, report::ReportData const &data, int op);

/// "dense_1/MatMul: 38 % of a step, bound by exchange (modelled)".
QString operationsHeadline(OpTable const &table, report::ReportData const &data);

/// Name for people: of the rest and of groups too. `before`: the report compared with, where names of what is gone stand.
QString opTitle(OpTable const &table, report::ReportData const &data, int row, report::ReportData const *before = nullptr);

/// Arithmetic peak of one IPU in FLOPs per cycle, 0: chip not known; and what its exchange carries.
struct MachineRoof {
    double flopsPerCycleF32 = 0, flopsPerCycleF16 = 0, bytesPerCycle = 0;
};
MachineRoof machineRoof(report::TargetRow const &target);

} // namespace tilewright::views
