#pragma once

#include "engine/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// Failures of a device while a program runs, in the classes of the original driver. An emulated device does not fail by itself: with
/// TILEWRIGHT_DEVICE_FAULT=STEP:CLASS it fails after that step, so that scripts which supervise runs can be tried.
namespace tilewright::device {

enum class FaultClass { Application, IpuReset, LinkReset, PartitionReset, FullReset, Unrecoverable };
/// "application", the recovery action of a recoverable error ("IPU_RESET", …), "unrecoverable".
std::string_view toText(FaultClass what);

struct DeviceFault {
    std::int64_t step = 0; ///< the micro-batch after which it happens, from 1
    FaultClass what = FaultClass::Application;
    bool operator==(DeviceFault const &) const = default;
};

/// "40:LINK_RESET"; empty: none. Error: Usage "device.fault".
Result<std::optional<DeviceFault>> parseDeviceFault(std::string_view text);

/// The error of a run that it ends, of kind Device: "device.application", "device.recoverable" with the recovery action, or
/// "device.unrecoverable". `device`: N of /device:IPU:N.
Diagnostic faultError(DeviceFault const &fault, int device);

} // namespace tilewright::device
