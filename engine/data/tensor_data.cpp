#include "engine/data/tensor_data.h"

#include "engine/core/limits.h"
#include "engine/core/text.h"

#include <bit>
#include <new>

namespace tilewright::data {

std::optional<std::int64_t> DataOrigin::byteOf(std::int64_t record) const
{
    auto const inFile = firstRecord + record;
    if (recordOffsets) {
        if (inFile < 0 || inFile >= static_cast<std::int64_t>(recordOffsets->size())) return std::nullopt;
        return (*recordOffsets)[static_cast<std::size_t>(inFile)];
    }
    if (firstByte < 0) return std::nullopt;
    return firstByte + record * recordBytes;
}

std::string DataOrigin::name() const { return entry.empty() ? file : file + ":" + entry; }

std::string DataOrigin::place(std::int64_t record) const
{
    auto text = name();
    if (!text.empty()) text += " ";
    text += "record " + std::to_string(firstRecord + record);
    if (auto const byte = byteOf(record)) {
        text += " byte " + std::to_string(*byte);
        if (inflated) text += " (decompressed)";
    }
    return text;
}

Diagnostic dataError(std::string code, std::string subject, Message message, Message remedy)
{
    if (!message.empty() && message.back() != '.') message += '.';
    return makeError(ErrorKind::Data, std::move(code), std::move(subject), std::move(message), std::move(remedy));
}

float halfToFloat(std::uint16_t bits)
{
    std::uint32_t const sign = static_cast<std::uint32_t>(bits & 0x8000u) << 16;
    std::uint32_t const exponent = (bits >> 10) & 31u;
    std::uint32_t const fraction = bits & 1023u;
    if (exponent == 31) return std::bit_cast<float>(sign | 0x7f800000u | (fraction << 13));
    if (exponent == 0) {
        float const magnitude = static_cast<float>(fraction) * 0x1p-24f; // exact, also for denormal halves
        return std::bit_cast<float>(sign | std::bit_cast<std::uint32_t>(magnitude));
    }
    return std::bit_cast<float>(sign | ((exponent + 112) << 23) | (fraction << 13));
}

double DataArray::valueAt(std::int64_t index) const
{
    TW_CHECK(index >= 0 && index < elements(), "DataArray::valueAt out of range");
    auto const each = sampleElements();
    auto const record = index / each;
    auto const i = static_cast<std::size_t>(index % each);
    switch (dtype) {
    case DType::F16: return static_cast<double>(halfToFloat(records<std::uint16_t>(record, 1)[i]));
    case DType::F32: return static_cast<double>(records<float>(record, 1)[i]);
    case DType::I32: return records<std::int32_t>(record, 1)[i];
    case DType::U8: return records<std::uint8_t>(record, 1)[i];
    case DType::Bool: return records<std::uint8_t>(record, 1)[i] != 0 ? 1 : 0;
    }
    return 0;
}

DataArray DataArray::slice(std::int64_t begin, std::int64_t n) const
{
    TW_CHECK(!shape.empty() && begin >= 0 && n >= 0 && begin <= count() - n, "DataArray::slice out of range");
    DataArray part = *this;
    part.shape[0] = n;
    part.bytes = std::shared_ptr<std::byte const>(bytes, bytes.get() + begin * sampleBytes());
    part.makersFirst += begin;
    part.origin.firstRecord += begin;
    if (part.origin.firstByte >= 0) part.origin.firstByte += begin * origin.recordBytes;
    for (auto &other : part.beside) other = other.slice(begin, n);
    return part;
}

Result<std::shared_ptr<std::byte>> allocateBytes(std::int64_t size, std::string const &subject)
{
    auto *memory = new (std::nothrow) std::byte[static_cast<std::size_t>(size > 0 ? size : 1)];
    if (!memory)
        return makeError(ErrorKind::DoesNotFit, "data.memory", subject,
                         Message::of("the machine does not have the memory for %1 bytes of data", size),
                         Message::of("Use fewer records (data.limit), or store the data uncompressed as uint8 so that it is mapped."));
    return std::shared_ptr<std::byte>(memory, [](std::byte *bytes) { delete[] bytes; });
}

Result<std::int64_t> checkedBytes(Shape const &shape, std::int64_t elementBytes, std::string const &subject)
{
    constexpr std::int64_t kLimit = std::int64_t{1} << 62;
    std::int64_t nonZero = elementBytes; // zero extents must not hide an overflow of the others
    bool zero = false;
    for (auto const extent : shape) {
        if (extent < 0) return dataError("data.shape", subject, Message::of("the shape %1 has a negative extent", toText(shape)));
        if (extent == 0) {
            zero = true;
        } else {
            if (nonZero > kLimit / extent)
                return dataError("data.shape", subject, Message::of("the shape %1 is larger than any memory", toText(shape)),
                                 Message::of("The header is damaged, or this is not the kind of file it claims to be."));
            nonZero *= extent;
        }
    }
    return zero ? 0 : nonZero;
}

Status checkElements(Shape const &shape, std::string const &subject)
{
    auto const elements = elementCount(shape);
    if (elements <= limitOf(Limit::Elements)) return {};
    return dataError("data.limit", subject,
                     Message::of("the shape %1 has %2 elements, more than %3", toText(shape), elements, limitOf(Limit::Elements)),
                     limitRemedy(Limit::Elements));
}

Status checkInflated(std::int64_t bytes, std::string const &subject)
{
    if (bytes <= limitOf(Limit::InflatedBytes)) return {};
    return dataError("data.limit", subject,
                     Message::of("the compressed content unpacks to %1 bytes, more than %2", bytes, limitOf(Limit::InflatedBytes)),
                     limitRemedy(Limit::InflatedBytes));
}

DataArray borrowArray(DType dtype, Shape shape, void const *memory)
{
    DataArray array{dtype, std::move(shape), {}, {}};
    array.bytes = std::shared_ptr<std::byte const>(std::shared_ptr<void>(), static_cast<std::byte const *>(memory));
    return array;
}

} // namespace tilewright::data
