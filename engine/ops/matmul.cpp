// Matrix product. Lowered as Poplar's 1-D convolution: operands to the grid of tiles, one AMP vertex on
// each, partial sums reduced over the tiles that split the inner dimension.
#include "engine/graph/axes.h"
#include "engine/graph/partial_sums.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/matmul_planning.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <array>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.size() != 2) return fail(Message::of("a matrix product takes two operands."));
    auto const a = alongLast(inputs[0]->shape), b = alongLast(inputs[1]->shape);
    bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
    if (inputs[1]->shape.size() != 2)
        return fail(Message::of("the second operand must be a matrix, but it is %1.", toText(inputs[1]->shape)));
    if ((ta ? a.outer : a.n) != (tb ? b.n : b.outer))
        return fail(Message::of("inner dimensions of %1 and %2 differ.", toText(inputs[0]->shape), toText(inputs[1]->shape)));
    if (inputs[0]->dtype != inputs[1]->dtype) return fail(Message::of("the operands have different types."));
    return std::vector<Builder::Out>{{{ta ? a.n : a.outer, tb ? b.outer : b.n}, inputs[0]->dtype}};
}

Result<std::vector<Builder::Out>> inferBatch(Node const &node, std::span<Value const *const> inputs)
{
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.size() != 2) return fail(Message::of("a matrix product takes two operands."));
    auto const &a = inputs[0]->shape, &b = inputs[1]->shape;
    if (a.size() < 2 || b.size() < 2) return fail(Message::of("operands %1 and %2 must both hold matrices.", toText(a), toText(b)));
    std::array const batches{Shape(a.begin(), a.end() - 2), Shape(b.begin(), b.end() - 2)};
    auto const batch = broadcastShape(batches);
    if (!batch) return fail(Message::of("the numbers of matrices of %1 and %2 do not broadcast.", toText(a), toText(b)));
    if (inputs[0]->dtype != inputs[1]->dtype) return fail(Message::of("the operands have different types."));
    bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
    auto const fromEnd = [](Shape const &shape, bool last) { return shape[shape.size() - (last ? 1 : 2)]; };
    if (fromEnd(a, !ta) != fromEnd(b, tb)) return fail(Message::of("inner dimensions of %1 and %2 differ.", toText(a), toText(b)));
    Shape out = *batch;
    out.push_back(fromEnd(a, ta));
    out.push_back(fromEnd(b, !tb));
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
    // Matrices that several products used receive the sum of their gradients.
    auto const of = [&](ValueId operand, ValueId gradient) {
        auto const &value = b.graph().value(operand);
        if (b.graph().value(gradient).shape == value.shape) return gradient;
        return b.one("reduce_to", {gradient}, Shape(value.shape), value.dtype);
    };
    auto const dx = ta ? product(y, tb, d, true, "BatchMatMul_GradLhs") : product(d, false, y, !tb, "BatchMatMul_GradLhs");
    auto const dy = tb ? product(d, true, x, ta, "BatchMatMul_GradRhs") : product(x, !ta, d, false, "BatchMatMul_GradRhs");
    return {of(x, dx), of(y, dy)};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    if (!d.valid()) return {ValueId(), ValueId()};
    bool const ta = node.attrs.flag("transpose_a"), tb = node.attrs.flag("transpose_b");
    auto const x = node.inputs[0], w = node.inputs[1];
    auto const product = [&](ValueId left, bool turnLeft, ValueId right, bool turnRight, char const *name) {
        Attrs attrs;
        if (turnLeft) attrs.set("transpose_a", true);
        if (turnRight) attrs.set("transpose_b", true);
        return appendOp(b, "matmul", {left, right}, std::move(attrs), name);
    };
    // The weights' gradient first: the schedule may start updating while the data gradient is computed.
    auto dw = tb ? product(d, true, x, ta, "MatMul_WeightUpdate") : product(x, !ta, d, false, "MatMul_WeightUpdate");
    auto dx = ta ? product(w, tb, d, true, "MatMul_Backward") : product(d, false, w, !tb, "MatMul_Backward");
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
    std::int64_t mb, kb, nb; ///< blocks of this product
    std::int64_t pm, pk, pn;
    std::int32_t sm, sk, sn;
    bool swapped;
    std::int64_t serial; ///< ranges of columns that lie beside each other in the result
    lowering::ProductSplits splits;
    std::int64_t bb = 1; ///< products on a tile
    std::int32_t sb = 0;
};

