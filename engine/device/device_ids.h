#pragma once

#include "engine/target/machine.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::device {

/// One attachable device of a system: a single IPU or a group. Member k is the IPU with DNC id k.
struct DeviceGroup {
    int id = 0;
    std::vector<int> ipus;
    bool operator==(DeviceGroup const &) const = default;
};

/// Physical ids: singles 0 … n-1 first, then all aligned pairs, quads, … up to the largest power of two
/// that n holds (n = 16: 16-23 pairs, 24-27 quads, 28-29 octets, 30 all). Requires: n >= 1.
std::vector<DeviceGroup> deviceGroups(int n);

/// One emulated system of this computer. All processes of the user share one system per built-in machine name, even if their options
/// (tiles, fewer IPUs) differ. A run that requests more IPUs than the machine has gets a separate system, named with that number
/// ("gc200:ipus=4").
struct SystemInfo {
    std::string name; ///< also the name of its folder in the run registry
    std::string title;
    target::Machine machine; ///< with all IPUs of the system
    bool operator==(SystemInfo const &) const = default;
};

SystemInfo systemOf(target::Machine const &machine);
/// All emulated built-in systems (not cpu), in the order of the machines.
std::vector<SystemInfo> builtinSystems();

/// Identity of one IPU for a monitor. Addresses and serial numbers are derived from the system's name, so they are the same in every
/// process.
struct IpuIdentity {
    std::string ipuMachine;         ///< "emulated-0", or "-" for a card
    std::string serial;             ///< one per board; shared by the two IPUs of a board
    std::string ipuMachineSoftware; ///< version of Tilewright, the only software there
    std::string serverVersion;
    std::string icuFirmware;
    std::string type;       ///< "M2000", "Bow-2000", "C600", "C2"
    int id = 0;             ///< physical id in the system
    int indexOnMachine = 0; ///< counts down with the id: 3, 2, 1, 0
    std::string routing;    ///< "DNC"
    int board = 0;          ///< index of the board in the system
    bool operator==(IpuIdentity const &) const = default;
};

/// Requires: 0 <= ipu < system.machine.ipus.
IpuIdentity identify(SystemInfo const &system, int ipu);

/// "0", "0-3", "0,2,5": ascending ids with runs joined.
std::string idListText(std::vector<int> ids);

} // namespace tilewright::device
