// Convolutions of the blocks on a tile, and both gradients. All vertices of the library compute the same sums in another
// way; here one function computes them, and each vertex has its own price.
//
// Fields: what is computed, then the two operands in the order of the op. Blocks: x [batch, axes…, (groups,) channels],
// w [kernel elements, channels, (groups,) filters], y [batch, axes…, (groups,) filters]. Scalars: see ConvVertexState.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/conv_state.h"
#include "engine/program/codelets/conv_sums.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/conv_cost.h"
#include "engine/program/cost/matmul_cost.h"

#include <algorithm>
#include <array>
#include <vector>

namespace tilewright::program {

namespace {

using conv::Field;
using cost::ConvPart;
using graph::ConvGeometry;

/// The elements of a field as floats, in place or converted.
float *floats(std::byte *tile, VertexState::Ref const &ref, std::vector<float> &buffer)
{
    if (ref.dtype == DType::F32) return at<float>(tile, ref);
    buffer.resize(static_cast<std::size_t>(ref.elements()));
    loadFloats(tile, ref, 0, ref.elements(), buffer.data());
    return buffer.data();
}

void run(std::byte *tile, VertexState const &s, Workers workers)
{
    ConvVertexState const state(s.scalars);
    thread_local std::vector<float> firstWide, secondWide, outWide;
    float *const first = floats(tile, s.fields[1], firstWide), *const second = floats(tile, s.fields[2], secondWide);
    // For narrow types the last worker computes the whole result; other types are written in place by each worker.
    auto const &ref = s.fields[0];
    bool const narrow = ref.dtype != DType::F32;
    if (narrow) {
        if (workers.begin != 0) return; // one worker stores the result of all six
        workers = {};
        outWide.assign(static_cast<std::size_t>(ref.elements()), 0.0f);
    }
    float *const out = narrow ? outWide.data() : at<float>(tile, ref);
    int const n = state.spatial;
    bool const g = state.grouped, turned = state.part == ConvPart::InputGradient;
    // float16 sums are added to the stored value, one accumulation after the other.
    auto const inAccumulations = [&](std::int64_t count, auto const &sum) {
        thread_local std::vector<float> before;
        for (std::int64_t number = 0; number < count; ++number) {
            if (number > 0) {
                storePartials(tile, ref, 0, ref.elements(), out, number - 1);
                before.assign(out, out + ref.elements());
            }
            sum(number);
            for (std::int64_t i = 0; number > 0 && i < ref.elements(); ++i) out[i] += before[static_cast<std::size_t>(i)];
        }
    };
    if (state.part == ConvPart::WeightGradient) {
        auto w = conv::kernelOf(s.blocks[0], g);
        auto x = conv::fieldOf(s.blocks[1], n, g), y = conv::fieldOf(s.blocks[2], n, g);
        w.data = out;
        x.data = first;
        y.data = second;
        std::int64_t const positions = y.rows() * y.size[2],
                           each = state.halfPartials > 0 ? state.halfPartials : std::max<std::int64_t>(1, positions);
        inAccumulations(std::max<std::int64_t>(1, ceilDiv(positions, each)), [&](std::int64_t number) {
            conv::weightGradient(w, x, y, state.axes, number * each, std::min(positions, (number + 1) * each), workers);
        });
    } else {
        auto to = conv::fieldOf(s.blocks[0], n, g), from = conv::fieldOf(s.blocks[1], n, g);
        auto w = conv::kernelOf(s.blocks[2], g);
        to.data = out;
        from.data = first;
        w.data = second;
        std::int64_t const inputs = turned ? w.filters : w.channels, each = state.halfPartials > 0 ? state.halfPartials : inputs;
        std::int64_t const parts = ceilDiv(inputs, each);
        if (state.halfPartials > 0)
            inAccumulations(w.elements * parts, [&](std::int64_t number) {
                std::int64_t const begin = number % parts * each;
                conv::convolve(to, from, w, state.axes, turned, {number / parts, begin, std::min(each, inputs - begin)}, workers);
            });
        else conv::convolve(to, from, w, state.axes, turned, {-1, 0, inputs}, workers);
    }
    if (narrow) storeFloats(tile, ref, 0, ref.elements(), out);
}

Cycles cycles(cost::ConvVertex vertex, VertexShape const &shape, target::Chip const &chip)
{
    return cost::convVertexCycles(vertex, convTile(shape), convMachine(chip, shape.fields[1].dtype));
}

// -- by name and sizes

cost::CostParam kernelElementsParam() { return cost::integerParam("kernelElements", "1", "elements of the kernel", 1); }
cost::CostParam groupGroupsParam() { return cost::integerParam("groups", "1", "groups of convolution groups", 1); }

/// Channels per AMP operation, from the bytes of weights that a unit holds.
std::int64_t inputGroup(cost::Args const &a) { return std::max<std::int64_t>(1, a.integer("weightBytes") / a.type("in").bytes()); }

cost::ConvTile nx1Tile(cost::Args const &a)
{
    cost::ConvTile tile;
    tile.in = a.type("in");
    tile.partials = a.type("partials");
    tile.positions = {1, a.integer("rows"), a.integer("width")};
    tile.kernel = {1, a.integer("kernelOuter") * a.integer("filterHeight"), a.integer("kernelInner")};
    tile.groups = a.integer("groups");
    tile.channels = a.integer("inGroups") * std::max<std::int64_t>(1, inputGroup(a) / a.integer("filterHeight"));
    tile.filters = a.integer("outGroups") * a.integer("outChans");
    return tile;
}

std::shared_ptr<CodeletDescription const> describeNx1()
{
    return describe({.library = "poplin::ConvPartialnx1",
                     .family = "matmul",
                     .title = "convolution with a kernel of several elements on the AMP",
                     .source = kPoplinSource,
                     .params = {inParam(), partialsParam(), rowsParam(), widthParam(),
                                cost::integerParam("kernelOuter", "1", "kernel rows (after filterHeight)", 1, 1024),
                                cost::integerParam("kernelInner", "1", "kernel columns", 1, 1024),
                                cost::choiceParam("filterHeight", "1", "kernel elements loaded per pass", {"1", "2", "4"}), groupsParam(),
                                inGroupsParam(), outGroupsParam(), outChansParam(), unitsParam(), weightBytesParam(), loadParam(),
                                cost::flagParam("regroup", "channels come last and are put into groups first, as a compile has it")},
                     .vertex = [](cost::Args const &a) { return convVertex(nx1Tile(a)); },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         auto const regroup = a.flag("regroup")
                             ? cost::regroupCycles(
                                 nx1Tile(a), {.weightLoadBytes = a.smallInteger("load"), .inputGroup = static_cast<int>(inputGroup(a))})
                             : 0;
                         return regroup
                             + cost::convNx1Cycles({.in = a.type("in"),
                                                    .partials = a.type("partials"),
                                                    .rows = a.integer("rows"),
                                                    .width = a.integer("width"),
                                                    .kernelOuter = a.integer("kernelOuter"),
                                                    .kernelInner = a.integer("kernelInner"),
                                                    .filterHeight = a.smallInteger("filterHeight"),
                                                    .convGroups = a.integer("groups"),
                                                    .inGroups = a.integer("inGroups"),
                                                    .outGroups = a.integer("outGroups"),
                                                    .outChansPerGroup = a.integer("outChans"),
                                                    .convUnits = a.smallInteger("units"),
                                                    .weightBytesPerUnit = a.smallInteger("weightBytes"),
                                                    .weightLoadBytes = a.smallInteger("load")});
                     }});
}

/// The weight gradient: rows are kernel elements, the sum is over positions.
std::shared_ptr<CodeletDescription const> describeWindows()
{
    return describe(
        {.family = "matmul",
         .title = "weight gradient of a convolution as a product of copied-out windows on the AMP",
         .source = std::string(kPoplinSource) + ", copying at 16 bytes a cycle",
         .params = {floatInParam(), partialsParam(), cost::integerParam("positions", "", "output positions that are summed over", 1),
                    kernelElementsParam(), cost::integerParam("inChans", "", "input channels per group", 1),
                    cost::integerParam("outChans", "", "output channels per group", 1), groupsParam()},
         .vertex = [](cost::Args const &a) {
             cost::ConvTile tile;
             tile.part = cost::ConvPart::WeightGradient;
             tile.in = a.type("in");
             tile.partials = a.type("partials");
             tile.positions = {1, 1, a.integer("positions")};
             tile.kernel = {1, 1, a.integer("kernelElements")};
             tile.groups = a.integer("groups");
             tile.channels = a.integer("inChans");
             tile.filters = a.integer("outChans");
             return convVertex(tile);
         }});
}

std::shared_ptr<CodeletDescription const> describeSlic()
{
    return describe({.library = "poplin::ConvPartial1xNSLIC",
                     .family = "matmul",
                     .title = "sliding-window convolution over few channels",
                     .source = kPoplinSource,
                     .params = {cost::typeParam("in", "f16", "type of inputs and weights", {"f8", "f16"}), partialsParam(), rowsParam(),
                                widthParam(), cost::choiceParam("chains", "4", "convolution chains", {"2", "4"}),
                                cost::choiceParam("groupsPerGroup", "1", "convolution groups per group", {"1", "2", "4", "8", "16"}),
                                cost::choiceParam("chansPerGroup", "4", "channels per convolution group", {"1", "2", "4"}),
                                cost::choiceParam("stride", "1", "output stride", {"1", "2"}),
                                cost::integerParam("subKernels", "1", "windows of four the kernel is cut into", 1), groupGroupsParam()},
                     .vertex =
                         [](cost::Args const &a) {
                             cost::ConvTile tile;
                             tile.in = a.type("in");
                             tile.partials = a.type("partials");
                             tile.positions = {1, a.integer("rows"), a.integer("width")};
                             tile.kernel = {1, a.integer("subKernels"), 4};
                             tile.stride = {1, 1, a.integer("stride")};
                             tile.groups = a.integer("groups") * a.integer("groupsPerGroup");
                             tile.channels = tile.filters = a.integer("chansPerGroup");
                             return convVertex(tile);
                         },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         return cost::slicCycles({.in = a.type("in"),
                                                  .partials = a.type("partials"),
                                                  .rows = a.integer("rows"),
                                                  .width = a.integer("width"),
                                                  .chains = a.smallInteger("chains"),
                                                  .convGroupsPerGroup = a.smallInteger("groupsPerGroup"),
                                                  .chansPerGroup = a.smallInteger("chansPerGroup"),
                                                  .outputStride = a.smallInteger("stride"),
                                                  .subKernels = a.integer("subKernels"),
                                                  .convGroupGroups = a.integer("groups")});
                     }});
}

