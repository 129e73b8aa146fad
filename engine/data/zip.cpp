#include "engine/data/zip.h"

#include "engine/core/files.h"
#include "engine/core/safe_text.h"
#include "engine/data/tensor_data.h"

#include <zlib.h>

#include <algorithm>
#include <deque>
#include <optional>
#include <string_view>

// Layout after PKWARE's APPNOTE.TXT 6.3: local headers with content, central directory, end record.

namespace tilewright::data {

namespace {

constexpr std::uint32_t kLocalSignature = 0x04034b50;
constexpr std::uint32_t kCentralSignature = 0x02014b50;
constexpr std::uint32_t kEndSignature = 0x06054b50;
constexpr std::uint32_t kEnd64Signature = 0x06064b50;
constexpr std::uint32_t kLocator64Signature = 0x07064b50;
constexpr std::int64_t kLocalBytes = 30, kCentralBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kLocator64Bytes = 20;
constexpr std::uint32_t kMax32 = 0xffffffffu;
constexpr std::uint16_t kZip64Extra = 1;
constexpr std::uint16_t kPaddingExtra = 0x5754; ///< ours: only keeps stored content aligned
constexpr std::uint16_t kDate1980 = 0x21;       ///< 1 January 1980, the earliest a zip can say

std::uint64_t load(Source const &source, std::int64_t at, int bytes)
{
    std::uint64_t value = 0;
    for (int i = 0; i < bytes; ++i) value |= static_cast<std::uint64_t>(source.bytes.get()[at + i]) << (8 * i);
    return value;
}

std::uint32_t u32(Source const &source, std::int64_t at) { return static_cast<std::uint32_t>(load(source, at, 4)); }
std::uint16_t u16(Source const &source, std::int64_t at) { return static_cast<std::uint16_t>(load(source, at, 2)); }

Diagnostic directoryError(Source const &archive, std::int64_t at, Message message)
{
    return dataError("data.zip.directory", archive.at(at), std::move(message), Message::of("Download or write the archive again."));
}

struct Directory {
    std::int64_t offset = 0, bytes = 0, entries = 0;
};

bool isInside(std::uint64_t offset, std::uint64_t bytes, std::int64_t size)
{
    auto const limit = static_cast<std::uint64_t>(size);
    return offset <= limit && bytes <= limit - offset;
}

Result<Directory> findDirectory(Source const &archive)
{
    auto const size = static_cast<std::int64_t>(archive.size);
    auto const notAnArchive = [&] {
        return directoryError(archive, size, Message::of("this is not a zip archive, or its end is missing"));
    };
    if (size < kEndBytes) return notAnArchive();
    std::int64_t end = -1;
    auto const lowest = std::max<std::int64_t>(0, size - kEndBytes - 0xffff); // a comment may follow the record
    for (auto at = size - kEndBytes; at >= lowest && end < 0; --at)
        if (u32(archive, at) == kEndSignature && at + kEndBytes + u16(archive, at + 20) <= size) end = at;
    if (end < 0) return notAnArchive();
    std::uint64_t entries = u16(archive, end + 10), bytes = u32(archive, end + 12), offset = u32(archive, end + 16);
    auto const locator = end - kLocator64Bytes;
    if (locator >= 0 && u32(archive, locator) == kLocator64Signature) {
        auto const end64 = load(archive, locator + 8, 8);
        if (!isInside(end64, kEnd64Bytes, locator) || u32(archive, static_cast<std::int64_t>(end64)) != kEnd64Signature)
            return directoryError(archive, locator, Message::of("the zip64 end record is not where the archive says"));
        auto const at = static_cast<std::int64_t>(end64);
        entries = load(archive, at + 32, 8);
        bytes = load(archive, at + 40, 8);
        offset = load(archive, at + 48, 8);
    }
    if (!isInside(offset, bytes, end) || entries > bytes / kCentralBytes)
        return directoryError(archive, end, Message::of("the central directory lies outside the archive"));
    return Directory{static_cast<std::int64_t>(offset), static_cast<std::int64_t>(bytes), static_cast<std::int64_t>(entries)};
}

/// Replaces sizes and offset that say "see zip64" by those of the extra field. False when they are missing.
bool resolveZip64(Source const &archive, std::int64_t extra, std::int64_t extraBytes, std::uint64_t &bytes, std::uint64_t &compressed,
                  std::uint64_t &offset)
{
    if (bytes != kMax32 && compressed != kMax32 && offset != kMax32) return true;
    auto const stop = extra + extraBytes;
    while (stop - extra >= 4) {
        auto const id = u16(archive, extra);
        std::int64_t const fieldEnd = extra + 4 + u16(archive, extra + 2);
        if (fieldEnd > stop) return false;
        if (id == kZip64Extra) {
            auto at = extra + 4;
            for (auto *value : {&bytes, &compressed, &offset}) {
                if (*value != kMax32) continue;
                if (fieldEnd - at < 8) return false;
                *value = load(archive, at, 8);
                at += 8;
            }
            return true;
        }
        extra = fieldEnd;
    }
    return false;
}

} // namespace

Result<std::vector<ZipEntry>> readZipDirectory(Source const &archive)
{
    TW_ASSIGN(auto const directory, findDirectory(archive));
    std::vector<ZipEntry> entries;
    auto at = directory.offset;
    auto const stop = directory.offset + directory.bytes;
    for (std::int64_t i = 0; i < directory.entries; ++i) {
        if (stop - at < kCentralBytes || u32(archive, at) != kCentralSignature)
            return directoryError(archive, at, Message::of("entry %1 of the central directory is damaged", i));
        std::int64_t const nameBytes = u16(archive, at + 28), extraBytes = u16(archive, at + 30), commentBytes = u16(archive, at + 32);
        auto const next = at + kCentralBytes + nameBytes + extraBytes + commentBytes;
        if (next > stop) return directoryError(archive, at, Message::of("entry %1 goes beyond the central directory", i));
        std::uint64_t compressed = u32(archive, at + 20), bytes = u32(archive, at + 24), offset = u32(archive, at + 42);
        ZipEntry entry;
        entry.name.assign(reinterpret_cast<char const *>(archive.bytes.get() + at + kCentralBytes), static_cast<std::size_t>(nameBytes));
        if (!resolveZip64(archive, at + kCentralBytes + nameBytes, extraBytes, bytes, compressed, offset)
            || !isInside(offset, kLocalBytes, directory.offset) || !isInside(offset + kLocalBytes, compressed, directory.offset)
            || bytes > (std::uint64_t{1} << 62))
            return directoryError(archive, at, Message::of("entry %1 points outside the archive", i));
        entry.encrypted = (u16(archive, at + 8) & 1) != 0;
        entry.method = u16(archive, at + 10);
        entry.crc = u32(archive, at + 16);
        entry.compressedBytes = static_cast<std::int64_t>(compressed);
        entry.bytes = static_cast<std::int64_t>(bytes);
        entry.headerOffset = static_cast<std::int64_t>(offset);
        entries.push_back(std::move(entry));
        at = next;
    }
    // Of all together: an archive that is many small bombs is one. A size that deflate cannot reach is a lie, which the
    // entry's reader tells.
    std::int64_t inflated = 0;
    for (auto const &entry : entries)
        if (entry.method != 0 && entry.bytes <= inflatedAtMost(entry.compressedBytes)) inflated += entry.bytes;
    TW_TRY(checkInflated(inflated, archive.name));
    // Entries that share bytes make a small archive inflate to any size: no honest writer makes them.
    std::vector<ZipEntry const *> byOffset;
    for (auto const &entry : entries) byOffset.push_back(&entry);
    std::stable_sort(byOffset.begin(), byOffset.end(), [](auto const *a, auto const *b) { return a->headerOffset < b->headerOffset; });
    for (std::size_t i = 1; i < byOffset.size(); ++i) {
        auto const &before = *byOffset[i - 1];
        if (before.headerOffset + kLocalBytes + before.compressedBytes > byOffset[i]->headerOffset)
            return directoryError(
                archive, byOffset[i]->headerOffset,
                Message::of("the entries %1 and %2 overlap", quotedContent(before.name), quotedContent(byOffset[i]->name)));
    }
    return entries;
}

Result<Source> openZipEntry(Source const &archive, ZipEntry const &entry, JobContext const &job)
{
    auto const fail = [&](Message message) {
        return dataError("data.zip.entry", archive.name + ":" + entry.name + " byte " + std::to_string(entry.headerOffset),
                         std::move(message), Message::of("Download or write the archive again."));
    };
    if (entry.encrypted) return fail(Message::of("the entry is encrypted"));
    auto const size = static_cast<std::int64_t>(archive.size);
    if (size - entry.headerOffset < kLocalBytes || u32(archive, entry.headerOffset) != kLocalSignature)
        return fail(Message::of("the local header is damaged"));
    auto const start = entry.headerOffset + kLocalBytes + u16(archive, entry.headerOffset + 26) + u16(archive, entry.headerOffset + 28);
    if (start > size || entry.compressedBytes > size - start) return fail(Message::of("the entry goes beyond the archive"));
    auto const packed = archive.all().subspan(static_cast<std::size_t>(start), static_cast<std::size_t>(entry.compressedBytes));
    Source content{archive.name, entry.name, {}, static_cast<std::size_t>(entry.bytes), archive.base + start, false};
    if (entry.method == 0) {
        if (entry.bytes != entry.compressedBytes) return fail(Message::of("a stored entry declares two different sizes"));
        content.bytes = std::shared_ptr<std::byte const>(archive.bytes, packed.data());
    } else if (entry.method == 8) {
        if (entry.bytes > inflatedAtMost(entry.compressedBytes))
            return fail(
                Message::of("the entry declares %1 bytes, more than its %2 compressed bytes can hold", entry.bytes, entry.compressedBytes));
        TW_ASSIGN(auto const memory, allocateBytes(entry.bytes, content.fullName()));
        Inflater inflater(packed, Inflater::Form::Raw);
        auto const got = inflater.read({memory.get(), content.size}, job, "reading data");
        std::byte more{};
        auto const beyond = inflater.read({&more, 1}, job, "reading data");
        if (job.cancelled()) return cancelledError(content.fullName());
        if (got != content.size || beyond != 0 || inflater.state() != Inflater::State::End)
            return fail(Message::of("the compressed data are damaged after byte %1 of the content", got));
        content.bytes = memory;
        content.base = 0;
        content.inflated = true;
    } else {
        return dataError("data.zip.entry", content.fullName(), Message::of("the compression method %1 is not supported", entry.method),
                         Message::of("Stored and deflated entries are supported: numpy.savez and savez_compressed write them."));
    }
    constexpr std::size_t kPiece = std::size_t{4} << 20;
    uLong crc = crc32(0, nullptr, 0);
    for (std::size_t at = 0; at < content.size; at += kPiece) {
        if (job.cancelled()) return cancelledError(content.fullName());
        crc = crc32(crc, reinterpret_cast<Bytef const *>(content.bytes.get() + at), static_cast<uInt>(std::min(kPiece, content.size - at)));
    }
    if (crc != entry.crc) return fail(Message::of("the content does not match its CRC-32 checksum"));
    return content;
}

namespace {

void put(std::string &to, std::uint64_t value, int bytes)
{
    for (int i = 0; i < bytes; ++i) to += static_cast<char>((value >> (8 * i)) & 0xff);
}

std::string_view asText(std::span<std::byte const> bytes) { return {reinterpret_cast<char const *>(bytes.data()), bytes.size()}; }

/// Raw deflate of all parts, or nothing when zlib has no memory or the job was cancelled.
std::optional<std::string> deflated(ZipInput const &file, JobContext const &job)
{
    z_stream z{};
    if (deflateInit2(&z, 6, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) != Z_OK) return std::nullopt;
    std::string out;
    std::vector<char> buffer(std::size_t{256} << 10);
    bool good = true;
    auto const pump = [&](std::span<std::byte const> piece, int flush) {
        z.next_in = reinterpret_cast<Bytef *>(const_cast<std::byte *>(piece.data()));
        z.avail_in = static_cast<uInt>(piece.size());
        do {
            z.next_out = reinterpret_cast<Bytef *>(buffer.data());
            z.avail_out = static_cast<uInt>(buffer.size());
            if (::deflate(&z, flush) == Z_STREAM_ERROR) good = false;
            out.append(buffer.data(), buffer.size() - z.avail_out);
        } while (good && z.avail_out == 0);
    };
    constexpr std::size_t kPiece = std::size_t{1} << 20;
    for (auto const part : file.parts) {
        for (std::size_t at = 0; at < part.size() && good; at += kPiece) {
            if (job.cancelled()) good = false;
            else pump(part.subspan(at, std::min(kPiece, part.size() - at)), Z_NO_FLUSH);
        }
    }
    if (good) pump({}, Z_FINISH);
    deflateEnd(&z);
    if (!good) return std::nullopt;
    return out;
}

} // namespace

Status writeZip(std::filesystem::path const &path, std::span<ZipInput const> files, ZipOptions const &options, JobContext const &job)
{
    std::deque<std::string> owned; // views into it must stay valid while it grows
    std::vector<std::string_view> parts;
    std::uint64_t position = 0;
    std::string central;
    auto const append = [&](std::string_view text) {
        parts.push_back(text);
        position += text.size();
    };
    for (auto const &file : files) {
        uLong crc = crc32(0, nullptr, 0);
        std::uint64_t bytes = 0;
        for (auto const part : file.parts) {
            bytes += part.size();
            crc = crc32_z(crc, reinterpret_cast<Bytef const *>(part.data()), part.size());
        }
        std::string const *packed = nullptr;
        if (options.deflate) {
            auto text = deflated(file, job);
            if (job.cancelled()) return cancelledError(path.string());
            if (!text) return dataError("data.memory", path.string(), Message::of("there is not enough memory to compress the archive"));
            packed = &owned.emplace_back(std::move(*text));
        }
        std::uint64_t const compressed = packed ? packed->size() : bytes;
        std::uint64_t const offset = position;
        bool const wideSize = options.forceZip64 || bytes >= kMax32 || compressed >= kMax32;
        bool const wideOffset = options.forceZip64 || offset >= kMax32;
        std::string extra;
        if (wideSize) {
            put(extra, kZip64Extra, 2);
            put(extra, 16, 2);
            put(extra, bytes, 8);
            put(extra, compressed, 8);
        }
        std::string localExtra = extra;
        if (!packed && options.alignment > 1) {
            auto const align = static_cast<std::uint64_t>(options.alignment);
            auto const start = offset + kLocalBytes + file.name.size() + extra.size() + 4;
            auto const padding = (align - start % align) % align;
            put(localExtra, kPaddingExtra, 2);
            put(localExtra, padding, 2);
            localExtra.append(padding, '\0');
        }
        std::string common; // what local and central header share, from "version needed" to the name's length
        put(common, wideSize || wideOffset ? 45 : 20, 2);
        put(common, 0x0800, 2); // names are UTF-8
        put(common, packed ? 8 : 0, 2);
        put(common, 0, 2);
        put(common, kDate1980, 2);
        put(common, crc, 4);
        put(common, wideSize ? kMax32 : compressed, 4);
        put(common, wideSize ? kMax32 : bytes, 4);
        put(common, file.name.size(), 2);

        auto &local = owned.emplace_back();
        put(local, kLocalSignature, 4);
        local += common;
        put(local, localExtra.size(), 2);
        local += file.name + localExtra;
        append(local);
        if (packed) append(*packed);
        else
            for (auto const part : file.parts) append(asText(part));

        if (wideOffset) { // offset joins the sizes in one zip64 field
            std::string field;
            put(field, kZip64Extra, 2);
            put(field, (wideSize ? 16 : 0) + 8, 2);
            field += extra.substr(std::min<std::size_t>(4, extra.size()));
            put(field, offset, 8);
            extra = field;
        }
        put(central, kCentralSignature, 4);
        put(central, 45, 2); // made by: DOS attributes, version 4.5
        central += common;
        put(central, extra.size(), 2);
        central.append(2 + 2 + 2 + 4, '\0'); // comment, disk, attributes
        put(central, wideOffset ? kMax32 : offset, 4);
        central += file.name + extra;
    }
    std::uint64_t const directory = position;
    std::string end;
    bool const wide = options.forceZip64 || files.size() >= 0xffff || directory >= kMax32 || central.size() >= kMax32;
    if (wide) {
        put(end, kEnd64Signature, 4);
        put(end, kEnd64Bytes - 12, 8);
        put(end, 45, 2);
        put(end, 45, 2);
        put(end, 0, 8); // disks
        put(end, files.size(), 8);
        put(end, files.size(), 8);
        put(end, central.size(), 8);
        put(end, directory, 8);
        put(end, kLocator64Signature, 4);
        put(end, 0, 4);
        put(end, directory + central.size(), 8);
        put(end, 1, 4);
    }
    put(end, kEndSignature, 4);
    put(end, 0, 4); // disks
    put(end, std::min<std::uint64_t>(files.size(), 0xffff), 2);
    put(end, std::min<std::uint64_t>(files.size(), 0xffff), 2);
    put(end, wide ? kMax32 : central.size(), 4);
    put(end, wide ? kMax32 : directory, 4);
    put(end, 0, 2); // comment
    append(central);
    append(end);
    if (job.cancelled()) return cancelledError(path.string());
    return writeOutputFile(path, parts, options.sync);
}

} // namespace tilewright::data
