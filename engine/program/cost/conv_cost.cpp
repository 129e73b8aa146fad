#include "engine/program/cost/conv_cost.h"

#include "engine/program/cost/matmul_cost.h"

#include <algorithm>

namespace tilewright::cost {

namespace {

/// The tile's part as a convolution: rows of positions, summed dimensions, outputs.
struct Shape {
    std::int64_t rows, width, kernelOuter, kernelHigh, kernelInner, inputs, outputs;
};

Shape shapeOf(ConvTile const &t)
{
    switch (t.part) {
    case ConvPart::Output:
        return {t.batch * t.positions[0] * t.positions[1], t.positions[2], t.kernel[0], t.kernel[1], t.kernel[2], t.channels, t.filters};
    case ConvPart::InputGradient:
        return {t.batch * t.positions[0] * t.positions[1],
                t.positions[2],
                ceilDiv(t.kernel[0], t.stride[0]),
                ceilDiv(t.kernel[1], t.stride[1]),
                ceilDiv(t.kernel[2], t.stride[2]),
                t.filters,
                t.channels};
    case ConvPart::WeightGradient:
        return {t.channels * t.kernel[0] * t.kernel[1], t.kernel[2], t.positions[0], t.positions[1], t.positions[2], t.batch, t.filters};
    }
    return {};
}

Cycles nx1Cycles(ConvTile const &t, ConvMachine const &machine)
{
    Shape const s = shapeOf(t);
    Cycles best = 0;
    // With few channels the AMP has room for several rows of the kernel.
    for (int height : {1, 2, 4}) {
        int const inputsPerGroup = machine.inputGroup / height;
        if (height > 1 && (s.kernelHigh == 1 || s.inputs > inputsPerGroup)) continue;
        ConvNx1Params p;
        p.in = t.in;
        p.partials = t.partials;
        p.rows = s.rows;
        p.width = s.width;
        p.kernelOuter = s.kernelOuter * ceilDiv(s.kernelHigh, std::int64_t{height});
        p.kernelInner = s.kernelInner;
        p.filterHeight = height;
        p.convGroups = t.groups;
        p.inGroups = ceilDiv(s.inputs, std::int64_t{inputsPerGroup});
        p.outGroups = ceilDiv(s.outputs, std::int64_t{machine.units});
        p.outChansPerGroup = machine.units;
        p.convUnits = machine.units;
        p.weightBytesPerUnit = static_cast<int>(machine.inputGroup * t.in.bytes());
        p.weightLoadBytes = machine.weightLoadBytes;
        Cycles const cycles = convNx1Cycles(p);
        best = best == 0 ? cycles : std::min(best, cycles);
    }
    return best;
}

Cycles windowsCycles(ConvTile const &t, ConvMachine const &machine)
{
    std::int64_t const summed = t.batch * t.positions[0] * t.positions[1] * t.positions[2];
    std::int64_t const rows = t.kernel[0] * t.kernel[1] * t.kernel[2] * t.channels;
    Conv1x1Params p;
    p.in = t.in;
    p.partials = t.partials;
    p.positions = rows;
    p.convGroups = t.groups;
    p.inGroups = ceilDiv(summed, std::int64_t{machine.inputGroup});
    p.outGroups = ceilDiv(t.filters, std::int64_t{machine.units});
    p.outChansPerGroup = machine.units;
    p.convUnits = machine.units;
    p.weightBytesPerUnit = static_cast<int>(machine.inputGroup * t.in.bytes());
    p.weightLoadBytes = machine.weightLoadBytes;
    return conv1x1Cycles(p) + t.groups * rows * summed * t.in.bytes() / 16;
}

Cycles slicVertexCycles(ConvTile const &t)
{
    Shape const s = shapeOf(t);
    SlicParams p;
    p.in = t.in;
    p.partials = t.partials;
    p.rows = s.rows;
    p.width = s.width;
    p.outputStride = static_cast<int>(t.part == ConvPart::Output ? t.stride[2] : 1);
    std::int64_t const wide = std::max(s.inputs, s.outputs);
    // Contiguous channels per group, four in all.
    p.chansPerGroup = wide <= 1 ? 1 : wide <= 2 ? 2 : 4;
    p.convGroupsPerGroup = 4 / p.chansPerGroup;
    p.subKernels = s.kernelOuter * s.kernelHigh * ceilDiv(s.kernelInner, std::int64_t{4});
    std::int64_t const pairs = ceilDiv(s.inputs, std::int64_t{p.chansPerGroup}) * ceilDiv(s.outputs, std::int64_t{p.chansPerGroup});
    p.convGroupGroups = ceilDiv(t.groups, std::int64_t{p.convGroupsPerGroup}) * pairs;
    return slicCycles(p);
}

Cycles horizontalCycles(ConvTile const &t)
{
    Shape const s = shapeOf(t);
    HorizontalMacParams p;
    p.in = t.in;
    p.partials = t.partials;
    p.rows = s.rows;
    p.width = s.width;
    p.kernelElements = s.kernelOuter * s.kernelHigh * s.kernelInner;
    p.inChansPerGroup = s.inputs;
    p.outChansPerGroup = s.outputs;
    p.convGroups = t.groups;
    return horizontalMacCycles(p);
}

Cycles verticalCycles(ConvTile const &t)
{
    Shape const s = shapeOf(t);
    VerticalMacParams p;
    p.partials = t.partials;
    p.convGroupsPerGroup = t.groups >= 16 ? 16 : t.groups >= 8 ? 8 : 4;
    p.rowsPerWorker = ceilDiv(s.rows * s.width * s.kernelOuter * s.kernelHigh, kWorkers);
    p.kernelWidth = s.kernelInner;
    p.outElements = s.rows * s.width * p.convGroupsPerGroup;
    p.convGroups = ceilDiv(t.groups, std::int64_t{p.convGroupsPerGroup});
    return verticalMacCycles(p);
}

} // namespace

std::string_view toText(ConvVertex vertex)
{
    switch (vertex) {
    case ConvVertex::Amp1x1: return "1x1";
    case ConvVertex::AmpNx1: return "nx1";
    case ConvVertex::Slic: return "slic";
    case ConvVertex::HorizontalMac: return "horizontal_mac";
    case ConvVertex::VerticalMac: return "vertical_mac";
    }
    return "";
}

bool canCompute(ConvVertex vertex, ConvTile const &t)
{
    bool const weights = t.part == ConvPart::WeightGradient;
    switch (vertex) {
    case ConvVertex::Amp1x1: return weights;
    case ConvVertex::AmpNx1:
    case ConvVertex::HorizontalMac: return true;
    case ConvVertex::Slic:
        return !weights && t.in == ValueType::F16 && std::ranges::all_of(t.stride, [](auto s) { return s <= 2; })
            && (t.groups == 1 || std::max(t.channels, t.filters) <= 4);
    case ConvVertex::VerticalMac: return !weights && t.in == ValueType::F16 && t.channels == 1 && t.filters == 1;
    }
    return false;
}

Cycles regroupCycles(ConvTile const &t, ConvMachine const &machine)
{
    if (t.part == ConvPart::WeightGradient) return 0;
    bool const output = t.part == ConvPart::Output;
    std::int64_t const inputs = output ? t.channels : t.filters;
    if (inputs <= machine.inputGroup) return 0;
    std::int64_t elements = t.batch * inputs * t.groups;
    for (std::size_t i = 0; i < 3; ++i)
        elements *= output ? (t.positions[i] - 1) * t.stride[i] + t.kernel[i] : ceilDiv(t.positions[i] + t.kernel[i] - 1, t.stride[i]);
    return elements * t.in.bytes() / 16;
}

Cycles convVertexCycles(ConvVertex vertex, ConvTile const &tile, ConvMachine const &machine)
{
    switch (vertex) {
    case ConvVertex::Amp1x1: return windowsCycles(tile, machine);
    case ConvVertex::AmpNx1: return nx1Cycles(tile, machine) + regroupCycles(tile, machine);
    case ConvVertex::Slic: return slicVertexCycles(tile);
    case ConvVertex::HorizontalMac: return horizontalCycles(tile);
    case ConvVertex::VerticalMac: return verticalCycles(tile);
    }
    return 0;
}

ConvChoice cheapestConvVertex(ConvTile const &tile, ConvMachine const &machine)
{
    ConvChoice best;
    for (auto vertex : {ConvVertex::AmpNx1, ConvVertex::Amp1x1, ConvVertex::Slic, ConvVertex::HorizontalMac, ConvVertex::VerticalMac}) {
        if (!canCompute(vertex, tile)) continue;
        Cycles const cycles = convVertexCycles(vertex, tile, machine);
        if (best.cycles == 0 || cycles < best.cycles) best = {vertex, cycles};
    }
    return best;
}

} // namespace tilewright::cost
