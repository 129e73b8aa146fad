#pragma once

#include "engine/graph/graph.h"
#include "engine/kernels/kernel.h"

#include <cstdint>
#include <memory>
#include <optional>

namespace tilewright::runtime {

/// Random errors of the size that another order of additions makes. verify measures with them what the rounding of sums does to each
/// tensor of a model: where addends cancel, a difference in the last bit of a sum is a large part of what is left.
class SumNoise {
public:
    /// The noise of the runs that follow. Equal seeds give equal noise.
    void begin(std::uint64_t seed)
    {
        m_seed = seed;
        m_drawn = 0;
    }

    /// Multiplies each element by 1 + e. float32: e is uniform within half a unit in the last place times the root of `addends`, the
    /// standard deviation of a sum of so many. float16: up or down by one unit in the last place, or as it is. Other types stay.
    void perturb(kernels::HostTensor const &tensor, double addends);

private:
    std::uint64_t m_seed = 0, m_drawn = 0;
};

/// How many addends an element of the node's result has, roughly; nothing if its kernel adds nothing up.
std::optional<double> addendsOf(graph::Graph const &graph, graph::Node const &node);

/// The kernel with noise: its addends are perturbed before it runs and restored behind it, its results are perturbed.
/// `noise` outlives what is returned.
kernels::Prepared withNoise(kernels::Prepared kernel, graph::Node const &node, double addends, std::vector<kernels::HostTensor> inputs,
                            std::vector<kernels::HostTensor> outputs, SumNoise &noise);

} // namespace tilewright::runtime
