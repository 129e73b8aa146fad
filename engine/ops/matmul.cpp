// Matrix product. Lowered as Poplar's 1-D convolution: operands to the grid of tiles, one AMP vertex on
// each, partial sums reduced over the tiles that split the inner dimension.
#include "engine/graph/partial_sums.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/matmul_planning.h"
#include "engine/ops/op_def.h"

#include <algorithm>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    auto const fail = [&](std::string what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.size() != 2) return fail("a matrix product has two operands.");
    auto const a = rowsCols(inputs[0]->shape);
    auto const b = rowsCols(inputs[1]->shape);
    bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
    if (inputs[1]->shape.size() != 2) return fail("the second operand must be a matrix, is " + toText(inputs[1]->shape) + ".");
    if ((ta ? a.rows : a.cols) != (tb ? b.cols : b.rows))
        return fail("inner dimensions of " + toText(inputs[0]->shape) + " and " + toText(inputs[1]->shape) + " differ.");
    if (inputs[0]->dtype != inputs[1]->dtype) return fail("operands are of different types.");
    return std::vector<Builder::Out>{{{ta ? a.cols : a.rows, tb ? b.rows : b.cols}, inputs[0]->dtype}};
}

Result<std::vector<Builder::Out>> inferBatch(Node const &node, std::span<Value const *const> inputs)
{
    auto const fail = [&](std::string what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.size() != 2) return fail("a matrix product has two operands.");
    auto const &a = inputs[0]->shape, &b = inputs[1]->shape;
    if (a.size() < 2 || a.size() != b.size() || !std::equal(a.begin(), a.end() - 2, b.begin()))
        return fail("operands " + toText(a) + " and " + toText(b) + " are not equally many matrices.");
    if (inputs[0]->dtype != inputs[1]->dtype) return fail("operands are of different types.");
    bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
    std::size_t const rows = a.size() - 2, cols = a.size() - 1;
    if (a[ta ? rows : cols] != b[tb ? cols : rows]) return fail("inner dimensions of " + toText(a) + " and " + toText(b) + " differ.");
    Shape out = a;
    out[rows] = a[ta ? cols : rows];
    out[cols] = b[tb ? rows : cols];
    return std::vector<Builder::Out>{{out, inputs[0]->dtype}};
}

std::vector<ValueId> batchGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    if (!d.valid()) return {ValueId(), ValueId()};
    bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
    auto const x = node.inputs[0], y = node.inputs[1];
    auto const product = [&](ValueId left, bool turnLeft, ValueId right, bool turnRight, char const *name) {
        return appendOp(b, "batch_matmul", {left, right}, {{"transpose_a", turnLeft}, {"transpose_b", turnRight}}, name);
    };
    auto const dx = ta ? product(y, tb, d, true, "BatchMatMul_GradLhs") : product(d, false, y, !tb, "BatchMatMul_GradLhs");
    auto const dy = tb ? product(d, true, x, ta, "BatchMatMul_GradRhs") : product(x, !ta, d, false, "BatchMatMul_GradRhs");
    return {dx, dy};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    if (!d.valid()) return {ValueId(), ValueId()};
    TW_CHECK(!node.attrs.flag("transpose_a") && !node.attrs.flag("transpose_b"), "gradient of a transposed product");
    auto const x = node.inputs[0], w = node.inputs[1];
    // The weights' gradient first: the schedule may start updating while the data gradient is computed.
    auto dw = appendOp(b, "matmul", {x, d}, {{"transpose_a", true}}, "MatMul_WeightUpdate");
    auto dx = appendOp(b, "matmul", {d, w}, {{"transpose_b", true}}, "MatMul_Backward");
    auto const &xShape = b.graph().value(x).shape;
    if (b.graph().value(dx).shape != xShape) dx = b.one("reshape", {dx}, xShape, b.graph().value(x).dtype);
    return {dx, dw};
}

std::int64_t flops(Graph const &graph, Node const &node)
{
    auto const d = productDims(graph, node);
    return 2 * d.batch * d.m * d.k * d.n;
}

/// The three dimensions of this node's product as the forward plan's grid sees them.
struct Grid {
    std::int64_t mb, kb, nb;       ///< blocks of this product
    std::int64_t pm, pk, pn;
    std::int32_t sm, sk, sn;
    bool swapped;
    std::int64_t serial;
    std::int64_t bb = 1;  ///< products on a tile
    std::int32_t sb = 0;
};

