#pragma once

#include "engine/report/quantities.h"

#include <cstdint>
#include <vector>

// The control program as a tree of occurrences: functions on top, calls opened into what they call.
namespace tilewright::report {

/// One place where a program stands. A function called from two places has two occurrences of its steps.
struct ProgramNode {
    int program = kNone;    ///< of a function: its root
    int function = kNone;   ///< of a function's node on top; else kNone
    int parent = -1;        ///< node
    int child = kNone;      ///< row of programChildren that put it here (its label)
    int step = kNone;       ///< liveness step; leaves of entry functions only
    std::int64_t times = 1; ///< how often it runs in one pass of its top node: repeats multiplied through
    bool timesKnown = true; ///< false under loops whose count depends on data (taken as one pass)
};

/// What an occurrence costs in a run. Cycles of a program that stands in several places are shared out by how
/// often each runs, so that they add up exactly.
struct NodeCost {
    std::int64_t executions = 0;
    Cycles self = 0, total = 0;
    Bytes moved = 0; ///< with everything below
    Bytes code = 0;  ///< with everything below
    Bytes live = 0;  ///< at the step; of control steps the most below it
};

struct ProgramTree {
    std::vector<ProgramNode> nodes; ///< a parent stands before its children, children in order
    std::vector<int> calls;         ///< by function: how many places call it
    bool cut = false;               ///< calls beyond kMaxProgramNodes were left closed
    std::vector<int> parents() const;
};
inline constexpr int kMaxProgramNodes = 1'000'000;

ProgramTree programTree(ReportData const &data, int maxNodes = kMaxProgramNodes);

/// By node. `liveBytes`: live bytes by liveness step, may be empty.
std::vector<NodeCost> nodeCosts(ReportData const &data, ProgramTree const &tree, std::vector<RunCost> const &byProgram,
                                std::vector<Bytes> const &liveBytes);

} // namespace tilewright::report
