#pragma once

#include "engine/report/bubble_shares.h"
#include "views/runcontrol/run_controller.h"
#include "views/wording/run_costs.h"

#include <array>
#include <vector>

namespace tilewright::views {

class ReportSnapshot;

/// Activity of one IPU in one weight update: from the static schedule (modelled), or measured by a run on tiles.
struct IpuLoad {
    int ipu = 0;
    std::array<Cycles, kPhases> cycles{}; ///< by phase; they sum to the update's cycles
    Bytes exchanged = 0;                  ///< moved by exchanges, internal and between IPUs
    Bytes streamed = 0;                   ///< moved by host and remote streams
    bool operator==(IpuLoad const &) const = default;
};

/// The same for the whole report: loads by IPU, and steps (micro-batches) per update.
struct MachineLoad {
    std::vector<IpuLoad> ipus;
    bool executions = false; ///< an update stands for a whole execution, because its rounds overlap
    Cycles cyclesPerUpdate = 0;
    bool measured = false; ///< the cycles were measured on the tiles of the newest run; else modelled
    std::int64_t stepsPerUpdate = 1;
    std::int64_t clockHz = 0;
    int replicas = 1;
    std::vector<SpeedPoint> speed;                                           ///< of its run, measured on the host; empty: none is known
    report::BubbleShares bubbles;                                            ///< of a pipeline; no stages: no pipeline
    double exchangedPerStep() const { return perStep(&IpuLoad::exchanged); } ///< bytes, on the IPUs of one replica
    double streamedPerStep() const { return perStep(&IpuLoad::streamed); }
    double exchangePerSecond() const; ///< bytes per second of the device's clock; 0: unknown
    double perStep(Bytes IpuLoad::*what) const;
};

/// Sums the events of the report's first pattern; measured cycles replace modelled ones. Reads packed data: not for the user's thread.
MachineLoad machineLoadOf(ReportSnapshot const &report);

} // namespace tilewright::views
