#pragma once

#include "engine/core/types.h"

#include <utility>
#include <vector>

/// published_measurements M1a, M1b, M2a, M2b (PopSparse paper): [size,size] x [size,batch] on one Bow IPU.
namespace tilewright::calibration {

struct Set {
    char const *name;
    std::int64_t size;
    DType type;
    std::vector<std::pair<std::int64_t, double>> points; ///< batch, measured TFLOP/s
};

inline std::vector<Set> publishedProducts()
{
    return {
        {"M1a f16 1024",
         1024,
         DType::F16,
         {{4, 6.2}, {16, 20.6}, {64, 45.8}, {256, 89.4}, {1024, 120.6}, {2048, 154}, {4096, 181}, {8192, 206}, {16384, 223}, {32768, 223}}},
        {"M1b f16 4096", 4096, DType::F16, {{4, 18.5}, {16, 61.8}, {64, 130.7}, {256, 175.5}, {1024, 207}, {2048, 222}, {4096, 229}}},
        {"M2a f32 2048",
         2048,
         DType::F32,
         {{4, 5.7},
          {8, 10.3},
          {16, 18.1},
          {32, 26.1},
          {64, 34.3},
          {128, 39.4},
          {256, 44.8},
          {512, 49.9},
          {1024, 52.6},
          {2048, 57},
          {4096, 58.5},
          {8192, 60.1}}},
        {"M2b f32 8192", 8192, DType::F32, {{4, 7.7}, {8, 13.9}, {16, 24.9}, {32, 36.2}, {64, 48.5}, {128, 49.9}, {256, 55.5}, {1024, 54}}},
    };
}

} // namespace tilewright::calibration