Grid gridOf(lowering::MatmulGrid const &g)
{
    auto const &p = g.plan;
    auto const &splits = p.splitsOf(g.role);
    using Role = lowering::PlanRole;
    switch (g.role) {
    case Role::Forward:
        return {p.mb, p.kb, p.nb, p.pm, p.pk, p.pn, p.strideM, p.strideK, p.strideN, p.swapped, p.serial, splits, p.bb, p.strideB};
    case Role::Backward: // dA[m,k] = dC[m,n] W[k,n]^T
        return {p.mb, p.nb, p.kb, p.pm, p.pn, p.pk, p.strideM, p.strideN, p.strideK, false, 1, splits};
    case Role::Update: // dW[k,n] = A[m,k]^T dC[m,n]
        return {p.kb, p.mb, p.nb, p.pk, p.pm, p.pn, p.strideK, p.strideM, p.strideN, false, 1, splits};
    }
    return {};
}

/// Matrices of rows x cols cut (rb, cb) on the grid, once or in copies (of an operand) or addends (of a result); `batch`:
/// the dimension over several of them.
Layout onGrid(Layout layout, Dim const *batch, std::int64_t rows, std::int64_t cols, std::int64_t rb, std::int64_t cb, std::int32_t sr,
              std::int32_t sc, std::int64_t several, std::int32_t sSeveral, DimKind kind)
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
    if (group == 1) return layout;
    (channelsAreRows ? layout.row() : layout.col()).group = static_cast<std::int32_t>(group);
    if (channelsAreRows) return layout;
    auto const end = layout.order.begin() + layout.rank;
    auto begin = end - 1;
    while (begin != layout.order.begin() && layout.dim(*(begin - 1)).kind == DimKind::Index) --begin;
    std::rotate(begin, end - 1, end);
    return layout;
}

/// On-tile transpose of a gathered operand into a rearrangement buffer; `group` above 1: in groups of channels.
VarId transposed(lowering::LowerContext &ctx, VarId var, std::string const &name, bool channelsAreRows, std::int64_t group)
{
    auto const source = ctx.b.var(var);
    Layout layout = source.layout;
    std::swap(layout.row(), layout.col());
    Shape const shape{layout.rows(), layout.cols()};
    layout = channelGroups(layout, channelsAreRows, group);
    VarId const out = ctx.b.addVar(name + "/transposed", "temporary", source.dtype, shape, layout, Category::Rearrangement);
    ctx.b.execute(name + "/Transpose", {ctx.b.family("Transpose", {{out, Access::Write}, {var, Access::Read}})});
    return out;
}

using Over = lowering::ProductSplits::Over;

