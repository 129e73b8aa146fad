#include "engine/program/codelets/conv_state.h"

#include "engine/program/codelets/description_parts.h"

namespace tilewright::program {

ConvVertexState::ConvVertexState(std::span<double const> scalars)
{
    TW_CHECK(scalars.size() == 21 || scalars.size() == 22, "state of a convolution's vertex");
    part = static_cast<cost::ConvPart>(static_cast<int>(scalars[0]));
    spatial = static_cast<int>(scalars[1]);
    grouped = scalars[2] != 0;
    auto const *at = scalars.data() + 3;
    for (auto &axis : axes)
        for (auto *number : {&axis.in, &axis.kernel, &axis.out, &axis.stride, &axis.dilation, &axis.before})
            *number = static_cast<std::int64_t>(*at++);
    if (scalars.size() > 21) halfPartials = static_cast<std::int64_t>(*at);
}

std::vector<double> ConvVertexState::scalars() const
{
    std::vector<double> all{static_cast<double>(part), static_cast<double>(spatial), grouped ? 1.0 : 0.0};
    for (auto const &axis : axes)
        for (auto number : {axis.in, axis.kernel, axis.out, axis.stride, axis.dilation, axis.before})
            all.push_back(static_cast<double>(number));
    if (halfPartials > 0) all.push_back(static_cast<double>(halfPartials));
    return all;
}

std::string convCodelet(cost::ConvVertex vertex)
{
    switch (vertex) {
    case cost::ConvVertex::Amp1x1: return "ConvPartial1x1Windows";
    case cost::ConvVertex::AmpNx1: return "ConvPartialnx1";
    case cost::ConvVertex::Slic: return "ConvPartial1xNSLIC";
    case cost::ConvVertex::HorizontalMac: return "ConvPartialHorizontalMacNx1";
    case cost::ConvVertex::VerticalMac: return "ConvPartialVerticalMac";
    }
    return {};
}

cost::ConvTile convTile(VertexShape const &shape)
{
    ConvVertexState const state(shape.scalars);
    cost::ConvTile tile;
    tile.part = state.part;
    tile.partials = shape.fields[0].dtype;
    tile.in = shape.fields[1].dtype;
    bool const weights = state.part == cost::ConvPart::WeightGradient;
    // Positions of the result, or of y if the result is the kernel.
    auto const &positions = shape.fields[weights ? 2 : 0];
    auto const &kernel = shape.fields[weights ? 0 : 2];
    tile.batch = positions.size[0];
    for (int i = 0; i < state.spatial; ++i) {
        auto const at = static_cast<std::size_t>(3 - state.spatial + i);
        tile.positions[at] = positions.size[static_cast<std::size_t>(1 + i)];
        tile.kernel[at] = state.axes[at].kernel;
        tile.stride[at] = state.axes[at].stride;
    }
    // Only part of the kernel's elements.
    if (kernel.size[0] < tile.kernel[0] * tile.kernel[1] * tile.kernel[2]) tile.kernel = {1, 1, kernel.size[0]};
    tile.channels = kernel.size[1];
    tile.groups = state.grouped ? kernel.size[2] : 1;
    tile.filters = kernel.size[static_cast<std::size_t>(kernel.rank) - 1];
    return tile;
}

SizedVertex convVertex(cost::ConvTile const &t)
{
    ConvVertexState state;
    state.part = t.part;
    state.spatial = 3;
    state.grouped = true;
    std::array<std::int64_t, 3> read{}; // positions of the operand over which the windows slide
    for (std::size_t i = 0; i < 3; ++i) {
        read[i] = (t.positions[i] - 1) * t.stride[i] + t.kernel[i];
        state.axes[i] = {.in = read[i], .kernel = t.kernel[i], .out = t.positions[i], .stride = t.stride[i]};
    }
    auto const field = [&](cost::ValueType type, std::array<std::int64_t, 3> const &at, std::int64_t channels) {
        return blockField(storageType(type), {t.batch, at[0], at[1], at[2], t.groups, channels});
    };
    bool const weights = t.part == cost::ConvPart::WeightGradient;
    auto const kernel =
        blockField(storageType(weights ? t.partials : t.in), {t.kernel[0] * t.kernel[1] * t.kernel[2], t.channels, t.groups, t.filters});
    auto const x = field(t.in, read, t.channels), y = field(weights ? t.in : t.partials, t.positions, t.filters);
    if (weights) return {{kernel, x, y}, state.scalars()};
    return {{y, x, kernel}, state.scalars()};
}

cost::ConvMachine convMachine(target::Chip const &chip, DType in)
{
    return {chip.convUnits(in), chip.weightLoadBytes, chip.convInputGroup(in)};
}

} // namespace tilewright::program
