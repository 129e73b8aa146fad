#pragma once

#include "engine/config/ipu_config.h"

/// Checks of a configuration when it is applied: options against each other and against the system.
namespace tilewright::config {

/// Facts about the machine for the checks. 0: unknown; checks that need it are skipped.
struct SystemFacts {
    bool usesModel = false;        ///< runs on the software model (use_ipu_model)
    int replicas = 0;              ///< of the model to be compiled
    int ipus = 0;                  ///< of the whole system; ids of select_ipus are its devices
    std::string architecture = {}; ///< of its chips, as device_connection.version names it
};

/// Errors in auto_select_ipus on every system: a device whose number of IPUs is not a power of two. Needs no machine; runs at every edit.
Status checkDeviceSelection(IpuConfig const &config);

/// Errors of auto_select_ipus and select_ipus in a system of so many IPUs: devices that it lacks, and devices that it cannot hold together.
Status checkDevices(IpuConfig const &config, int ipus);

/// All errors, warnings and notes, errors first. An error of kind Device requests a device size that the system lacks. All other errors are
/// Invalid.
std::vector<Diagnostic> crossChecks(IpuConfig const &config, SystemFacts const &facts);

/// Fails with the first error. Warnings and notes go to the sink (may be null).
Status validate(IpuConfig const &config, SystemFacts const &facts, DiagnosticSink *sink);

/// The warning that applying `next` over `present` resets the devices and drops compiled programs in memory; nullopt if applying changes
/// nothing.
std::optional<Diagnostic> reconfigureWarning(IpuConfig const &present, IpuConfig const &next);

/// floating_point_behaviour with set_all applied.
struct FloatingPointBehaviour {
    bool inv = false, div0 = false, oflo = false, nanoo = false;
    std::string esr = "OFF";
    bool operator==(FloatingPointBehaviour const &) const = default;
};
FloatingPointBehaviour floatingPointBehaviour(IpuConfig const &config);

/// optimizations.math.fast or its deprecated alias.
bool fastMath(IpuConfig const &config);
/// availableMemoryProportion of a dictionary option such as matmuls.poplar_options: the given one, else kStandardMemoryProportion.
double memoryProportion(IpuConfig const &config, std::string_view dictionary);
inline constexpr double kStandardMemoryProportion = 0.6;
/// io_tiles.num_io_tiles rounded up to even.
int reservedIoTiles(IpuConfig const &config);

} // namespace tilewright::config
