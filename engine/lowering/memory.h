#pragma once

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

/// Kinds of bytes on a tile; names and meaning as the report's categories.
enum class MemoryKind : std::uint8_t {
    Variable,
    Constant,
    Output,
    VertexCode,
    VertexState,
    VertexFields,
    InternalExchangeCode,
    GlobalExchangeCode,
    HostExchangeCode,
    GlobalPacketHeader,
    HostPacketHeader,
    ExchangeBuffer,
    Rearrangement,
    ControlCode,
    ControlTable,
    ControlId,
    CopyDescriptor,
    VectorListDescriptor,
    Stack,
    Instrumentation,
    SharedCode
};
inline constexpr int kMemoryKinds = 21;
std::string_view toText(MemoryKind kind);

enum class GapReason : std::uint8_t { None, Alignment, Element, RegionEnd, Fragmentation };
enum class MemoryRegion : std::uint8_t { NonInterleaved, Interleaved, Overflowed };

/// Contiguous bytes on a tile.
struct Placement {
    std::int32_t variable = -1; ///< of the program; -1 = made by the compiler
    MemoryKind kind = MemoryKind::Variable;
    MemoryRegion region = MemoryRegion::NonInterleaved;
    GapReason gap = GapReason::None; ///< why the bytes before it are unused
    bool executable = false;
    std::int32_t alignment = 8;
    std::int32_t livenessClass = 0;
    Bytes offset = 0, bytes = 0;
    bool operator==(Placement const &) const = default;
};

/// Everything on one tile, by offset. Tiles with equal content share one.
struct TileLayout {
    std::vector<Placement> items;
    bool operator==(TileLayout const &) const = default;
};

/// Bytes the compiler itself puts on tiles, by tile of the replica.
struct CodeBytes {
    std::vector<Bytes> vertexCode, vertexState, internalExchange, globalExchange, hostExchange, hostHeader, globalHeader, control, stack;
};

/// Addresses for everything, and what they add up to.
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
        std::string cause; ///< total, executable_region, interleaved_region, gaps; "" when it fits
    };
    std::vector<IpuVerdict> ipus;
    bool fits = true;
    /// Bytes of each kind over all tiles, each address counted once for a kind, as the report's categories count them: what shares
    /// addresses at other times is not there twice. Kinds that share addresses with each other both have them.
    std::array<Bytes, kMemoryKinds> byKind{};

    /// The largest need of a tile of an IPU: bytes that are live at once.
    Bytes maxNeed(int ipu) const;

    /// Address of a variable's block on a tile. Requires: it has one there.
    Bytes addressOf(program::VarId var, int tile) const;
};

// What the compiler's own bytes are made of.
// Calibrated on poplar_expectations (tests/bench/calibration/calibrate_memory): the dense layer of
// addons.dense_4096_1024 has 71 bytes of control code a tile for its four compute sets and three exchanges.
inline constexpr Bytes kStackBytes = 6 * 64 + 256; ///< six worker stacks and the supervisor's; none without codelets
inline constexpr Bytes kRuntimeCode = 720;         ///< loader stub, sync and exchange entry points of any program with code
inline constexpr Bytes kExecuteControl = 12;       ///< per Execute
inline constexpr Bytes kExchangeControl = 8;
inline constexpr Bytes kSyncControl = 4;    ///< a phase or barrier the tile only waits for
inline constexpr Bytes kBranchControl = 12; ///< loop, call, host transfer entry
inline constexpr Bytes kExchangeEvent = 4;  ///< send, or change of source or address of a receive
inline constexpr Bytes kExchangePhase = 24; ///< entry, sync, set-up of the ports
inline constexpr Bytes kPacketHeader = 8;   ///< per message that leaves the IPU
inline constexpr Bytes kHostHeader = 16;    ///< per tile and host transfer

/// Timed program of a tile in one exchange: 250 bytes for the three of addons.dense_4096_1024, 300 to 350 for
/// the two of a large product of popliner.bert_large_inf.
constexpr Bytes exchangeCodeBytes(std::int64_t messages, std::int64_t fragments)
{
    return kExchangePhase + kExchangeEvent * (messages + fragments);
}

/// By step: the IPU whose tiles alone have control code for it, because it belongs to the task of a pipeline's stage; -1: all.
std::vector<int> controlIpus(program::Program const &program);

/// Sizes of the compiler's own bytes (poplar_execution_model 3.2, calibrated on the published dense cases).
/// `traffic` by exchange id.
CodeBytes codeBytes(program::Program const &program, program::Distinct<Traffic> const &traffic, target::Machine const &machine,
                    bool compileIpuCode);

/// Places every tile's bytes: code in the executable region, then always-live data, then the rest, larger
/// ones first; variables that are never live together may share addresses. What finds no room goes past
/// the end of the tile (`overflowed`) and makes the verdict say so. Incomplete when the job of `work` is cancelled meanwhile.
Memory allocate(program::Program const &program, Liveness const &liveness, CodeBytes code, target::Machine const &machine,
                HostWork const &work = {});

/// What can be said of a program some tile of which needs more at once than it has, without looking for room: sizes, verdicts
/// and where the need is largest, with no layouts and no gaps. Nothing where each tile's need is within its memory, be there room
/// between its gaps or not, and when the job of `work` was cancelled.
std::optional<Memory> unplaceable(program::Program const &program, Liveness const &liveness, CodeBytes const &code,
                                  target::Machine const &machine, HostWork const &work = {});

/// To bring a program onto its IPUs, each over its own link to the host: code, vertex state, constants and variables that stay, of the
/// IPU that has the most of them.
Cycles loadingCycles(program::Program const &program, Memory const &memory, target::Machine const &machine);

/// The explanation of an out-of-memory compile: tile, need, limit, largest variables at the peak, advice.
Diagnostic outOfMemory(program::Program const &program, Liveness const &liveness, Memory const &memory, target::Machine const &machine);

} // namespace tilewright::lowering
