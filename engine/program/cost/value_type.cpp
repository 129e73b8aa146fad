#include "engine/program/cost/value_type.h"

#include <array>
#include <utility>

namespace tilewright::cost {

namespace {

// The first name of a kind is used for printing.
constexpr std::array<std::pair<std::string_view, ValueType::Kind>, 27> kNames{{
    {"f8", ValueType::F8},       {"quarter", ValueType::F8},   {"f16", ValueType::F16},    {"half", ValueType::F16},
    {"float16", ValueType::F16}, {"f32", ValueType::F32},      {"float", ValueType::F32},  {"float32", ValueType::F32},
    {"i8", ValueType::I8},       {"int8", ValueType::I8},      {"u8", ValueType::U8},      {"uint8", ValueType::U8},
    {"i16", ValueType::I16},     {"short", ValueType::I16},    {"int16", ValueType::I16},  {"u16", ValueType::U16},
    {"uint16", ValueType::U16},  {"i32", ValueType::I32},      {"int", ValueType::I32},    {"int32", ValueType::I32},
    {"u32", ValueType::U32},     {"unsigned", ValueType::U32}, {"uint32", ValueType::U32}, {"i64", ValueType::I64},
    {"int64", ValueType::I64},   {"u64", ValueType::U64},      {"bool", ValueType::Bool},
}};

} // namespace

std::string_view toText(ValueType type)
{
    for (auto const &[name, kind] : kNames)
        if (kind == type.kind()) return name;
    return "f32";
}

std::optional<ValueType> parseValueType(std::string_view text)
{
    for (auto const &[name, kind] : kNames)
        if (name == text) return ValueType(kind);
    return std::nullopt;
}

} // namespace tilewright::cost
