#pragma once

#include "engine/program/program.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::program {

/// Activity of an IPU.
enum class Phase : std::uint8_t { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle };
std::string_view toText(Phase phase);

/// Cost of a leaf step, or of the sync before it, on one IPU of a replica.
struct StepCost {
    StepId step;
    std::int32_t ipu = 0;
    Phase phase = Phase::Compute;
    std::int64_t executions = 0;
    Cycles cycles = 0, least = 0, most = 0; ///< of all executions; minimum and maximum of one
    Cycles overlapped = 0;                  ///< part of `cycles` in which the IPU's compute tiles worked too
    void add(Cycles duration, std::int64_t times = 1, Cycles overlap = 0);
    bool operator==(StepCost const &) const = default;
};

/// Measured cycles of a run.
struct MeasuredCycles {
    Cycles total = 0;            ///< of the slowest IPU
    Cycles amp = 0;              ///< of compute sets with matrix products, mean over the IPUs
    std::vector<StepCost> steps; ///< by step, by IPU, sync first
    /// Mean over the IPUs of a replica, without the overlapped part.
    Cycles of(Phase phase, int ipus) const;
};

} // namespace tilewright::program
