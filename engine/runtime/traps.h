#pragma once

#include "engine/config/validate.h"
#include "engine/emulator/tile_machine.h"
#include "engine/executable/executable.h"
#include "engine/kernels/kernel.h"

#include <memory>
#include <optional>
#include <set>
#include <vector>

/// Floating-point traps (ipu_config.floating_point_behaviour.inv, div0, oflo and nanoo): the first exceptional result ends the run.
/// A trap looks at the results that an operation stores, not at the steps of its own computation: exp(x) / (1 + exp(x)) traps only if the
/// compiler stores exp(x), or if the quotient itself is not finite.
namespace tilewright::runtime {

struct Traps {
    bool invalid = false;        ///< inv: a result is NaN and no operand is
    bool divisionByZero = false; ///< div0: finite operands give an infinite quotient, reciprocal or logarithm, because one of them is 0
    bool overflow = false;       ///< oflo: finite operands give any other infinite result
    bool halfOverflow = false;   ///< nanoo: the same of results stored as float16, which the hardware replaces by NaN
    bool any() const { return invalid || divisionByZero || overflow || halfOverflow; }
};

/// The traps that a compile result asks for.
Traps trapsOf(config::FloatingPointBehaviour const &behaviour);

enum class FloatException { Invalid, DivisionByZero, Overflow, HalfOverflow };
/// Error of kind Numeric, code "numeric.trap", subject: the operation; the message names its layer and the option.
Diagnostic trapError(FloatException what, std::string const &op, std::string const &layer);

/// The first exception of a fused executor; its actions run one after the other.
struct CaughtException {
    std::optional<Diagnostic> error;
};

/// The kernel, followed by an examination of its results. Requires: `caught` outlives the returned kernel.
kernels::Prepared withTraps(kernels::Prepared kernel, graph::Node const &node, std::vector<kernels::HostTensor> inputs,
                            std::vector<kernels::HostTensor> outputs, Traps traps, CaughtException &caught);

/// The same for a tile machine: examines what each step of its first entry writes, and interrupts it. In an expression that divides or
/// takes a logarithm, an infinite result counts as a division by zero.
class TileTraps {
public:
    TileTraps(emulator::TileMachine &machine, executable::Executable const &executable, Traps traps);
    void after(program::StepId step);

private:
    /// Whether the operation of a step that writes this variable has a pole.
    bool divides(program::StepId step, program::VarId var) const;
    void follow(program::StepId step, std::set<program::VarId> &known) const;

    emulator::TileMachine &m_machine;
    program::Program const &m_program;
    Traps m_traps;
    std::set<program::VarId> m_nan, m_infinite; ///< variables with values of that kind that came from the host or a constant
};

} // namespace tilewright::runtime