/// One product, or the splits that make it up.
class ProductSteps {
public:
    ProductSteps(lowering::LowerContext &ctx, Node const &node, lowering::MatmulGrid const &planned)
        : m_ctx(ctx), m_b(ctx.b), m_node(node), m_planned(planned), m_all(productDims(ctx.graph, node)), m_one(m_all),
          m_grid(gridOf(planned)), m_at(onTiles(ctx.b.workTiles(ctx.ipu(node.stage)), planned.firstTile)),
          m_type(ctx.graph.value(node.inputs[0]).dtype), m_outType(ctx.graph.value(node.outputs[0]).dtype), m_half(halfPartials(node))
    {
        // The plan of a batch of one is that of a product alone: its layouts have no dimension for the batch either.
        m_one.batched = m_all.batched = m_all.batch > 1;
        auto const &splits = m_grid.splits;
        m_one.n /= m_grid.serial;
        auto const take = [&](std::int64_t &all, std::int64_t &block, std::int64_t &parts) {
            parts = all / block;
            all /= splits.count;
            block /= splits.count;
        };
        if (splits.isOver(Over::Rows)) take(m_one.m, m_grid.mb, m_parts);
        if (splits.isOver(Over::Columns)) take(m_one.n, m_grid.nb, m_parts);
        if (splits.isOver(Over::Products)) take(m_one.batch, m_grid.bb, m_parts);
        // The tiles that split the inner dimension share the rows of the sum: each split finds its own where it sums them up.
        if (splits.isOver(Over::Rows) && m_grid.mb % m_grid.pk == 0) m_parts *= m_grid.pk;
        // An outer product sums nothing: it is written in the type of the result at once.
        m_partialType = m_type == DType::F32 ? DType::F32 : m_all.k == 1 ? m_outType : m_half > 0 ? DType::F16 : DType::F32;
        auto const &g = m_grid;
        m_amp = lowering::matmulVertex(std::min(g.mb, m_one.m), std::min(g.kb, m_one.k), std::min(g.nb, m_one.n), m_type, m_partialType,
                                       g.swapped, m_b.chip())
            == lowering::MatmulVertex::Amp;
        // The AMP wants the channels of its positions in groups; its positions are rows of A, or (swapped) columns of B.
        std::int64_t const group = m_amp ? m_b.chip().convInputGroup(m_type) : 1;
        m_groupA = g.swapped ? 1 : group;
        m_groupB = g.swapped ? group : 1;
        Dim const batchDim = cut(m_one.batch, g.bb, g.sb);
        Dim const *const batch = m_all.batched ? &batchDim : nullptr;
        m_layoutA = m_all.ta ? onGrid(m_at, batch, m_one.k, m_one.m, g.kb, g.mb, g.sk, g.sm, g.pn, g.sn, DimKind::Copy)
                             : onGrid(m_at, batch, m_one.m, m_one.k, g.mb, g.kb, g.sm, g.sk, g.pn, g.sn, DimKind::Copy);
        m_layoutB = m_all.tb ? onGrid(m_at, batch, m_one.n, m_one.k, g.nb, g.kb, g.sn, g.sk, g.pm, g.sm, DimKind::Copy)
                             : onGrid(m_at, batch, m_one.k, m_one.n, g.kb, g.nb, g.sk, g.sn, g.pm, g.sm, DimKind::Copy);
        m_products = onGrid(m_at, batch, m_one.m, m_one.n, g.mb, g.nb, g.sm, g.sn, g.pk, g.sk, DimKind::Addend);
    }

