#pragma once

#include "engine/program/program.h"

#include <cstdint>
#include <vector>

namespace tilewright::emulator {

/// A control step that a machine is inside.
struct Frame {
    program::StepId step;
    std::uint32_t next = 0;  ///< child that comes next
    std::int64_t round = 0;  ///< of a Repeat or While: finished rounds
    std::int64_t rounds = 1; ///< of a Repeat or While: most rounds
    bool task = false;       ///< a stage's task of a pipeline slot: only its IPU's clock advances
    bool operator==(Frame const &) const = default;
};

/// A place in a program between two leaf steps: what a machine would otherwise keep on the stack of its thread. Copy it to remember the
/// place.
struct Position {
    std::vector<Frame> frames;   ///< from the root to the innermost; empty: between executions
    std::size_t entry = 0;       ///< of the program
    program::StepId last;        ///< the leaf step that has finished last; invalid: none
    std::int64_t supersteps = 0; ///< leaf steps (compute sets, exchanges, streams, syncs) that have finished since loading
    bool operator==(Position const &) const = default;
};

} // namespace tilewright::emulator
