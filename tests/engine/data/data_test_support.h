#pragma once

#include "engine/core/result.h"
#include "engine/data/source.h"

#include <QString>

#include <zlib.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace tilewright::tests {

inline data::Source sourceOf(std::string const &content, std::string name = "memory")
{
    return data::sourceFromMemory(std::move(name), std::as_bytes(std::span(content)));
}

inline void writeBytes(std::filesystem::path const &path, std::string const &content) { std::ofstream(path, std::ios::binary) << content; }

inline std::string bigEndian(std::uint64_t value, int bytes)
{
    std::string text;
    for (int i = bytes - 1; i >= 0; --i) text += static_cast<char>(value >> (8 * i) & 0xff);
    return text;
}

inline std::string idxHeader(int type, std::initializer_list<std::uint32_t> extents)
{
    std::string text = bigEndian(static_cast<std::uint64_t>(type), 3) + static_cast<char>(extents.size());
    for (auto const extent : extents) text += bigEndian(extent, 4);
    return text;
}

inline std::string gzipped(std::string const &content)
{
    z_stream z{};
    deflateInit2(&z, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY);
    std::string out(deflateBound(&z, content.size()) + 64, '\0');
    z.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(content.data()));
    z.avail_in = static_cast<uInt>(content.size());
    z.next_out = reinterpret_cast<Bytef *>(out.data());
    z.avail_out = static_cast<uInt>(out.size());
    deflate(&z, Z_FINISH);
    out.resize(z.total_out);
    deflateEnd(&z);
    return out;
}

/// A .npy file with this dictionary, by default of version 1.
inline std::string npyBytes(std::string const &dictionary, std::string const &payload, int version = 1)
{
    std::string text = "\x93NUMPY";
    text += static_cast<char>(version);
    text += '\0';
    auto const size = dictionary.size();
    for (int i = 0; i < (version == 1 ? 2 : 4); ++i) text += static_cast<char>(size >> (8 * i) & 0xff);
    return text + dictionary + payload;
}

template <typename T> std::string rawBytes(std::initializer_list<T> values)
{
    std::string text;
    for (T const value : values) text.append(reinterpret_cast<char const *>(&value), sizeof value);
    return text;
}

template <typename R> std::string codeOf(R const &result) { return result.ok() ? "" : result.error().code; }

/// True if the error's one-line text contains all `parts`; otherwise prints the text.
template <typename R> bool tells(R const &result, std::initializer_list<std::string_view> parts)
{
    if (result.ok()) return false;
    auto const text = toText(result.error());
    for (auto const part : parts) {
        if (text.find(part) != std::string::npos) continue;
        qWarning("'%s' misses '%s'", text.c_str(), std::string(part).c_str());
        return false;
    }
    return true;
}

/// The folder of shared facts beside the source tree; it can be missing.
inline std::filesystem::path sharedFolder() { return std::filesystem::path(TILEWRIGHT_SOURCE_DIR) / ".." / "shared"; }

} // namespace tilewright::tests
