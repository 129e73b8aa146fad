// Operations that move or reinterpret data: views, copies, joins, cuts, broadcasts, type conversion.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

std::vector<ValueId> one(ValueId id) { return {id}; }

/// Elements before and from `axis` on: a cut along an axis is a cut of columns in this view.
struct View { std::int64_t outer = 1, inner = 1; };
View viewAt(Shape const &shape, std::size_t axis)
{
    View v;
    for (std::size_t i = 0; i < shape.size(); ++i) (i < axis ? v.outer : v.inner) *= shape[i];
    return v;
}

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

Result<std::vector<Builder::Out>> inferConcat(Node const &node, std::span<Value const *const> inputs)
{
    auto const axis = static_cast<std::size_t>(node.attrs.integer("axis"));
    auto const fail = [&](std::string what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.empty()) return fail("nothing to join.");
    Shape out = inputs[0]->shape;
    if (axis >= out.size()) return fail("axis " + std::to_string(axis) + " does not exist in " + toText(out) + ".");
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        Shape other = inputs[i]->shape;
        if (other.size() != out.size()) return fail("ranks differ.");
        auto const extent = other[axis];
        other[axis] = out[axis];
        if (other != out || inputs[i]->dtype != inputs[0]->dtype)
            return fail("shapes " + toText(inputs[0]->shape) + " and " + toText(inputs[i]->shape) + " do not join along axis "
                        + std::to_string(axis) + ".");
        out[axis] += extent;
    }
    return std::vector<Builder::Out>{{out, inputs[0]->dtype}};
}

std::vector<ValueId> concatGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    std::vector<ValueId> out(node.inputs.size());
    if (!d[0].valid()) return out;
    auto const axis = node.attrs.integer("axis");
    std::int64_t start = 0;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        auto const size = b.graph().value(node.inputs[i]).shape[static_cast<std::size_t>(axis)];
        out[i] = appendOp(b, "slice", {d[0]}, {{"axis", axis}, {"start", start}, {"size", size}});
        start += size;
    }
    return out;
}

Status lowerConcat(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const axis = static_cast<std::size_t>(node.attrs.integer("axis"));
    auto const rc = rowsCols(out.shape);
    VarId const result = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ctx.ipu(node.stage)));
    auto const whole = viewAt(out.shape, axis);
    std::int64_t start = 0;
    for (auto input : node.inputs) {
        auto const part = viewAt(ctx.graph.value(input).shape, axis);
        Transfer t;
        t.src = ctx.var(input);
        t.dst = result;
        t.dst0 = start;
        t.loops = {{part.outer, part.inner, whole.inner}, {part.inner, 1, 1}};
        ctx.b.transfer(t, node.name + "/Copy");
        start += part.inner;
    }
    ctx.b.flush();
    ctx.bind(node.outputs[0], result);
    return {};
}

Result<std::vector<Builder::Out>> inferSlice(Node const &node, std::span<Value const *const> inputs)
{
    auto const axis = static_cast<std::size_t>(node.attrs.integer("axis"));
    Shape out = inputs[0]->shape;
    auto const start = node.attrs.integer("start"), size = node.attrs.integer("size");
    if (axis >= out.size() || start < 0 || size < 1 || start + size > out[axis])
        return makeError(ErrorKind::Invalid, "graph.shape", node.name, "slice leaves " + toText(out) + ".");
    out[axis] = size;
    return std::vector<Builder::Out>{{out, inputs[0]->dtype}};
}

std::vector<ValueId> sliceGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return one({});
    auto const x = b.graph().value(node.inputs[0]);
    auto const axis = node.attrs.integer("axis");
    auto const start = node.attrs.integer("start"), size = node.attrs.integer("size");
    std::vector<ValueId> parts;
    auto const zeros = [&](std::int64_t extent) {
        if (extent == 0) return;
        Shape shape = x.shape;
        shape[static_cast<std::size_t>(axis)] = extent;
        parts.push_back(b.constant(0.0, shape, x.dtype));
    };
    zeros(start);
    parts.push_back(d[0]);
    zeros(x.shape[static_cast<std::size_t>(axis)] - start - size);
    if (parts.size() == 1) return one(d[0]);
    return one(appendOp(b, "concat", parts, {{"axis", axis}}));
}

