#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewright {

/// What bytes on a tile are for. The order is that of stored files.
enum class MemoryCategory : std::uint8_t {
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
inline constexpr int kMemoryCategories = 21;
/// The stable name in the file and on the command line: "vertex_code". "unknown" for a value that a damaged file holds.
std::string_view toText(MemoryCategory category);
std::optional<MemoryCategory> parseMemoryCategory(std::string_view text);

/// The reason for unused bytes between the end of the previous item and an offset.
enum class GapReason : std::uint8_t { None, Alignment, Element, RegionEnd, Fragmentation };
/// The stable name in the file and on the command line: "region_end".
std::string_view toText(GapReason reason);
std::optional<GapReason> parseGapReason(std::string_view text);

} // namespace tilewright
