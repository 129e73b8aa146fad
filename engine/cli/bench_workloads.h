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

/// What the numbers of a benchmark session are.
enum class BenchData {
    Walk,     ///< 60,000 samples of noise, walked in a new order each epoch
    SameStart ///< one batch of the peers' start values: losses are comparable with theirs
};

/// How the peers draw a kernel: columns [first, first + width) of a matrix of Glorot's limits that may be wider than it.
struct DrawnKernel {
    double seed = 1;
    std::int64_t rows = 0, columns = 0; ///< of the matrix that is drawn
    std::int64_t first = 0, width = 0;
};

/// What is trained, and the samples that the peers feed it.
struct BenchWorkload {
    std::string name; ///< of the peer protocol
    std::function<Result<project::Project>()> project;
    Shape sample; ///< of x, without the batch
    std::int64_t batch = 32;
    runtime::Mode mode = runtime::Mode::Fused;
    BenchData data = BenchData::Walk; ///< that its speed is measured with
    bool stepsFirst = false;          ///< the peers number x by steps, then samples
    std::vector<DrawnKernel> kernels; ///< in the order of the model's kernels; empty: seeds 1, 2, 3 …, each a matrix of its own
};
/// mlp, cnn, lstm, transformer, each also with "-tile": on the memories of the tiles.
std::vector<BenchWorkload> const &benchWorkloads();

inline constexpr std::uint64_t kBenchSeed = 7;
/// Samples of `x` and their labels, ten classes.
struct BenchSamples {
    data::DataArray x, y;
};
BenchSamples benchSamples(BenchWorkload const &workload);
/// First value of each weight of the executable, in its order: kernels as the peers draw them, scales of norms 1, the rest 0.
std::vector<std::vector<float>> benchWeights(BenchWorkload const &workload, executable::Executable const &executable);

} // namespace tilewright::cli
