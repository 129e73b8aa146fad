#include "engine/data/image.h"

#include "engine/core/ascii.h"
#include "engine/core/limits.h"
#include "engine/data/tensor_data.h"

#include <algorithm>
#include <cmath>
#include <csetjmp>
#include <cstdio>
#include <cstring>
#include <string>

#include <jpeglib.h>
#include <jerror.h>
#include <png.h>

namespace tilewright::data {

namespace {

constexpr std::int64_t kLongestSide = 1 << 20;

/// The last words of a library, and the way out of it. Both libraries leave by longjmp: functions between it and setjmp hold no objects
/// with destructors.
struct Way {
    std::jmp_buf out;
    char why[200] = "the library gives no reason";
};

Diagnostic imageError(Source const &source, Message why)
{
    return dataError("data.image", source.fullName(), Message::of("the picture cannot be read: %1", std::move(why)),
                     Message::of("Repair or remove the file, or set data.damaged to skip."));
}

/// An error if the picture is larger than a file of that many bytes can be, or than the limit allows.
Status checkSize(Source const &source, std::int64_t height, std::int64_t width, int channels)
{
    if (height < 1 || width < 1 || height > kLongestSide || width > kLongestSide)
        return imageError(source, Message::of("its size is %1", toText(Shape{height, width})));
    auto const elements = height * width * channels;
    if (elements > inflatedAtMost(static_cast<std::int64_t>(source.size)))
        return imageError(source, Message::of("a file of %1 bytes cannot hold %2", source.size, toText(Shape{height, width, channels})));
    return checkElements({height, width, channels}, source.fullName());
}

// --- PNG ------------------------------------------------------------------------------------------------

struct PngBytes {
    std::byte const *at = nullptr;
    std::size_t left = 0;
};

void pngFailed(png_structp png, png_const_charp why)
{
    auto *way = static_cast<Way *>(png_get_error_ptr(png));
    std::snprintf(way->why, sizeof way->why, "%s", why);
    std::longjmp(way->out, 1);
}

void pngWarned(png_structp, png_const_charp) {}

void pngRead(png_structp png, png_bytep to, png_size_t count)
{
    auto *bytes = static_cast<PngBytes *>(png_get_io_ptr(png));
    if (bytes->left < count) png_error(png, "the file ends early");
    std::memcpy(to, bytes->at, count);
    bytes->at += count;
    bytes->left -= count;
}

struct PngReader {
    Way way;
    PngBytes bytes;
    png_structp png = nullptr;
    png_infop info = nullptr;
    png_uint_32 width = 0, height = 0;
    int coloured = 0, channels = 0;

    explicit PngReader(Source const &source) : bytes{source.bytes.get(), source.size} {}
    ~PngReader() { png_destroy_read_struct(&png, &info, nullptr); }
    PngReader(PngReader const &) = delete;
    PngReader &operator=(PngReader const &) = delete;

    /// Reads the header. False: `way` says why not.
    bool begin()
    {
        if (setjmp(way.out) != 0) return false;
        png = png_create_read_struct(PNG_LIBPNG_VER_STRING, &way, pngFailed, pngWarned);
        info = png ? png_create_info_struct(png) : nullptr;
        if (!info) return false;
        png_set_user_limits(png, kLongestSide, kLongestSide);
        png_set_chunk_malloc_max(png, 8'000'000);
        png_set_read_fn(png, &bytes, pngRead);
        png_read_info(png, info);
        width = png_get_image_width(png, info);
        height = png_get_image_height(png, info);
        coloured = (png_get_color_type(png, info) & PNG_COLOR_MASK_COLOR) != 0;
        return true;
    }
    /// Reads the pixels as grey or as red, green and blue. Requires: begin(), and rows of width × (coloured ? 3 : 1) bytes.
    bool read(std::uint8_t **rows)
    {
        if (setjmp(way.out) != 0) return false;
        png_set_strip_16(png);
        png_set_expand(png); // palettes and fewer than 8 bits
        png_set_strip_alpha(png);
        (void)png_set_interlace_handling(png);
        png_read_update_info(png, info);
        channels = png_get_channels(png, info);
        if (channels != (coloured ? 3 : 1)
            || png_get_rowbytes(png, info) != static_cast<png_size_t>(width) * static_cast<png_size_t>(channels))
            png_error(png, "its pixels have an unknown form");
        png_read_image(png, rows);
        png_read_end(png, nullptr);
        return true;
    }
};

// --- JPEG -----------------------------------------------------------------------------------------------

struct JpegErrors {
    jpeg_error_mgr base;
    Way way;
};

void jpegFailed(j_common_ptr jpeg)
{
    auto *errors = reinterpret_cast<JpegErrors *>(jpeg->err);
    char text[JMSG_LENGTH_MAX];
    jpeg->err->format_message(jpeg, text);
    std::snprintf(errors->way.why, sizeof errors->way.why, "%s", text);
    std::longjmp(errors->way.out, 1);
}

/// The library goes on after a warning and invents the missing pixels. Bytes between two markers are harmless.
void jpegTold(j_common_ptr jpeg, int level)
{
    if (level < 0 && jpeg->err->msg_code != JWRN_EXTRANEOUS_DATA) jpegFailed(jpeg);
}

void jpegSilent(j_common_ptr) {}

/// A small file can hold a scan of a large picture many thousand times.
void jpegAdvanced(j_common_ptr jpeg)
{
    constexpr int kMostScans = 500;
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number <= kMostScans) return;
    auto *errors = reinterpret_cast<JpegErrors *>(jpeg->err);
    std::snprintf(errors->way.why, sizeof errors->way.why, "it has more than %d scans", kMostScans);
    std::longjmp(errors->way.out, 1);
}

struct JpegReader {
    JpegErrors errors{};
    jpeg_decompress_struct jpeg{};
    jpeg_progress_mgr progress{};
    Source const &source;
    bool made = false;

