#pragma once

#include "engine/graph/conv.h"
#include "engine/program/codelets/description.h"
#include "engine/program/cost/conv_cost.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::program {

/// The constant state of a convolution vertex, stored as scalars of its family.
struct ConvVertexState {
    cost::ConvPart part = cost::ConvPart::Output;
    int spatial = 2;
    bool grouped = false;          ///< blocks have a dimension for the groups
    std::int64_t halfPartials = 0; ///< inputs between two float16 stores (graph/partial_sums.h); 0: all inputs of the tile
    std::array<graph::ConvGeometry::Axis, 3> axes{};

    ConvVertexState() = default;
    explicit ConvVertexState(std::span<double const> scalars);
    std::vector<double> scalars() const;
};

/// The codelet of a vertex: "ConvPartialnx1", ….
std::string convCodelet(cost::ConvVertex vertex);
/// Sizes of a vertex for the cost formulas.
cost::ConvTile convTile(VertexShape const &shape);
/// A vertex with those sizes. Types without a tensor type use one of equal width.
SizedVertex convVertex(cost::ConvTile const &tile);
cost::ConvMachine convMachine(target::Chip const &chip, DType in);

} // namespace tilewright::program
