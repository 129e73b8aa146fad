// Gathers rows of a table by run-time offsets, and adds rows to it: popops' multi-slice and multi-update. Each tile receives all offsets
// and
// handles those of its own rows.
#include "engine/program/codelets/codelet_list.h"
#include "engine/program/codelets/description_parts.h"
#include "engine/program/codelets/support.h"
#include "engine/program/cost/elementwise_cost.h"
#include "engine/program/cost/slice_cost.h"

#include <algorithm>

namespace tilewright::program {

namespace {

/// Fields: result [offsets, cols], block of the table, offsets. Rows outside the block become zero.
void runMultiSlice(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0], &table = s.fields[1];
    auto const *ids = at<std::int32_t>(tile, s.fields[2]);
    auto const row = static_cast<std::size_t>(out.cols) * static_cast<std::size_t>(sizeOf(out.dtype));
    auto const [begin, end] = shareOf(out.rows, workers);
    for (std::int64_t i = begin; i < end; ++i) {
        std::byte *const to = tile + out.address + static_cast<std::size_t>(i) * row;
        std::int64_t const at = ids[i] - table.row0;
        if (at < 0 || at >= table.rows) std::memset(to, 0, row);
        else std::memcpy(to, tile + table.address + static_cast<std::size_t>(at) * row, row);
    }
}

/// Fields: block of the table, rows [offsets, cols], offsets. Starts with zeros; each worker has its own rows of the block.
void runMultiUpdateAdd(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &table = s.fields[0], &rows = s.fields[1];
    auto const *ids = at<std::int32_t>(tile, s.fields[2]);
    auto const [begin, end] = shareOf(table.rows, workers);
    std::int64_t const cols = table.cols;
    std::vector<float> sums(static_cast<std::size_t>((end - begin) * cols), 0.0f), buffer(static_cast<std::size_t>(cols));
    for (std::int64_t i = 0; i < rows.rows; ++i) {
        std::int64_t const at = ids[i] - table.row0;
        if (at < begin || at >= end) continue;
        float const *from = loadFloats(tile, rows, i * cols, cols, buffer.data());
        float *const to = sums.data() + (at - begin) * cols;
        for (std::int64_t c = 0; c < cols; ++c) to[c] += from[c];
    }
    storeFloats(tile, table, begin * cols, (end - begin) * cols, sums.data());
}

/// Fields: rows, their numbers.
void runOneHot(std::byte *tile, VertexState const &s, Workers workers)
{
    auto const &out = s.fields[0];
    auto const *ids = at<std::int32_t>(tile, s.fields[1]);
    auto const [begin, end] = shareOf(out.rows, workers);
    std::vector<float> row(static_cast<std::size_t>(out.cols));
    for (std::int64_t r = begin; r < end; ++r) {
        std::fill(row.begin(), row.end(), 0.0f);
        std::int64_t const place = ids[r] - out.col0;
        if (place >= 0 && place < out.cols) row[static_cast<std::size_t>(place)] = 1.0f;
        storeFloats(tile, out, r * out.cols, out.cols, row.data());
    }
}

/// scalars[0]: rows of the whole table. Priced as if the offsets were spread evenly over the table.
std::int64_t expected(VertexShape const &shape, std::int64_t offsets, std::int64_t rows)
{
    return ceilDiv(offsets * rows, std::max<std::int64_t>(rows, static_cast<std::int64_t>(shape.scalars[0])));
}

Cycles zeros(FieldShape const &field) { return 6 * cost::fillWorkerCycles(field.dtype, ceilDiv(field.elements(), 6)); }

Cycles multiSlice(VertexShape const &shape, target::Chip const &)
{
    auto const &out = shape.fields[0], &table = shape.fields[1];
    cost::MultiSliceParams p;
    p.type = table.dtype;
    p.rowElements = out.cols;
    p.offsets = ceilDiv(out.rows, std::int64_t{6});
    p.inRange = expected(shape, p.offsets, table.rows);
    bool const split = static_cast<double>(table.rows) < shape.scalars[0];
    return cost::multiSliceCycles(p) + (split ? zeros(out) : 0);
}

Cycles multiUpdateAdd(VertexShape const &shape, target::Chip const &)
{
    auto const &table = shape.fields[0], &rows = shape.fields[1];
    cost::MultiUpdateParams p;
    p.type = table.dtype;
    p.rowElements = table.cols;
    p.offsets = rows.rows;
    p.inRange = ceilDiv(expected(shape, rows.rows, table.rows), std::int64_t{6});
    p.scaled = false;
    return zeros(table) + cost::multiUpdateCycles(p);
}

cost::CostParam rowTypeParam() { return cost::typeParam("type", "f16", "element type"); }
cost::CostParam rowParam() { return cost::integerParam("row", "", "elements of a row", 1); }
cost::CostParam offsetsParam() { return cost::integerParam("offsets", "", "offsets the worker sees"); }
cost::CostParam inRangeParam() { return cost::integerParam("inRange", "-1", "of those in this tile's rows; -1 = all", -1); }
cost::CostParam sortedParam() { return cost::flagParam("sorted", "offsets are sorted"); }

std::vector<cost::CostParam> multiSliceParams()
{
    return {rowTypeParam(), rowParam(),    offsetsParam(),
            inRangeParam(), sortedParam(), cost::flagParam("splitRow", "all workers copy the one row")};
}

Result<Cycles> multiSliceCycles(cost::Args const &a, bool isUpdate)
{
    return cost::multiSliceCycles({.type = a.type("type"),
                                   .rowElements = a.integer("row"),
                                   .offsets = a.integer("offsets"),
                                   .inRange = a.integer("inRange"),
                                   .update = isUpdate,
                                   .sorted = a.flag("sorted"),
                                   .perEntry = 1,
                                   .splitSingleRow = a.flag("splitRow")});
}

Result<Cycles> multiUpdateAddCycles(cost::Args const &a)
{
    std::int64_t const zeroed = a.integer("zeroed") * a.integer("row");
    return (zeroed > 0 ? 6 * cost::fillWorkerCycles(a.type("type"), ceilDiv(zeroed, std::int64_t{6})) : 0)
        + cost::multiUpdateCycles({.type = a.type("type"),
                                   .rowElements = a.integer("row"),
                                   .offsets = a.integer("offsets"),
                                   .inRange = a.integer("inRange"),
                                   .add = true,
                                   .scaled = a.flag("scaled"),
                                   .wideScale = a.flag("wideScale"),
                                   .sorted = a.flag("sorted"),
                                   .perEntry = 1});
}

} // namespace

