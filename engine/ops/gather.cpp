// Reads rows of a table by index, and adds rows to a table by index: an embedding and its gradient. Lowered as popops'
// multi-slice and multi-update, on the grid of lowering/slice_plan.
#include "engine/ops/gather_planning.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Diagnostic shapeError(Node const &node, Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); }

Result<std::vector<Builder::Out>> inferGather(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 2) return shapeError(node, Message::of("a look-up takes a table and row numbers."));
    if (inputs[0]->shape.size() != 2)
        return shapeError(node, Message::of("the table must be a matrix, but it is %1.", toText(inputs[0]->shape)));
    if (inputs[1]->dtype != DType::I32) return shapeError(node, Message::of("row numbers must be integers."));
    Shape out = inputs[1]->shape;
    out.push_back(inputs[0]->shape[1]);
    return std::vector<Builder::Out>{{out, inputs[0]->dtype}};
}

Result<std::vector<Builder::Out>> inferScatter(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 2) return shapeError(node, Message::of("an update takes rows and row numbers."));
    Shape expected = inputs[1]->shape;
    if (inputs[0]->shape.empty()) return shapeError(node, Message::of("rows need a last axis."));
    expected.push_back(inputs[0]->shape.back());
    if (inputs[0]->shape != expected)
        return shapeError(node, Message::of("rows %1 do not match row numbers %2.", toText(inputs[0]->shape), toText(inputs[1]->shape)));
    if (inputs[1]->dtype != DType::I32) return shapeError(node, Message::of("row numbers must be integers."));
    if (node.attrs.integer("rows") < 1) return shapeError(node, Message::of("the table needs a row."));
    return std::vector<Builder::Out>{{{node.attrs.integer("rows"), inputs[0]->shape.back()}, inputs[0]->dtype}};
}

std::vector<ValueId> gatherGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId(), ValueId()};
    auto const rows = b.graph().value(node.inputs[0]).shape[0];
    return {appendOp(b, "scatter_add", {d[0], node.inputs[1]}, {{"rows", rows}}, "ScatterAdd"), ValueId()};
}

std::vector<ValueId> scatterGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId(), ValueId()};
    return {appendOp(b, "gather", {d[0], node.inputs[1]}), ValueId()};
}

std::int64_t flops(Graph const &graph, Node const &node) { return elementCount(graph.value(node.inputs[0]).shape); }

/// The node's numbers as a column, each part on all tiles of its grid.
VarId idsOnGrid(lowering::LowerContext &ctx, Node const &node, lowering::SlicePlan const &plan, Layout layout)
{
    auto const copies = [&](std::int64_t n, std::int32_t stride) {
        if (n > 1) layout.add(cut(n, 1, stride, DimKind::Copy));
    };
    copies(plan.partsRows, plan.strideRows);
    copies(plan.partsCols, plan.strideCols);
    layout.add(cut(elementCount(ctx.graph.value(node.inputs[1]).shape), plan.blockIds, plan.strideIds));
    layout.add(cut(1, 1, 0));
    return ctx.b.gather(ctx.var(node.inputs[1]), layout, node.name + "/ids");
}

/// rows x cols in blocks on the grid; `several` copies or addends, one for each part of the third dimension.
Layout matrixOnGrid(Layout layout, Dim const &rows, Dim const &cols, std::int64_t several, std::int32_t stride, DimKind kind)
{
    if (several > 1) layout.add(cut(several, 1, stride, kind));
    layout.add(rows);
    layout.add(cols);
    return layout;
}

/// What both directions share: the plan, and the dimensions of the table and of the rows that are looked up.
struct Grid {
    lowering::SlicePlan plan;
    Layout base;
    Dim ids, rows, cols;
};

Grid gridOf(lowering::LowerContext &ctx, NodeId id, std::int64_t ids, Shape const &table)
{
    auto const found = ctx.slices.find(id.index);
    TW_CHECK(found != ctx.slices.end(), "look-up " + ctx.graph.node(id).name + " was not planned");
    auto const &plan = found->second.plan;
    return {plan, onTiles(ctx.b.workTiles(ctx.ipu(ctx.graph.node(id).stage)), found->second.firstTile),
            cut(ids, plan.blockIds, plan.strideIds), cut(table[0], plan.blockRows, plan.strideRows),
            cut(table[1], plan.blockCols, plan.strideCols)};
}

