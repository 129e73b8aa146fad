// Elementwise vertices of popops that the compiler does not use; it generates its own maps.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/op_table.h"

namespace tilewright::program {

using namespace cost;

namespace {

std::vector<std::string> opChoices(OpTable table)
{
    std::vector<std::string> names;
    for (std::string_view name : opNames(table)) names.emplace_back(name);
    return names;
}

CostParam regionsParam() { return listParam("regions", "elements of each region of the worker"); }
CostParam inPlaceParam() { return flagParam("inPlace", "overwrite the first operand"); }

/// 1-D supervisor vertices have one pointer per operand and a size, 2-D ones a pointer and a descriptor. In-place vertices omit the pointer
/// of
/// the output.
std::function<Bytes(Args const &)> stateInPlace(Bytes outOfPlace)
{
    return [outOfPlace](Args const &a) { return outOfPlace - (a.flag("inPlace") ? 4 : 0); };
}

void addUnaryBinary(std::vector<Codelet> &table)
{
    auto const unaryOp = [] { return choiceParam("op", "", "operation", opChoices(OpTable::Unary)); };
    auto const binaryOp = [] { return choiceParam("op", "", "operation", opChoices(OpTable::Binary)); };
    table.push_back(codeletWithoutFunction(
        {.name = "popops::UnaryOp1D",
         .family = "elementwise",
         .title = "unary operation on one region",
         .params = {unaryOp(), valueTypeParam(), elementsParam(), inPlaceParam()},
         .cycles = [](Args const &a) { return unary1DCycles(a.text("op"), a.type("type"), a.integer("n"), a.flag("inPlace")); },
         .codeBytes = 184,
         .stateBytes = stateInPlace(12),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::UnaryOp2D",
         .family = "elementwise",
         .title = "unary operation on several regions",
         .params = {unaryOp(), valueTypeParam(), regionsParam(), inPlaceParam()},
         .cycles = [](Args const &a) { return unary2DWorkerCycles(a.text("op"), a.type("type"), a.list("regions"), a.flag("inPlace")); },
         .perWorker = true,
         .codeBytes = 200,
         .stateBytes = stateInPlace(12),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::BinaryOp1D",
         .family = "elementwise",
         .title = "binary operation on one region",
         .params = {binaryOp(), valueTypeParam(), elementsParam(), inPlaceParam()},
         .cycles = [](Args const &a) { return binary1DCycles(a.text("op"), a.type("type"), a.integer("n"), a.flag("inPlace")); },
         .codeBytes = 224,
         .stateBytes = stateInPlace(16),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::BinaryOp2D",
         .family = "elementwise",
         .title = "binary operation on several regions",
         .params = {binaryOp(), valueTypeParam(), regionsParam(), inPlaceParam()},
         .cycles = [](Args const &a) { return binary2DWorkerCycles(a.text("op"), a.type("type"), a.list("regions"), a.flag("inPlace")); },
         .perWorker = true,
         .codeBytes = 240,
         .stateBytes = stateInPlace(16),
         .source = kPopopsTables}));
}

void addBroadcast(std::vector<Codelet> &table)
{
    auto const scalarOp = [] { return choiceParam("op", "", "operation", opChoices(OpTable::BroadcastScalar)); };
    auto const outerOp = [] { return choiceParam("op", "add", "operation", {"add", "subtract", "multiply"}); };
    table.push_back(codeletWithoutFunction(
        {.name = "popops::BroadcastScalar1D",
         .family = "elementwise",
         .title = "tensor and scalar",
         .params = {scalarOp(), valueTypeParam(), elementsParam(), inPlaceParam()},
         .cycles = [](Args const &a) { return broadcastScalar1DCycles(a.text("op"), a.type("type"), a.integer("n"), a.flag("inPlace")); },
         .codeBytes = 200,
         .stateBytes = stateInPlace(16),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::BroadcastScalar2Types1D",
         .family = "elementwise",
         .title = "variance to 1/standard deviation and back, between types",
         .params = {choiceParam("op", "variance_to_inv_std_dev", "operation", {"variance_to_inv_std_dev", "inv_std_dev_to_variance"}),
                    typeParam("in", "f32", "type read", {"f16", "f32"}), typeParam("out", "f16", "type written", {"f16", "f32"}),
                    elementsParam()},
         .cycles = [](Args const &a) { return broadcastScalar2Types1DCycles(a.text("op"), a.type("in"), a.type("out"), a.integer("n")); },
         .codeBytes = 220,
         .stateBytes = fixedState(16),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction({.name = "popops::BroadcastScalar2D",
                                            .family = "elementwise",
                                            .title = "regions and scalars",
                                            .params = {scalarOp(), valueTypeParam(), regionsParam(), inPlaceParam(),
                                                       flagParam("perRegion", "each region has a scalar of its own")},
                                            .cycles =
                                                [](Args const &a) {
                                                    return broadcastScalar2DWorkerCycles(a.text("op"), a.type("type"), a.list("regions"),
                                                                                         a.flag("inPlace"), !a.flag("perRegion"));
                                                },
                                            .perWorker = true,
                                            .codeBytes = 220,
                                            .stateBytes = stateInPlace(16),
                                            .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::BroadcastVectorInner1D",
         .family = "elementwise",
         .title = "vector repeated along the rows (a bias)",
         .params = {choiceParam("op", "add", "operation", {"add", "subtract", "multiply", "divide"}), floatTypeParam(),
                    integerParam("length", "", "elements of the vector"), integerParam("repetitions", "", "rows the vector is applied to"),
                    integerParam("slices", "1", "vectors, each with rows of its own", 1), inPlaceParam()},
         .cycles =
             [](Args const &a) {
                 return broadcastVectorInner1DCycles(a.text("op"), a.type("type"), a.integer("length"), a.integer("repetitions"),
                                                     a.integer("slices"), a.flag("inPlace"));
             },
         .codeBytes = 320,
         .stateBytes = stateInPlace(24),
         .source = kPopopsTables}));
    for (bool const byRow : {true, false}) {
        table.push_back(codeletWithoutFunction(
            {.name = byRow ? "popops::BroadcastVectorOuterByRow" : "popops::BroadcastVectorOuterByColumn",
             .family = "elementwise",
             .title = byRow ? "one value per row, rows dealt to the workers" : "one value per row, columns dealt to the workers",
             .params = {outerOp(), floatTypeParam(), integerParam("rows", "", "rows of the data"),
                        integerParam("columns", "", "columns of the data"),
                        flagParam("allowMisaligned", "rows that do not start at 8 bytes")},
             .cycles =
                 [byRow](Args const &a) {
                     return broadcastVectorOuterCycles(a.text("op"), a.type("type"), a.integer("rows"), a.integer("columns"), byRow,
                                                       a.flag("allowMisaligned"));
                 },
             .codeBytes = 240,
             .stateBytes = fixedState(20),
             .source = kPopopsTables}));
    }
}

void addMoves(std::vector<Codelet> &table)
{
    table.push_back(codeletWithoutFunction({.name = "popops::Select",
                                            .family = "elementwise",
                                            .title = "elementwise choice between two tensors",
                                            .params = {valueTypeParam(), regionsParam()},
                                            .cycles = [](Args const &a) -> Result<Cycles> { return selectWorkerCycles(a.list("regions")); },
                                            .perWorker = true,
                                            .codeBytes = 220,
                                            .stateBytes = fixedState(24),
                                            .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::BroadcastSelectorSelect",
         .family = "elementwise",
         .title = "choice of whole rows",
         .params = {valueTypeParam(), regionsParam()},
         .cycles = [](Args const &a) -> Result<Cycles> { return broadcastSelectorSelectWorkerCycles(a.type("type"), a.list("regions")); },
         .perWorker = true,
         .codeBytes = 260,
         .stateBytes = fixedState(24),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::Clamp",
         .family = "elementwise",
         .title = "limits from two tensors",
         .params = {valueTypeParam(), regionsParam()},
         .cycles = [](Args const &a) -> Result<Cycles> { return clampWorkerCycles(a.type("type"), a.list("regions")); },
         .perWorker = true,
         .codeBytes = 220,
         .stateBytes = fixedState(24),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::Iota",
         .family = "elementwise",
         .title = "running numbers",
         .params = {typeParam("type", "i32", "element type"), regionsParam()},
         .cycles = [](Args const &a) -> Result<Cycles> { return iotaWorkerCycles(a.type("type"), a.list("regions")); },
         .perWorker = true,
         .codeBytes = 96,
         .stateBytes = fixedState(16),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::NormaliseImage",
         .family = "elementwise",
         .title = "pixels scaled and padded to four channels",
         .params = {typeParam("in", "u8", "type of the pixels", {"u8", "f16", "f32"}), integerParam("pixels", "", "pixels on the tile")},
         .cycles = [](Args const &a) -> Result<Cycles> { return normaliseImageCycles(a.type("in"), a.integer("pixels")); },
         .codeBytes = 300,
         .stateBytes = fixedState(24),
         .source = kPopopsTables}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::HasNaNOrInf1D",
         .family = "elementwise",
         .title = "search for NaN (and infinity)",
         .params = {floatTypeParam(), elementsParam(), flagParam("infinite", "look for infinity too")},
         .cycles = [](Args const &a) -> Result<Cycles> { return hasNaN1DCycles(a.type("type"), a.integer("n"), a.flag("infinite")); },
         .codeBytes = 180,
         .stateBytes = fixedState(16),
         .source = kPopopsTables}));

    auto const from = [] { return typeParam("from", "f16", "type read"); };
    auto const to = [] { return typeParam("to", "f32", "type written"); };
    table.push_back(codeletWithoutFunction(
        {.name = "popops::Cast1DSingleWorker",
         .family = "elementwise",
         .title = "conversion by one worker",
         .params = {from(), to(), elementsParam()},
         .cycles = [](Args const &a) -> Result<Cycles> { return cast1DSingleWorkerCycles(a.type("from"), a.type("to"), a.integer("n")); },
         .perWorker = true,
         .codeBytes = 180,
         .stateBytes = fixedState(12),
         .source = kPopopsSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::Cast2D",
         .family = "elementwise",
         .title = "conversion of several regions",
         .params = {from(), to(), regionsParam()},
         .cycles = [](Args const &a) -> Result<Cycles> { return cast2DWorkerCycles(a.type("from"), a.type("to"), a.list("regions")); },
         .perWorker = true,
         .codeBytes = 220,
         .stateBytes = fixedState(12),
         .source = kPopopsSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::Fill2d",
         .family = "elementwise",
         .title = "constant into several regions",
         .params = {valueTypeParam(), regionsParam()},
         .cycles = [](Args const &a) -> Result<Cycles> { return fill2DWorkerCycles(a.type("type"), a.list("regions")); },
         .perWorker = true,
         .codeBytes = 136,
         .stateBytes = fixedState(12),
         .source = kPopopsSource}));
}

ScaledAddParams scaledParams(Args const &a)
{
    std::string const &op = a.text("op");
    ScaledOp kind = ScaledOp::Add;
    if (op == "subtract") kind = ScaledOp::Subtract;
    if (op == "axpby") kind = ScaledOp::AxPlusBy;
    if (op == "axminusby") kind = ScaledOp::AxMinusBy;
    return {.a = a.type("a"),
            .b = a.type("b"),
            .scale = a.type("scale"),
            .n = 0,
            .op = kind,
            .memoryConstrained = a.flag("constrained"),
            .scaledPointers = a.flag("scaledPointers")};
}

std::vector<CostParam> scaledAddParams(CostParam size)
{
    return {choiceParam("op", "add", "a += k b, a -= k b, k a + l b, k a - l b", {"add", "subtract", "axpby", "axminusby"}),
            typeParam("a", "f32", "type of the target", {"f16", "f32", "i32", "u32"}),
            typeParam("b", "f32", "type of the addend", {"f16", "f32", "i32", "u32"}),
            typeParam("scale", "f32", "type of the factor", {"f16", "f32", "i32", "u32"}),
            std::move(size),
            flagParam("constrained", "operands in different memory elements"),
            flagParam("scaledPointers", "operands addressed by 64-bit scaled pointers")};
}

void addScaled(std::vector<Codelet> &table)
{
    table.push_back(codeletWithoutFunction({.name = "popops::ScaledAddSupervisor",
                                            .family = "elementwise",
                                            .title = "weighted sum (optimiser update)",
                                            .params = scaledAddParams(elementsParam()),
                                            .cycles = [](Args const &a) -> Result<Cycles> {
                                                ScaledAddParams params = scaledParams(a);
                                                params.n = a.integer("n");
                                                return scaledAdd1DCycles(params);
                                            },
                                            .codeBytes = 288,
                                            .stateBytes = fixedState(20),
                                            .source = kPopopsSource}));
    table.push_back(codeletWithoutFunction(
        {.name = "popops::ScaledAdd2D",
         .family = "elementwise",
         .title = "weighted sum of several regions",
         .params = scaledAddParams(regionsParam()),
         .cycles = [](Args const &a) -> Result<Cycles> { return scaledAdd2DWorkerCycles(scaledParams(a), a.list("regions")); },
         .perWorker = true,
         .codeBytes = 280,
         .stateBytes = fixedState(20),
         .source = kPopopsTables}));
    table.push_back(
        codeletWithoutFunction({.name = "popops::ScalarMultiply1D",
                                .family = "elementwise",
                                .title = "f16 tensor times an f32 scalar",
                                .params = {elementsParam()},
                                .cycles = [](Args const &a) -> Result<Cycles> { return scalarMultiply1DCycles(a.integer("n")); },
                                .codeBytes = 240,
                                .stateBytes = fixedState(16),
                                .source = kPopopsTables}));
}

} // namespace

void addLibraryElementwise(std::vector<Codelet> &table)
{
    addUnaryBinary(table);
    addBroadcast(table);
    addMoves(table);
    addScaled(table);
}

} // namespace tilewright::program