void addSliceCodelets(std::vector<Codelet> &all)
{
    Codelet slice;
    slice.name = "MultiSlice";
    slice.codeBytes = 380;
    slice.cycles = multiSlice;
    slice.stateBytes = [](VertexShape const &) -> Bytes { return 32; };
    slice.run = runMultiSlice;
    slice.description =
        describe({.library = "popops::MultiSlice",
                  .family = "slice",
                  .title = "rows gathered by offset (embedding)",
                  .source = kPopopsSource,
                  .params = multiSliceParams(),
                  .vertex = [](cost::Args const &a) -> SizedVertex {
                      std::int64_t const offsets = cost::kWorkers * a.integer("offsets"), row = a.integer("row");
                      DType const type = storageType(a.type("type"));
                      return {{matrixField(type, offsets, row), matrixField(type, 1, row), matrixField(DType::I32, offsets, 1)}, {1.0}};
                  },
                  .cycles = [](cost::Args const &a) { return multiSliceCycles(a, false); }});
    all.push_back(slice);
    Codelet update = slice;
    update.name = "MultiUpdateAdd";
    update.codeBytes = 440;
    update.cycles = multiUpdateAdd;
    update.stateBytes = [](VertexShape const &) -> Bytes { return 36; };
    update.run = runMultiUpdateAdd;
    update.description = describe(
        {.library = "popops::MultiUpdateAdd",
         .family = "slice",
         .title = "rows added by offset (embedding gradient)",
         .source = kPopopsSource,
         .params = {rowTypeParam(), rowParam(), offsetsParam(), inRangeParam(),
                    cost::choiceParam("scaled", "1", "rows are scaled", {"0", "1"}), cost::flagParam("wideScale", "f32 factor of f16 rows"),
                    sortedParam(), cost::integerParam("zeroed", "0", "rows of the table set to zero first, as a compile has it")},
         .vertex = [](cost::Args const &a) -> SizedVertex {
             std::int64_t const rows = std::max<std::int64_t>(1, a.integer("zeroed")), row = a.integer("row");
             DType const type = storageType(a.type("type"));
             return {{matrixField(type, rows, row), matrixField(type, a.integer("offsets"), row),
                      matrixField(DType::I32, a.integer("offsets"), 1)},
                     {static_cast<double>(rows)}};
         },
         .cycles = multiUpdateAddCycles});
    all.push_back(update);
    all.push_back(codeletWithoutFunction({.name = "popops::MultiUpdate",
                                          .family = "slice",
                                          .title = "rows written by offset",
                                          .params = multiSliceParams(),
                                          .cycles = [](cost::Args const &a) { return multiSliceCycles(a, true); },
                                          .codeBytes = 380,
                                          .stateBytes = fixedState(32),
                                          .source = kPopopsSource}));
    Codelet oneHot;
    oneHot.name = "EncodeOneHot";
    oneHot.codeBytes = 200;
    oneHot.cycles = [](VertexShape const &shape, target::Chip const &) {
        return zeros(shape.fields[0]) + cost::oneHotCycles(shape.fields[1].dtype, shape.fields[0].dtype, shape.fields[1].elements());
    };
    oneHot.stateBytes = usualState;
    oneHot.run = runOneHot;
    oneHot.description = describe(
        {.library = "popops::EncodeOneHot",
         .family = "elementwise",
         .title = "class numbers to one-hot rows",
         .source = kPopopsTables,
         .params = {cost::typeParam("index", "u32", "type of the class numbers", {"i32", "u32"}),
                    cost::typeParam("out", "f16", "type of the rows"), cost::integerParam("indices", "", "class numbers"),
                    cost::integerParam("zeroed", "0", "elements of a row set to zero first, as a compile has it")},
         .vertex = [](cost::Args const &a) -> SizedVertex {
             return {{matrixField(storageType(a.type("out")), a.integer("indices"), std::max<std::int64_t>(1, a.integer("zeroed"))),
                      matrixField(DType::I32, a.integer("indices"), 1)}};
         },
         .cycles = [](cost::Args const &a) -> Result<Cycles> {
             std::int64_t const zeroed = a.integer("zeroed") * a.integer("indices");
             return (zeroed > 0 ? 6 * cost::fillWorkerCycles(a.type("out"), ceilDiv(zeroed, std::int64_t{6})) : 0)
                 + cost::oneHotCycles(a.type("index"), a.type("out"), a.integer("indices"));
         }});
    all.push_back(std::move(oneHot));
}

} // namespace tilewright::program
