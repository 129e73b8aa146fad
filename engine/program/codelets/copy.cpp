// Copies, casts, fills, dropout.
#include "engine/kernels/noise_math.h"
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/copy_cost.h"
#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/random_cost.h"
#include "engine/program/cost/slice_cost.h"

#include <algorithm>
#include <vector>

namespace tilewright::program {

namespace {

void runCopy(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0], &in = s.fields[1];
    if (out.rowGroup != in.rowGroup || out.colGroup != in.colGroup) {
        if (workers.begin != 0) return;
        bySize(out.dtype, [&]<typename T>(T *) { reorder(at<T>(tile, out), out, at<T>(tile, in), in); });
        return;
    }
    auto const size = static_cast<std::size_t>(sizeOf(s.fields[0].dtype));
    auto const [begin, end] = shareOf(s.fields[0].elements(), workers);
    std::memcpy(tile + s.fields[0].address + static_cast<std::size_t>(begin) * size,
                tile + s.fields[1].address + static_cast<std::size_t>(begin) * size, static_cast<std::size_t>(end - begin) * size);
}

void runCast(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const [begin, end] = shareOf(s.fields[0].elements(), workers);
    constexpr std::int64_t kBlock = 256;
    float buffer[kBlock];
    for (std::int64_t i = begin; i < end; i += kBlock) {
        std::int64_t const n = std::min(kBlock, end - i);
        storeFloats(tile, s.fields[0], i, n, loadFloats(tile, s.fields[1], i, n, buffer));
    }
}

void runFill(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const [begin, end] = shareOf(s.fields[0].elements(), workers);
    constexpr std::int64_t kBlock = 256;
    float buffer[kBlock];
    std::fill_n(buffer, kBlock, static_cast<float>(s.scalars[0]));
    for (std::int64_t i = begin; i < end; i += kBlock) storeFloats(tile, s.fields[0], i, std::min(kBlock, end - i), buffer);
}

/// Fields: result, operand, counter of micro-batches, optional addend to the stream number. Scalars: rate, stream number, columns of the
/// whole
/// tensor. Random bits depend on the element's position in the tensor, not on its tile.
void runDropout(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const rate = s.scalars[0];
    auto const cols = static_cast<std::int64_t>(s.scalars[2]);
    auto const counter = at<std::int32_t>(tile, s.fields[2])[0];
    auto const *added = s.fields.size() > 3 ? at<std::int32_t>(tile, s.fields[3]) : nullptr;
    auto const seed = kernels::drawingSeed(s.seed, s.replica, static_cast<std::uint64_t>(s.scalars[1]), added, counter);
    float const scale = static_cast<float>(1.0 / (1.0 - rate));
    auto const [begin, end] = shareOf(out.rows, workers);
    std::vector<float> buffer(static_cast<std::size_t>(out.cols)), result(static_cast<std::size_t>(out.cols));
    for (std::int64_t r = begin; r < end; ++r) {
        float const *x = loadFloats(tile, s.fields[1], r * out.cols, out.cols, buffer.data());
        for (std::int64_t c = 0; c < out.cols; ++c) {
            auto const element = static_cast<std::uint64_t>((out.row0 + r) * cols + out.col0 + c);
            bool const keep = static_cast<double>(unitFloat(randomBits(seed, element))) >= rate;
            result[static_cast<std::size_t>(c)] = keep ? x[c] * scale : 0.0f;
        }
        storeFloats(tile, out, r * out.cols, out.cols, result.data());
    }
}

/// Fields: consecutive slices, their stack, number of the first slice. Scalars: read from the end of the stack or not, slices in the stack.
/// The number is clamped so that all slices are inside the stack. `update`: the stack comes first and the slices are written into it.
template <bool update> void runDynamicSlice(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &slice = s.fields[update ? 1 : 0], &stack = s.fields[update ? 0 : 1];
    std::int64_t const step = *at<std::int32_t>(tile, s.fields[2]), count = static_cast<std::int64_t>(s.scalars[1]);
    std::int64_t const one = stack.elements() / count, several = slice.elements() / one;
    std::int64_t const index = std::clamp<std::int64_t>(s.scalars[0] != 0 ? count - several - step : step, 0, count - several);
    auto const size = static_cast<std::size_t>(sizeOf(slice.dtype));
    auto const [begin, end] = shareOf(slice.elements(), workers);
    std::byte *const inSlice = tile + slice.address + static_cast<std::size_t>(begin) * size;
    std::byte *const inStack = tile + stack.address + static_cast<std::size_t>(index * one + begin) * size;
    std::memcpy(update ? inStack : inSlice, update ? inSlice : inStack, static_cast<std::size_t>(end - begin) * size);
}

Codelet make(char const *name, Bytes code, std::function<Cycles(VertexShape const &, target::Chip const &)> cycles,
             void (*run)(std::byte *, VertexState const &, Workers))
{
    Codelet c;
    c.name = name;
    c.codeBytes = code;
    c.cycles = std::move(cycles);
    c.stateBytes = usualState;
    c.run = run;
    return c;
}

} // namespace

