#pragma once

#include "engine/report/quantities.h"

#include <cstdint>
#include <vector>

// The control program as a tree of occurrences: functions on top, calls expanded. The barrier of an exchange precedes it, so that the
// cycles of a function add up to those of its operations.
namespace tilewright::report {

/// One occurrence of a program. The steps of a function with two callers occur twice.
struct ProgramNode {
    int program = kNone;    ///< of a function: its root
    int function = kNone;   ///< of the top node of a function; else kNone
    int parent = -1;        ///< node
    int child = kNone;      ///< its row of programChildren (with its label)
    int step = kNone;       ///< liveness step; leaves of entry functions only
    std::int64_t times = 1; ///< executions in one run of its top node: the product of the repeats
    bool timesKnown = true; ///< false below loops with data-dependent counts (taken as 1)
};

/// Cost of an occurrence in a run. The cycles of a program with several occurrences are divided by their executions, so that they sum
/// exactly.
struct NodeCost {
    std::int64_t executions = 0;
    Cycles self = 0, total = 0;
    Bytes moved = 0; ///< including everything below
    Bytes code = 0;  ///< including everything below
    Bytes live = 0;  ///< at the step; for control steps the maximum below
};

struct ProgramTree {
    std::vector<ProgramNode> nodes; ///< a parent precedes its children; children in order
    std::vector<int> calls;         ///< by function: its number of callers
    bool cut = false;               ///< calls beyond kMaxProgramNodes were not expanded
    std::vector<int> parents() const;
};
inline constexpr int kMaxProgramNodes = 1'000'000;

ProgramTree programTree(ReportData const &data, int maxNodes = kMaxProgramNodes);

/// By node. `liveBytes`: live bytes by liveness step; may be empty.
std::vector<NodeCost> nodeCosts(ReportData const &data, ProgramTree const &tree, std::vector<RunCost> const &byProgram,
                                std::vector<Bytes> const &liveBytes);

} // namespace tilewright::report
