#pragma once

#include "engine/graph/graph.h"
#include "engine/kernels/kernel.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace tilewright::runtime {

/// Random errors as large as those of another order of additions. verify uses them to measure the effect of rounding on each tensor of a
/// model: where addends cancel, an error in the last bit of a sum is a large part of the result.
class SumNoise {
public:
    /// Starts the noise of the following runs. Equal seeds give equal noise.
    void begin(std::uint64_t seed)
    {
        m_seed = seed;
        m_drawn = 0;
    }

    /// Multiplies each element by 1 + e. float32: e is uniform within half a unit in the last place times the root of `addends`, the
    /// standard deviation of a sum of so many. float16: one unit in the last place up, down or unchanged. Other types do not change.
    void perturb(kernels::HostTensor const &tensor, double addends);

private:
    std::uint64_t m_seed = 0, m_drawn = 0;
};

/// Approximate number of addends of an element of the node's result; nullopt if its kernel computes no sums.
std::optional<double> addendsOf(graph::Graph const &graph, graph::Node const &node);

/// The kernel with noise: perturbs its addends before it runs, restores them afterwards, and perturbs its results.
/// Requires: `noise` outlives the returned kernel.
kernels::Prepared withNoise(kernels::Prepared kernel, graph::Node const &node, double addends, std::vector<kernels::HostTensor> inputs,
                            std::vector<kernels::HostTensor> outputs, SumNoise &noise);

} // namespace tilewright::runtime