    void run()
    {
        for (std::size_t i = 0; i < 2; ++i) m_stored[i] = storedOperand(i);
        bool const serial = m_grid.serial > 1, splits = m_grid.splits.count > 1;
        bool const slicesA = splits && !m_grid.splits.isOver(Over::Columns);
        bool const slicesB = serial || (splits && !m_grid.splits.isOver(Over::Rows));
        std::vector<VertexFamily> regroup;
        VarId a, b;
        if (!slicesA) a = wholeA(regroup);
        if (!slicesB) b = wholeB(regroup);
        preArrange(m_node.name, std::move(regroup));
        if (a.valid()) a = turnedA(a);
        if (b.valid()) b = turnedB(b);
        auto const &value = m_ctx.graph.value(m_node.outputs[0]);
        if (!slicesA && !slicesB) {
            m_ctx.bind(m_node.outputs[0], multiply(a, {b, Access::Read}, m_node.name, value.name, std::string(graph::toText(value.role))));
            return;
        }
        // The same buffers are used again by each split. Columns of a product alone collect on the tiles that sum them up; resident weights
        // of a single copy are used where they lie.
        VarId const storedA = m_stored[0], storedB = m_stored[1];
        bool const inPlace = serial && m_grid.pm == 1 && !m_all.tb && m_b.var(storedB).layout == inSplits(m_layoutB, m_grid.serial);
        VarId const bufferA =
            slicesA ? buffer("/lhs", operandDims(m_one, true), m_all.ta ? m_layoutA : channelGroups(m_layoutA, false, m_groupA)) : VarId();
        VarId const bufferB = slicesB && !inPlace
            ? buffer("/rhs", operandDims(m_one, false), m_all.tb ? m_layoutB : channelGroups(m_layoutB, true, m_groupB))
            : VarId();
        VarId result;
        for (std::int64_t split = 0; split < m_grid.serial * m_grid.splits.count; ++split) {
            std::string const name = m_node.name + "/split" + std::to_string(split);
            for (VarId const operand : {bufferA, bufferB}) {
                if (!operand.valid()) continue;
                receive(operand == bufferA ? storedA : storedB, operand, operand == bufferA, split, name);
                if (m_b.var(operand).layout.isGrouped()) regroup.push_back(m_b.family("Rearrange", {{operand, Access::Regroup}}));
            }
            preArrange(name, std::move(regroup));
            regroup.clear();
            if (slicesA) a = turnedA(bufferA);
            Field fieldB{inPlace ? storedB : slicesB ? turnedB(bufferB) : b, Access::Read};
            if (inPlace) fieldB.slice = static_cast<std::int32_t>(split);
            VarId const sum = multiply(a, fieldB, name, name + "/sum", "temporary");
            if (split == 0)
                result =
                    outputVar(m_ctx, m_node, 0, serial ? inSplits(m_b.var(sum).layout, m_grid.serial) : ofAllSplits(m_b.var(sum).layout));
            if (serial)
                m_b.execute(name + "/Update",
                            {m_b.family("Copy", {{result, Access::Write, static_cast<std::int32_t>(split)}, {sum, Access::Read}})});
            else layAside(sum, result, split, name);
        }
        m_ctx.bind(m_node.outputs[0], result);
    }

private:
    /// An operand with a matrix for each product: matrices that several products use are repeated.
    VarId storedOperand(std::size_t i)
    {
        auto const &operand = m_ctx.graph.value(m_node.inputs[i]).shape;
        VarId const stored = m_ctx.var(m_node.inputs[i]);
        if (!m_all.batched || matrixCount(operand) == m_all.batch) return stored;
        Shape wanted = m_ctx.graph.value(m_node.outputs[0]).shape;
        std::copy(operand.end() - 2, operand.end(), wanted.end() - 2);
        std::string const name = m_node.name + (i == 0 ? "/lhs" : "/rhs");
        return repeated(m_ctx, stored, operand, wanted, m_ctx.ipu(m_node.stage), name + "/repeated", name + "/Broadcast");
    }

    // What comes over the exchange comes row by row and is regrouped where it landed; a transpose on the tile yields the
    // groups by itself, and what lies on its tiles already is read as it is.

    VarId wholeA(std::vector<VertexFamily> &regroup)
    {
        VarId const stored = m_stored[0];
        bool const groups = m_groupA > 1 && !m_all.ta && m_b.var(stored).layout != m_layoutA;
        VarId const a = m_b.gather(stored, groups ? channelGroups(m_layoutA, false, m_groupA) : m_layoutA, m_node.name + "/lhs");
        if (groups) regroup.push_back(m_b.family("Rearrange", {{a, Access::Regroup}}));
        return a;
    }
    VarId wholeB(std::vector<VertexFamily> &regroup)
    {
        VarId const stored = m_stored[1];
        Layout const grouped = channelGroups(m_layoutB, true, m_groupB);
        // Resident weights keep their stored order on the way; what the AMP reads is a copy of its own.
        bool const groups = m_grid.swapped && !m_all.tb && m_b.var(stored).layout != m_layoutB;
        bool const copies = groups && m_planned.problem.resident;
        bool const inPlace = groups && !copies && m_amp;
        VarId const b = m_b.gather(stored, inPlace ? grouped : m_layoutB, m_node.name + "/rhs");
        if (inPlace) regroup.push_back(m_b.family("Rearrange", {{b, Access::Regroup}}));
        if (!copies) return b;
        VarId const copy =
            m_b.addVar(m_node.name + "/rhs/grouped", "temporary", m_type, {m_all.k, m_all.n}, grouped, Category::Rearrangement);
        regroup.push_back(m_b.family("Copy", {{copy, Access::Write}, {b, Access::Read}}));
        return copy;
    }
    void preArrange(std::string const &name, std::vector<VertexFamily> regroup)
    {
        if (!regroup.empty()) m_b.execute(name + "/PreArrange", std::move(regroup));
    }
    VarId turnedA(VarId a) { return m_all.ta ? transposed(m_ctx, a, m_node.name + "/lhs", false, m_groupA) : a; }
    VarId turnedB(VarId b) { return m_all.tb ? transposed(m_ctx, b, m_node.name + "/rhs", true, m_groupB) : b; }

