#pragma once

#include "engine/core/types.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace tilewright::cost {

/// Workers of a tile: six on all known chips. A worker issues once in six tile cycles.
inline constexpr std::int64_t kWorkers = 6;

/// Element type of the cycle tables. It has more values than DType, which converts into it.
class ValueType {
public:
    enum Kind : std::uint8_t { F8, F16, F32, I8, U8, I16, U16, I32, U32, I64, U64, Bool };

    constexpr ValueType() = default;
    constexpr ValueType(Kind kind) : m_kind(kind) {}
    constexpr ValueType(DType type)
    {
        switch (type) {
        case DType::F16: m_kind = F16; break;
        case DType::F32: m_kind = F32; break;
        case DType::I32: m_kind = I32; break;
        case DType::U8: m_kind = U8; break;
        case DType::Bool: m_kind = Bool; break;
        }
    }
    constexpr Kind kind() const { return m_kind; }
    friend constexpr bool operator==(ValueType a, ValueType b) { return a.m_kind == b.m_kind; }

    constexpr Bytes bytes() const
    {
        switch (m_kind) {
        case F8:
        case I8:
        case U8:
        case Bool: return 1;
        case F16:
        case I16:
        case U16: return 2;
        case F32:
        case I32:
        case U32: return 4;
        case I64:
        case U64: return 8;
        }
        return 4;
    }
    /// Elements in one access of the 64-bit data path: f16 4, f32 2, 8-bit types 8.
    constexpr std::int64_t vectorWidth() const { return 8 / bytes(); }
    constexpr bool isFloat() const { return m_kind == F16 || m_kind == F32; }

private:
    Kind m_kind = F32;
};

/// "f16", "u8" …; the names of the `vertex` command.
std::string_view toText(ValueType type);
/// Those names and Poplar's (half, float, quarter, int, unsigned, bool …).
std::optional<ValueType> parseValueType(std::string_view text);

} // namespace tilewright::cost
