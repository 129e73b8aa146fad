#pragma once

#include "engine/report/table_basics.h"

#include <cstdint>

namespace tilewright::views {

/// Moment::run of the run that goes on in this window. It has no row in the report before it ends.
inline constexpr int kLiveRun = -2;

/// A moment of the displayed report. A negative field is open: a fused run has no program step, a schedule without a run no update.
struct Moment {
    int run = report::kNone; ///< row of the report's runs; kLiveRun; kNone: the schedule alone
    std::int64_t step = -1;  ///< weight update of that run, from 0
    int program = -1;        ///< row of programs: a step of the program
    int livenessStep = -1;   ///< row of livenessSteps
    std::int64_t cycle = -1; ///< of the device, since the weight update began
    bool isSet() const { return step >= 0 || program >= 0 || livenessStep >= 0 || cycle >= 0; }
    bool operator==(Moment const &) const = default;
};

} // namespace tilewright::views
