#pragma once

#include "engine/core/memory_category.h"
#include "engine/lowering/liveness.h"
#include "engine/lowering/traffic.h"
#include "engine/program/alike.h"
#include "engine/program/codelet.h"
#include "engine/target/machine.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace tilewright::lowering {

enum class MemoryRegion : std::uint8_t { NonInterleaved, Interleaved, Overflowed };

/// Contiguous bytes on a tile.
struct Placement {
    std::int32_t variable = -1; ///< of the program; -1 = made by the compiler
    MemoryCategory kind = MemoryCategory::Variable;
    MemoryRegion region = MemoryRegion::NonInterleaved;
    GapReason gap = GapReason::None; ///< reason for the unused bytes before it
    bool executable = false;
    std::int32_t alignment = 8;
    std::int32_t livenessClass = 0;
    Bytes offset = 0, bytes = 0;
    bool operator==(Placement const &) const = default;
};

/// All items of one tile, by offset. Tiles with equal content share one layout.
struct TileLayout {
    std::vector<Placement> items;
    bool operator==(TileLayout const &) const = default;
};

/// The compiler's own bytes, by tile of the replica.
struct CodeBytes {
    std::vector<Bytes> vertexCode, vertexState, internalExchange, globalExchange, hostExchange, hostHeader, globalHeader, control, stack;
};

/// Addresses of all items, and their totals.
struct Memory {
    std::vector<std::int32_t> layoutOf; ///< by tile of the replica
    std::vector<TileLayout> layouts;
    CodeBytes code;
    // by tile of the replica
    std::vector<Bytes> withGaps, withoutGaps, alwaysLive, need;
    std::vector<int> peakStep;
    struct IpuVerdict {
        bool fits = true;
        int worstTile = 0;    ///< of the replica
        Bytes worstBytes = 0; ///< with gaps
        Bytes maxWithoutGaps = 0, totalWithGaps = 0, totalWithoutGaps = 0;
        std::string cause; ///< total, executable_region, interleaved_region, gaps; "" if it fits
    };
    std::vector<IpuVerdict> ipus;
    bool fits = true;
    std::vector<Bytes> streaming; ///< remote buffers of each IPU of the replica, in streaming memory
    /// Bytes of each kind over all tiles. Each address counts once per kind, as in the report's categories, even if several items use it at
    /// different times. Kinds that share addresses both count them.
    std::array<Bytes, kMemoryCategories> byKind{};

    /// The largest need of a tile of an IPU: bytes live at the same time.
    Bytes maxNeed(int ipu) const;

    /// Address of a variable's block on a tile. Requires: it has one there.
    Bytes addressOf(program::VarId var, int tile) const;
};

// Constants of the compiler's own bytes. Calibrated on poplar_expectations (tests/bench/calibration/calibrate_memory): the dense layer of
// addons.dense_4096_1024 has 71 bytes of control code per tile for its four compute sets and three exchanges.
inline constexpr Bytes kStackBytes = 6 * 64 + 256; ///< six worker stacks and the supervisor's; none without codelets
inline constexpr Bytes kRuntimeCode = 720;         ///< loader stub, sync and exchange entry points of any program with code
inline constexpr Bytes kExecuteControl = 12;       ///< per Execute
inline constexpr Bytes kExchangeControl = 8;
inline constexpr Bytes kSyncControl = 4;    ///< a phase or barrier in which the tile only waits
inline constexpr Bytes kBranchControl = 12; ///< loop, call, host transfer entry
inline constexpr Bytes kExchangeEvent = 4;  ///< send, or change of source or address of a receive
inline constexpr Bytes kExchangePhase = 24; ///< entry, sync, set-up of the ports
inline constexpr Bytes kPacketHeader = 8;   ///< per message that leaves the IPU
inline constexpr Bytes kHostHeader = 16;    ///< per tile and host transfer

/// Code of a tile in one exchange: 250 bytes for the three exchanges of addons.dense_4096_1024, 300 to 350 for the two of a large product
/// of popliner.bert_large_inf.
constexpr Bytes exchangeCodeBytes(std::int64_t messages, std::int64_t fragments)
{
    return kExchangePhase + kExchangeEvent * (messages + fragments);
}

/// By step: the IPU that alone has control code for it, because it belongs to a pipeline stage's task; -1: all IPUs.
std::vector<int> controlIpus(program::Program const &program);

/// Sizes of the compiler's own bytes (poplar_execution_model 3.2, calibrated on the published dense cases). `traffic`: by exchange id.
CodeBytes codeBytes(program::Program const &program, program::Distinct<Traffic> const &traffic, target::Machine const &machine,
                    bool compileIpuCode);

/// Places every tile's bytes: code in the executable region, then always-live data, then the rest, larger items first. Variables that are
/// never live together may share addresses. Items without room go beyond the end of the tile (`overflowed`), which the verdict reports.
/// Incomplete if the job of `work` is cancelled.
Memory allocate(program::Program const &program, Liveness const &liveness, CodeBytes code, target::Machine const &machine,
                HostWork const &work = {});

/// The verdict on a program in which a tile's need exceeds its memory, without placement: sizes, verdicts and the worst tiles; no layouts,
/// no gaps. nullopt if the need of every tile is within its memory (placement may still fail), or if the job of `work` was cancelled.
std::optional<Memory> unplaceable(program::Program const &program, Liveness const &liveness, CodeBytes const &code,
                                  target::Machine const &machine, HostWork const &work = {});

/// Time to load a program onto its IPUs, each over its own host link: code, vertex state, constants and persistent variables of the IPU
/// with the most of them.
Cycles loadingCycles(program::Program const &program, Memory const &memory, target::Machine const &machine);

/// The error of an out-of-memory compile: tile, need, limit, largest variables at the peak, advice.
Diagnostic outOfMemory(program::Program const &program, Liveness const &liveness, Memory const &memory, target::Machine const &machine);

} // namespace tilewright::lowering
