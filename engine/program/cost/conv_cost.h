#pragma once

#include "engine/program/cost/value_type.h"

#include <array>
#include <string_view>

/// One tile's part of a convolution or of one of its gradients, computed by the vertices of matmul_cost.h.
namespace tilewright::cost {

/// The tensor computed from the two others.
enum class ConvPart { Output, InputGradient, WeightGradient };

/// Sizes on one tile. Channels and filters per group.
struct ConvTile {
    ConvPart part = ConvPart::Output;
    ValueType in = ValueType::F32;       ///< of the operands
    ValueType partials = ValueType::F32; ///< of the sums
    std::int64_t batch = 1;
    std::array<std::int64_t, 3> positions{1, 1, 1}; ///< of the result; for a weight gradient, of y
    std::array<std::int64_t, 3> kernel{1, 1, 1};
    std::array<std::int64_t, 3> stride{1, 1, 1};
    std::int64_t groups = 1, channels = 1, filters = 1;
};

enum class ConvVertex {
    Amp1x1,        ///< ConvPartial1x1Out on copied windows (weight gradients)
    AmpNx1,        ///< ConvPartialnx1
    Slic,          ///< ConvPartial1xNSLIC: f16, strides up to 2, groups of 1, 2 or 4 channels
    HorizontalMac, ///< ConvPartialHorizontalMac
    VerticalMac    ///< ConvPartialVerticalMac: f16, one channel and one filter per group
};
std::string_view toText(ConvVertex vertex);

/// Properties of the machine for these vertices.
struct ConvMachine {
    int units = 16; ///< AMP units for the type
    int weightLoadBytes = 16;
    int inputGroup = 8; ///< channels an AMP takes at once: 8 of f32, 16 of f16
};

/// Whether the vertex exists for these types, groups and strides.
bool canCompute(ConvVertex vertex, ConvTile const &tile);
/// Tile cycles. An input gradient is the convolution of y, spread by the strides, with the reversed kernel, of which ceil(kernel / stride)
/// elements contribute. A weight gradient is the convolution of x and y with the batch as channels (nx1; more channels than the AMP takes
/// at once are regrouped first, at 16 bytes per cycle), or the product of copied windows and y (1x1, with copying at 16 bytes per cycle).
/// Requires: canCompute.
Cycles convVertexCycles(ConvVertex vertex, ConvTile const &tile, ConvMachine const &machine);

/// The part of nx1's cycles for regrouping channels for the AMP; 0 if not needed.
Cycles regroupCycles(ConvTile const &tile, ConvMachine const &machine);

struct ConvChoice {
    ConvVertex vertex = ConvVertex::AmpNx1;
    Cycles cycles = 0;
};
/// The cheapest vertex.
ConvChoice cheapestConvVertex(ConvTile const &tile, ConvMachine const &machine);

} // namespace tilewright::cost
