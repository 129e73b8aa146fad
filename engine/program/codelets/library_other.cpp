// Vertices of popops, popnn, poprand and the machine that the compiler does not use.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/nn_cost.h"
#include "engine/program/cost/random_cost.h"
#include "engine/program/cost/reduce_cost.h"
#include "engine/program/cost/slice_cost.h"
#include "engine/program/cost/sort_cost.h"

namespace tilewright::program {

using namespace cost;

namespace {

CostParam reducedParam() { return typeParam("partials", "f32", "type reduced", {"f16", "f32", "i32"}); }
CostParam outParam() { return typeParam("out", "f32", "type of the result", {"f16", "f32", "i32"}); }
CostParam opParam() { return choiceParam("op", "add", "operation", {"add", "square_add", "max", "min", "mul", "log_add", "and", "or"}); }
ReduceOp reduceOp(Args const &a) { return parseReduceOp(a.text("op")).value_or(ReduceOp::Add); }

void addReduce(std::vector<Codelet> &table)
{
    table.push_back(codeletWithoutFunction(
        {.name = "popops::StridedReduce",
         .family = "reduce",
         .title = "rows added up element by element",
         .params = {opParam(), reducedParam(), outParam(), integerParam("rows", "", "partials per output", 1),
                    integerParam("outputs", "", "elements of a row", 1), integerParam("stride", "0", "elements between rows; 0 = outputs"),
                    flagParam("update", "add to the present values")},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return stridedReduceWorkerCycles({.partials = a.type("partials"),
                                               .out = a.type("out"),
                                               .op = reduceOp(a),
                                               .rows = a.integer("rows"),
                                               .outputs = a.integer("outputs"),
                                               .stride = a.integer("stride"),
                                               .outerStrides = 1,
                                               .update = a.flag("update")});
         },
         .perWorker = true,
         .codeBytes = 420,
         .stateBytes = fixedState(24),
         .source = kReductionSource}));
    table.push_back(codeletWithoutFunction({.name = "popops::ReduceSingleOutput",
                                            .family = "reduce",
                                            .title = "one result from one region",
                                            .params = {opParam(), reducedParam(), outParam(), elementsParam("elements")},
                                            .cycles = [](Args const &a) -> Result<Cycles> {
                                                return singleOutputReduceWorkerCycles(reduceOp(a), a.type("partials"), a.type("out"),
                                                                                      a.integer("n"));
                                            },
                                            .perWorker = true,
                                            .codeBytes = 360,
                                            .stateBytes = fixedState(16),
                                            .source = kReductionSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::ReduceContiguous",
         .family = "reduce",
         .title = "each result from a region of its own",
         .params = {opParam(), reducedParam(), integerParam("outputs", "", "results", 1),
                    integerParam("perOutput", "", "elements of a region"), flagParam("update", "add to the present values")},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return contiguousReduceWorkerCycles(reduceOp(a), a.type("partials"), a.integer("outputs"), a.integer("perOutput"),
                                                 a.flag("update"));
         },
         .perWorker = true,
         .codeBytes = 400,
         .stateBytes = fixedState(20),
         .source = kReductionSource}));
    table.push_back(
        codeletWithoutFunction({.name = "popops::Reduce",
                                .family = "reduce",
                                .title = "general reduction of many regions",
                                .params = {opParam(), reducedParam(), outParam(), integerParam("outputs", "1", "output regions", 1),
                                           integerParam("width", "1", "elements of an output region", 1),
                                           integerParam("regions", "1", "partial regions per output", 1),
                                           integerParam("regionSize", "", "elements of a partial region, a multiple of width"),
                                           flagParam("update", "add to the present values")},
                                .cycles = [](Args const &a) -> Result<Cycles> {
                                    return generalReduceWorkerCycles({.partials = a.type("partials"),
                                                                      .out = a.type("out"),
                                                                      .op = reduceOp(a),
                                                                      .outputs = a.integer("outputs"),
                                                                      .width = a.integer("width"),
                                                                      .regions = a.integer("regions"),
                                                                      .regionSize = a.integer("regionSize"),
                                                                      .update = a.flag("update")});
                                },
                                .perWorker = true,
                                .codeBytes = 800,
                                .stateBytes = [](Args const &a) -> Bytes { return 24 + 8 * a.integer("outputs"); },
                                .source = kReductionSource}));
}

void addSlice(std::vector<Codelet> &table)
{
    table.push_back(codeletWithoutFunction(
        {.name = "popops::DynamicSlice2D",
         .family = "slice",
         .title = "slice of several regions",
         .params = {typeParam("type", "f16", "element type"), integerParam("row", "", "elements of a row", 1),
                    integerParam("rows", "1", "rows of the slice", 1), integerParam("regions", "1", "regions", 1),
                    flagParam("update", "write instead of read")},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return dynamicSlice2DWorkerCycles(a.type("type"), a.integer("row"), a.integer("rows"), a.integer("regions"), a.flag("update"));
         },
         .perWorker = true,
         .codeBytes = 340,
         .stateBytes = [](Args const &a) -> Bytes { return 24 + 8 * a.integer("regions"); },
         .source = kPopopsTables}));
}

