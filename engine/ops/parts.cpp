// Operations on parts of tensors: joins, slices, padding.
#include "engine/graph/parts.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

/// Elements before and from `axis` on: a cut along an axis is a cut of columns in this view.
struct View {
    std::int64_t outer = 1, inner = 1;
};
View viewAt(Shape const &shape, std::size_t axis)
{
    View v;
    for (std::size_t i = 0; i < shape.size(); ++i) (i < axis ? v.outer : v.inner) *= shape[i];
    return v;
}

Result<std::vector<Builder::Out>> inferConcat(Node const &node, std::span<Value const *const> inputs)
{
    auto const axis = static_cast<std::size_t>(node.attrs.integer("axis"));
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.empty()) return fail(Message::of("there is nothing to join."));
    Shape out = inputs[0]->shape;
    if (axis >= out.size()) return fail(Message::of("axis %1 does not exist in %2.", axis, toText(out)));
    for (std::size_t i = 1; i < inputs.size(); ++i) {
        Shape other = inputs[i]->shape;
        if (other.size() != out.size()) return fail(Message::of("the ranks differ."));
        auto const extent = other[axis];
        other[axis] = out[axis];
        if (other != out || inputs[i]->dtype != inputs[0]->dtype)
            return fail(
                Message::of("shapes %1 and %2 do not join along axis %3.", toText(inputs[0]->shape), toText(inputs[i]->shape), axis));
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
    TW_ASSIGN(auto const part, sliceOf(node, inputs[0]->shape));
    return std::vector<Builder::Out>{{part.size, inputs[0]->dtype}};
}

/// What the slice left out has no gradient.
std::vector<ValueId> sliceGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId()};
    auto const shape = b.graph().value(node.inputs[0]).shape;
    auto const part = *sliceOf(node, shape);
    if (part.size == shape) return {d[0]};
    Shape after;
    for (std::size_t i = 0; i < shape.size(); ++i) after.push_back(shape[i] - part.begin[i] - part.size[i]);
    return {appendOp(b, "pad", {d[0]}, {{"before", part.begin}, {"after", after}})};
}

/// Elements from which a part counts inside its whole.
std::int64_t firstOf(Part const &part, Shape const &wholeStrides)
{
    std::int64_t first = 0;
    for (std::size_t i = 0; i < wholeStrides.size(); ++i) first += part.begin[i] * wholeStrides[i];
    return first;
}

Status lowerSlice(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &in = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const rc = rowsCols(out.shape);
    auto const part = *sliceOf(node, in.shape);
    auto const strides = rowMajorStrides(in.shape);
    Transfer t;
    t.src = ctx.var(node.inputs[0]);
    t.dst = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ctx.ipu(node.stage)));
    t.src0 = firstOf(part, strides);
    t.loops = loopsOver(part.size, strides, rowMajorStrides(out.shape));
    ctx.b.transfer(t, node.name + "/Copy");
    ctx.b.flush();
    ctx.bind(node.outputs[0], t.dst);
    return {};
}

Result<std::vector<Builder::Out>> inferPad(Node const &node, std::span<Value const *const> inputs)
{
    TW_ASSIGN(auto const padded, padOf(node, inputs[0]->shape));
    return std::vector<Builder::Out>{{padded.whole, inputs[0]->dtype}};
}

std::vector<ValueId> padGradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    if (!d[0].valid()) return {ValueId()};
    auto const shape = b.graph().value(node.inputs[0]).shape;
    return {appendOp(b, "slice", {d[0]}, {{"starts", node.attrs.integers("before")}, {"sizes", shape}})};
}

Status lowerPad(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &in = ctx.graph.value(node.inputs[0]);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const rc = rowsCols(out.shape);
    auto const part = padOf(node, in.shape)->part;
    auto const strides = rowMajorStrides(out.shape);
    Transfer t;
    t.src = ctx.var(node.inputs[0]);
    t.dst = outputVar(ctx, node, 0, ctx.b.linear(rc.rows, rc.cols, out.dtype, ctx.ipu(node.stage)));
    t.dst0 = firstOf(part, strides);
    t.loops = loopsOver(in.shape, rowMajorStrides(in.shape), strides);
    ctx.b.execute(node.name + "/Fill", {ctx.b.family("Fill", {{t.dst, Access::Write}}, {0.0})});
    ctx.b.transfer(t, node.name + "/Copy");
    ctx.b.flush();
    ctx.bind(node.outputs[0], t.dst);
    return {};
}

} // namespace

void addParts(std::vector<OpDef> &all)
{
    auto const add = [&](char const *name, OpSpec spec, std::function<Status(lowering::LowerContext &, NodeId)> lower, char const *help) {
        OpDef def;
        def.name = name;
        def.spec = std::move(spec);
        def.lowering.lower = std::move(lower);
        def.help = help;
        all.push_back(std::move(def));
    };
    add("concat",
        {.infer = inferConcat,
         .gradient = concatGradient,
         .attributes = {{"axis", AttrType::Integer, "along which operands follow each other"}},
         .work = Work::Movement},
        lowerConcat, "joins along an axis");
    add("slice",
        {.infer = inferSlice,
         .gradient = sliceGradient,
         .operands = 1,
         .attributes = {optionalAttr("starts", AttrType::Integers,
                                     "first index along each axis; with sizes, instead of axis, start and size"),
                        optionalAttr("sizes", AttrType::Integers, "extent along each axis"),
                        optionalAttr("axis", AttrType::Integer, "the one that is cut"),
                        optionalAttr("start", AttrType::Integer, "first index along it"),
                        optionalAttr("size", AttrType::Integer, "extent along it")},
         .work = Work::Movement},
        lowerSlice, "a box of the tensor: a range along one axis, or along each");
    add("pad",
        {.infer = inferPad,
         .gradient = padGradient,
         .operands = 1,
         .attributes = {{"before", AttrType::Integers, "zeros in front, along each axis"}, {"after", AttrType::Integers, "zeros behind"}},
         .work = Work::Movement},
        lowerPad, "zeros before and after, along each axis");
}

} // namespace tilewright::ops
