#include "engine/executable/blob.h"

#include "engine/core/files.h"
#include "engine/core/types.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <new>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tilewright::executable {

namespace {

static_assert(std::endian::native == std::endian::little, "the container is written as it lies in memory");

constexpr std::string_view kMagic("TWEXE\r\n\x1a", 8);
constexpr std::size_t kFixedBytes = 56;
constexpr std::size_t kHashOffset = 48;
constexpr std::size_t kAlignment = 64;
/// Far above any real key; a damaged length must not make us read a whole payload as header.
constexpr std::uint64_t kMaxHeaderBytes = 16u << 20;

template <typename T> T load(std::span<std::byte const> bytes, std::size_t offset)
{
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

template <typename T> void store(std::string &bytes, std::size_t offset, T value)
{
    std::memcpy(bytes.data() + offset, &value, sizeof value);
}

std::uint64_t headerHash(std::span<std::byte const> header)
{
    constexpr std::array<char, 8> kZeros{};
    XXH3_state_t state;
    XXH3_64bits_reset(&state);
    XXH3_64bits_update(&state, header.data(), kHashOffset);
    XXH3_64bits_update(&state, kZeros.data(), kZeros.size());
    XXH3_64bits_update(&state, header.data() + kFixedBytes, header.size() - kFixedBytes);
    return XXH3_64bits_digest(&state);
}

std::string textAt(std::span<std::byte const> bytes, std::size_t offset, std::size_t size)
{
    return {reinterpret_cast<char const *>(bytes.data()) + offset, size};
}

std::shared_ptr<std::byte> alignedBytes(std::size_t size)
{
    auto const free = [](std::byte *bytes) { ::operator delete[](bytes, std::align_val_t(kAlignment)); };
    return {static_cast<std::byte *>(::operator new[](std::max<std::size_t>(size, 1), std::align_val_t(kAlignment))), free};
}

} // namespace

Hash128 contentHash(std::span<std::byte const> bytes)
{
    auto const hash = XXH3_128bits(bytes.data(), bytes.size());
    return {hash.high64, hash.low64};
}

Hash128 contentHash(std::span<std::span<std::byte const> const> pieces)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (auto const piece : pieces) XXH3_128bits_update(&state, piece.data(), piece.size());
    auto const hash = XXH3_128bits_digest(&state);
    return {hash.high64, hash.low64};
}

Hash128 contentHash(std::string_view text) { return contentHash(std::as_bytes(std::span(text))); }

std::string toText(Hash128 const &hash)
{
    std::string text(32, '0');
    for (int i = 0; i < 16; ++i) {
        text[static_cast<std::size_t>(15 - i)] = "0123456789abcdef"[(hash.high >> (4 * i)) & 15];
        text[static_cast<std::size_t>(31 - i)] = "0123456789abcdef"[(hash.low >> (4 * i)) & 15];
    }
    return text;
}

std::optional<Hash128> parseHash(std::string_view text)
{
    if (text.size() != 32) return {};
    Hash128 hash;
    for (std::size_t i = 0; i < 32; ++i) {
        auto const digit = std::string_view("0123456789abcdef").find(text[i]);
        if (digit == std::string_view::npos) return {};
        auto &half = i < 16 ? hash.high : hash.low;
        half = half << 4 | digit;
    }
    return hash;
}

std::string makeBlobHeader(std::string_view writer, std::string_view key, std::span<std::byte const> payload)
{
    auto const used = kFixedBytes + writer.size() + key.size();
    std::string header(static_cast<std::size_t>(roundUp(static_cast<std::int64_t>(used), kAlignment)), '\0');
    auto const hash = contentHash(payload);
    std::memcpy(header.data(), kMagic.data(), kMagic.size());
    store(header, 8, kBlobFormat);
    store(header, 12, static_cast<std::uint32_t>(header.size()));
    store(header, 16, static_cast<std::uint64_t>(payload.size()));
    store(header, 24, hash.low);
    store(header, 32, hash.high);
    store(header, 40, static_cast<std::uint32_t>(writer.size()));
    store(header, 44, static_cast<std::uint32_t>(key.size()));
    std::memcpy(header.data() + kFixedBytes, writer.data(), writer.size());
    std::memcpy(header.data() + kFixedBytes + writer.size(), key.data(), key.size());
    store(header, kHashOffset, headerHash(std::as_bytes(std::span(header))));
    return header;
}

