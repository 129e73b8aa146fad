#include "engine/config/selection_order.h"

#include "engine/core/text.h"

#include <algorithm>
#include <bit>
#include <string>

namespace tilewright::config {

namespace {

std::vector<std::string> const &orderNames()
{
    static std::vector<std::string> const kNames{"AUTO", "ZIGZAG", "SNAKE", "HOOF"};
    return kNames;
}

int slotOf(SelectionOrder order, int v, int ipus)
{
    switch (order) {
    case SelectionOrder::Auto:
    case SelectionOrder::ZigZag: return v;
    case SelectionOrder::Snake: {
        int const m = v % 4;
        return m < 2 ? v : v - m + (5 - m);
    }
    case SelectionOrder::Hoof: return v < ipus / 2 ? 2 * v : ipus - 1 - 2 * (v - ipus / 2);
    }
    return v;
}

} // namespace

std::string_view toText(SelectionOrder order) { return orderNames()[static_cast<std::size_t>(order)]; }

Result<SelectionOrder> parseSelectionOrder(std::string_view text)
{
    auto const &names = orderNames();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == text) return static_cast<SelectionOrder>(i);
    return makeError(ErrorKind::Invalid, "config.not-allowed", "ipu_config.selection_order",
                     Message::of("\"%1\" is not a selection order", std::string(text.substr(0, 100))),
                     Message::of("It must be one of %1.", joinText(names, ", ")));
}

SelectionOrder resolveSelectionOrder(SelectionOrder order, std::span<int const> stageDevices)
{
    if (order != SelectionOrder::Auto) return order;
    if (stageDevices.empty()) return SelectionOrder::ZigZag;
    for (std::size_t stage = 0; stage < stageDevices.size(); ++stage)
        if (stageDevices[stage] != static_cast<int>(stage)) return SelectionOrder::ZigZag;
    return SelectionOrder::Snake;
}

Result<std::vector<int>> selectionSlots(SelectionOrder order, int ipus)
{
    if (ipus < 1 || !std::has_single_bit(static_cast<unsigned>(ipus)))
        return makeError(ErrorKind::Invalid, "config.device-size", "ipu_config.selection_order",
                         Message::of("a device cannot have %1 IPUs", ipus),
                         Message::of("The number of IPUs of a device is a power of two."));
    std::vector<int> slots;
    for (int v = 0; v < ipus; ++v) slots.push_back(slotOf(order, v, ipus));
    return slots;
}

Result<std::vector<DeviceGroup>> deviceGroups(int ipus)
{
    constexpr int kMostIpus = 4096;
    if (ipus < 1 || ipus > kMostIpus)
        return makeError(ErrorKind::Invalid, "config.device-size", "system", Message::of("a system cannot have %1 IPUs", ipus),
                         Message::of("Give a number from 1 to %1.", std::to_string(kMostIpus)));
    std::vector<DeviceGroup> groups;
    for (int size = 1; size <= ipus; size *= 2)
        for (int first = 0; first + size <= ipus; first += size) {
            DeviceGroup group{static_cast<int>(groups.size()), {}};
            for (int dnc = 0; dnc < size; ++dnc) group.ipus.push_back(first + (size == 1 ? 0 : dnc ^ 1));
            groups.push_back(std::move(group));
        }
    return groups;
}

int shardsNeeded(int highestDevice)
{
    TW_CHECK(highestDevice >= 0, "a device index below zero");
    return static_cast<int>(std::bit_ceil(static_cast<unsigned>(highestDevice) + 1u));
}

Result<int> replicasFor(int ipus, int shards)
{
    if (ipus < 1 || shards < 1 || ipus % shards != 0)
        return makeError(ErrorKind::Invalid, "config.shards-do-not-divide", "ipu_config.auto_select_ipus",
                         Message::of("the device has %1 IPUs and the model needs %2 per replica", ipus, shards),
                         Message::of("The number per replica must divide the number of IPUs."));
    return ipus / shards;
}

} // namespace tilewright::config
