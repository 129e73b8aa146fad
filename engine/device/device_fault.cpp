#include "engine/device/device_fault.h"

#include "engine/core/numbers.h"
#include "engine/core/text.h"

#include <array>
#include <vector>

namespace tilewright::device {

namespace {

constexpr std::array kClasses{FaultClass::Application,    FaultClass::IpuReset,  FaultClass::LinkReset,
                              FaultClass::PartitionReset, FaultClass::FullReset, FaultClass::Unrecoverable};

} // namespace

std::string_view toText(FaultClass what)
{
    switch (what) {
    case FaultClass::Application: return "application";
    case FaultClass::IpuReset: return "IPU_RESET";
    case FaultClass::LinkReset: return "LINK_RESET";
    case FaultClass::PartitionReset: return "PARTITION_RESET";
    case FaultClass::FullReset: return "FULL_RESET";
    case FaultClass::Unrecoverable: return "unrecoverable";
    }
    return "";
}

Result<std::optional<DeviceFault>> parseDeviceFault(std::string_view text)
{
    if (text.empty()) return std::optional<DeviceFault>();
    auto const colon = text.find(':');
    auto const step = parseInteger(text.substr(0, colon));
    if (step && *step >= 1 && colon != std::string_view::npos)
        for (auto const what : kClasses)
            if (toText(what) == text.substr(colon + 1)) return std::optional(DeviceFault{*step, what});
    std::vector<std::string> classes;
    for (auto const what : kClasses) classes.emplace_back(toText(what));
    return makeError(
        ErrorKind::Usage, "device.fault", "TILEWRIGHT_DEVICE_FAULT",
        Message::of("'%1' is no step with a class of failures.", std::string(text)),
        Message::of("Write STEP:CLASS, such as 40:IPU_RESET, with a step of at least 1. Classes: %1.", joinText(classes, ", ")));
}

Diagnostic faultError(DeviceFault const &fault, int device)
{
    std::string const place = "/device:IPU:" + std::to_string(device);
    auto const again = Message::of("`train --resume last` goes on from the last checkpoint.");
    if (fault.what == FaultClass::Application)
        return makeError(ErrorKind::Device, "device.application", place,
                         Message::of("internal error: the program failed after step %1.", fault.step),
                         Message::of("The IPU is reset before the next run.") + " " + again);
    if (fault.what == FaultClass::Unrecoverable)
        return makeError(ErrorKind::Device, "device.unrecoverable", place,
                         Message::of("unknown error: the device failed after step %1 and does not recover.", fault.step),
                         Message::of("Use another device (ipu_config.select_ipus, system.target).") + " " + again);
    return makeError(
        ErrorKind::Device, "device.recoverable", place,
        Message::of("internal error: the device failed after step %1. Recovery action: %2.", fault.step, std::string(toText(fault.what))),
        Message::of("Reset the device with this action.") + " " + again);
}

} // namespace tilewright::device