/// The result of a vertex on the grid: `parts` addends of it that are summed, or at once the node's value.
void executeAndSum(lowering::LowerContext &ctx, Node const &node, std::string const &set, char const *codelet, Layout const &layout,
                   std::vector<Field> operands, std::int64_t rows)
{
    auto const &out = ctx.graph.value(node.outputs[0]);
    std::string const role(graph::toText(out.role));
    bool const sums = layout.has(DimKind::Addend);
    VarId const result = ctx.b.addVar(sums ? node.name + "/partials" : out.name, sums ? "partial" : role, out.dtype, out.shape, layout);
    operands.insert(operands.begin(), {result, Access::Write});
    ctx.b.execute(node.name + set, {ctx.b.family(codelet, std::move(operands), {static_cast<double>(rows)})});
    ctx.bind(node.outputs[0], sums ? ctx.b.reducePartials(result, out.name, out.shape, role) : result);
}

Status lowerGather(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &table = ctx.graph.value(node.inputs[0]).shape;
    auto const g = gridOf(ctx, id, elementCount(ctx.graph.value(node.inputs[1]).shape), table);
    auto const &p = g.plan;
    VarId const ids = idsOnGrid(ctx, node, p, g.base);
    VarId const rows = ctx.b.gather(ctx.var(node.inputs[0]), matrixOnGrid(g.base, g.rows, g.cols, p.partsIds, p.strideIds, DimKind::Copy),
                                    node.name + "/table");
    ctx.b.opRef(ctx.b.op()).estimatedCycles = p.gatherCycles;
    executeAndSum(ctx, node, "/MultiSlice", "MultiSlice", matrixOnGrid(g.base, g.ids, g.cols, p.partsRows, p.strideRows, DimKind::Addend),
                  {{rows, Access::Read}, {ids, Access::Read}}, table[0]);
    return {};
}

Status lowerScatter(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &table = ctx.graph.value(node.outputs[0]).shape;
    auto const g = gridOf(ctx, id, elementCount(ctx.graph.value(node.inputs[1]).shape), table);
    auto const &p = g.plan;
    VarId const ids = idsOnGrid(ctx, node, p, g.base);
    VarId const rows = ctx.b.gather(ctx.var(node.inputs[0]), matrixOnGrid(g.base, g.ids, g.cols, p.partsRows, p.strideRows, DimKind::Copy),
                                    node.name + "/rows");
    ctx.b.opRef(ctx.b.op()).estimatedCycles = p.updateCycles;
    executeAndSum(ctx, node, "/MultiUpdateAdd", "MultiUpdateAdd",
                  matrixOnGrid(g.base, g.rows, g.cols, p.partsIds, p.strideIds, DimKind::Addend),
                  {{rows, Access::Read}, {ids, Access::Read}}, table[0]);
    return {};
}

} // namespace

void addGather(std::vector<OpDef> &all)
{
    OpDef gather;
    gather.name = "gather";
    gather.spec = {.infer = inferGather, .gradient = gatherGradient, .flops = flops, .work = Work::LookUp};
    gather.lowering = {lowerGather, lookUpTraits, planLookUps};
    gather.help = "rows of a table by index; an index out of range gives zeros";
    all.push_back(std::move(gather));
    OpDef scatter;
    scatter.name = "scatter_add";
    scatter.spec = {.infer = inferScatter,
                    .gradient = scatterGradient,
                    .flops = flops,
                    .attributes = {{"rows", AttrType::Integer, "of the table"}},
                    .work = Work::LookUp};
    scatter.lowering = {lowerScatter, lookUpTraits, planLookUps};
    scatter.help = "adds rows by index to a table of zeros";
    all.push_back(std::move(scatter));
}

} // namespace tilewright::ops
