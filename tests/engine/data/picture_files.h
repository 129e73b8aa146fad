#pragma once

#include "tests/engine/data/data_test_support.h"

#include <array>
#include <cstdio>
#include <vector>

#include <jpeglib.h>

namespace tilewright::tests {

/// One chunk of a PNG file.
inline std::string pngChunk(std::string const &type, std::string const &content)
{
    auto const body = type + content;
    auto const crc = crc32(0, reinterpret_cast<Bytef const *>(body.data()), static_cast<uInt>(body.size()));
    return bigEndian(content.size(), 4) + body + bigEndian(crc, 4);
}

/// A PNG file of 8 bits: `channels` 1 (grey), 2 (with alpha), 3 (colours) or 4. Written by hand, so that it is no answer of the library's.
inline std::string pngBytes(int height, int width, int channels, std::vector<std::uint8_t> const &pixels)
{
    constexpr std::array types{0, 0, 4, 2, 6};
    std::string header = bigEndian(static_cast<std::uint64_t>(width), 4) + bigEndian(static_cast<std::uint64_t>(height), 4);
    header += '\x08';
    header += static_cast<char>(types[static_cast<std::size_t>(channels)]);
    header += std::string(3, '\0');
    std::string raw;
    auto const row = static_cast<std::size_t>(width * channels);
    for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y) {
        raw += '\0';
        raw.append(reinterpret_cast<char const *>(pixels.data()) + y * row, row);
    }
    std::string packed(compressBound(raw.size()), '\0');
    auto size = static_cast<uLongf>(packed.size());
    compress(reinterpret_cast<Bytef *>(packed.data()), &size, reinterpret_cast<Bytef const *>(raw.data()), raw.size());
    packed.resize(size);
    return "\x89PNG\r\n\x1a\n" + pngChunk("IHDR", header) + pngChunk("IDAT", packed) + pngChunk("IEND", "");
}

/// A JPEG file of best quality: `channels` 1 or 3.
inline std::string jpegBytes(int height, int width, int channels, std::vector<std::uint8_t> const &pixels, bool progressive = false)
{
    jpeg_error_mgr errors;
    jpeg_compress_struct jpeg;
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    unsigned char *memory = nullptr;
    unsigned long size = 0;
    jpeg_mem_dest(&jpeg, &memory, &size);
    jpeg.image_width = static_cast<JDIMENSION>(width);
    jpeg.image_height = static_cast<JDIMENSION>(height);
    jpeg.input_components = channels;
    jpeg.in_color_space = channels == 3 ? JCS_RGB : JCS_GRAYSCALE;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 100, TRUE);
    if (progressive) jpeg_simple_progression(&jpeg);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        auto *row = const_cast<JSAMPROW>(pixels.data() + jpeg.next_scanline * static_cast<JDIMENSION>(width * channels));
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    std::string text(reinterpret_cast<char const *>(memory), size);
    std::free(memory);
    return text;
}

} // namespace tilewright::tests
