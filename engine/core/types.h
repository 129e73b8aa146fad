#pragma once

#include "engine/core/result.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright {

using Cycles = std::int64_t; ///< cycles of the tile clock
using Bytes = std::int64_t;

/// Typed index: ids of different things do not convert into each other.
template <typename Tag> struct Id {
    std::uint32_t index = kNone;
    static constexpr std::uint32_t kNone = 0xffffffffu;
    constexpr Id() = default;
    constexpr explicit Id(std::size_t i) : index(static_cast<std::uint32_t>(i)) {}
    constexpr bool valid() const { return index != kNone; }
    friend constexpr auto operator<=>(Id, Id) = default;
};

enum class DType : std::uint8_t { F16, F32, I32, U8, Bool };

constexpr Bytes sizeOf(DType type)
{
    switch (type) {
    case DType::F16: return 2;
    case DType::F32: return 4;
    case DType::I32: return 4;
    case DType::U8: return 1;
    case DType::Bool: return 1;
    }
    return 0;
}
constexpr bool isFloating(DType type) { return type == DType::F16 || type == DType::F32; }

/// "f16", "f32", "i32", "u8", "bool": the names of the command line.
std::string_view toText(DType type);
/// Accepts these names and Keras's (float16, float32, int32, uint8, bool, half, float).
std::optional<DType> parseDType(std::string_view text);

/// Extents, outermost first; row-major storage. Empty = scalar.
using Shape = std::vector<std::int64_t>;

std::int64_t elementCount(Shape const &shape);
/// "[32, 784]"; a negative extent (unknown batch) prints as "None".
std::string toText(Shape const &shape);

constexpr std::int64_t ceilDiv(std::int64_t a, std::int64_t b) { return (a + b - 1) / b; }
constexpr std::int64_t roundUp(std::int64_t a, std::int64_t b) { return ceilDiv(a, b) * b; }

} // namespace tilewright