Status lowerSlice(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &in = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const axis = static_cast<std::size_t>(node.attrs.integer("axis"));
    auto const rc = rowsCols(out.shape);
    VarId const result = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ctx.ipu(node.stage)));
    auto const whole = viewAt(in.shape, axis);
    auto const part = viewAt(out.shape, axis);
    Transfer t;
    t.src = ctx.var(node.inputs[0]);
    t.dst = result;
    t.src0 = node.attrs.integer("start") * (part.inner / out.shape[axis]);
    t.loops = {{part.outer, whole.inner, part.inner}, {part.inner, 1, 1}};
    ctx.b.transfer(t, node.name + "/Copy");
    ctx.b.flush();
    ctx.bind(node.outputs[0], result);
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
    Shape shape = ctx.graph.value(node.inputs[0]).shape;
    shape.insert(shape.begin(), out.shape.size() - shape.size(), 1);
    VarId current = ctx.var(node.inputs[0]);
    int const ipu = ctx.ipu(node.stage);
    // One axis at a time, innermost first, so that runs stay long: [outer, 1, inner] -> [outer, n, inner].
    for (std::size_t back = shape.size(); back-- > 0;) {
        if (shape[back] == out.shape[back]) continue;
        std::int64_t const n = out.shape[back];
        std::int64_t outer = 1, inner = 1;
        for (std::size_t i = 0; i < back; ++i) outer *= shape[i];
        for (std::size_t i = back + 1; i < shape.size(); ++i) inner *= shape[i];
        shape[back] = n;
        auto const rc = rowsCols(shape);
        VarId const next = ctx.b.addVar(out.name, std::string(toText(out.role)), out.dtype, shape,
                                        ctx.b.linear(rc.rows, rc.cols, out.dtype, ipu));
        for (std::int64_t j = 0; j < n; ++j) {
            Transfer t;
            t.src = current;
            t.dst = next;
            t.dst0 = j * inner;
            t.loops = {{outer, inner, n * inner}, {inner, 1, 1}};
            ctx.b.transfer(t, node.name + "/Broadcast");
        }
        ctx.b.flush();
        current = next;
    }
    ctx.bind(node.outputs[0], current);
    return {};
}

} // namespace

void addMovement(std::vector<OpDef> &all)
{
    auto const add = [&](char const *name, OpSpec spec, std::function<Status(lowering::LowerContext &, NodeId)> lower,
                         char const *help) {
        OpDef def;
        def.name = name;
        def.spec = std::move(spec);
        def.lowering.lower = std::move(lower);
        def.help = help;
        all.push_back(std::move(def));
    };
    add("reshape", {nullptr, reshapeGradient, nullptr, {{0, 0}}, false, false}, lowerReshape, "same elements, another shape");
    add("broadcast", {nullptr, broadcastGradient, nullptr, {}, false, false}, lowerBroadcast, "numpy broadcast to a larger shape");
    add("copy", {inferSame, [](Builder &, Node const &, std::span<ValueId const> d) { return one(d[0]); }, nullptr, {}, false, false},
        lowerCopy, "a copy of its own");
    add("cast", {nullptr, castGradient, nullptr, {}, false, false}, lowerCast, "conversion of the element type");
    add("concat", {inferConcat, concatGradient, nullptr, {}, false, false}, lowerConcat, "joins along an axis");
    add("slice", {inferSlice, sliceGradient, nullptr, {}, false, false}, lowerSlice, "a range along an axis");
}

} // namespace tilewright::ops
