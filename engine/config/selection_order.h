#pragma once

#include "engine/core/result.h"

#include <span>
#include <string_view>
#include <vector>

/// Numbering and grouping of a system's IPUs, and their assignment to shards: sections 3.2 to 3.4 of the reference ipu_config.md. Pure
/// functions.
namespace tilewright::config {

enum class SelectionOrder { Auto, ZigZag, Snake, Hoof };

/// "AUTO", "ZIGZAG", "SNAKE", "HOOF": the values of the option selection_order.
std::string_view toText(SelectionOrder order);
Result<SelectionOrder> parseSelectionOrder(std::string_view text);

/// Resolves AUTO: SNAKE if `stageDevices` (the device of each pipeline stage; empty without a pipeline) is 0, 1, 2, … in order, else
/// ZIGZAG. Other orders stay.
SelectionOrder resolveSelectionOrder(SelectionOrder order, std::span<int const> stageDevices);

/// The slot of each logical index 0 … ipus-1 in a device of `ipus` IPUs; a permutation. AUTO counts as ZIGZAG. Fails unless `ipus` is a
/// power of two, as for every device.
Result<std::vector<int>> selectionSlots(SelectionOrder order, int ipus);

/// One device id of a system: a single IPU or a group whose size is a power of two.
struct DeviceGroup {
    int id = 0;
    std::vector<int> ipus; ///< physical ids; the position is the member's DNC id
    bool operator==(DeviceGroup const &) const = default;
};

/// All device ids of a system of `ipus` IPUs: singles first, then pairs, quads, …, up to the size of the system. Within a group the columns
/// of the two-wide ladder are swapped (1, 0, 3, 2, …), as in real systems; neighbours stay linked. Fails for ipus < 1 or above 4096.
Result<std::vector<DeviceGroup>> deviceGroups(int ipus);

/// Number of shards of a model: highest device index plus one, rounded up to a power of two. Requires: highestDevice >= 0.
int shardsNeeded(int highestDevice);
/// Replicas = IPUs of the device / shards. Fails with both numbers if the result is not whole.
Result<int> replicasFor(int ipus, int shards);

} // namespace tilewright::config