void addActivations(std::vector<Codelet> &table)
{
    auto const kind = [] { return choiceParam("activation", "", "activation", {"relu", "sigmoid", "tanh", "gelu", "gelu_erf", "swish"}); };
    auto const activation = [](Args const &a) { return parseActivation(a.text("activation")).value_or(Activation::Relu); };
    table.push_back(codeletWithoutFunction(
        {.name = "popnn::NonLinearity1D",
         .family = "nn",
         .title = "activation (gelu and swish; others are maps)",
         .params = {kind(), floatTypeParam(), elementsParam("elements"), choiceParam("inPlace", "1", "overwrite the input", {"0", "1"})},
         .cycles = [activation](Args const &a) -> Result<Cycles> {
             return nonLinearity1DCycles(activation(a), a.type("type"), a.integer("n"), a.flag("inPlace"));
         },
         .codeBytes = 260,
         .stateBytes = fixedState(12),
         .source = kPopnnSource}));
    table.push_back(codeletWithoutFunction({.name = "popnn::NonLinearityGrad1D",
                                            .family = "nn",
                                            .title = "gradient of an activation",
                                            .params = {kind(), floatTypeParam(), elementsParam("elements")},
                                            .cycles = [activation](Args const &a) -> Result<Cycles> {
                                                return nonLinearityGrad1DCycles(activation(a), a.type("type"), a.integer("n"));
                                            },
                                            .codeBytes = 240,
                                            .stateBytes = fixedState(16),
                                            .source = kPopnnSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popnn::LossCrossEntropyTransform",
         .family = "nn",
         .title = "cross-entropy loss and gradient",
         .params = {floatTypeParam(), elementsParam("elements")},
         .cycles = [](Args const &a) -> Result<Cycles> { return crossEntropyTransformWorkerCycles(a.type("type"), a.integer("n")); },
         .perWorker = true,
         .codeBytes = 180,
         .stateBytes = fixedState(28),
         .source = kPopnnSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popnn::LossSumSquaredTransform",
         .family = "nn",
         .title = "squared-error loss and gradient",
         .params = {floatTypeParam(), elementsParam("elements")},
         .cycles = [](Args const &a) -> Result<Cycles> { return sumSquaredTransformWorkerCycles(a.type("type"), a.integer("n")); },
         .perWorker = true,
         .codeBytes = 160,
         .stateBytes = fixedState(24),
         .source = kPopnnSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popnn::Softmax",
         .family = "nn",
         .title = "the six vertices of a softmax over rows",
         .params = {floatTypeParam(), integerParam("rows", "1", "rows on the tile", 1), integerParam("columns", "", "classes", 1)},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return softmaxCost(a.type("type"), a.integer("rows"), a.integer("columns")).total();
         },
         .codeBytes = 1688,
         .stateBytes = fixedState(112),
         .source = "composition of reduce, broadcast and unary vertices"}));
}

void addPredictions(std::vector<Codelet> &table)
{
    table.push_back(codeletWithoutFunction(
        {.name = "popnn::ReduceMaxClassGather",
         .family = "nn",
         .title = "index of the largest, six workers",
         .params = {floatTypeParam(), elementsParam("elements"), integerParam("perWorker", "", "elements of a worker", 1)},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return maxClassGatherCycles(a.type("type"), a.integer("n"), a.integer("perWorker"));
         },
         .codeBytes = 180,
         .stateBytes = fixedState(24),
         .source = kPopnnSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popnn::ReduceMaxClassSparse",
         .family = "nn",
         .title = "index of the largest among candidates",
         .params = {floatTypeParam(), integerParam("n", "", "candidates", 1)},
         .cycles = [](Args const &a) -> Result<Cycles> { return maxClassSparseWorkerCycles(a.type("type"), a.integer("n")); },
         .perWorker = true,
         .codeBytes = 140,
         .stateBytes = fixedState(20),
         .source = kPopnnSource}));
    table.push_back(
        codeletWithoutFunction({.name = "popnn::CalcAccuracy",
                                .family = "nn",
                                .title = "number of right predictions",
                                .params = {integerParam("batch", "", "predictions")},
                                .cycles = [](Args const &a) -> Result<Cycles> { return accuracyWorkerCycles(a.integer("batch")); },
                                .perWorker = true,
                                .codeBytes = 80,
                                .stateBytes = fixedState(16),
                                .source = kPopnnSource}));
}