void addCopyCodelets(std::vector<Codelet> &all)
{
    FieldShape const number = matrixField(DType::I32, 1, 1);
    all.push_back(make(
        "Copy", 120,
        [](VertexShape const &shape, target::Chip const &chip) {
            auto const &f = shape.fields[0];
            return cost::memcpyCycles(f.elements() * sizeOf(f.dtype), 1, chip.memcpyBytesPerCycle);
        },
        runCopy));
    all.back().knowsGroups = true;
    all.back().description =
        describe({.library = "poplar::Memcpy",
                  .family = "copy",
                  .title = "copy within a tile",
                  .source = "8 bytes a cycle, 20-30 cycles a region",
                  .params = {cost::integerParam("bytes", "", "bytes in all"), cost::integerParam("regions", "1", "contiguous pieces", 1)},
                  .vertex = [](cost::Args const &a) -> SizedVertex {
                      auto const field = matrixField(DType::U8, 1, a.integer("bytes"));
                      return {{field, field}};
                  },
                  .cycles = [](cost::Args const &a) -> Result<Cycles> {
                      return cost::memcpyCycles(a.integer("bytes"), a.integer("regions"), a.chip().memcpyBytesPerCycle);
                  }});
    all.push_back(make(
        "Cast", 190,
        [](VertexShape const &shape, target::Chip const &) {
            return cost::cast1DCycles(shape.fields[1].dtype, shape.fields[0].dtype, shape.fields[0].elements());
        },
        runCast));
    all.back().description = describe(
        {.library = "popops::Cast1D",
         .family = "elementwise",
         .title = "conversion of one region",
         .source = kPopopsSource,
         .params = {cost::typeParam("from", "f16", "type read"), cost::typeParam("to", "f32", "type written"), elementsParam()},
         .vertex = [](cost::Args const &a) -> SizedVertex {
             std::int64_t const n = a.integer("n");
             return {{matrixField(storageType(a.type("to")), 1, n), matrixField(storageType(a.type("from")), 1, n)}};
         },
         .cycles = [](cost::Args const &a) -> Result<Cycles> { return cost::cast1DCycles(a.type("from"), a.type("to"), a.integer("n")); }});
    all.push_back(make(
        "Fill", 90,
        [](VertexShape const &shape, target::Chip const &) {
            return 6 * cost::fillWorkerCycles(shape.fields[0].dtype, ceilDiv(shape.fields[0].elements(), 6));
        },
        runFill));
    all.back().description =
        describe({.library = "popops::Fill",
                  .family = "elementwise",
                  .title = "constant into one region",
                  .source = kPopopsSource,
                  .params = {valueTypeParam(), elementsParam("elements of the worker")},
                  .vertex = [](cost::Args const &a) -> SizedVertex {
                      return {{matrixField(storageType(a.type("type")), 1, cost::kWorkers * a.integer("n"))}, {0.0}};
                  },
                  .cycles = [](cost::Args const &a) -> Result<Cycles> { return cost::fillWorkerCycles(a.type("type"), a.integer("n")); },
                  .perWorker = true});
    all.push_back(make(
        "DynamicSlice1D", 240,
        [](VertexShape const &shape, target::Chip const &) {
            return cost::dynamicSlice1DCycles(shape.fields[0].dtype, shape.fields[0].elements(), 1);
        },
        runDynamicSlice<false>));
    auto const dynamicSlice = [number](bool update) {
        return describe({.library = update ? "popops::DynamicUpdateSlice1D" : "popops::DynamicSlice1D",
                         .family = "slice",
                         .title = update ? "update at a run-time offset" : "slice at a run-time offset",
                         .source = kPopopsTables,
                         .params = {cost::typeParam("type", "f16", "element type"), cost::integerParam("row", "", "elements of a row", 1),
                                    cost::integerParam("rows", "1", "rows of the slice", 1)},
                         .vertex = [number](cost::Args const &a) -> SizedVertex {
                             // With a stack of one, the slice has the size of the stack.
                             auto const field = matrixField(storageType(a.type("type")), a.integer("rows"), a.integer("row"));
                             return {{field, field, number}, {0.0, 1.0}};
                         },
                         .cycles = [](cost::Args const &a) -> Result<Cycles> {
                             return cost::dynamicSlice1DCycles(a.type("type"), a.integer("row"), a.integer("rows"));
                         }});
    };
    all.back().description = dynamicSlice(false);
    all.push_back(make(
        "DynamicUpdateSlice1D", 240,
        [](VertexShape const &shape, target::Chip const &) {
            return cost::dynamicSlice1DCycles(shape.fields[1].dtype, shape.fields[1].elements(), 1);
        },
        runDynamicSlice<true>));
    all.back().description = dynamicSlice(true);
    all.push_back(make(
        "Dropout", 330,
        [](VertexShape const &shape, target::Chip const &) {
            return cost::setSeedCycles() + cost::dropoutCycles(shape.fields[0].dtype, shape.fields[0].elements());
        },
        runDropout));
    all.back().description = describe(
        {.library = "poprand::Dropout",
         .family = "random",
         .title = "random mask and scale",
         .source = kPoprandSource,
         .params = {floatTypeParam(), elementsParam(), cost::flagParam("seeded", "the generators are seeded first, as a compile has it")},
         .vertex = [number](cost::Args const &a) -> SizedVertex {
             auto const field = matrixField(storageType(a.type("type")), 1, a.integer("n"));
             return {{field, field, number}, {0.5, 0.0, static_cast<double>(a.integer("n"))}};
         },
         .cycles = [](cost::Args const &a) -> Result<Cycles> {
             return (a.flag("seeded") ? cost::setSeedCycles() : 0) + cost::dropoutCycles(a.type("type"), a.integer("n"));
         }});
}

} // namespace tilewright::program
