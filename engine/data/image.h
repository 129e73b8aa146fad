#pragma once

#include "engine/core/result.h"
#include "engine/data/source.h"

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

namespace tilewright::data {

/// Size of a picture file, from its header.
struct ImageSize {
    std::int64_t height = 0, width = 0;
    bool coloured = false; ///< false: shades of grey
};

/// Pixels of a picture: height × width × channels bytes, row-major. An alpha channel is left out, 16 bits keep their upper byte.
struct Image {
    std::int64_t height = 0, width = 0;
    int channels = 0; ///< 1 or 3
    std::vector<std::uint8_t> pixels;
};

/// Whether the name ends as that of a PNG or JPEG file.
bool isImageName(std::filesystem::path const &path);

/// Reads the header of a PNG or JPEG file; the content decides which. Error Data "data.image": no such file, damaged, or larger than its
/// bytes can hold.
Result<ImageSize> readImageSize(Source const &source);
/// Decodes the whole picture as grey (`channels` 1, by the weights of Rec. 601) or as red, green and blue (3). Error "data.image"; a
/// picture that ends early or has a wrong checksum is damaged.
Result<Image> decodeImage(Source const &source, int channels);

/// Scales an image by bilinear interpolation between the centres of pixels, without smoothing, as Keras does. Values are rounded.
Image resized(Image const &image, std::int64_t height, std::int64_t width);

} // namespace tilewright::data
