#include "engine/data/element_codec.h"

#include "engine/core/text.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace tilewright::data {

namespace {

using Kind = ElementType::Kind;

std::uint64_t loadBits(std::byte const *from, int bytes, bool bigEndian)
{
    std::uint64_t bits = 0;
    for (int i = 0; i < bytes; ++i) {
        int const shift = 8 * (bigEndian ? bytes - 1 - i : i);
        bits |= static_cast<std::uint64_t>(from[i]) << shift;
    }
    return bits;
}

std::int64_t signExtend(std::uint64_t bits, int bytes)
{
    int const unused = 64 - 8 * bytes;
    return static_cast<std::int64_t>(bits << unused) >> unused;
}

/// Visits the elements in row-major order with their index in the file. Returns false when cancelled.
template <typename Visit> bool inRowMajorOrder(Shape const &shape, bool fortranOrder, JobContext const &job, Visit &&visit)
{
    constexpr std::int64_t kPoll = 1 << 18;
    auto const n = elementCount(shape);
    if (!fortranOrder) {
        for (std::int64_t i = 0; i < n; ++i) {
            if (i % kPoll == 0 && job.cancelled()) return false;
            if (!visit(i, i)) return true;
        }
        return true;
    }
    std::vector<std::int64_t> stride(shape.size()), at(shape.size(), 0);
    std::int64_t step = 1;
    for (std::size_t d = 0; d < shape.size(); ++d) {
        stride[d] = step;
        step *= shape[d];
    }
    std::int64_t stored = 0;
    for (std::int64_t i = 0; i < n; ++i) {
        if (i % kPoll == 0 && job.cancelled()) return false;
        if (!visit(i, stored)) return true;
        for (std::size_t d = shape.size(); d-- > 0;) {
            stored += stride[d];
            if (++at[d] < shape[d]) break;
            stored -= stride[d] * shape[d];
            at[d] = 0;
        }
    }
    return true;
}

/// Bits of the element as its type after reading; false when that type cannot hold it.
bool convert(std::uint64_t bits, ElementType type, std::uint32_t &out)
{
    switch (type.kind) {
    case Kind::Bool: out = bits != 0 ? 1 : 0; return true;
    case Kind::Unsigned:
        out = static_cast<std::uint32_t>(bits);
        return type.bytes == 1 || bits <= static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max());
    case Kind::Signed: {
        auto const value = signExtend(bits, type.bytes);
        out = static_cast<std::uint32_t>(value);
        return value >= std::numeric_limits<std::int32_t>::min() && value <= std::numeric_limits<std::int32_t>::max();
    }
    case Kind::Float: {
        if (type.bytes < 8) {
            out = static_cast<std::uint32_t>(bits);
            return true;
        }
        auto const value = std::bit_cast<double>(bits);
        if (std::isfinite(value) && std::abs(value) > static_cast<double>(std::numeric_limits<float>::max())) return false;
        out = std::bit_cast<std::uint32_t>(static_cast<float>(value));
        return true;
    }
    }
    return false;
}

std::string valueText(std::uint64_t bits, ElementType type)
{
    if (type.kind == Kind::Float) return numberText(std::bit_cast<double>(bits));
    if (type.kind == Kind::Signed) return std::to_string(signExtend(bits, type.bytes));
    return std::to_string(bits);
}

} // namespace

DType readAs(ElementType type)
{
    switch (type.kind) {
    case Kind::Bool: return DType::Bool;
    case Kind::Unsigned: return type.bytes == 1 ? DType::U8 : DType::I32;
    case Kind::Signed: return DType::I32;
    case Kind::Float: return type.bytes == 2 ? DType::F16 : DType::F32;
    }
    return DType::F32;
}

std::string toText(ElementType type)
{
    switch (type.kind) {
    case Kind::Bool: return "bool";
    case Kind::Unsigned: return "uint" + std::to_string(8 * type.bytes);
    case Kind::Signed: return "int" + std::to_string(8 * type.bytes);
    case Kind::Float: return "float" + std::to_string(8 * type.bytes);
    }
    return "";
}

Result<DataArray> decodeElements(Source const &source, std::int64_t offset, ElementType type, Shape shape, bool fortranOrder,
                                 JobContext const &job)
{
    DataArray array{readAs(type), std::move(shape), {}, {}};
    auto const n = elementCount(array.shape);
    auto const itemBytes = sizeOf(array.dtype);
    bool const columnMajor = fortranOrder && array.shape.size() > 1;
    array.origin.file = source.name;
    array.origin.entry = source.entry;
    array.origin.inflated = source.inflated;
    if (!columnMajor) {
        array.origin.firstByte = source.base + offset;
        array.origin.recordBytes = n == 0 ? 0 : array.sampleElements() * type.bytes;
    }

    auto const *const stored = source.bytes.get() + offset;
    bool const swapped = type.bytes > 1 && type.bigEndian != (std::endian::native == std::endian::big);
    bool const sameType = itemBytes == type.bytes && type.kind != Kind::Bool && !(type.kind == Kind::Unsigned && type.bytes == 4);
    bool const aligned = reinterpret_cast<std::uintptr_t>(stored) % static_cast<std::uintptr_t>(itemBytes) == 0;
    if (sameType && !swapped && aligned && !columnMajor) {
        array.bytes = std::shared_ptr<std::byte const>(source.bytes, stored);
        return array;
    }

    TW_ASSIGN(auto const memory, allocateBytes(n * itemBytes, source.fullName()));
    std::int64_t badElement = -1;
    std::int64_t badStored = 0;
    bool const whole = inRowMajorOrder(array.shape, columnMajor, job, [&](std::int64_t i, std::int64_t at) {
        std::uint32_t value = 0;
        if (!convert(loadBits(stored + at * type.bytes, type.bytes, type.bigEndian), type, value)) {
            badElement = i;
            badStored = at;
            return false;
        }
        auto *const to = memory.get() + i * itemBytes;
        if (itemBytes == 4) {
            std::memcpy(to, &value, 4);
        } else if (itemBytes == 2) {
            auto const half = static_cast<std::uint16_t>(value);
            std::memcpy(to, &half, 2);
        } else {
            *to = static_cast<std::byte>(value);
        }
        return true;
    });
    if (!whole) return cancelledError(source.fullName());
    if (badElement >= 0) {
        auto const record = badElement / std::max<std::int64_t>(1, array.sampleElements());
        auto const bits = loadBits(stored + badStored * type.bytes, type.bytes, type.bigEndian);
        return dataError("data.value", source.at(offset + badStored * type.bytes),
                         Message::of("the %1 value %2 of record %3 does not fit in %4", toText(type), valueText(bits, type), record,
                                     std::string(tilewright::toText(array.dtype))),
                         Message::of("Scale the data, or store it in a smaller type."));
    }
    array.bytes = memory;
    return array;
}

} // namespace tilewright::data
