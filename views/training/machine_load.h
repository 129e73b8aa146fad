#pragma once

#include "engine/report/bubble_shares.h"
#include "views/runs/run_controller.h"
#include "views/wording/run_costs.h"

#include <array>
#include <vector>

namespace tilewright::views {

class ReportSnapshot;

/// What one IPU does in one weight update: from the static schedule (modelled), of a run on tiles what they measured.
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
    bool measured = false; ///< the cycles, on the tiles of the newest run; else modelled
    std::int64_t stepsPerUpdate = 1;
    std::int64_t clockHz = 0;
    int replicas = 1;
    std::vector<SpeedPoint> speed;                                           ///< of its run, measured on the host; empty: none is known
    report::BubbleShares bubbles;                                            ///< of a pipeline; no stages: it is none
    double exchangedPerStep() const { return perStep(&IpuLoad::exchanged); } ///< bytes, on the IPUs of one replica
    double streamedPerStep() const { return perStep(&IpuLoad::streamed); }
    double exchangePerSecond() const; ///< bytes in a second of the device's clock; 0: not known
    double perStep(Bytes IpuLoad::*what) const;
};

/// Adds up the events of the report's first pattern; cycles that tiles measured stand for those. Reads packed data: not for the user's
/// thread.
MachineLoad machineLoadOf(ReportSnapshot const &report);

} // namespace tilewright::views
