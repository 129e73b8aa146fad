#include "engine/program/cost/codelet_entry.h"

#include "engine/program/cost/matmul_cost.h"

namespace tilewright::cost {

namespace {

constexpr char const *kSource = "poplibs lib/poplin/PerformanceEstimation.hpp";

/// Fields of a convolution vertex: header, three pointer lists of one descriptor each, and its work lists of
/// six bytes an entry, one entry a worker and kernel position.
Bytes convState(std::int64_t kernelElements) { return 12 + 3 * 4 + 6 * kWorkers * kernelElements; }

CostParam groupsParam() { return integerParam("groups", "1", "convolution groups", 1); }
CostParam inGroupsParam() { return integerParam("inGroups", "1", "groups of input channels", 1); }
CostParam outGroupsParam() { return integerParam("outGroups", "1", "groups of output channels", 1); }
CostParam outChansParam() { return integerParam("outChans", "16", "output channels per group", 1); }
CostParam unitsParam() { return integerParam("units", "target", "AMP convolution units", 1, 64); }
CostParam loadParam() { return integerParam("load", "target", "weight bytes loaded a cycle: 16 interleaved, else 8", 1, 64); }
CostParam weightBytesParam() { return integerParam("weightBytes", "32", "weight bytes per unit: channels x bytes", 1, 64); }
CostParam inParam() { return typeParam("in", "f16", "type of inputs and weights", {"f8", "f16", "f32"}); }
CostParam partialsParam() { return typeParam("partials", "f32", "type of the sums", {"f16", "f32"}); }

void addAmp(std::vector<CodeletInfo> &table)
{
    table.push_back(makeCodelet({
        .name = "poplin::ConvPartial1x1Out",
        .family = "matmul",
        .title = "matrix product or 1x1 convolution on the AMP",
        .params = {inParam(), partialsParam(), integerParam("positions", "", "rows of the product, spread over the workers"),
                   groupsParam(), inGroupsParam(), outGroupsParam(), outChansParam(), unitsParam(), weightBytesParam(), loadParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return conv1x1Cycles({.in = a.type("in"), .partials = a.type("partials"),
                                  .positions = a.integer("positions"), .convGroups = a.integer("groups"),
                                  .inGroups = a.integer("inGroups"), .outGroups = a.integer("outGroups"),
                                  .outChansPerGroup = a.integer("outChans"), .convUnits = a.smallInteger("units"),
                                  .weightBytesPerUnit = a.smallInteger("weightBytes"),
                                  .weightLoadBytes = a.smallInteger("load")});
        },
        .codeBytes = 1160,
        .stateBytes = [](Args const &) { return convState(1); },
        .source = kSource,
    }));
    table.push_back(makeCodelet({
        .name = "poplin::ConvPartialnx1",
        .family = "matmul",
        .title = "convolution with a kernel of several elements on the AMP",
        .params = {inParam(), partialsParam(), integerParam("rows", "1", "output rows, dealt to the workers"),
                   integerParam("width", "", "positions of a row"),
                   integerParam("kernelOuter", "1", "kernel rows (after filterHeight)", 1, 1024),
                   integerParam("kernelInner", "1", "kernel columns", 1, 1024),
                   choiceParam("filterHeight", "1", "kernel elements loaded per pass", {"1", "2", "4"}),
                   groupsParam(), inGroupsParam(), outGroupsParam(), outChansParam(), unitsParam(), weightBytesParam(), loadParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return convNx1Cycles({.in = a.type("in"), .partials = a.type("partials"), .rows = a.integer("rows"),
                                  .width = a.integer("width"), .kernelOuter = a.integer("kernelOuter"),
                                  .kernelInner = a.integer("kernelInner"),
                                  .filterHeight = a.smallInteger("filterHeight"), .convGroups = a.integer("groups"),
                                  .inGroups = a.integer("inGroups"), .outGroups = a.integer("outGroups"),
                                  .outChansPerGroup = a.integer("outChans"), .convUnits = a.smallInteger("units"),
                                  .weightBytesPerUnit = a.smallInteger("weightBytes"),
                                  .weightLoadBytes = a.smallInteger("load")});
        },
        .codeBytes = 1640,
        .stateBytes = [](Args const &a) { return convState(a.integer("kernelOuter") * a.integer("kernelInner")); },
        .source = kSource,
    }));
    table.push_back(makeCodelet({
        .name = "poplin::ConvPartial1xNSLIC",
        .family = "matmul",
        .title = "sliding-window convolution over few channels",
        .params = {typeParam("in", "f16", "type of inputs and weights", {"f8", "f16"}), partialsParam(),
                   integerParam("rows", "1", "output rows, dealt to the workers"),
                   integerParam("width", "", "positions of a row"),
                   choiceParam("chains", "4", "convolution chains", {"2", "4"}),
                   choiceParam("groupsPerGroup", "1", "convolution groups per group", {"1", "2", "4", "8", "16"}),
                   choiceParam("chansPerGroup", "4", "channels per convolution group", {"1", "2", "4"}),
                   choiceParam("stride", "1", "output stride", {"1", "2"}),
                   integerParam("subKernels", "1", "windows of four the kernel is cut into", 1),
                   integerParam("groups", "1", "groups of convolution groups", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return slicCycles({.in = a.type("in"), .partials = a.type("partials"), .rows = a.integer("rows"),
                               .width = a.integer("width"), .chains = a.smallInteger("chains"),
                               .convGroupsPerGroup = a.smallInteger("groupsPerGroup"),
                               .chansPerGroup = a.smallInteger("chansPerGroup"),
                               .outputStride = a.smallInteger("stride"), .subKernels = a.integer("subKernels"),
                               .convGroupGroups = a.integer("groups")});
        },
        .codeBytes = 1500,
        .stateBytes = [](Args const &a) { return convState(a.integer("subKernels")); },
        .source = kSource,
    }));
}

void addMac(std::vector<CodeletInfo> &table)
{
    table.push_back(makeCodelet({
        .name = "poplin::ConvPartialHorizontalMac",
        .family = "matmul",
        .title = "convolution by dot products, without the AMP",
        .params = {typeParam("in", "f32", "type of inputs and weights", {"f16", "f32"}), partialsParam(),
                   integerParam("rows", "1", "output rows, dealt to the workers"),
                   integerParam("width", "", "positions of a row"),
                   integerParam("kernelElements", "1", "elements of the kernel", 1),
                   integerParam("inChans", "1", "input channels per group", 1),
                   integerParam("outChans", "1", "output channels per group", 1), groupsParam(), inGroupsParam(), outGroupsParam(),
                   flagParam("specialised", "the f16 -> f32 codelet for 1x1 kernels")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return horizontalMacCycles({.in = a.type("in"), .partials = a.type("partials"),
                                        .rows = a.integer("rows"), .width = a.integer("width"),
                                        .kernelElements = a.integer("kernelElements"),
                                        .inChansPerGroup = a.integer("inChans"),
                                        .outChansPerGroup = a.integer("outChans"),
                                        .convGroups = a.integer("groups"), .inGroups = a.integer("inGroups"),
                                        .outGroups = a.integer("outGroups"),
                                        .specialised1x1 = a.flag("specialised")});
        },
        .codeBytes = 900,
        .stateBytes = [](Args const &a) { return convState(a.integer("kernelElements")); },
        .source = kSource,
    }));
    table.push_back(makeCodelet({
        .name = "poplin::ConvPartialVerticalMac",
        .family = "matmul",
        .title = "depthwise convolution of f16 inputs",
        .params = {partialsParam(),
                   choiceParam("groupsPerGroup", "4", "convolution groups per group", {"4", "8", "16"}),
                   integerParam("rowsPerWorker", "", "work-list entries of the busiest worker"),
                   integerParam("kernelWidth", "1", "positions of an entry", 1),
                   integerParam("outputs", "", "output elements"), groupsParam(), inGroupsParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return verticalMacCycles({.partials = a.type("partials"),
                                      .convGroupsPerGroup = a.smallInteger("groupsPerGroup"),
                                      .rowsPerWorker = a.integer("rowsPerWorker"),
                                      .kernelWidth = a.integer("kernelWidth"),
                                      .outElements = a.integer("outputs"), .convGroups = a.integer("groups"),
                                      .inGroups = a.integer("inGroups")});
        },
        .codeBytes = 820,
        .stateBytes = [](Args const &a) { return 24 + 8 * kWorkers * a.integer("rowsPerWorker"); },
        .source = kSource,
    }));
    table.push_back(makeCodelet({
        .name = "poplin::OuterProduct",
        .family = "matmul",
        .title = "outer product of a column and a row",
        .params = {typeParam("type", "f32", "element type", {"f16", "f32"}),
                   integerParam("width", "", "elements of the column"),
                   integerParam("channels", "", "elements of the row", 1),
                   integerParam("chansPerGroup", "", "output channels per group", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return outerProductWorkerCycles(a.type("type"), a.integer("width"), a.integer("channels"),
                                            a.integer("chansPerGroup"));
        },
        .perWorker = true,
        .codeBytes = 280,
        .stateBytes = [](Args const &) { return Bytes(20); },
        .source = kSource,
    }));
}

void addReduction(std::vector<CodeletInfo> &table)
{
    table.push_back(makeCodelet({
        .name = "poplin::ReduceAdd",
        .family = "matmul",
        .title = "sum of the partial results of several tiles",
        .params = {partialsParam(), typeParam("out", "f32", "type of the sum", {"f16", "f32"}),
                   integerParam("outputs", "", "elements of the result"),
                   integerParam("partialCount", "", "partials; those after the first with singleInput"),
                   flagParam("singleInput", "the received partials are one contiguous region"),
                   flagParam("interleaved", "single input in interleaved memory")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return reduceAddCycles({.partials = a.type("partials"), .out = a.type("out"),
                                    .outputs = a.integer("outputs"), .partialCount = a.integer("partialCount"),
                                    .singleInput = a.flag("singleInput"), .interleaved = a.flag("interleaved")});
        },
        .codeBytes = 420,
        .stateBytes = [](Args const &a) { return a.flag("singleInput") ? 20 : 12 + 4 * a.integer("partialCount"); },
        .source = kSource,
    }));
    table.push_back(makeCodelet({
        .name = "poplin::ZeroPartials",
        .family = "matmul",
        .title = "zeroing of partials by a vertex of its own",
        .params = {partialsParam(), integerParam("perWorker", "", "elements of the busiest worker"), groupsParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return zeroPartialsCycles(a.type("partials"), a.integer("perWorker"), a.integer("groups"));
        },
        .codeBytes = 120,
        .stateBytes = [](Args const &) { return Bytes(12); },
        .source = kSource,
    }));
    table.push_back(makeCodelet({
        .name = "poplin::CastAfterReduce",
        .family = "matmul",
        .title = "conversion of partials when no reduction is needed",
        .params = {typeParam("from", "f32", "type of the partials", {"f16", "f32"}),
                   typeParam("to", "f16", "type of the result", {"f16", "f32"}),
                   integerParam("outputs", "", "elements")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return castAfterReduceCycles(a.integer("outputs"), a.type("from"), a.type("to"));
        },
        .codeBytes = 200,
        .stateBytes = [](Args const &) { return Bytes(16); },
        .source = kSource,
    }));
}

} // namespace

void addConvCodelets(std::vector<CodeletInfo> &table)
{
    addAmp(table);
    addMac(table);
    addReduction(table);
}

} // namespace tilewright::cost
