#pragma once

#include "engine/core/job_context.h"
#include "engine/data/dataset.h"

#include <cstdint>
#include <span>

namespace tilewright::data {

inline constexpr std::int64_t kDigitSide = 28; ///< of an image, in pixels

struct DigitOptions {
    std::uint64_t seed = 1;
    std::int64_t trainCount = 60000;
    std::int64_t testCount = 10000;
    int threads = 0; ///< of generateDigits; 0: all of the machine
};

/// The embedded data set: 28 × 28 images of handwritten-looking digits, uint8 [count, 28, 28] (0 is paper, 255 ink), with uint8 labels; ten
/// equally frequent classes in random order. Strokes have random affine and elastic distortion, varying pen, blur and noise. The same seed
/// gives the same bytes on any number of threads and any processor. A smaller count gives the beginning of a larger one. Images are drawn
/// on request. Errors: "data.memory", "data.digits.count" (negative, or above 100 million).
Result<Dataset> digitsOnDemand(DigitOptions const &options);
/// The same, drawn immediately. Errors: also cancelled.
Result<Dataset> generateDigits(DigitOptions const &options, JobContext const &job);

/// Draws sample number `index` of a stream into 784 bytes. Requires: 0 <= digit < 10.
void drawDigit(std::uint64_t streamSeed, std::uint64_t index, int digit, std::span<std::uint8_t, 784> image);

} // namespace tilewright::data
