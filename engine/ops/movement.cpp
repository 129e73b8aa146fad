// Operations that move or reinterpret data: views, copies, broadcasts, transposes, type conversion.
#include "engine/graph/checkpoint.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include <algorithm>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

std::vector<ValueId> one(ValueId id) { return {id}; }

std::vector<ValueId> reshapeGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return one({});
    auto const &x = b.graph().value(node.inputs[0]);
    return one(b.one("reshape", {d[0]}, x.shape, x.dtype));
}

Status lowerReshape(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    ctx.bind(node.outputs[0], ctx.var(node.inputs[0]));
    return {};
}

Result<std::vector<Builder::Out>> inferSame(Node const &, std::span<Value const *const> inputs)
{
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

Status lowerCopy(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const in = ctx.var(node.inputs[0]);
    VarId const out = outputVar(ctx, node, 0, ctx.b.var(in).layout);
    ctx.b.execute(node.name + "/Copy", {ctx.b.family("Copy", {{out, Access::Write}, {in, Access::Read}})});
    ctx.bind(node.outputs[0], out);
    return {};
}

Status lowerCast(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const in = ctx.var(node.inputs[0]);
    VarId const out = outputVar(ctx, node, 0, ctx.b.var(in).layout);
    ctx.b.execute(node.name + "/Cast", {ctx.b.family("Cast", {{out, Access::Write}, {in, Access::Read}})});
    ctx.bind(node.outputs[0], out);
    return {};
}

std::vector<ValueId> castGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    auto const &x = b.graph().value(node.inputs[0]);
    if (!d[0].valid() || !isFloating(x.dtype)) return one({});
    return one(b.one("cast", {d[0]}, x.shape, x.dtype));
}

Result<std::vector<Builder::Out>> inferTranspose(Node const &node, std::span<Value const *const> inputs)
{
    auto const perm = node.attrs.integers("perm");
    auto const &shape = inputs[0]->shape;
    auto sorted = perm;
    std::ranges::sort(sorted);
    bool fits = sorted.size() == shape.size();
    for (std::size_t i = 0; fits && i < sorted.size(); ++i) fits = sorted[i] == static_cast<std::int64_t>(i);
    if (!fits)
        return makeError(ErrorKind::Invalid, "graph.shape", node.name,
                         Message::of("perm must name each of the %1 axes of %2 once.", shape.size(), toText(shape)));
    Shape out;
    for (auto axis : perm) out.push_back(shape[static_cast<std::size_t>(axis)]);
    return std::vector<Builder::Out>{{out, inputs[0]->dtype}};
}

std::vector<ValueId> transposeGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return one({});
    auto const perm = node.attrs.integers("perm");
    std::vector<std::int64_t> back(perm.size());
    for (std::size_t i = 0; i < perm.size(); ++i) back[static_cast<std::size_t>(perm[i])] = static_cast<std::int64_t>(i);
    return one(appendOp(b, "transpose", {d[0]}, {{"perm", back}}));
}

Status lowerTranspose(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &in = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const rc = rowsCols(out.shape);
    auto const strides = rowMajorStrides(in.shape);
    Shape moved;
    for (auto axis : node.attrs.integers("perm")) moved.push_back(strides[static_cast<std::size_t>(axis)]);
    Transfer t;
    t.src = ctx.var(node.inputs[0]);
    t.dst = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ctx.ipu(node.stage)));
    t.loops = loopsOver(out.shape, moved, rowMajorStrides(out.shape));
    ctx.b.transfer(t, node.name + "/Transpose");
    ctx.b.flush();
    ctx.bind(node.outputs[0], t.dst);
    return {};
}

std::vector<ValueId> broadcastGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return one({});
    auto const &x = b.graph().value(node.inputs[0]);
    return one(b.one("reduce_to", {d[0]}, x.shape, x.dtype));
}

Status lowerBroadcast(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const operand = ctx.var(node.inputs[0]);
    auto const result = repeated(ctx, operand, ctx.graph.value(node.inputs[0]).shape, out.shape, ctx.ipu(node.stage), out.name,
                                 node.name + "/Broadcast", std::string(toText(out.role)));
    // Without a longer axis the result would be the operand itself, and an update of it in place would change both.
    if (result == operand) return lowerCopy(ctx, id);
    ctx.bind(node.outputs[0], result);
    return {};
}

} // namespace

void addMovement(std::vector<OpDef> &all)
{
    auto const add = [&](char const *name, OpSpec spec, std::function<Status(lowering::LowerContext &, NodeId)> lower, char const *help) {
        OpDef def;
        def.name = name;
        def.spec = std::move(spec);
        def.lowering.lower = std::move(lower);
        def.help = help;
        all.push_back(std::move(def));
    };
    add("reshape",
        {.gradient = reshapeGradient,
         .operands = 1,
         .attributes = {optionalAttr(kCheckpoint, AttrType::Flag, "its operand is a recomputation checkpoint")},
         .inPlaceCandidates = {{0, 0}},
         .work = Work::None},
        lowerReshape, "same elements, another shape");
    add("broadcast", {.gradient = broadcastGradient, .operands = 1, .work = Work::Movement}, lowerBroadcast,
        "numpy broadcast to a larger shape");
    add("copy",
        {.infer = inferSame, .gradient = [](Builder &, Node const &, std::span<ValueId const> d) { return one(d[0]); }, .operands = 1},
        lowerCopy, "copy of the tensor");
    add("cast", {.gradient = castGradient, .operands = 1, .elementwise = true}, lowerCast, "conversion of the element type");
    add("transpose",
        {.infer = inferTranspose,
         .gradient = transposeGradient,
         .operands = 1,
         .attributes = {{"perm", AttrType::Integers, "axis of the operand for each axis of the result"}},
         .work = Work::Movement},
        lowerTranspose, "axes in another order: axis i of the result is axis perm[i] of the operand");
}

} // namespace tilewright::ops
