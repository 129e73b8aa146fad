#pragma once

#include "engine/core/result.h"
#include "engine/data/tensor_data.h"
#include "engine/project/project.h"
#include "engine/runtime/session.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tilewright::cli {

/// Data of a benchmark session.
enum class BenchData {
    Walk,     ///< 60,000 samples of noise, shuffled each epoch
    SameStart ///< one batch of the peers' start values, so that losses can be compared
};

/// A kernel as the peers draw it: columns [first, first + width) of a matrix with Glorot's limits, which may be wider.
struct DrawnKernel {
    double seed = 1;
    std::int64_t rows = 0, columns = 0; ///< of the drawn matrix
    std::int64_t first = 0, width = 0;
};

/// The trained model, and the samples of the peers.
struct BenchWorkload {
    std::string name; ///< in the peer protocol
    std::function<Result<project::Project>()> project;
    Shape sample; ///< of x, without the batch
    std::int64_t batch = 32;
    runtime::Mode mode = runtime::Mode::Fused;
    BenchData data = BenchData::Walk; ///< for measuring its speed
    bool stepsFirst = false;          ///< the peers order x by steps, then samples
    std::vector<DrawnKernel> kernels; ///< in the order of the model's kernels; empty: seeds 1, 2, 3 …, one matrix each
};
/// mlp, cnn, lstm, transformer; each also with "-tile" for tile mode.
std::vector<BenchWorkload> const &benchWorkloads();

inline constexpr std::uint64_t kBenchSeed = 7;
/// Samples of `x` and their labels, ten classes.
struct BenchSamples {
    data::DataArray x, y;
};
BenchSamples benchSamples(BenchWorkload const &workload);
/// Initial values of the entry's weights, in order: kernels as drawn by the peers, scales of norms 1, all others 0.
std::vector<std::vector<float>> benchWeights(BenchWorkload const &workload, executable::Entry const &entry);

} // namespace tilewright::cli
