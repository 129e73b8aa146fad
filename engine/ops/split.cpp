// A tensor cut into equal parts along an axis: the gates of a recurrent cell, the heads of an attention. One operation
// and not a slice for each, so that one exchange moves all of them and the gradient is one join.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.size() != 1) return fail(Message::of("a split takes one tensor."));
    Shape part = inputs[0]->shape;
    auto const axis = node.attrs.integer("axis"), parts = node.attrs.integer("parts");
    if (axis < 0 || axis >= static_cast<std::int64_t>(part.size()))
        return fail(Message::of("axis %1 does not exist in %2.", axis, toText(part)));
    auto &extent = part[static_cast<std::size_t>(axis)];
    if (parts < 1 || parts > extent || extent % parts != 0)
        return fail(Message::of("%1 cannot be divided into %2 equal parts.", toText(part), parts));
    extent /= parts;
    return std::vector<Builder::Out>(static_cast<std::size_t>(parts), Builder::Out{part, inputs[0]->dtype});
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    std::vector<ValueId> parts;
    for (std::size_t i = 0; i < d.size(); ++i) {
        auto const type = b.graph().value(node.outputs[i]);
        parts.push_back(d[i].valid() ? d[i] : b.constant(0.0, type.shape, type.dtype));
    }
    if (parts.size() == 1) return parts;
    return {appendOp(b, "concat", std::move(parts), {{"axis", node.attrs.integer("axis")}})};
}

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const axis = static_cast<std::size_t>(node.attrs.integer("axis"));
    auto const &in = ctx.graph.value(node.inputs[0]).shape;
    auto const &part = ctx.graph.value(node.outputs[0]);
    auto const rc = rowsCols(part.shape);
    // All parts lie alike: what is computed of several of them moves nothing.
    Layout const layout = ctx.b.linear(rc.rows, rc.cols, part.dtype, ctx.ipu(node.stage));
    std::int64_t outer = 1, inner = 1;
    for (std::size_t i = 0; i < axis; ++i) outer *= in[i];
    for (std::size_t i = axis; i < in.size(); ++i) inner *= in[i];
    auto const parts = static_cast<std::int64_t>(node.outputs.size());
    for (std::int64_t p = 0; p < parts; ++p) {
        VarId const out = outputVar(ctx, node, static_cast<int>(p), layout);
        Transfer t;
        t.src = ctx.var(node.inputs[0]);
        t.dst = out;
        t.src0 = p * (inner / parts);
        t.loops = {{outer, inner, inner / parts}, {inner / parts, 1, 1}};
        ctx.b.transfer(t, node.name + "/Copy");
        ctx.bind(node.outputs[static_cast<std::size_t>(p)], out);
    }
    ctx.b.flush();
    return {};
}

} // namespace

void addSplit(std::vector<OpDef> &all)
{
    OpDef def;
    def.name = "split";
    def.spec = {.infer = infer,
                .gradient = gradient,
                .attributes = {{"axis", AttrType::Integer, "that is cut"}, {"parts", AttrType::Integer, "into how many"}},
                .work = Work::Movement};
    def.lowering.lower = lower;
    def.help = "equal parts along an axis";
    all.push_back(std::move(def));
}

} // namespace tilewright::ops
