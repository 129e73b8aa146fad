#include "engine/device/device_ids.h"

#include "engine/core/build.h"

#include <algorithm>

namespace tilewright::device {

namespace {

/// The built-in machine for a name: itself, or for an architecture ("ipu2") its first chip.
target::MachineInfo const *builtinFor(std::string_view name)
{
    auto const all = target::builtinMachines();
    auto found = std::ranges::find(all, name, &target::MachineInfo::name);
    if (found == all.end()) found = std::ranges::find_if(all, [&](auto const &m) { return m.machine.chip.architecture == name; });
    return found == all.end() ? nullptr : &*found;
}

std::string folderSafe(std::string name)
{
    std::ranges::replace(name, '/', '_');
    return name.empty() || name.front() == '.' ? "_" + name : name;
}

} // namespace

std::vector<DeviceGroup> deviceGroups(int n)
{
    std::vector<DeviceGroup> groups;
    for (int size = 1; size <= n; size *= 2)
        for (int first = 0; first + size <= n; first += size) {
            DeviceGroup group{static_cast<int>(groups.size()), {}};
            for (int k = 0; k < size; ++k) group.ipus.push_back(first + k);
            groups.push_back(std::move(group));
        }
    return groups;
}

SystemInfo systemOf(target::Machine const &machine)
{
    auto const text = target::toText(machine);
    auto const *builtin = builtinFor(std::string_view(text).substr(0, text.find(':')));
    if (!builtin) return {folderSafe(text), text, machine};
    SystemInfo system{builtin->name, builtin->title, builtin->machine};
    if (machine.ipus > builtin->machine.ipus) {
        system.name += ":ipus=" + std::to_string(machine.ipus);
        system.title += " (as " + std::to_string(machine.ipus) + " IPUs)";
        system.machine.ipus = machine.ipus;
        system.machine.name = system.name;
    }
    return system;
}

std::vector<SystemInfo> builtinSystems()
{
    std::vector<SystemInfo> systems;
    for (auto const &m : target::builtinMachines())
        if (m.machine.isEmulated()) systems.push_back({m.name, m.title, m.machine});
    return systems;
}

IpuIdentity identify(SystemInfo const &system, int ipu)
{
    auto const &machine = system.machine;
    bool const card = machine.chip.name == "c600" || machine.chip.name == "gc2";
    int const perMachine = std::clamp(machine.ipusPerBoard, 1, std::max(1, machine.ipus));
    // A serial number belongs to a board of two IPUs (C2 card; half an IPU-Machine). The C600 has one.
    int const perBoard = machine.chip.name == "c600" ? 1 : 2;
    IpuIdentity identity;
    identity.board = ipu / perBoard;
    identity.ipuMachine = card ? "-" : "emulated-" + std::to_string(ipu / perMachine);
    identity.serial = "TW-" + system.name + "-" + std::to_string(identity.board);
    identity.ipuMachineSoftware = version();
    identity.serverVersion = version();
    identity.icuFirmware = "none (emulated)";
    if (machine.chip.name == "gc2") identity.type = "C2";
    else if (machine.chip.name == "c600") identity.type = "C600";
    else identity.type = machine.chip.name == "bow" ? "Bow-2000" : "M2000";
    identity.id = ipu;
    identity.indexOnMachine = perMachine - 1 - ipu % perMachine;
    identity.routing = "DNC";
    return identity;
}

std::string idListText(std::vector<int> ids)
{
    std::ranges::sort(ids);
    std::string text;
    for (std::size_t i = 0; i < ids.size();) {
        std::size_t last = i;
        while (last + 1 < ids.size() && ids[last + 1] == ids[last] + 1) ++last;
        if (!text.empty()) text += ",";
        text += std::to_string(ids[i]);
        if (last > i) text += "-" + std::to_string(ids[last]);
        i = last + 1;
    }
    return text;
}

} // namespace tilewright::device
