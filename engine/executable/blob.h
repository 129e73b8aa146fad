#pragma once

#include "engine/core/result.h"

#include <compare>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::executable {

/// 128 bits of content (XXH3), for names, deduplication and damage detection. No protection against malice.
struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
    friend auto operator<=>(Hash128 const &, Hash128 const &) = default;
};

Hash128 contentHash(std::span<std::byte const> bytes);
Hash128 contentHash(std::string_view text);
/// Hash of the concatenated pieces.
Hash128 contentHash(std::span<std::span<std::byte const> const> pieces);
/// 32 lower-case hexadecimal digits.
std::string toText(Hash128 const &hash);
std::optional<Hash128> parseHash(std::string_view text);

/// The container of `.twexe` files, little-endian:
///
///     offset  bytes
///          0      8  magic "TWEXE\r\n\x1a" (shows text-mode damage)
///          8      4  format version (kBlobFormat)
///         12      4  header bytes H, a multiple of 64
///         16      8  payload bytes
///         24     16  XXH3-128 of the payload, low half first
///         40      4  bytes of the writer's version text
///         44      4  bytes of the key text
///         48      8  XXH3-64 of the header, these eight bytes taken as zero
///         56      …  writer's version, key text, zeros up to H
///          H      …  payload, to the end of the file
constexpr std::uint32_t kBlobFormat = 1;

struct BlobHeader {
    std::uint32_t format = kBlobFormat;
    std::uint32_t headerBytes = 0;
    std::uint64_t payloadBytes = 0;
    Hash128 payloadHash;
    std::string writer; ///< version of the writing program
    std::string key;    ///< description of the compiled content; its hash is the name of a cache entry
    bool operator==(BlobHeader const &) const = default;
};

/// The header's bytes, to be followed by the payload.
std::string makeBlobHeader(std::string_view writer, std::string_view key, std::span<std::byte const> payload);

/// Parses the header at the start of `bytes`. `fileBytes`: length of the whole file, which must be exactly header and payload. Errors are
/// Invalid and name `subject` and the byte: "blob.not-one" (another kind of file), "blob.newer" (a later format), "blob.damaged".
Result<BlobHeader> parseBlobHeader(std::span<std::byte const> bytes, std::uint64_t fileBytes, std::string const &subject);

/// A container read from disk into its own memory. Opening checks the payload's hash (5 MB in about two milliseconds). Not mapped:
/// truncation of a mapped file would end the process. Movable.
class StoredBlob {
public:
    enum class Check { HeaderOnly, All };
    /// Errors as parseBlobHeader, and "file.read".
    static Result<StoredBlob> open(std::filesystem::path const &path, Check check = Check::All);

    BlobHeader const &header() const { return m_header; }
    /// Valid while this object lives; empty after HeaderOnly. 64-byte aligned.
    std::span<std::byte const> payload() const { return m_payload; }

private:
    BlobHeader m_header;
    std::shared_ptr<void const> m_bytes;
    std::span<std::byte const> m_payload;
};

/// Writes a container atomically.
Status writeBlob(std::filesystem::path const &path, std::string_view writer, std::string_view key, std::span<std::byte const> payload);

} // namespace tilewright::executable
