#pragma once

#include "engine/compiler/compile.h"
#include "engine/core/host_work.h"
#include "engine/lowering/lower_graph.h"

#include <functional>

namespace tilewright::compiler {

/// A program on tiles, with its analysis.
struct TiledProgram {
    std::shared_ptr<executable::Executable> exe;
    std::shared_ptr<CompileDetail> detail;
    bool productsApart = false;
    lowering::Lowered::Io io = {};
};

/// The largest use of any tile: with what lies unused between its variables, and without.
struct WorstTile {
    Bytes bytes = 0, withoutGaps = 0;
};
WorstTile worstTile(executable::Executable const &exe);

Result<lowering::Options> loweringOptions(config::IpuConfig const &config, config::EnvironmentOptions const &environment);

/// Lowers the graphs of an executable onto tiles: program, schedule, addresses and cycles of each entry.
struct Tiling {
    target::Machine const &machine;
    Distribution const &distribution;
    lowering::Options options = {};
    bool countsCode = true;   ///< false: a software model without code
    bool forReport = false;   ///< keep the whole schedule
    bool onlyVerdict = false; ///< if the program does not fit, without addresses
    HostWork work = {};
    /// Called after each phase with its name and the share of the whole.
    std::function<void(char const *phase, double share)> done = {};

    Status lower(TiledProgram &program, JobContext const &job) const;
};

} // namespace tilewright::compiler