    explicit JpegReader(Source const &from) : source(from) {}
    ~JpegReader()
    {
        if (made) jpeg_destroy_decompress(&jpeg);
    }
    JpegReader(JpegReader const &) = delete;
    JpegReader &operator=(JpegReader const &) = delete;

    bool begin()
    {
        jpeg.err = jpeg_std_error(&errors.base);
        errors.base.error_exit = jpegFailed;
        errors.base.emit_message = jpegTold;
        errors.base.output_message = jpegSilent;
        if (setjmp(errors.way.out) != 0) return false;
        jpeg_create_decompress(&jpeg);
        made = true;
        progress.progress_monitor = jpegAdvanced;
        jpeg.progress = &progress;
        jpeg_mem_src(&jpeg, reinterpret_cast<unsigned char const *>(source.bytes.get()), static_cast<unsigned long>(source.size));
        jpeg_read_header(&jpeg, TRUE);
        return true;
    }
    bool coloured() const { return jpeg.num_components != 1; }
    /// Requires: begin(), and height × width × (coloured ? 3 : 1) bytes.
    bool read(std::uint8_t *pixels)
    {
        if (setjmp(errors.way.out) != 0) return false;
        jpeg.out_color_space = coloured() ? JCS_RGB : JCS_GRAYSCALE;
        jpeg_start_decompress(&jpeg);
        auto const row = static_cast<std::size_t>(jpeg.output_width) * static_cast<std::size_t>(jpeg.output_components);
        while (jpeg.output_scanline < jpeg.output_height) {
            JSAMPROW line = pixels + jpeg.output_scanline * row;
            jpeg_read_scanlines(&jpeg, &line, 1);
        }
        jpeg_finish_decompress(&jpeg);
        return true;
    }
};

bool startsWith(Source const &source, std::string_view mark)
{
    return source.size >= mark.size() && std::memcmp(source.bytes.get(), mark.data(), mark.size()) == 0;
}

bool isPng(Source const &source) { return startsWith(source, "\x89PNG\r\n\x1a\n"); }
bool isJpeg(Source const &source) { return startsWith(source, "\xff\xd8\xff"); }

Diagnostic unknownPicture(Source const &source) { return imageError(source, Message::of("it is neither PNG nor JPEG")); }

/// Pillow's conversion to grey.
std::uint8_t greyOf(std::uint8_t const *rgb)
{
    return static_cast<std::uint8_t>((19595u * rgb[0] + 38470u * rgb[1] + 7471u * rgb[2] + 0x8000u) >> 16);
}

Image withChannels(Image image, int channels)
{
    if (image.channels == channels) return image;
    auto const count = static_cast<std::size_t>(image.height * image.width);
    std::vector<std::uint8_t> pixels(count * static_cast<std::size_t>(channels));
    for (std::size_t i = 0; i < count; ++i) {
        if (channels == 1) pixels[i] = greyOf(&image.pixels[3 * i]);
        else std::fill_n(&pixels[3 * i], 3, image.pixels[i]);
    }
    return {image.height, image.width, channels, std::move(pixels)};
}

} // namespace

