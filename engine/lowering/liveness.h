#pragma once

#include "engine/program/program.h"

#include <cstdint>
#include <vector>

namespace tilewright::lowering {

/// Half-open range of liveness steps (positions in leafSteps()).
struct LiveInterval {
    int first = 0, end = 0;
    bool operator==(LiveInterval const &) const = default;
};

/// Lifetimes of the program's variables. Steps are the leaves of the program tree in visiting order: loop bodies once, called bodies at
/// each call. A value is live from the step that writes it to the last step that reads it, both included. A value that a loop body reads
/// before writing it is live over the whole loop. Values needed by either side of a branch are live before it; values needed after it are
/// live at the end of both sides. Always-live variables are live at every step. Time and memory grow with the number of accesses; no table
/// of steps by variables is kept.
struct Liveness {
    std::vector<program::StepId> steps;
    std::vector<std::vector<LiveInterval>> intervals; ///< by variable; empty = unused
    std::vector<int> classOf;                         ///< by variable; equal intervals share a class
    std::vector<std::vector<LiveInterval>> classes;   ///< class 0 is always live
    /// The accesses of a step.
    std::vector<program::VarAccess> const &accesses(std::size_t step) const { return touched[touchedBy[step]]; }

    std::vector<std::vector<program::VarAccess>> touched; ///< of distinct leaves
    std::vector<std::uint32_t> touchedBy;                 ///< by step
};

Liveness analyseLiveness(program::Program const &program);

/// Whether two sets of intervals share a step.
bool intersects(std::vector<LiveInterval> const &a, std::vector<LiveInterval> const &b);

} // namespace tilewright::lowering
