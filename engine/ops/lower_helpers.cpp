#include "engine/ops/lower_helpers.h"

#include "engine/core/ascii.h"
#include "engine/graph/axes.h"

namespace tilewright::ops {

using namespace program;

std::string elementwiseSetName(graph::Expr const &expr)
{
    std::string name = expr.instrs.size() > 1 ? "Fused/" : "Op/";
    for (auto const &instr : expr.instrs) {
        bool upper = true;
        for (char c : graph::info(instr.prim).name) {
            if (c == '_') {
                upper = true;
                continue;
            }
            name += upper ? asciiUpper(c) : c;
            upper = false;
        }
    }
    return name;
}

VarId outputVar(lowering::LowerContext &ctx, graph::Node const &node, int index, Layout const &layout)
{
    auto const &value = ctx.graph.value(node.outputs[static_cast<std::size_t>(index)]);
    return ctx.b.addVar(value.name, std::string(graph::toText(value.role)), value.dtype, value.shape, layout);
}

bool isPlain(Layout const &layout, std::int64_t rows, std::int64_t cols, int ipu)
{
    return layout.isMatrix() && layout.on.ipu == ipu && layout.row().extent == rows && layout.cols() == cols;
}

VarId plainOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name)
{
    auto const &v = ctx.graph.value(value);
    auto const rc = graph::rowsCols(v.shape);
    VarId const var = ctx.var(value);
    if (isPlain(ctx.b.var(var).layout, rc.rows, rc.cols, ipu)) return var;
    return ctx.b.gather(var, ctx.b.linear(rc.rows, rc.cols, v.dtype, ipu), name);
}

VarId rowsOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name)
{
    auto const rc = graph::rowsCols(ctx.graph.value(value).shape);
    return rowsOperand(ctx, value, rc, ipu, name);
}

VarId rowsOperand(lowering::LowerContext &ctx, graph::ValueId value, graph::RowsCols rc, int ipu, std::string const &name)
{
    VarId const var = ctx.var(value);
    auto const &layout = ctx.b.var(var).layout;
    if (layout.isRowsOf(rc.cols) && layout.rows() == rc.rows && layout.on.ipu == ipu) return var;
    return ctx.b.gather(var, ctx.b.linear(rc.rows, rc.cols, ctx.graph.value(value).dtype, ipu), name);
}

VarId rowOperand(lowering::LowerContext &ctx, graph::ValueId value, int ipu, std::string const &name)
{
    auto const &v = ctx.graph.value(value);
    auto const rc = graph::rowsCols(v.shape);
    VarId const var = ctx.var(value);
    auto const &layout = ctx.b.var(var).layout;
    if (isPlain(layout, rc.rows, rc.cols, ipu) && layout.col().block == rc.cols) return var;
    return ctx.b.gather(var, ctx.b.wholeRows(rc.rows, rc.cols, ipu), name);
}

Layout perRowLayout(Layout const &layout)
{
    Layout out = layout;
    out.col() = cut(1, 1, 0);
    return out;
}

VarId columnOperand(lowering::LowerContext &ctx, VarId var, Layout const &layout, std::string const &name)
{
    return ctx.b.gather(var, perRowLayout(layout), name);
}

void gatherShards(lowering::LowerContext &ctx, VarId whole, std::string const &name)
{
    ctx.b.syncExternal(name + "/Sync");
    for (int s = 0; s + 1 < ctx.b.program().replicas; ++s)
        ctx.b.exchange(name + "/AllGather/Step" + std::to_string(s), {}, {{whole, whole, kShardShift - s, true}}, true);
}

std::vector<Loop> loopsOver(Shape const &extents, Shape const &src, Shape const &dst)
{
    std::vector<Loop> loops; // innermost first
    for (std::size_t i = extents.size(); i-- > 0;) {
        if (extents[i] == 1) continue;
        if (!loops.empty() && src[i] == loops.back().src * loops.back().count && dst[i] == loops.back().dst * loops.back().count)
            loops.back().count *= extents[i];
        else loops.push_back({extents[i], src[i], dst[i]});
    }
    if (loops.empty()) loops.push_back({1, 1, 1});
    return {loops.rbegin(), loops.rend()};
}