void addRandom(std::vector<Codelet> &table)
{
    struct Kind {
        char const *name;
        char const *title;
        Cycles (*cycles)(ValueType, std::int64_t);
        Bytes codeBytes;
    };
    for (Kind const &entry : {Kind{"poprand::Uniform", "uniform random numbers", uniformCycles, 180},
                              Kind{"poprand::Bernoulli", "random bits", bernoulliCycles, 140}}) {
        table.push_back(codeletWithoutFunction(
            {.name = entry.name,
             .family = "random",
             .title = entry.title,
             .params = {floatTypeParam(), elementsParam("elements")},
             .cycles = [cycles = entry.cycles](Args const &a) -> Result<Cycles> { return cycles(a.type("type"), a.integer("n")); },
             .codeBytes = entry.codeBytes,
             .stateBytes = fixedState(20),
             .source = kPoprandSource}));
    }
    table.push_back(codeletWithoutFunction(
        {.name = "poprand::TruncatedNormal",
         .family = "random",
         .title = "normal random numbers within two sigma",
         .params = {floatTypeParam(), elementsParam("elements"), integerParam("iterations", "4", "tries per vector", 0, 64)},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return truncatedNormalCycles(a.type("type"), a.integer("n"), a.integer("iterations"));
         },
         .codeBytes = 240,
         .stateBytes = fixedState(24),
         .source = kPoprandSource}));
    table.push_back(codeletWithoutFunction({.name = "poprand::SetSeed",
                                            .family = "random",
                                            .title = "seeds the six generators of a tile",
                                            .params = {},
                                            .cycles = [](Args const &) -> Result<Cycles> { return setSeedCycles(); },
                                            .codeBytes = 128,
                                            .stateBytes = fixedState(12),
                                            .source = kPoprandSource}));
}

void addSortAndCopy(std::vector<Codelet> &table)
{
    table.push_back(codeletWithoutFunction(
        {.name = "popops::HeapSortVertex",
         .family = "sort",
         .title = "sort of one region",
         .params = {elementsParam("elements"), flagParam("withValues", "keys carry values")},
         .cycles = [](Args const &a) -> Result<Cycles> { return heapSortWorkerCycles(a.integer("n"), a.flag("withValues")); },
         .perWorker = true,
         .codeBytes = 320,
         .stateBytes = fixedState(16),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::CompareAndSwapAtDistance",
         .family = "sort",
         .title = "one step of a bitonic sort (top-k)",
         .params = {typeParam("key", "f32", "type of the keys", {"f32", "i32", "u32"}), flagParam("withValues", "keys carry values"),
                    flagParam("secondKey", "values break ties"), integerParam("items", "1", "work items per worker", 1),
                    integerParam("elements", "", "comparisons per work item"),
                    integerParam("distance", "1", "distance of the compared elements", 1)},
         .cycles = [](Args const &a) -> Result<Cycles> {
             return bitonicStepCycles({.key = a.type("key"),
                                       .withValues = a.flag("withValues"),
                                       .valuesAreSecondKey = a.flag("secondKey"),
                                       .items = a.integer("items"),
                                       .elementsPerItem = a.integer("elements"),
                                       .distance = a.integer("distance")});
         },
         .codeBytes = 280,
         .stateBytes = fixedState(52),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "poplar::ExchangeReceive",
         .family = "copy",
         .title = "a tile receives from other tiles",
         .params = {integerParam("bytes", "", "bytes received"), flagParam("shared", "the bus neighbour receives the same data")},
         .cycles = [](Args const &a) -> Result<Cycles> { return exchangeReceiveCycles(a.chip(), a.integer("bytes"), a.flag("shared")); },
         .codeBytes = 0,
         .stateBytes = fixedState(0),
         .source = "poplibs lib/poplin/ExchangeEstimator"}));
    table.push_back(codeletWithoutFunction(
        {.name = "poplar::ExternalSync",
         .family = "sync",
         .title = "barrier of several IPUs",
         .params = {integerParam("ipus", "", "IPUs that meet", 1, 65536), integerParam("clockHz", "target", "tile clock", 1)},
         .cycles = [](Args const &a) -> Result<Cycles> {
             target::Chip chip = a.chip();
             chip.clockHz = a.integer("clockHz");
             return externalSyncCycles(chip, a.smallInteger("ipus"));
         },
         .codeBytes = 0,
         .stateBytes = fixedState(0),
         .source = "poplibs lib/poplibs_test/Util.cpp"}));
}

} // namespace

void addLibraryOthers(std::vector<Codelet> &table)
{
    addReduce(table);
    addSlice(table);
    addActivations(table);
    addPredictions(table);
    addRandom(table);
    addSortAndCopy(table);
}

} // namespace tilewright::program