    VarId buffer(char const *which, Shape shape, Layout const &layout)
    {
        return m_b.addVar(m_node.name + which, "message", m_type, std::move(shape), layout, Category::ExchangeBuffer);
    }
    /// As the operand is stored.
    Shape operandDims(ProductDims const &d, bool first) const
    {
        std::int64_t rows = first ? d.m : d.k, cols = first ? d.k : d.n;
        if (first ? d.ta : d.tb) std::swap(rows, cols);
        return d.batched ? Shape{d.batch, rows, cols} : Shape{rows, cols};
    }

    /// What a split takes of a tensor: a range of dimension `d` in each of the equal parts of it. A loop for each dimension, from steps of
    /// the whole to steps of the split by itself: rows and columns as one loop would be cut row by row.
    struct Range {
        std::vector<Loop> loops;
        std::int64_t start = 0;
    };
    static Range range(Shape const &whole, std::size_t d, std::int64_t parts, std::int64_t splits, std::int64_t split)
    {
        Range r;
        std::int64_t step = 1, own = 1;
        auto const add = [&](std::int64_t extent, std::int64_t times) {
            if (extent > 1 || r.loops.empty()) r.loops.insert(r.loops.begin(), {extent, step, own});
            step *= extent * times;
            own *= extent;
        };
        for (std::size_t i = whole.size(); i-- > 0;) {
            if (i != d) {
                add(whole[i], 1);
                continue;
            }
            std::int64_t const inPart = whole[i] / parts / splits;
            r.start = split * inPart * step;
            add(inPart, splits);
            add(parts, 1);
        }
        return r;
    }
    /// Which dimension is in ranges: of an operand, or of the result.
    std::size_t rangedDim(Shape const &shape, bool first, bool turned) const
    {
        if (m_grid.splits.isOver(Over::Products)) return 0;
        return shape.size() - (first != turned ? 2 : 1);
    }

    void receive(VarId stored, VarId buffer, bool first, std::int64_t split, std::string const &name)
    {
        auto const whole = operandDims(m_all, first);
        auto r = range(whole, rangedDim(whole, first, first ? m_all.ta : m_all.tb), m_parts, m_grid.serial * m_grid.splits.count, split);
        Transfer t;
        t.src = stored;
        t.dst = buffer;
        t.src0 = r.start;
        t.loops = std::move(r.loops);
        t.rowMajor = m_b.var(buffer).layout.isGrouped();
        m_b.transfer(std::move(t), name + "/Slice");
    }
    /// The sum of a split goes to its range of the result.
    void layAside(VarId sum, VarId result, std::int64_t split, std::string const &name)
    {
        Shape const whole = m_all.batched ? Shape{m_all.batch, m_all.m, m_all.n} : Shape{m_all.m, m_all.n};
        auto r = range(whole, rangedDim(whole, m_grid.splits.isOver(Over::Rows), false), m_parts, m_grid.splits.count, split);
        Transfer t;
        t.src = sum;
        t.dst = result;
        t.dst0 = r.start;
        t.loops = std::move(r.loops);
        for (auto &loop : t.loops) std::swap(loop.src, loop.dst);
        m_b.transfer(std::move(t), name + "/Update");
    }
    /// How the result lies: as that of a split, with larger blocks on the same tiles.
    Layout ofAllSplits(Layout layout) const
    {
        auto &dim = m_grid.splits.isOver(Over::Columns) ? layout.col() : m_grid.splits.isOver(Over::Rows) ? layout.row() : layout.dim(0);
        dim = cut(dim.extent * m_grid.splits.count, dim.block * m_grid.splits.count, dim.stride);
        return layout;
    }

