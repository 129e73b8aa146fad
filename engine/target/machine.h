#pragma once

#include "engine/core/types.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::target {

/// Properties of the silicon for compiler and emulator: numbers of one IPU. Sources: the hardware reference (poplibs constants, vendor data
/// sheets, tessellate-ipu and ipu-stack measurements).
struct Chip {
    std::string name;         ///< "gc200"
    std::string architecture; ///< "ipu2": name of the Poplar target
    int tiles = 0;
    Bytes bytesPerTile = 0;
    Bytes nonInterleavedBytes = 0; ///< region 0, the only executable one; region 1 is the rest
    Bytes elementBytes = 16384;    ///< one bank; in the interleaved region two form one element
    std::int64_t clockHz = 0;
    int workers = 6;
    int convUnitsF16 = 16; ///< AMP units with f16 inputs
    int convUnitsF32 = 16;
    int weightLoadBytes = 16;      ///< per cycle, from interleaved memory (8 elsewhere)
    int exchangeBytesPerCycle = 4; ///< one tile, one direction
    int tilesPerExchangeBus = 2;   ///< neighbours that can receive the same data at twice the rate
    int memcpyBytesPerCycle = 8;
    Cycles syncCycles = 90;            ///< internal barrier (poplibs CTC planner)
    Cycles syncSpreadCycles = 60;      ///< additional delay of the farthest tiles
    Cycles exchangeLatencyCycles = 16; ///< send and receive pipeline
    Cycles exchangeSpreadCycles = 108; ///< distance of the farthest pair
    Cycles exchangeMessageCycles = 3;  ///< control instructions per message or fragment
    double hostBytesPerSecond = 7e9;   ///< PCIe, as assumed by the vendor's pipeline planner
    Cycles hostSyncCycles = 1500;      ///< one host handshake of a prefetched stream

    bool operator==(Chip const &) const = default;
    int vectorWidth(DType type) const { return static_cast<int>(8 / sizeOf(type)); }
    int convUnits(DType type) const { return type == DType::F16 ? convUnitsF16 : convUnitsF32; }
    /// Input channels held per AMP unit: 16 in f16, 8 in f32.
    int convInputGroup(DType type) const { return type == DType::F16 ? 16 : 8; }
};

enum class MachineKind { EmulatedIpu, IpuModel, Cpu };

/// A system of equal IPUs as seen by one run. Tiles are numbered ipu * tiles + index.
struct Machine {
    std::string name; ///< as typed: "pod16:ipus=4"
    MachineKind kind = MachineKind::EmulatedIpu;
    Chip chip;
    int ipus = 1;
    int ipusPerBoard = 4;
    double linkBytesPerSecond = 58.4e9;    ///< one direction inside a pair of IPUs: a rung (links.h)
    double farLinkBytesPerSecond = 29.2e9; ///< a rail, from one pair to the next
    Cycles linkLatencyCycles = 300;
    std::int64_t streamingBytes = 0; ///< remote buffers, per IPU
    // M2000: a gateway with three DRAM channels serves four IPUs, each over PCIe Gen4 x8 (vengineer.hatenablog.com); published rate of the
    // memory: about 20 GB/s for all four.
    double streamingBytesPerSecond = 20e9;        ///< of a board's memory, for all its IPUs
    double streamingLinkBytesPerSecond = 15.75e9; ///< between this memory and one IPU, one direction

    bool operator==(Machine const &) const = default;
    int tilesTotal() const { return ipus * chip.tiles; }
    bool isEmulated() const { return kind != MachineKind::Cpu; }
    /// External sync: ceil(15 ns x clock x hops x 2), hops = 1 + floor(floor(n/2)/2)
    /// (poplibs lib/poplibs_test/Util.cpp). Requires: n >= 1.
    Cycles externalSyncCycles(int n) const;
};

/// One built-in machine, for `targets` and the property editors.
struct MachineInfo {
    std::string name;
    std::string title;
    Machine machine;
};

/// Chips (gc2, gc200, bow, c600), systems (m2000 … bow-pod64) and cpu, in a fixed order.
std::span<MachineInfo const> builtinMachines();

/// Reads "gc200", "gc200:tiles=8", "pod16:ipus=4,tiles=64", "ipu2". Options: tiles (1 … the chip's own),
/// ipus (1 … the system's own; of a single chip 1 … 64: a system of so many), model (0|1: the software model's
/// rules). Errors are Invalid and name the nearest machine or option.
Result<Machine> parseMachine(std::string_view text);

/// A text that parseMachine reads back as the same machine.
std::string toText(Machine const &machine);

/// Place of a tile on the die, for views and exchange distances: pair = t/2, block = pair/23, rows run boustrophedon (C600 map of
/// ipu-stack, topology.rs). Requires: 0 <= tile.
struct TilePlace {
    int x = 0;
    int y = 0;
};
TilePlace tilePlace(Chip const &chip, int tile);
/// Sync delay of a tile relative to the nearest one: grows with its row. 0 … syncSpreadCycles.
Cycles syncDelay(Chip const &chip, int tile);

} // namespace tilewright::target