Grid gridOf(lowering::MatmulGrid const &g)
{
    auto const &p = g.plan;
    using Role = lowering::PlanRole;
    switch (g.role) {
    case Role::Forward:
        return {p.mb, p.kb, p.nb, p.pm, p.pk, p.pn, p.strideM, p.strideK, p.strideN, p.swapped, p.serial, p.bb, p.strideB};
    case Role::Backward: // dA[m,k] = dC[m,n] W[k,n]^T
        return {p.mb, p.nb, p.kb, p.pm, p.pn, p.pk, p.strideM, p.strideN, p.strideK, false, 1};
    case Role::Update: // dW[k,n] = A[m,k]^T dC[m,n]
        return {p.kb, p.mb, p.nb, p.pk, p.pm, p.pn, p.strideK, p.strideM, p.strideN, false, 1};
    }
    return {};
}

/// Matrices of rows x cols cut (rb, cb) on the grid, once or in copies (of an operand) or addends (of a result); `batch`:
/// the dimension over several of them.
Layout onGrid(Layout layout, Dim const *batch, std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb, std::int32_t sr, std::int32_t sc,
              std::int64_t several, std::int32_t sSeveral, DimKind kind)
{
    if (several > 1) layout.add(cut(several, 1, sSeveral, kind));
    if (batch) layout.add(*batch);
    layout.add(cut(rows, rb, sr));
    layout.add(cut(cols, cb, sc));
    return layout;
}

/// The positions of an AMP: their channels lie in groups, [channel / g][position][channel % g]. The positions are the rows
/// of all products of a tile; columns are positions of a single one.
Layout channelGroups(Layout layout, bool channelsAreRows, std::int64_t group)
{
    (channelsAreRows ? layout.row() : layout.col()).group = static_cast<std::int32_t>(group);
    if (channelsAreRows) return layout;
    auto const end = layout.order.begin() + layout.rank;
    auto begin = end - 1;
    while (begin != layout.order.begin() && layout.dim(*(begin - 1)).kind == DimKind::Index) --begin;
    std::rotate(begin, end - 1, end);
    return layout;
}

/// Whether columns come in ranges that share their tiles (inPasses).
bool isInPasses(Layout const &layout) { return layout.rank == 3 && layout.order[0] == 1; }