std::shared_ptr<CodeletDescription const> describeHorizontal()
{
    return describe({.family = "matmul",
                     .title = "convolution by dot products, without the AMP",
                     .source = kPoplinSource,
                     .params = {floatInParam(), partialsParam(), rowsParam(), widthParam(), kernelElementsParam(),
                                cost::integerParam("inChans", "1", "input channels per group", 1),
                                cost::integerParam("outChans", "1", "output channels per group", 1), groupsParam()},
                     .vertex = [](cost::Args const &a) {
                         cost::ConvTile tile;
                         tile.in = a.type("in");
                         tile.partials = a.type("partials");
                         tile.positions = {1, a.integer("rows"), a.integer("width")};
                         tile.kernel = {1, 1, a.integer("kernelElements")};
                         tile.groups = a.integer("groups");
                         tile.channels = a.integer("inChans");
                         tile.filters = a.integer("outChans");
                         return convVertex(tile);
                     }});
}

std::shared_ptr<CodeletDescription const> describeVertical()
{
    return describe({.library = "poplin::ConvPartialVerticalMac",
                     .family = "matmul",
                     .title = "depthwise convolution of f16 inputs",
                     .source = kPoplinSource,
                     .params = {partialsParam(), cost::choiceParam("groupsPerGroup", "4", "convolution groups per group", {"4", "8", "16"}),
                                cost::integerParam("rowsPerWorker", "", "work-list entries of the busiest worker"),
                                cost::integerParam("kernelWidth", "1", "positions of an entry", 1),
                                cost::integerParam("outputs", "", "output elements"), groupsParam(), inGroupsParam()},
                     .vertex =
                         [](cost::Args const &a) {
                             cost::ConvTile tile;
                             tile.in = cost::ValueType::F16;
                             tile.partials = a.type("partials");
                             tile.positions = {1, 1, cost::kWorkers * a.integer("rowsPerWorker")};
                             tile.kernel = {1, 1, a.integer("kernelWidth")};
                             tile.groups = a.integer("groups") * a.integer("groupsPerGroup");
                             return convVertex(tile);
                         },
                     .cycles = [](cost::Args const &a) -> Result<Cycles> {
                         return cost::verticalMacCycles({.partials = a.type("partials"),
                                                         .convGroupsPerGroup = a.smallInteger("groupsPerGroup"),
                                                         .rowsPerWorker = a.integer("rowsPerWorker"),
                                                         .kernelWidth = a.integer("kernelWidth"),
                                                         .outElements = a.integer("outputs"),
                                                         .convGroups = a.integer("groups"),
                                                         .inGroups = a.integer("inGroups")});
                     }});
}

} // namespace

