#pragma once

#include "engine/report/match.h"
#include "views/wording/run_costs.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

// Operations of one level with costs, summed from the programs below them. Each program counts for exactly one row of a level, so every
// level has the same total.
namespace tilewright::views {

inline constexpr std::array<char const *, 4> kOpLevels{"keras", "graph", "library", "compute_set"};
enum class OpGroup { None, Pass, Stage, Kind, Layer };

/// The row in the compared report.
struct OpBefore {
    bool there = false;
    int op = report::kNone; ///< row of that report's operations
    double cyclesOfStep = 0, codeAttributed = 0;
    Bytes variableBytes = 0;
};

/// A row: an operation, the remainder outside of this level's operations (op kNone, no group), or a group above its members.
struct OpTableRow {
    int op = report::kNone;
    int parent = -1; ///< row of its group
    QString group;   ///< title of a group row
    bool isGroup = false;
    int members = 0; ///< of a group
    RunCost cost;
    // Static figures; for a group the sum over its members.
    std::int64_t flops = 0; ///< of one execution
    double flopsInAll = 0;  ///< over all displayed executions and replicas
    Bytes codeExclusive = 0, codeShared = 0, variableBytes = 0, stateBytes = 0;
    double codeAttributed = 0;
    Cycles estimated = 0, ideal = 0;
    double mean = 0;   ///< cycles of one execution on one IPU
    OpBefore before;   ///< for a group the sum
    bool gone = false; ///< exists only in the compared report: no operation and no costs here
};

struct OpTable {
    QString level;
    OpGroup group = OpGroup::None;
    std::vector<OpTableRow> rows; ///< a group precedes its members
    RunCost total;                ///< over all rows except groups
    RunFrame frame;
    int ipu = report::kNone; ///< the displayed one
    bool compared = false;   ///< rows have `before`
    /// Cycles of a row per step.
    std::int64_t cyclesOfStep(RunCost const &cost) const;
    StepShare ofStep(Cycles ofRun) const { return shareOfStep(frame, ofRun, ipu); }
    int ipus() const { return ofStep(0).ipus; }   ///< of a replica, whose cycles a row adds up
    Bytes bytesOfStep(RunCost const &cost) const; ///< moved
    std::vector<int> parents() const;             ///< empty for a flat table
    int operations() const;                       ///< rows of operations, without groups
    int added() const, removed() const;           ///< operations of only one report
};

/// `replicas`: number of copies of an operation in the costs (1 for one IPU).
OpTable opTable(report::ReportData const &data, std::vector<RunCost> const &byProgram, RunFrame const &frame, int ipu,
                std::string_view level, OpGroup group);

/// One report of a comparison.
struct OpSide {
    report::ReportData const &data;
    std::vector<RunCost> const &byProgram;
    RunFrame const &frame;
};
/// With each row's state in the other report, and the rows that only `before` has. `pairs`: report::matchOperations of both.
OpTable comparedOpTable(OpSide const &now, OpSide const &before, std::vector<report::RowPair> const &pairs, int ipu, std::string_view level,
                        OpGroup group);

/// Sums over rows except groups.
struct OpSum {
    int operations = 0;
    RunCost cost;
    double codeAttributed = 0;
    Bytes variableBytes = 0;
    double cyclesBefore = 0;
};
OpSum sumOf(OpTable const &table, std::vector<int> const &rows);

/// The row of an operation, or of its ancestor on the displayed level; -1: none.
int rowOfOp(OpTable const &table, report::ReportData const &data, int op);

/// "dense_1/MatMul: 38 % of a step, bound by exchange (modelled)".
QString operationsHeadline(OpTable const &table, report::ReportData const &data);

/// Displayed name, also of the remainder and of groups. `before`: the compared report, for removed rows.
QString opTitle(OpTable const &table, report::ReportData const &data, int row, report::ReportData const *before = nullptr);

/// Arithmetic peak of one IPU in FLOPs per cycle (0: unknown chip), and the rate of its exchange.
struct MachineRoof {
    double flopsPerCycleF32 = 0, flopsPerCycleF16 = 0, bytesPerCycle = 0;
};
MachineRoof machineRoof(report::TargetRow const &target);

} // namespace tilewright::views
