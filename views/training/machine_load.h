#pragma once

#include "views/figures/run_costs.h"

#include <array>
#include <vector>

namespace tilewright::views {

class ReportSnapshot;

/// What one IPU does in one weight update, from the static schedule (modelled).
struct IpuLoad {
    int ipu = 0;
    std::array<Cycles, kPhases> cycles{}; ///< by phase; they add up to the update's cycles
    Bytes exchanged = 0;                  ///< moved by exchanges, internal and between IPUs
    Bytes streamed = 0;                   ///< moved by host and remote streams
    bool operator==(IpuLoad const &) const = default;
};

/// The same for the whole report: loads by IPU, and how many steps (micro-batches) an update has.
struct MachineLoad {
    std::vector<IpuLoad> ipus;
    Cycles cyclesPerUpdate = 0;
    std::int64_t stepsPerUpdate = 1;
    double exchangedPerStep(int ipu) const; ///< bytes
};

/// Adds up the events of the report's first pattern. Reads packed data: not for the user's thread.
MachineLoad machineLoadOf(ReportSnapshot const &report);

/// One point of the scrolling exchange plot: bytes per host second at which the emulation moves the modelled
/// bytes. Steps and seconds since the point before; 0 when no time has passed.
double exchangeRate(MachineLoad const &load, int ipu, std::int64_t steps, double seconds);

} // namespace tilewright::views
