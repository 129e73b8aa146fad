#include "engine/data/idx.h"

#include "engine/data/element_codec.h"

#include <array>

namespace tilewright::data {

namespace {

constexpr std::size_t kPrefix = 4;  ///< magic: 0, 0, type code, number of dimensions
constexpr std::size_t kMaxRank = 8; ///< nothing real has more; a larger value is another kind of file
constexpr char const *kPhase = "reading data";

struct Header {
    ElementType type;
    Shape shape;
    std::int64_t headerBytes = 0;
    std::int64_t payloadBytes = 0;
    std::int64_t recordBytes() const { return shape.front() > 0 ? payloadBytes / shape.front() : 0; }
};

std::optional<ElementType> typeOfCode(unsigned code)
{
    using Kind = ElementType::Kind;
    switch (code) {
    case 0x08: return ElementType{Kind::Unsigned, 1, false};
    case 0x09: return ElementType{Kind::Signed, 1, false};
    case 0x0B: return ElementType{Kind::Signed, 2, true};
    case 0x0C: return ElementType{Kind::Signed, 4, true};
    case 0x0D: return ElementType{Kind::Float, 4, true};
    case 0x0E: return ElementType{Kind::Float, 8, true};
    default: return std::nullopt;
    }
}

unsigned byteAt(std::span<std::byte const> bytes, std::size_t i) { return std::to_integer<unsigned>(bytes[i]); }

std::string hexText(std::span<std::byte const> bytes)
{
    constexpr char kDigits[] = "0123456789abcdef";
    std::string text;
    for (auto const b : bytes) {
        if (!text.empty()) text += ' ';
        text += kDigits[std::to_integer<unsigned>(b) >> 4];
        text += kDigits[std::to_integer<unsigned>(b) & 15];
    }
    return text;
}

Diagnostic truncatedHeader(Source const &source, std::size_t size)
{
    return dataError("data.idx.truncated", source.at(static_cast<std::int64_t>(size)), Message::of("the file ends inside the IDX header"),
                     Message::of("Download or copy the file again."));
}

/// `start` holds the first bytes of the content, as many as there are up to the longest header.
Result<Header> parseHeader(Source const &source, std::span<std::byte const> start)
{
    if (start.size() < kPrefix) return truncatedHeader(source, start.size());
    if (byteAt(start, 0) != 0 || byteAt(start, 1) != 0)
        return dataError("data.idx.magic", source.at(0),
                         Message::of("this is not an IDX file: it begins with %1, not with 00 00", hexText(start.first(kPrefix))),
                         Message::of("An IDX file of images begins with 00 00 08 03, one of labels with 00 00 08 01."));
    auto const type = typeOfCode(byteAt(start, 2));
    if (!type)
        return dataError("data.idx.type", source.at(2), Message::of("the IDX type code %1 is unknown", hexText(start.subspan(2, 1))),
                         Message::of("Known are 08 (uint8), 09 (int8), 0b (int16), 0c (int32), 0d (float32), 0e (float64)."));
    auto const rank = static_cast<std::size_t>(byteAt(start, 3));
    if (rank == 0 || rank > kMaxRank)
        return dataError("data.idx.magic", source.at(3), Message::of("an IDX file of %1 dimensions is not supported", rank),
                         Message::of("1 (labels) to %1 dimensions are supported.", std::to_string(kMaxRank)));
    Header header{*type, {}, static_cast<std::int64_t>(kPrefix + 4 * rank), 0};
    if (start.size() < static_cast<std::size_t>(header.headerBytes)) return truncatedHeader(source, start.size());
    for (std::size_t d = 0; d < rank; ++d) {
        std::int64_t extent = 0;
        for (std::size_t i = 0; i < 4; ++i) extent = extent << 8 | byteAt(start, kPrefix + 4 * d + i);
        header.shape.push_back(extent);
    }
    TW_ASSIGN(header.payloadBytes, checkedBytes(header.shape, type->bytes, source.at(kPrefix)));
    return header;
}

Diagnostic truncatedPayload(Source const &source, Header const &header, std::int64_t have)
{
    auto const record = header.recordBytes() > 0 ? have / header.recordBytes() : 0;
    return dataError("data.idx.truncated", source.at(header.headerBytes + have),
                     Message::of("the file ends inside record %1: the header declares %2, which is %3 bytes, but the file holds %4", record,
                                 tilewright::toText(header.shape), header.payloadBytes, have),
                     Message::of("Download or copy the file again."));
}

Diagnostic trailingBytes(Source const &source, Header const &header)
{
    return dataError("data.idx.trailing", source.at(header.headerBytes + header.payloadBytes),
                     Message::of("the file continues after the %1 records that its header declares (%2)", header.shape.front(),
                                 tilewright::toText(header.shape)),
                     Message::of("The header is damaged, or this is another kind of file."));
}

Diagnostic corruptGzip(Source const &source, Inflater const &inflater)
{
    return dataError("data.gzip", source.at(static_cast<std::int64_t>(inflater.inputPosition())), Message::of("the gzip data are damaged"),
                     Message::of("Download or copy the file again."));
}

Result<DataArray> parsePlain(Source const &source, JobContext const &job)
{
    TW_ASSIGN(auto const header, parseHeader(source, source.all()));
    auto const have = static_cast<std::int64_t>(source.size) - header.headerBytes;
    if (have < header.payloadBytes) return truncatedPayload(source, header, have);
    if (have > header.payloadBytes) return trailingBytes(source, header);
    TW_TRY(checkElements(header.shape, source.at(kPrefix)));
    return decodeElements(source, header.headerBytes, header.type, header.shape, false, job);
}

/// Inflates the header, learns the size from it, and then inflates the rest to where it stays.
Result<DataArray> parseCompressed(Source const &source, JobContext const &job)
{
    Inflater inflater(source.all(), Inflater::Form::Gzip);
    Source content = source;
    content.inflated = true;
    std::array<std::byte, kPrefix + 4 * kMaxRank> start{};
    auto const got = inflater.read(std::span(start).first(kPrefix), job, kPhase);
    std::size_t known = got;
    if (got == kPrefix && byteAt(start, 3) <= kMaxRank)
        known += inflater.read(std::span(start).subspan(kPrefix, 4 * byteAt(start, 3)), job, kPhase);
    if (job.cancelled()) return cancelledError(source.fullName());
    if (inflater.state() == Inflater::State::Corrupt) return corruptGzip(source, inflater);
    TW_ASSIGN(auto const header, parseHeader(content, std::span(start).first(known)));
    if (header.payloadBytes > inflatedAtMost(static_cast<std::int64_t>(source.size)))
        return dataError("data.idx.truncated", content.at(header.headerBytes),
                         Message::of("the header declares %1, more than the compressed file can hold", tilewright::toText(header.shape)),
                         Message::of("Download or copy the file again."));

    TW_TRY(checkElements(header.shape, content.at(kPrefix)));
    TW_TRY(checkInflated(header.payloadBytes, content.at(header.headerBytes)));
    TW_ASSIGN(auto const memory, allocateBytes(header.payloadBytes, source.fullName()));
    auto const have = inflater.read({memory.get(), static_cast<std::size_t>(header.payloadBytes)}, job, kPhase);
    std::byte more{};
    auto const beyond = inflater.read({&more, 1}, job, kPhase); // also makes zlib check the sums at the end
    if (job.cancelled()) return cancelledError(source.fullName());
    if (inflater.state() == Inflater::State::Corrupt) return corruptGzip(source, inflater);
    if (static_cast<std::int64_t>(have) < header.payloadBytes) return truncatedPayload(content, header, static_cast<std::int64_t>(have));
    if (beyond > 0) return trailingBytes(content, header);
    if (inflater.state() != Inflater::State::End)
        return dataError("data.gzip", source.at(static_cast<std::int64_t>(source.size)),
                         Message::of("the file ends inside its gzip checksum"), Message::of("Download or copy the file again."));
    content.bytes = memory;
    content.size = static_cast<std::size_t>(header.payloadBytes);
    content.base = header.headerBytes;
    return decodeElements(content, 0, header.type, header.shape, false, job);
}

} // namespace

Result<DataArray> parseIdx(Source const &source, JobContext const &job)
{
    bool const gzip = source.size >= 2 && byteAt(source.all(), 0) == 0x1f && byteAt(source.all(), 1) == 0x8b;
    return gzip ? parseCompressed(source, job) : parsePlain(source, job);
}

Result<DataArray> readIdx(std::filesystem::path const &path, JobContext const &job)
{
    TW_ASSIGN(auto const source, openSource(path));
    return parseIdx(source, job);
}

} // namespace tilewright::data
