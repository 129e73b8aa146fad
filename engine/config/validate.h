#pragma once

#include "engine/config/ipu_config.h"

/// What is checked when a configuration is applied: options against each other and against the system.
namespace tilewright::config {

/// What the checks need to know of the machine. Zero: not known, and checks that need it are left out.
struct SystemFacts {
    bool usesModel = false;        ///< runs on the software model (use_ipu_model)
    int replicas = 0;              ///< of the model that is about to be compiled
    int ipus = 0;                  ///< of the whole system; ids of select_ipus are its devices
    std::string architecture = {}; ///< of its chips, as device_connection.version names it
};

/// What auto_select_ipus and select_ipus ask for that no system can give: a device whose IPUs are no power of
/// two, and several devices, where a project runs on one. Needs no machine, so it is asked at every edit.
Status checkDeviceSelection(IpuConfig const &config);

/// Everything that is wrong or worth knowing, errors first. Errors of kind Device ask for a device size
/// the system does not have; all others are Invalid.
std::vector<Diagnostic> crossChecks(IpuConfig const &config, SystemFacts const &facts);

/// Fails with the first error; warnings and notes go to the sink (which may be null).
Status validate(IpuConfig const &config, SystemFacts const &facts, DiagnosticSink *sink);

/// Empty when applying `next` over `present` changes nothing, else the warning that applying resets the
/// devices and drops compiled programs held in memory.
std::optional<Diagnostic> reconfigureWarning(IpuConfig const &present, IpuConfig const &next);

/// floating_point_behaviour after set_all.
struct FloatingPointBehaviour {
    bool inv = false, div0 = false, oflo = false, nanoo = false;
    std::string esr = "OFF";
    bool operator==(FloatingPointBehaviour const &) const = default;
};
FloatingPointBehaviour floatingPointBehaviour(IpuConfig const &config);

/// optimizations.math.fast or its deprecated alias.
bool fastMath(IpuConfig const &config);
/// io_tiles.num_io_tiles rounded up to even.
int reservedIoTiles(IpuConfig const &config);

} // namespace tilewright::config
