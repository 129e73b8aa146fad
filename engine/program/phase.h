#pragma once

#include "engine/program/program.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace tilewright::program {

/// What an IPU does at a moment.
enum class Phase : std::uint8_t { Compute, InternalExchange, GlobalExchange, Stream, Sync, Idle };
std::string_view toText(Phase phase);

/// What one IPU of a replica spends on a leaf step, or on the sync in front of it.
struct StepCost {
    StepId step;
    std::int32_t ipu = 0;
    Phase phase = Phase::Compute;
    std::int64_t executions = 0;
    Cycles cycles = 0, least = 0, most = 0; ///< of all executions; of one
    void add(Cycles duration, std::int64_t times = 1);
    bool operator==(StepCost const &) const = default;
};

/// What has run, in cycles as they were spent.
struct MeasuredCycles {
    Cycles total = 0;            ///< of the slowest IPU
    Cycles amp = 0;              ///< of compute sets with matrix products, mean over the IPUs
    std::vector<StepCost> steps; ///< by step, IPU, and its sync first
    /// Mean over the IPUs of a replica.
    Cycles of(Phase phase, int ipus) const;
};

} // namespace tilewright::program
