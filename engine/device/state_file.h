#pragma once

#include "engine/core/result.h"
#include "engine/device/registry.h"

#include <filesystem>
#include <string>
#include <vector>

namespace tilewright::device {

/// The published state of an attached process: one JSON file per attached device.
struct SlotState {
    std::int64_t pid = 0;
    std::string command;
    std::string user;
    std::int64_t startedMs = 0;
    std::int64_t updatedMs = 0;
    int deviceId = 0;
    std::vector<int> ipus;
    bool isModel = false;
    BoardReading reading;
    double utilisationRecent = 0;
    DeviceCounters counters;
    bool operator==(SlotState const &) const = default;
};

std::string toText(SlotState const &state);
/// Errors (Invalid, "device.state") name the wrong field. A reader still shows the device as attached.
Result<SlotState> parseSlotState(std::string const &text);

} // namespace tilewright::device
