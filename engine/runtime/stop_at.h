#pragma once

#include "engine/core/result.h"
#include "engine/emulator/tile_machine.h"
#include "engine/executable/executable.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tilewright::runtime {

/// Where a run in tile mode stops: at the first of these that comes.
struct StopAt {
    std::optional<std::int64_t> step;      ///< so many micro-batches are finished, with their weight updates
    std::optional<std::int64_t> superstep; ///< so many leaf steps are finished, counted from the start of the run
    std::optional<int> tile;               ///< a step writes to this tile of a replica
    bool notFinite = false;                ///< a compute set or the host writes an infinite value or NaN
    std::optional<double> above;           ///< it writes a value of larger magnitude
};

/// Parses "step=12", "superstep=340", "write=17" (a tile), "nonfinite", "above=1e4", or several with commas. Error: Usage "train.stop-at"
/// names the part.
Result<StopAt> parseStopAt(std::string_view text);

/// A position at which a run has stopped.
struct StopPlace {
    enum class Cause { Step, Superstep, Write, NotFinite, Above } cause = Cause::Step;
    std::int64_t superstep = 0; ///< finished leaf steps
    std::int64_t update = 1;    ///< the weight update that it belongs to, from 1
    program::StepId step;       ///< the last of them
    program::VarId variable;    ///< Write, NotFinite and Above: what it wrote
    int replica = 0, tile = -1; ///< and where
    double value = 0;           ///< NotFinite and Above
};

/// "step", "superstep", "write", "nonfinite", "above".
std::string_view nameOf(StopPlace::Cause cause);
/// The layer that a step of the program belongs to; "" if it belongs to none.
std::string layerOf(program::Program const &program, program::StepId step);
/// A sentence for a person: "Stopped at superstep 3,412, in step 17: …".
std::string stopText(StopPlace const &place, program::Program const &program);

/// Examines each step of a machine after it ran. StopAt::step is not its concern: such a run ends between two updates.
class StopWatch {
public:
    StopWatch(emulator::TileMachine const &machine, program::Program const &program, StopAt const &at);
    /// Whether the run stops after this step.
    std::optional<StopPlace> after(program::StepId step) const;

private:
    emulator::TileMachine const &m_machine;
    program::Program const &m_program;
    StopAt m_at;
    std::vector<program::VarId> m_writes; ///< by step: a variable that it writes on the tile of `at`; invalid: none
};

} // namespace tilewright::runtime
