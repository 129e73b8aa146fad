#pragma once

#include "engine/graph/op_table.h"

namespace tilewright::graph {

/// Rounding of a node's results when they are stored as float16: the attribute `rounding`, which the pass `precision` writes from
/// ipu_config.floating_point_behaviour.esr.
enum class Rounding : std::uint8_t {
    Nearest,        ///< ties to even; no attribute
    Stochastic,     ///< "stochastic": each replica draws its own bits
    StochasticAlike ///< "stochastic_alike": all replicas compute the same value and draw the same bits
};
Rounding roundingOf(Node const &node);
void setRounding(Node &node, Rounding rounding);
AttrSpec roundingAttribute();

} // namespace tilewright::graph
