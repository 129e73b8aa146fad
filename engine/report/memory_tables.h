#pragma once

#include "engine/core/memory_category.h"
#include "engine/core/types.h"
#include "engine/report/machine_tables.h"
#include "engine/report/table_basics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Variables: placement, lifetime and memory.
namespace tilewright::report {

struct VariableRow {
    std::string name;
    int op = kNone, context = kNone;
    std::string role = "other"; ///< weight, optimizer_state, activation, gradient, accumulator, input,
                                ///< output, constant, partial, temporary, message, other
    std::string dtype;          ///< f16, f32, i32, u8, bool
    Shape shape;
    std::int64_t elements = 0;
    Bytes bytes = 0;      ///< sum of its lowered pieces over the tiles of replica 0
    int bytesVec = kNone; ///< bytes by tile
    bool alwaysLive = false;
    int firstStep = kNone, lastStep = kNone; ///< first and last liveness step at which it is live (inclusive)
    int lastUseStep = kNone;                 ///< last step that reads or writes it
    bool operator==(VariableRow const &) const = default;
};

using tilewright::GapReason, tilewright::MemoryCategory, tilewright::kMemoryCategories;
using tilewright::parseGapReason, tilewright::parseMemoryCategory, tilewright::toText;

inline constexpr std::uint8_t kLoweredConstant = 1;    ///< read-only data
inline constexpr std::uint8_t kLoweredExecutable = 2;  ///< must lie where code can run
inline constexpr std::uint8_t kLoweredLowMemory = 4;   ///< must lie in low memory
inline constexpr std::uint8_t kLoweredNoShareNext = 8; ///< must not share a memory element with the next item

/// Contiguous bytes on one tile, of a variable or made by the compiler.
struct LoweredVariable {
    int variable = kNone;
    MemoryCategory category = MemoryCategory::Variable;
    Bytes offset = 0, bytes = 0;
    int alignment = 1;
    int livenessClass = 0;
    Region region = Region::NonInterleaved;
    std::uint8_t flags = 0;
    int group = kNone; ///< element constraint group
    GapReason gapReason = GapReason::None;
    bool operator==(LoweredVariable const &) const = default;
};

/// Items of a tile, sorted by (offset, bytes, variable). Tiles with equal content share one layout.
using TileLayout = std::vector<LoweredVariable>;

struct LivenessClassRow {
    bool alwaysLive = false;
    bool operator==(LivenessClassRow const &) const = default;
};

/// Half open [firstStep, endStep). An always-live class has one interval over all steps.
struct LivenessIntervalRow {
    int livenessClass = 0, firstStep = 0, endStep = 0;
    bool operator==(LivenessIntervalRow const &) const = default;
};

/// Index = step. Steps are the leaves of the entry functions in the order of their ids: a loop body once, a called function at each call.
struct LivenessStepRow {
    int program = 0;
    int stage = kNone;
    std::string pass; ///< empty = none
    bool operator==(LivenessStepRow const &) const = default;
};

/// Live bytes of a scope by liveness step. Scopes: "all" (id 0; the tiles of replica 0), "ipu" (index in
/// the replica), "stage" (pieces of variables whose op belongs to that stage).
struct LiveCurveRow {
    std::string scope = "all";
    int scopeId = 0;
    Bytes alwaysLive = 0;
    Bytes peak = 0;   ///< always live + the largest of notAlwaysLive
    int peakStep = 0; ///< first one on a tie
    std::vector<Bytes> notAlwaysLive;
    bool operator==(LiveCurveRow const &) const = default;
};

struct LivePeakRow {
    std::string scope = "all";
    int scopeId = 0, rank = 0, step = 0;
    Bytes bytes = 0; ///< always live + not always live at that step
    bool operator==(LivePeakRow const &) const = default;
};

/// Names: with_gaps, without_gaps, overlap_union, always_live, not_always_live_peak, peak_step, need,
/// headroom, executable_room. Vectors cover the tiles of replica 0 (ipusPerReplica * tilesPerIpu).
struct TileMetricRow {
    std::string name;
    int vec = 0;
    bool operator==(TileMetricRow const &) const = default;
};

struct MemoryPartRow {
    MemoryCategory category = MemoryCategory::Variable;
    Region region = Region::NonInterleaved;
    bool overlapped = false;
    int vec = 0;
    bool operator==(MemoryPartRow const &) const = default;
};

struct RemoteBufferRow {
    std::string name;
    int variable = kNone;
    Bytes bytes = 0;
    std::int64_t rows = 0;
    bool operator==(RemoteBufferRow const &) const = default;
};

/// Scope "all" (id 0) or "ipu" (index in the replica). `bytes` is with gaps, of the worst tile.
struct VerdictRow {
    std::string scope = "all";
    int scopeId = 0;
    bool fits = true;
    int worstTile = 0;
    Bytes bytes = 0, capacity = 0;
    std::string cause; ///< total, executable_region, interleaved_region, gaps; empty if it fits
    int peakStep = kNone;
    bool operator==(VerdictRow const &) const = default;
};

} // namespace tilewright::report