    /// One product and the sum of its partials, in the type of the result.
    VarId multiply(VarId a, Field fieldB, std::string const &name, std::string const &out, std::string const &outRole)
    {
        auto const &g = m_grid;
        std::vector<double> scalars{g.swapped ? 1.0 : 0.0};
        if (m_half > 0) scalars.push_back(static_cast<double>(m_half));
        bool const direct = g.pk == 1 && m_partialType == m_outType;
        bool const whole = g.serial == 1 && g.splits.count == 1;
        Shape const shape = whole ? m_ctx.graph.value(m_node.outputs[0]).shape
            : m_all.batched       ? Shape{m_one.batch, m_one.m, m_one.n}
                                  : Shape{m_one.m, m_one.n};
        VarId const partials =
            m_b.addVar(direct ? out : name + "/partials", direct ? outRole : "partial", m_partialType, shape, m_products);
        m_b.var(fieldB.var).interleaved = true; // weights are loaded 128 bits at a time
        char const *const vertex = m_amp ? "ConvPartial1x1Out" : "ConvPartialHorizontalMac";
        m_b.execute(name + "/Conv_1/Convolve", {m_b.family(vertex, {{partials, Access::Write}, {a, Access::Read}, fieldB}, scalars)});
        if (direct) return partials;
        if (g.pk > 1) return m_b.reducePartials(partials, out, shape, outRole, {}, cost::ReduceOp::Add, m_outType);
        VarId const cast = m_b.addVar(out, outRole, m_outType, shape, m_products);
        m_b.execute(name + "/Conv_1/Cast", {m_b.family("Cast", {{cast, Access::Write}, {partials, Access::Read}})});
        return cast;
    }

    lowering::LowerContext &m_ctx;
    lowering::ProgramBuilder &m_b;
    Node const &m_node;
    lowering::MatmulGrid const &m_planned;
    ProductDims m_all, m_one; ///< of all splits, of one
    Grid m_grid;              ///< blocks of one split
    std::int64_t m_parts = 1; ///< of the dimension that is in ranges: so many pieces have a range each
    Layout m_at;
    DType m_type, m_outType, m_partialType = DType::F32;
    std::int64_t m_half;
    bool m_amp = true;
    std::array<VarId, 2> m_stored; ///< the operands
    std::int64_t m_groupA = 1, m_groupB = 1;
    Layout m_layoutA, m_layoutB, m_products; ///< of one split
};

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const d = productDims(ctx.graph, node);
    auto const found = ctx.grids.find(id.index);
    TW_CHECK(found != ctx.grids.end(), "product " + node.name + " was not planned");
    auto const &planned = found->second;
    auto const type = ctx.graph.value(node.inputs[0]).dtype;
    auto &op = ctx.b.opRef(ctx.b.op());
    op.plan = planned.json;
    // A joint plan prices three products; each node carries its own.
    auto const &cost = planned.plan.cost;
    op.estimatedCycles = planned.role == lowering::PlanRole::Backward ? cost.backward
        : planned.role == lowering::PlanRole::Update                  ? cost.update
                                                                      : cost.total() - cost.backward - cost.update;
    op.idealCycles = lowering::idealMatmulCycles({d.m, d.k, d.n, type, false, false, false, d.batch}, ctx.b.chip());
    ProductSteps(ctx, node, planned).run();
    return {};
}

} // namespace

void addMatmul(std::vector<OpDef> &all)
{
    OpDef def;
    def.name = "matmul";
    def.spec = {
        .infer = infer,
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
    def.help = "batch of matrix products, [..., m,k] x [..., k,n]; the axes in front broadcast";
    all.push_back(std::move(def));
}

} // namespace tilewright::ops
