#pragma once

#include "engine/core/result.h"

#include <span>
#include <string_view>
#include <vector>

/// How the IPUs of a system are numbered, grouped and handed to shards: sections 3.2 to 3.4 of the
/// reference ipu_config.md. Pure functions.
namespace tilewright::config {

enum class SelectionOrder { Auto, ZigZag, Snake, Hoof };

/// "AUTO", "ZIGZAG", "SNAKE", "HOOF": the values of the option selection_order.
std::string_view toText(SelectionOrder order);
Result<SelectionOrder> parseSelectionOrder(std::string_view text);

/// What AUTO means: SNAKE when `stageDevices` (the device of each pipeline stage; empty without a
/// pipeline) is 0, 1, 2, … in order, else ZIGZAG. Other orders stay.
SelectionOrder resolveSelectionOrder(SelectionOrder order, std::span<int const> stageDevices);

/// For each logical index 0 … ipus-1 its slot in a device of `ipus` IPUs; a permutation. AUTO counts as
/// ZIGZAG. Refused unless `ipus` is a power of two, which every device is.
Result<std::vector<int>> selectionSlots(SelectionOrder order, int ipus);

/// One device id of a system: a single IPU or a group of a power of two.
struct DeviceGroup {
    int id = 0;
    std::vector<int> ipus; ///< physical ids; the position is the member's DNC id
    bool operator==(DeviceGroup const &) const = default;
};

/// All device ids of a system of `ipus` IPUs: singles first, then pairs, quads, … ; groups larger than the
/// system do not exist. Within a group the columns of the two-wide ladder are swapped (1, 0, 3, 2, …):
/// real systems list members out of order too, and links between neighbours stay links. Refused for
/// ipus < 1 or more than 4096.
Result<std::vector<DeviceGroup>> deviceGroups(int ipus);

/// Shards a model needs: highest device index used plus one, rounded up to a power of two.
/// Requires: highestDevice >= 0.
int shardsNeeded(int highestDevice);
/// Replicas = IPUs of the device / shards; an error that tells both when that is not a whole number.
Result<int> replicasFor(int ipus, int shards);

} // namespace tilewright::config