Result<BlobHeader> parseBlobHeader(std::span<std::byte const> bytes, std::uint64_t fileBytes, std::string const &subject)
{
    auto const refuse = [&](char const *code, Message message) {
        return makeError(ErrorKind::Invalid, code, subject, std::move(message),
                         Message::of("Compile again; 'tilewright cache clear' empties the cache."));
    };
    if (bytes.size() < kMagic.size() || std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0)
        return refuse("blob.not-one", Message::of("the file is not a Tilewright executable: its first 8 bytes differ."));
    if (bytes.size() < kFixedBytes) return refuse("blob.damaged", Message::of("the file ends in its header, at byte %1.", bytes.size()));
    BlobHeader header;
    header.format = load<std::uint32_t>(bytes, 8);
    if (header.format > kBlobFormat)
        return refuse(
            "blob.newer",
            Message::of("the file has format %1, written by a newer version; this one reads up to %2.", header.format, kBlobFormat));
    header.headerBytes = load<std::uint32_t>(bytes, 12);
    header.payloadBytes = load<std::uint64_t>(bytes, 16);
    header.payloadHash = {load<std::uint64_t>(bytes, 32), load<std::uint64_t>(bytes, 24)};
    std::uint64_t const writerBytes = load<std::uint32_t>(bytes, 40);
    std::uint64_t const keyBytes = load<std::uint32_t>(bytes, 44);
    std::uint64_t const used = kFixedBytes + writerBytes + keyBytes;
    if (header.format == 0 || header.headerBytes % kAlignment != 0 || header.headerBytes > kMaxHeaderBytes || used > header.headerBytes)
        return refuse("blob.damaged", Message::of("the header's lengths (byte 12 on) contradict each other."));
    if (header.headerBytes > fileBytes || header.headerBytes > bytes.size())
        return refuse("blob.damaged", Message::of("the file ends in its header, at byte %1 of %2.", fileBytes, header.headerBytes));
    auto const whole = bytes.first(header.headerBytes);
    if (headerHash(whole) != load<std::uint64_t>(bytes, kHashOffset))
        return refuse("blob.damaged", Message::of("the header's checksum (byte 48) does not match."));
    if (header.payloadBytes != fileBytes - header.headerBytes)
        return refuse(
            "blob.damaged",
            Message::of("the file has %1 bytes of payload where its header says %2.", fileBytes - header.headerBytes, header.payloadBytes));
    header.writer = textAt(bytes, kFixedBytes, writerBytes);
    header.key = textAt(bytes, kFixedBytes + writerBytes, keyBytes);
    return header;
}

Result<StoredBlob> StoredBlob::open(std::filesystem::path const &path, Check check)
{
    auto const readError = [&](int number) {
        return makeError(ErrorKind::Invalid, "file.read", path.string(), Message::of("cannot open the file: %1.", std::strerror(number)));
    };
    int const file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (file < 0) return readError(errno);
    struct Close {
        int file;
        ~Close() { ::close(file); }
    } const close{file};
    struct stat status {};
    if (::fstat(file, &status) != 0) return readError(errno);
    if (!S_ISREG(status.st_mode)) return readError(EISDIR);
    auto const fileBytes = static_cast<std::uint64_t>(status.st_size);

    std::uint64_t wanted = fileBytes;
    if (check == Check::HeaderOnly) {
        std::array<std::byte, kFixedBytes> start{};
        if (readAt(file, start, 0) < 0) return readError(errno);
        wanted = std::min({fileBytes, kMaxHeaderBytes, std::max<std::uint64_t>(kFixedBytes, load<std::uint32_t>(start, 12))});
    }
    auto const memory = alignedBytes(wanted);
    auto const got = readAt(file, {memory.get(), wanted}, 0);
    if (got < 0) return readError(errno);
    std::span<std::byte const> const bytes(memory.get(), static_cast<std::size_t>(got)); // shorter when it was cut meanwhile
    StoredBlob blob;
    TW_ASSIGN(blob.m_header, parseBlobHeader(bytes, check == Check::All ? bytes.size() : fileBytes, path.string()));
    blob.m_payload = bytes.subspan(blob.m_header.headerBytes);
    if (check == Check::All && contentHash(blob.m_payload) != blob.m_header.payloadHash)
        return makeError(ErrorKind::Invalid, "blob.damaged", path.string(),
                         Message::of("the checksum of the payload (byte %1 on) does not match.", blob.m_header.headerBytes),
                         Message::of("Compile again; 'tilewright cache clear' empties the cache."));
    blob.m_bytes = memory;
    return blob;
}

Status writeBlob(std::filesystem::path const &path, std::string_view writer, std::string_view key, std::span<std::byte const> payload)
{
    auto const header = makeBlobHeader(writer, key, payload);
    if (header.size() > kMaxHeaderBytes)
        return makeError(ErrorKind::Invalid, "blob.key", path.string(),
                         Message::of("the description of the executable is longer than the format allows."));
    std::string_view const parts[]{header, {reinterpret_cast<char const *>(payload.data()), payload.size()}};
    return writeFileAtomically(path, parts, Sync::No);
}

} // namespace tilewright::executable
