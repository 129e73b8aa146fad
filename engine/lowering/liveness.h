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

/// When each variable holds its bytes. Steps are the leaves of the program tree in visiting order, loop
/// bodies once, those of a call at each call. A value is live from the step that writes it to the last step that reads
/// it, both included; a value that a loop body reads before it writes it is live over the whole loop. What either side of a
/// branch needs is live before it, what is needed behind it at the end of both. Always-live
/// variables are live at every step. Time and memory follow the accesses: nothing is kept by step and variable.
struct Liveness {
    std::vector<program::StepId> steps;
    std::vector<std::vector<LiveInterval>> intervals; ///< by variable; empty = never used
    std::vector<int> classOf;                         ///< by variable; equal intervals share a class
    std::vector<std::vector<LiveInterval>> classes;   ///< class 0 is always live
    /// What a step touches.
    std::vector<program::VarAccess> const &accesses(std::size_t step) const { return touched[touchedBy[step]]; }

    std::vector<std::vector<program::VarAccess>> touched; ///< of distinct leaves
    std::vector<std::uint32_t> touchedBy;                 ///< by step
};

Liveness analyseLiveness(program::Program const &program);

/// Whether two sets of intervals share a step.
bool intersects(std::vector<LiveInterval> const &a, std::vector<LiveInterval> const &b);

} // namespace tilewright::lowering
