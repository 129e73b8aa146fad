#include "engine/program/cost/codelet_entry.h"

#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/nn_cost.h"
#include "engine/program/cost/random_cost.h"
#include "engine/program/cost/reduce_cost.h"
#include "engine/program/cost/slice_cost.h"
#include "engine/program/cost/sort_cost.h"

namespace tilewright::cost {

namespace {

constexpr char const *kReduce = "poplibs lib/popops/reduction/CycleEstimationFunctions.cpp";
constexpr char const *kPopops = "poplibs lib/popops/PerformanceEstimation.cpp";
constexpr char const *kEstimators = "poplibs lib/popops/popopsCycleEstimators.cpp";
constexpr char const *kPopnn = "poplibs lib/popnn/PerformanceEstimation.hpp, popnnCycleEstimators.cpp";
constexpr char const *kPoprand = "poplibs lib/poprand/poprandCycleEstimators.cpp";

std::function<Bytes(Args const &)> state(Bytes bytes)
{
    return [bytes](Args const &) { return bytes; };
}

CostParam elementsParam() { return integerParam("n", "", "elements"); }
CostParam floatTypeParam() { return typeParam("type", "f32", "element type", {"f16", "f32"}); }
CostParam partialsParam() { return typeParam("partials", "f32", "type reduced", {"f16", "f32", "i32"}); }
CostParam outParam() { return typeParam("out", "f32", "type of the result", {"f16", "f32", "i32"}); }
CostParam opParam()
{
    return choiceParam("op", "add", "operation",
                       {"add", "square_add", "max", "min", "mul", "log_add", "and", "or"});
}
ReduceOp reduceOp(Args const &a) { return parseReduceOp(a.text("op")).value_or(ReduceOp::Add); }

void addReduce(std::vector<CodeletInfo> &table)
{
    table.push_back(makeCodelet({
        .name = "popops::StridedReduce", .family = "reduce", .title = "rows added up element by element",
        .params = {opParam(), partialsParam(), outParam(), integerParam("rows", "", "partials per output", 1),
                   integerParam("outputs", "", "elements of a row", 1),
                   integerParam("stride", "0", "elements between rows; 0 = outputs"),
                   flagParam("update", "add to what is there")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return stridedReduceWorkerCycles({.partials = a.type("partials"), .out = a.type("out"),
                                              .op = reduceOp(a), .rows = a.integer("rows"),
                                              .outputs = a.integer("outputs"), .stride = a.integer("stride"),
                                              .outerStrides = 1, .update = a.flag("update")});
        },
        .perWorker = true, .codeBytes = 420, .stateBytes = state(24), .source = kReduce}));
    table.push_back(makeCodelet({
        .name = "popops::ReduceSingleOutput", .family = "reduce", .title = "one result from one region",
        .params = {opParam(), partialsParam(), outParam(), elementsParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return singleOutputReduceWorkerCycles(reduceOp(a), a.type("partials"), a.type("out"), a.integer("n"));
        },
        .perWorker = true, .codeBytes = 360, .stateBytes = state(16), .source = kReduce}));
    table.push_back(makeCodelet({
        .name = "popops::ReduceContiguous", .family = "reduce", .title = "each result from a region of its own",
        .params = {opParam(), partialsParam(), integerParam("outputs", "", "results", 1),
                   integerParam("perOutput", "", "elements of a region"), flagParam("update", "add to what is there")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return contiguousReduceWorkerCycles(reduceOp(a), a.type("partials"), a.integer("outputs"),
                                                a.integer("perOutput"), a.flag("update"));
        },
        .perWorker = true, .codeBytes = 400, .stateBytes = state(20), .source = kReduce}));
    table.push_back(makeCodelet({
        .name = "popops::Reduce", .family = "reduce", .title = "general reduction of many regions",
        .params = {opParam(), partialsParam(), outParam(), integerParam("outputs", "1", "output regions", 1),
                   integerParam("width", "1", "elements of an output region", 1),
                   integerParam("regions", "1", "partial regions per output", 1),
                   integerParam("regionSize", "", "elements of a partial region, a multiple of width"),
                   flagParam("update", "add to what is there")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return generalReduceWorkerCycles({.partials = a.type("partials"), .out = a.type("out"),
                                              .op = reduceOp(a), .outputs = a.integer("outputs"),
                                              .width = a.integer("width"), .regions = a.integer("regions"),
                                              .regionSize = a.integer("regionSize"), .update = a.flag("update")});
        },
        .perWorker = true, .codeBytes = 800,
        .stateBytes = [](Args const &a) -> Bytes { return 24 + 8 * a.integer("outputs"); }, .source = kReduce}));
}

void addSlice(std::vector<CodeletInfo> &table)
{
    auto const rowType = [] { return typeParam("type", "f16", "element type"); };
    auto const row = [] { return integerParam("row", "", "elements of a row", 1); };
    auto const offsets = [] { return integerParam("offsets", "", "offsets the worker sees"); };
    auto const inRange = [] { return integerParam("inRange", "-1", "of those in this tile's rows; -1 = all", -1); };
    for (bool const update : {false, true}) {
        table.push_back(makeCodelet({
            .name = update ? "popops::MultiUpdate" : "popops::MultiSlice", .family = "slice",
            .title = update ? "rows written by offset" : "rows gathered by offset (embedding)",
            .params = {rowType(), row(), offsets(), inRange(), flagParam("sorted", "offsets are sorted"),
                       flagParam("splitRow", "all workers copy the one row")},
            .cycles = [update](Args const &a) -> Result<Cycles> {
                return multiSliceCycles({.type = a.type("type"), .rowElements = a.integer("row"),
                                         .offsets = a.integer("offsets"), .inRange = a.integer("inRange"),
                                         .update = update, .sorted = a.flag("sorted"), .perEntry = 1,
                                         .splitSingleRow = a.flag("splitRow")});
            },
            .codeBytes = 380, .stateBytes = state(32), .source = kPopops}));
    }
    table.push_back(makeCodelet({
        .name = "popops::MultiUpdateAdd", .family = "slice", .title = "rows added by offset (embedding gradient)",
        .params = {rowType(), row(), offsets(), inRange(), choiceParam("scaled", "1", "rows are scaled", {"0", "1"}),
                   flagParam("wideScale", "f32 factor of f16 rows"), flagParam("sorted", "offsets are sorted")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return multiUpdateCycles({.type = a.type("type"), .rowElements = a.integer("row"),
                                      .offsets = a.integer("offsets"), .inRange = a.integer("inRange"), .add = true,
                                      .scaled = a.flag("scaled"), .wideScale = a.flag("wideScale"),
                                      .sorted = a.flag("sorted"), .perEntry = 1});
        },
        .codeBytes = 440, .stateBytes = state(36), .source = kPopops}));
    table.push_back(makeCodelet({
        .name = "tilewright::Cumulative", .family = "slice", .title = "running sums or products of rows",
        .params = {rowType(), row(), integerParam("rows", "1", "rows of the worker", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return cumulativeWorkerCycles(a.type("type"), a.integer("rows"), a.integer("row"));
        },
        .perWorker = true, .codeBytes = 160, .stateBytes = state(36), .source = "own count of the inner loop"}));
    table.push_back(makeCodelet({
        .name = "popops::DynamicSlice1D", .family = "slice", .title = "slice (or update) at a run-time offset",
        .params = {rowType(), row(), integerParam("rows", "1", "rows of the slice", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return dynamicSlice1DCycles(a.type("type"), a.integer("row"), a.integer("rows"));
        },
        .codeBytes = 320, .stateBytes = state(24), .source = kEstimators}));
    table.push_back(makeCodelet({
        .name = "popops::DynamicSlice2D", .family = "slice", .title = "slice of several regions",
        .params = {rowType(), row(), integerParam("rows", "1", "rows of the slice", 1),
                   integerParam("regions", "1", "regions", 1), flagParam("update", "write instead of read")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return dynamicSlice2DWorkerCycles(a.type("type"), a.integer("row"), a.integer("rows"),
                                              a.integer("regions"), a.flag("update"));
        },
        .perWorker = true, .codeBytes = 340,
        .stateBytes = [](Args const &a) -> Bytes { return 24 + 8 * a.integer("regions"); }, .source = kEstimators}));
}

void addActivations(std::vector<CodeletInfo> &table)
{
    auto const kind = [] {
        return choiceParam("activation", "", "activation", {"relu", "sigmoid", "tanh", "gelu", "gelu_erf", "swish"});
    };
    auto const activation = [](Args const &a) {
        return parseActivation(a.text("activation")).value_or(Activation::Relu);
    };
    table.push_back(makeCodelet({
        .name = "popnn::NonLinearity1D", .family = "nn", .title = "activation (gelu and swish; others are maps)",
        .params = {kind(), floatTypeParam(), elementsParam(),
                   choiceParam("inPlace", "1", "overwrite the input", {"0", "1"})},
        .cycles = [activation](Args const &a) -> Result<Cycles> {
            return nonLinearity1DCycles(activation(a), a.type("type"), a.integer("n"), a.flag("inPlace"));
        },
        .codeBytes = 260, .stateBytes = state(12), .source = kPopnn}));
    table.push_back(makeCodelet({
        .name = "popnn::NonLinearityGrad1D", .family = "nn", .title = "gradient of an activation",
        .params = {kind(), floatTypeParam(), elementsParam()},
        .cycles = [activation](Args const &a) -> Result<Cycles> {
            return nonLinearityGrad1DCycles(activation(a), a.type("type"), a.integer("n"));
        },
        .codeBytes = 240, .stateBytes = state(16), .source = kPopnn}));
    table.push_back(makeCodelet({
        .name = "popnn::LossCrossEntropyTransform", .family = "nn", .title = "cross-entropy loss and gradient",
        .params = {floatTypeParam(), elementsParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return crossEntropyTransformWorkerCycles(a.type("type"), a.integer("n"));
        },
        .perWorker = true, .codeBytes = 180, .stateBytes = state(28), .source = kPopnn}));
    table.push_back(makeCodelet({
        .name = "popnn::LossSumSquaredTransform", .family = "nn", .title = "squared-error loss and gradient",
        .params = {floatTypeParam(), elementsParam()},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return sumSquaredTransformWorkerCycles(a.type("type"), a.integer("n"));
        },
        .perWorker = true, .codeBytes = 160, .stateBytes = state(24), .source = kPopnn}));
    table.push_back(makeCodelet({
        .name = "popnn::Softmax", .family = "nn", .title = "the six vertices of a softmax over rows",
        .params = {floatTypeParam(), integerParam("rows", "1", "rows on the tile", 1),
                   integerParam("columns", "", "classes", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return softmaxCost(a.type("type"), a.integer("rows"), a.integer("columns")).total();
        },
        .codeBytes = 1688, .stateBytes = state(112),
        .source = "composition of reduce, broadcast and unary vertices"}));
    table.push_back(makeCodelet({
        .name = "poplin::InverseStdDeviation", .family = "nn", .title = "1/standard deviation of a norm",
        .params = {elementsParam()},
        .cycles = [](Args const &a) -> Result<Cycles> { return inverseStdDeviationWorkerCycles(a.integer("n")); },
        .perWorker = true, .codeBytes = 180, .stateBytes = state(28),
        .source = "poplibs lib/poplin/poplinCycleEstimators.cpp"}));
}

void addPooling(std::vector<CodeletInfo> &table)
{
    struct Kind {
        PoolKind kind;
        char const *name;
        char const *title;
    };
    for (Kind const &entry : {Kind{PoolKind::Max, "popnn::MaxPooling", "largest of each window"},
                              Kind{PoolKind::Sum, "popnn::SumPooling", "sum or mean of each window"},
                              Kind{PoolKind::MaxGradient, "popnn::MaxPoolingGrad", "gradient of max pooling"}}) {
        table.push_back(makeCodelet({
            .name = entry.name, .family = "nn", .title = entry.title,
            .params = {typeParam("type", "f16", "element type", {"f16", "f32"}),
                       integerParam("channels", "", "channels per group", 1),
                       integerParam("chanGroups", "1", "channel groups", 1),
                       integerParam("rows", "", "output rows, dealt to the workers"),
                       integerParam("items", "1", "work items per row", 1),
                       integerParam("inputs", "", "inputs accumulated per work item"),
                       integerParam("init", "0", "output positions initialised")},
            .cycles = [kind = entry.kind](Args const &a) -> Result<Cycles> {
                return poolingCycles({.kind = kind,
                                      .chanVectors = ceilDiv(a.integer("channels"), a.type("type").vectorWidth()),
                                      .chanGroups = a.integer("chanGroups"), .rows = a.integer("rows"),
                                      .itemsPerRow = a.integer("items"), .inputsPerItem = a.integer("inputs"),
                                      .initPositions = a.integer("init")});
            },
            .codeBytes = 440,
            .stateBytes = [](Args const &a) -> Bytes { return 44 + 6 * a.integer("rows"); }, .source = kPopnn}));
    }
    table.push_back(makeCodelet({
        .name = "popnn::ReduceMaxClassGather", .family = "nn", .title = "index of the largest, six workers",
        .params = {floatTypeParam(), elementsParam(), integerParam("perWorker", "", "elements of a worker", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return maxClassGatherCycles(a.type("type"), a.integer("n"), a.integer("perWorker"));
        },
        .codeBytes = 180, .stateBytes = state(24), .source = kPopnn}));
    table.push_back(makeCodelet({
        .name = "popnn::ReduceMaxClassSparse", .family = "nn", .title = "index of the largest among candidates",
        .params = {floatTypeParam(), integerParam("n", "", "candidates", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return maxClassSparseWorkerCycles(a.type("type"), a.integer("n"));
        },
        .perWorker = true, .codeBytes = 140, .stateBytes = state(20), .source = kPopnn}));
    table.push_back(makeCodelet({
        .name = "popnn::CalcAccuracy", .family = "nn", .title = "number of right predictions",
        .params = {integerParam("batch", "", "predictions")},
        .cycles = [](Args const &a) -> Result<Cycles> { return accuracyWorkerCycles(a.integer("batch")); },
        .perWorker = true, .codeBytes = 80, .stateBytes = state(16), .source = kPopnn}));
}

void addRandom(std::vector<CodeletInfo> &table)
{
    struct Kind {
        char const *name;
        char const *title;
        Cycles (*cycles)(ValueType, std::int64_t);
        Bytes codeBytes;
    };
    for (Kind const &entry : {Kind{"poprand::Uniform", "uniform random numbers", uniformCycles, 180},
                              Kind{"poprand::Normal", "normal random numbers", normalCycles, 180},
                              Kind{"poprand::Bernoulli", "random bits", bernoulliCycles, 140},
                              Kind{"poprand::Dropout", "random mask and scale", dropoutCycles, 170}}) {
        table.push_back(makeCodelet({
            .name = entry.name, .family = "random", .title = entry.title,
            .params = {floatTypeParam(), elementsParam()},
            .cycles = [cycles = entry.cycles](Args const &a) -> Result<Cycles> {
                return cycles(a.type("type"), a.integer("n"));
            },
            .codeBytes = entry.codeBytes, .stateBytes = state(20), .source = kPoprand}));
    }
    table.push_back(makeCodelet({
        .name = "poprand::TruncatedNormal", .family = "random", .title = "normal random numbers within two sigma",
        .params = {floatTypeParam(), elementsParam(), integerParam("iterations", "4", "tries per vector", 0, 64)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return truncatedNormalCycles(a.type("type"), a.integer("n"), a.integer("iterations"));
        },
        .codeBytes = 240, .stateBytes = state(24), .source = kPoprand}));
    table.push_back(makeCodelet({
        .name = "poprand::SetSeed", .family = "random", .title = "seeds the six generators of a tile",
        .params = {},
        .cycles = [](Args const &) -> Result<Cycles> { return setSeedCycles(); },
        .codeBytes = 128, .stateBytes = state(12), .source = kPoprand}));
}

void addSortAndCopy(std::vector<CodeletInfo> &table)
{
    table.push_back(makeCodelet({
        .name = "popops::HeapSortVertex", .family = "sort", .title = "sort of one region",
        .params = {elementsParam(), flagParam("withValues", "keys carry values")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return heapSortWorkerCycles(a.integer("n"), a.flag("withValues"));
        },
        .perWorker = true, .codeBytes = 320, .stateBytes = state(16), .source = kEstimators}));
    table.push_back(makeCodelet({
        .name = "popops::CompareAndSwapAtDistance", .family = "sort", .title = "one step of a bitonic sort (top-k)",
        .params = {typeParam("key", "f32", "type of the keys", {"f32", "i32", "u32"}),
                   flagParam("withValues", "keys carry values"),
                   flagParam("secondKey", "values break ties"), integerParam("items", "1", "work items per worker", 1),
                   integerParam("elements", "", "comparisons per work item"),
                   integerParam("distance", "1", "distance of the compared elements", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return bitonicStepCycles({.key = a.type("key"), .withValues = a.flag("withValues"),
                                      .valuesAreSecondKey = a.flag("secondKey"), .items = a.integer("items"),
                                      .elementsPerItem = a.integer("elements"), .distance = a.integer("distance")});
        },
        .codeBytes = 280, .stateBytes = state(52), .source = kEstimators}));
    table.push_back(makeCodelet({
        .name = "popops::Transpose", .family = "copy", .title = "transpose of equal blocks",
        .params = {typeParam("type", "f16", "element type", {"f16", "f32"}),
                   integerParam("blocks", "1", "matrices", 1), integerParam("rows", "", "rows of a matrix", 1),
                   integerParam("columns", "", "columns of a matrix", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return transposeCycles(a.type("type"), a.integer("blocks"), a.integer("rows"), a.integer("columns"));
        },
        .codeBytes = 300, .stateBytes = state(16), .source = "poplibs lib/popsparse/PerformanceEstimation.hpp"}));
    table.push_back(makeCodelet({
        .name = "poplar::Memcpy", .family = "copy", .title = "copy within a tile",
        .params = {integerParam("bytes", "", "bytes in all"), integerParam("regions", "1", "contiguous pieces", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return memcpyCycles(a.integer("bytes"), a.integer("regions"), a.chip().memcpyBytesPerCycle);
        },
        .codeBytes = 312,
        .stateBytes = [](Args const &a) -> Bytes { return 4 + 8 * a.integer("regions"); },
        .source = "8 bytes a cycle, 20-30 cycles a region"}));
    table.push_back(makeCodelet({
        .name = "poplar::ExchangeReceive", .family = "copy", .title = "a tile receives from other tiles",
        .params = {integerParam("bytes", "", "bytes received"),
                   flagParam("shared", "the bus neighbour receives the same data")},
        .cycles = [](Args const &a) -> Result<Cycles> {
            return exchangeReceiveCycles(a.chip(), a.integer("bytes"), a.flag("shared"));
        },
        .codeBytes = 0, .stateBytes = state(0), .source = "poplibs lib/poplin/ExchangeEstimator"}));
    table.push_back(makeCodelet({
        .name = "poplar::ExternalSync", .family = "sync", .title = "barrier of several IPUs",
        .params = {integerParam("ipus", "", "IPUs that meet", 1, 65536),
                   integerParam("clockHz", "target", "tile clock", 1)},
        .cycles = [](Args const &a) -> Result<Cycles> {
            target::Chip chip = a.chip();
            chip.clockHz = a.integer("clockHz");
            return externalSyncCycles(chip, a.smallInteger("ipus"));
        },
        .codeBytes = 0, .stateBytes = state(0), .source = "poplibs lib/poplibs_test/Util.cpp"}));
}

} // namespace

void addOtherCodelets(std::vector<CodeletInfo> &table)
{
    addReduce(table);
    addSlice(table);
    addActivations(table);
    addPooling(table);
    addRandom(table);
    addSortAndCopy(table);
}

} // namespace tilewright::cost