bool isImageName(std::filesystem::path const &path)
{
    auto ending = path.extension().string();
    for (auto &c : ending) c = asciiLower(c);
    return ending == ".png" || ending == ".jpg" || ending == ".jpeg";
}

Result<ImageSize> readImageSize(Source const &source)
{
    ImageSize size;
    if (isPng(source)) {
        PngReader reader(source);
        if (!reader.begin()) return imageError(source, Message(std::string(reader.way.why)));
        size = {reader.height, reader.width, reader.coloured != 0};
    } else if (isJpeg(source)) {
        JpegReader reader(source);
        if (!reader.begin()) return imageError(source, Message(std::string(reader.errors.way.why)));
        size = {reader.jpeg.image_height, reader.jpeg.image_width, reader.coloured()};
    } else {
        return unknownPicture(source);
    }
    TW_TRY(checkSize(source, size.height, size.width, size.coloured ? 3 : 1));
    return size;
}

Result<Image> decodeImage(Source const &source, int channels)
{
    Image image;
    auto const make = [&](std::int64_t height, std::int64_t width, bool coloured) -> Status {
        TW_TRY(checkSize(source, height, width, coloured ? 3 : 1));
        image = {height, width, coloured ? 3 : 1, std::vector<std::uint8_t>(static_cast<std::size_t>(height * width * (coloured ? 3 : 1)))};
        return {};
    };
    if (isPng(source)) {
        PngReader reader(source);
        if (!reader.begin()) return imageError(source, Message(std::string(reader.way.why)));
        TW_TRY(make(reader.height, reader.width, reader.coloured != 0));
        std::vector<std::uint8_t *> rows(reader.height);
        for (std::size_t y = 0; y < rows.size(); ++y)
            rows[y] = image.pixels.data() + y * static_cast<std::size_t>(image.width) * static_cast<std::size_t>(image.channels);
        if (!reader.read(rows.data())) return imageError(source, Message(std::string(reader.way.why)));
    } else if (isJpeg(source)) {
        JpegReader reader(source);
        if (!reader.begin()) return imageError(source, Message(std::string(reader.errors.way.why)));
        TW_TRY(make(reader.jpeg.image_height, reader.jpeg.image_width, reader.coloured()));
        if (!reader.read(image.pixels.data())) return imageError(source, Message(std::string(reader.errors.way.why)));
    } else {
        return unknownPicture(source);
    }
    return withChannels(std::move(image), channels);
}

Image resized(Image const &image, std::int64_t height, std::int64_t width)
{
    if (image.height == height && image.width == width) return image;
    struct Between {
        std::size_t low, high;
        float share; ///< of high
    };
    auto const places = [](std::int64_t from, std::int64_t to) {
        std::vector<Between> all;
        auto const scale = static_cast<float>(from) / static_cast<float>(to);
        for (std::int64_t i = 0; i < to; ++i) {
            float const at = (static_cast<float>(i) + 0.5f) * scale - 0.5f, floor = std::floor(at);
            auto const low = static_cast<std::int64_t>(floor);
            all.push_back({static_cast<std::size_t>(std::clamp<std::int64_t>(low, 0, from - 1)),
                           static_cast<std::size_t>(std::clamp<std::int64_t>(low + 1, 0, from - 1)), at - floor});
        }
        return all;
    };
    auto const rows = places(image.height, height), columns = places(image.width, width);
    auto const channels = static_cast<std::size_t>(image.channels), stride = static_cast<std::size_t>(image.width) * channels;
    Image out{height, width, image.channels, {}};
    out.pixels.reserve(rows.size() * columns.size() * channels);
    for (auto const &row : rows)
        for (auto const &column : columns)
            for (std::size_t c = 0; c < channels; ++c) {
                auto const pixel = [&](std::size_t y, std::size_t x) {
                    return static_cast<float>(image.pixels[y * stride + x * channels + c]);
                };
                float const top = pixel(row.low, column.low) + (pixel(row.low, column.high) - pixel(row.low, column.low)) * column.share;
                float const bottom =
                    pixel(row.high, column.low) + (pixel(row.high, column.high) - pixel(row.high, column.low)) * column.share;
                out.pixels.push_back(static_cast<std::uint8_t>(top + (bottom - top) * row.share + 0.5f));
            }
    return out;
}

} // namespace tilewright::data