void addConvCodelets(std::vector<Codelet> &all)
{
    struct Row {
        cost::ConvVertex vertex;
        Bytes code;
        std::shared_ptr<CodeletDescription const> (*description)();
    };
    for (auto const &[vertex, code, description] :
         {Row{cost::ConvVertex::AmpNx1, 1640, describeNx1}, Row{cost::ConvVertex::Amp1x1, 1160, describeWindows},
          Row{cost::ConvVertex::Slic, 1310, describeSlic}, Row{cost::ConvVertex::HorizontalMac, 640, describeHorizontal},
          Row{cost::ConvVertex::VerticalMac, 820, describeVertical}}) {
        Codelet codelet;
        codelet.name = convCodelet(vertex);
        codelet.codeBytes = code;
        codelet.wantsBlocks = true;
        codelet.usesAmp = vertex != cost::ConvVertex::HorizontalMac && vertex != cost::ConvVertex::VerticalMac;
        codelet.cycles = [vertex = vertex](VertexShape const &shape, target::Chip const &chip) { return cycles(vertex, shape, chip); };
        // Header, three pointer lists, and work lists of six bytes per entry (one entry per worker and kernel element).
        codelet.stateBytes = [](VertexShape const &shape) -> Bytes {
            auto const tile = convTile(shape);
            return 12 + 3 * 4 + 6 * cost::kWorkers * tile.kernel[0] * tile.kernel[1] * tile.kernel[2];
        };
        codelet.run = run;
        codelet.description = description();
        all.push_back(codelet);
    }
}

} // namespace tilewright::program
