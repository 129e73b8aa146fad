#include "engine/core/types.h"

#include <limits>

namespace tilewright {

std::string_view toText(DType type)
{
    switch (type) {
    case DType::F16: return "f16";
    case DType::F32: return "f32";
    case DType::I32: return "i32";
    case DType::U8: return "u8";
    case DType::Bool: return "bool";
    }
    return "";
}

std::optional<DType> parseDType(std::string_view text)
{
    if (text == "f16" || text == "float16" || text == "half") return DType::F16;
    if (text == "f32" || text == "float32" || text == "float") return DType::F32;
    if (text == "i32" || text == "int32") return DType::I32;
    if (text == "u8" || text == "uint8") return DType::U8;
    if (text == "bool") return DType::Bool;
    return std::nullopt;
}

std::int64_t elementCount(Shape const &shape)
{
    std::int64_t n = 1;
    for (auto extent : shape)
        if (__builtin_mul_overflow(n, extent, &n)) return std::numeric_limits<std::int64_t>::max();
    return n;
}

std::string toText(Shape const &shape)
{
    std::string text = "[";
    for (std::size_t i = 0; i < shape.size(); ++i) {
        if (i) text += ", ";
        text += shape[i] < 0 ? std::string("None") : std::to_string(shape[i]);
    }
    return text + "]";
}

} // namespace tilewright
