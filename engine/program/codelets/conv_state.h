#pragma once

#include "engine/graph/conv.h"
#include "engine/program/codelets/description.h"
#include "engine/program/cost/conv_cost.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::program {

/// The constant state of a convolution's vertex, kept as the scalars of its family.
struct ConvVertexState {
    cost::ConvPart part = cost::ConvPart::Output;
    int spatial = 2;
    bool grouped = false;          ///< blocks have a dimension for the groups
    std::int64_t halfPartials = 0; ///< inputs between two stores of float16 sums (graph/partial_sums.h); 0: all of the tile's
    std::array<graph::ConvGeometry::Axis, 3> axes{};

    ConvVertexState() = default;
    explicit ConvVertexState(std::span<double const> scalars);
    std::vector<double> scalars() const;
};

/// The codelet of a vertex: "ConvPartialnx1", ….
std::string convCodelet(cost::ConvVertex vertex);
/// Sizes of a vertex as its formulas want them.
cost::ConvTile convTile(VertexShape const &shape);
/// A vertex of those sizes: the way back. Types that no tensor has are stored as wide.
SizedVertex convVertex(cost::ConvTile const &tile);
cost::ConvMachine convMachine(target::Chip const &chip, DType in);

} // namespace tilewright::program