AxisOrder runsAlong(graph::AxisView const &v) { return {{v.outer, v.inner, v.n}, {v.n * v.inner, 1, v.inner}, {v.inner * v.n, v.n, 1}}; }

AxisOrder slicesAcross(graph::AxisView const &v)
{
    return {{v.n, v.outer, v.inner}, {v.inner, v.n * v.inner, 1}, {v.outer * v.inner, v.inner, 1}};
}

VarId turned(lowering::LowerContext &ctx, graph::ValueId value, AxisOrder const &order, Shape shape, Layout const &layout,
             std::string const &name, std::string const &step)
{
    Transfer t;
    t.src = ctx.var(value);
    t.dst = ctx.b.addVar(name, "message", ctx.graph.value(value).dtype, std::move(shape), layout, Category::ExchangeBuffer);
    t.loops = loopsOver(order.extents, order.tensor, order.turned);
    ctx.b.transfer(t, step);
    return t.dst;
}

void bindTurnedBack(lowering::LowerContext &ctx, graph::Node const &node, VarId var, AxisOrder const &order, int ipu)
{
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const rc = graph::rowsCols(out.shape);
    Transfer t;
    t.src = var;
    t.dst = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ipu));
    t.loops = loopsOver(order.extents, order.turned, order.tensor);
    ctx.b.transfer(t, node.name + "/Back");
    ctx.b.flush();
    ctx.bind(node.outputs[0], t.dst);
}

VarId repeated(lowering::LowerContext &ctx, VarId var, Shape shape, Shape const &wanted, int ipu, std::string const &name,
               std::string const &step, std::string const &role)
{
    auto const dtype = ctx.b.var(var).dtype;
    shape = graph::alignedTo(wanted.size(), shape);
    // One axis at a time, innermost first, so that runs stay long: [outer, 1, inner] -> [outer, n, inner].
    for (std::size_t back = shape.size(); back-- > 0;) {
        if (shape[back] == wanted[back]) continue;
        std::int64_t const n = wanted[back];
        std::int64_t outer = 1, inner = 1;
        for (std::size_t i = 0; i < back; ++i) outer *= shape[i];
        for (std::size_t i = back + 1; i < shape.size(); ++i) inner *= shape[i];
        shape[back] = n;
        auto const rc = graph::rowsCols(shape);
        VarId const next = ctx.b.addVar(name, role, dtype, shape, ctx.b.linear(rc.rows, rc.cols, dtype, ipu));
        for (std::int64_t j = 0; j < n; ++j) {
            Transfer t;
            t.src = var;
            t.dst = next;
            t.dst0 = j * inner;
            t.loops = {{outer, inner, n * inner}, {inner, 1, 1}};
            ctx.b.transfer(t, step);
        }
        ctx.b.flush();
        var = next;
    }
    return var;
}

void executeMap(lowering::LowerContext &ctx, std::string const &name, VarId out, std::vector<VarId> operands, std::string const &expr)
{
    std::vector<Field> fields{{out, Access::Write}};
    for (auto operand : operands) {
        if (operand == out) fields[0].access = Access::Update;
        fields.push_back({operand, Access::Read});
    }
    ctx.b.execute(name, {ctx.b.family("Map", std::move(fields), {}, expr)});
}

VarId rowSum(lowering::LowerContext &ctx, std::string name, Layout const &rows)
{
    return ctx.b.addVar(std::move(name), "temporary", DType::F32, {rows.rows()}, perRowLayout(rows));
}

void divideRows(lowering::LowerContext &ctx, std::string const &name, VarId values, VarId sum)
{
    auto const layout = ctx.b.var(sum).layout;
    auto const type = ctx.b.var(values).dtype;
    VarId inverse = rowSum(ctx, name + "/inverse", layout);
    executeMap(ctx, name + "/Inverse", inverse, {sum}, "1: reciprocal a0");
    if (type != DType::F32) {
        VarId const wide = inverse;
        inverse = ctx.b.addVar(name + "/scale", "temporary", type, {layout.rows()}, layout);
        ctx.b.execute(name + "/Cast", {ctx.b.family("Cast", {{inverse, Access::Write}, {wide, Access::Read}})});
    }
    executeMap(ctx, name + "/Scale", values, {values, inverse}, "2: mul a0 a1");
}

} // namespace tilewright::ops