/// On-tile transpose of a gathered operand into a rearrangement buffer; `group` above 1: in groups of channels.
VarId transposed(lowering::LowerContext &ctx, VarId var, std::string const &name, bool channelsAreRows, std::int64_t group)
{
    auto const source = ctx.b.var(var);
    Layout layout = source.layout;
    std::swap(layout.row(), layout.col());
    Shape const shape{layout.rows(), layout.cols()};
    if (group > 1) layout = channelGroups(layout, channelsAreRows, group);
    VarId const out = ctx.b.addVar(name + "/transposed", "temporary", source.dtype, shape, layout, Category::Rearrangement);
    ctx.b.execute(name + "/Transpose", {ctx.b.family("Transpose", {{out, Access::Write}, {var, Access::Read}})});
    return out;
}

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const d = productDims(ctx.graph, node);
    int const ipu = ctx.ipu(node.stage);
    auto const found = ctx.grids.find(id.index);
    TW_CHECK(found != ctx.grids.end(), "product " + node.name + " was not planned");
    auto const &planned = found->second;
    Grid const g = gridOf(planned);
    Layout const at = onTiles(ctx.b.workTiles(ipu), planned.firstTile);
    auto const type = ctx.graph.value(node.inputs[0]).dtype;
    auto const outType = ctx.graph.value(node.outputs[0]).dtype;
    // An outer product sums nothing: it is written in the type of the result at once.
    auto const half = halfPartials(node);
    auto const partialType = type == DType::F32 ? DType::F32 : d.k == 1 ? outType : half > 0 ? DType::F16 : DType::F32;
    ctx.b.opRef(ctx.b.op()).plan = planned.json;
    // A joint plan prices three products; each node carries its own.
    auto const &cost = planned.plan.cost;
    ctx.b.opRef(ctx.b.op()).estimatedCycles = planned.role == lowering::PlanRole::Backward ? cost.backward
        : planned.role == lowering::PlanRole::Update ? cost.update
                                                             : cost.total() - cost.backward - cost.update;
    ctx.b.opRef(ctx.b.op()).idealCycles = lowering::idealMatmulCycles({d.m, d.k, d.n, type, false, false, false, d.batch}, ctx.b.chip());

    std::int64_t const passCols = d.n / g.serial;
    bool const amp = lowering::matmulVertex(std::min(g.mb, d.m), std::min(g.kb, d.k), std::min(g.nb, passCols), type, partialType,
                                            g.swapped, ctx.b.chip()) == lowering::MatmulVertex::Amp;
    char const *const vertex = amp ? "ConvPartial1x1Out" : "ConvPartialHorizontalMac";
    // The AMP wants the channels of its positions in groups; its positions are rows of A, or (swapped) columns of B.
    std::int64_t const group = amp ? ctx.b.chip().convInputGroup(type) : 1;
    std::int64_t const groupA = g.swapped ? 1 : group, groupB = g.swapped ? group : 1;
    Dim const batchDim = cut(d.batch, g.bb, g.sb);
    Dim const *const batch = d.batched ? &batchDim : nullptr;
    Layout const layoutA = d.ta ? onGrid(at, batch, d.k, d.m, g.kb, g.mb, g.sk, g.sm, g.pn, g.sn, DimKind::Copy)
                                : onGrid(at, batch, d.m, d.k, g.mb, g.kb, g.sm, g.sk, g.pn, g.sn, DimKind::Copy);
    Layout const layoutB = d.tb ? onGrid(at, batch, passCols, d.k, g.nb, g.kb, g.sn, g.sk, g.pm, g.sm, DimKind::Copy)
                                : onGrid(at, batch, d.k, passCols, g.kb, g.nb, g.sk, g.sn, g.pm, g.sm, DimKind::Copy);
    Layout const groupedB = channelGroups(layoutB, true, groupB);
    VarId const storedA = ctx.var(node.inputs[0]), storedB = ctx.var(node.inputs[1]);
    // What comes over the exchange comes row by row and is regrouped where it landed; a transpose on the tile yields the
    // groups by itself, and what lies on its tiles already is read as it is.
    std::vector<VertexFamily> regroup;
    auto const regrouped = [&](VarId var) { regroup.push_back(ctx.b.family("Rearrange", {{var, Access::Regroup}})); };
    bool const groupsA = groupA > 1 && !d.ta && ctx.b.var(storedA).layout != layoutA;
    VarId a = ctx.b.gather(storedA, groupsA ? channelGroups(layoutA, false, groupA) : layoutA, node.name + "/lhs");
    if (groupsA) regrouped(a);
    VarId b;
    if (g.serial == 1) {
        // Resident weights keep their stored order on the way; what the AMP reads is a copy of its own.
        bool const groupsB = g.swapped && !d.tb && ctx.b.var(storedB).layout != layoutB;
        bool const copies = groupsB && planned.problem.resident;
        bool const inPlace = groupsB && !copies && amp;
        b = ctx.b.gather(storedB, inPlace ? groupedB : layoutB, node.name + "/rhs");
        if (inPlace) regrouped(b);
        if (copies) {
            VarId const grouped = ctx.b.addVar(node.name + "/rhs/grouped", "temporary", type, {d.k, d.n}, groupedB, Category::Rearrangement);
            regroup.push_back(ctx.b.family("Copy", {{grouped, Access::Write}, {b, Access::Read}}));
            b = grouped;
        }
    }
    if (!regroup.empty()) ctx.b.execute(node.name + "/PreArrange", std::move(regroup));
    if (d.ta) a = transposed(ctx, a, node.name + "/lhs", false, groupA);
    if (d.tb && b.valid()) b = transposed(ctx, b, node.name + "/rhs", true, groupB);

    Layout const products = onGrid(at, batch, d.m, passCols, g.mb, g.nb, g.sm, g.sn, g.pk, g.sk, DimKind::Addend);
    std::vector<double> scalars{g.swapped ? 1.0 : 0.0};
    if (half > 0) scalars.push_back(static_cast<double>(half));
    auto const value = ctx.graph.value(node.outputs[0]);
    auto const role = std::string(graph::toText(value.role));
    // One product and the sum of its partials, in the type of the result.
    auto const multiply = [&](Field fieldB, std::int64_t cols, std::string const &name, std::string const &out,
                              std::string const &outRole) {
        bool const direct = g.pk == 1 && partialType == outType;
        Shape const shape = d.batched ? value.shape : Shape{d.m, cols};
        VarId const partials = ctx.b.addVar(direct ? out : name + "/partials", direct ? outRole : "partial", partialType,
                                            shape, products);
        ctx.b.var(fieldB.var).interleaved = true; // weights are loaded 128 bits at a time
        ctx.b.execute(name + "/Conv_1/Convolve", {ctx.b.family(vertex, {{partials, Access::Write}, {a, Access::Read}, fieldB}, scalars)});
        if (direct) return partials;
        if (g.pk > 1) return ctx.b.reducePartials(partials, out, shape, outRole, {}, false, outType);
        VarId const cast = ctx.b.addVar(out, outRole, outType, shape, products);
        ctx.b.execute(name + "/Conv_1/Cast", {ctx.b.family("Cast", {{cast, Access::Write}, {partials, Access::Read}})});
        return cast;
    };
    if (g.serial == 1) {
        ctx.bind(node.outputs[0], multiply({b, Access::Read}, d.n, node.name, value.name, role));
        return {};
    }
    // Serial passes over groups of columns: the same buffers are used again, the columns collect on the tiles
    // that sum them up. Resident weights of a single copy are used where they lie.
    bool const inPlace = isInPasses(ctx.b.var(storedB).layout) && g.pm == 1 && !d.tb;
    bool const regroupsB = groupB > 1 && !d.tb;
    VarId const buffer = inPlace ? storedB
                                 : ctx.b.addVar(node.name + "/rhs", "message", type, d.tb ? Shape{passCols, d.k} : Shape{d.k, passCols},
                                                regroupsB ? groupedB : layoutB, Category::ExchangeBuffer);
    VarId result;
    for (std::int64_t pass = 0; pass < g.serial; ++pass) {
        std::string const name = node.name + "/pass" + std::to_string(pass);
        Field fieldB{buffer, Access::Read};
        if (inPlace) {
            fieldB.slice = static_cast<std::int32_t>(pass);
        } else {
            Transfer t;
            t.src = storedB;
            t.dst = buffer;
            t.src0 = pass * passCols * (d.tb ? d.k : 1);
            if (d.tb) t.loops = {{passCols, d.k, d.k}, {d.k, 1, 1}};
            else t.loops = {{d.k, d.n, passCols}, {passCols, 1, 1}};
            t.rowMajor = regroupsB;
            ctx.b.transfer(std::move(t), name + "/Slice");
            if (d.tb) fieldB.var = transposed(ctx, buffer, name + "/rhs", true, groupB);
            else if (regroupsB) ctx.b.execute(name + "/PreArrange", {ctx.b.family("Rearrange", {{buffer, Access::Regroup}})});
        }
        VarId const sum = multiply(fieldB, passCols, name, name + "/sum", "temporary");
        if (pass == 0) {
            result = outputVar(ctx, node, 0, inPasses(ctx.b.var(sum).layout, g.serial));
        }
        ctx.b.execute(name + "/Update", {ctx.b.family("Copy", {{result, Access::Write, static_cast<std::int32_t>(pass)},
                                                               {sum, Access::Read}})});
    }
    ctx.bind(node.outputs[0], result);
    return {};
}

} // namespace

void addMatmul(std::vector<OpDef> &all)
{
    OpDef def;
    def.name = "matmul";
    def.spec = {.infer = infer,
                .gradient = gradient,
                .flops = flops,
                .attributes = {optionalAttr("transpose_a", AttrType::Flag, "the first operand is [k,m]"),
                               optionalAttr("transpose_b", AttrType::Flag, "the second operand is [n,k]"), halfPartialsAttribute()},
                .work = Work::Product,
                .transposed = TransposedOperand{1, "transpose_b"},
                .addsRows = [](Graph const &, Node const &node) { return node.attrs.flag("transpose_a") && !node.attrs.flag("transpose_b"); }};
    def.lowering = {lower, productTraits, planProducts};
    def.help = "matrix product [m,k] x [k,n]";
    all.push_back(def);
    def.name = "batch_matmul";
    def.spec.infer = inferBatch;
    def.spec.gradient = batchGradient;
    def.spec.transposed.reset(); // no kernel turns a stack of matrices
    def.spec.addsRows = nullptr;
    def.help = "products of equally many matrices, [..., m,k] x [..., k,n]";
    all.push_back(std::move(def));
}

} // namespace tilewright::ops
