#pragma once

#include "engine/core/types.h"
#include "engine/report/table_basics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// The target system of the program.
namespace tilewright::report {

struct TargetRow {
    std::string kind = "emulated_ipu"; ///< emulated_ipu, ipu_model, cpu
    std::string architecture;          ///< ipu1, ipu2, ipu21
    int ipus = 1, replicas = 1, ipusPerReplica = 1;
    int tilesPerIpu = 0, ioTilesPerIpu = 0;
    Bytes bytesPerTile = 0;
    int workerThreads = 6;
    std::int64_t clockHz = 0;
    Cycles syncCyclesInternal = 0, syncCyclesExternal = 0;
    double exchangeBytesPerCycle = 0; ///< one tile, one direction
    Bytes streamingBytes = 0;         ///< remote buffer capacity
    bool operator==(TargetRow const &) const = default;
};

struct IpuRow {
    int replica = 0, indexInReplica = 0, machine = 0, board = 0, routing = 0;
    bool operator==(IpuRow const &) const = default;
};

/// Index = tile in its IPU; the same for all IPUs.
struct TilePlaceRow {
    int x = 0, y = 0;
    int syncDelay = 0;
    bool io = false;
    bool operator==(TilePlaceRow const &) const = default;
};

enum class Region : std::uint8_t { NonInterleaved, Interleaved, Overflowed };
/// The stable name in the file and on the command line: "non_interleaved".
std::string_view toText(Region region);
std::optional<Region> parseRegion(std::string_view text);

/// `offset`, `bytes`: addresses of one tile. The overflowed region begins at the end of the tile; its size is the worst tile's excess (0 if
/// everything fits).
struct MemoryRegionRow {
    Region kind = Region::NonInterleaved;
    Bytes offset = 0, bytes = 0;
    Bytes elementBytes = 0; ///< memory element (bank) size
    bool executable = false;
    bool operator==(MemoryRegionRow const &) const = default;
};

struct LinkRow {
    std::string kind = "ipu"; ///< ipu, gateway, host
    int ipuA = kNone, ipuB = kNone;
    int lanes = 1;
    std::int64_t bytesPerSecond = 0;
    bool operator==(LinkRow const &) const = default;
};

} // namespace tilewright::report
