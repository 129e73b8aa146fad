// Convolutions and their two gradients: shapes, derivatives, arithmetic.
#include "engine/graph/conv.h"
#include "engine/graph/partial_sums.h"
#include "engine/ops/conv_lower.h"
#include "engine/ops/conv_planning.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 2)
        return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("a convolution takes two operands."));
    if (inputs[0]->dtype != inputs[1]->dtype)
        return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("the operands have different types."));
    TW_ASSIGN(auto const g, convGeometry(node, inputs[0]->shape, inputs[1]->shape));
    auto const shape = node.op == "conv" ? g.outShape() : node.op == "conv_input_grad" ? g.inShape() : g.kernelShape();
    return std::vector<Builder::Out>{{shape, inputs[0]->dtype}};
}

std::vector<std::int64_t> extents(std::span<ConvGeometry::Axis const> axes, std::int64_t ConvGeometry::Axis::*extent)
{
    std::vector<std::int64_t> all;
    for (auto const &axis : axes) all.push_back(axis.*extent);
    return all;
}

/// The attributes the three ops share, and one extent more.
Attrs gradientAttrs(Node const &node, std::string const &key, std::vector<std::int64_t> value)
{
    Attrs attrs;
    for (auto const *name : {"strides", "dilations", "pad_before", "pad_after"}) attrs.set(name, node.attrs.integers(name));
    attrs.set("groups", node.attrs.integer("groups"));
    if (!key.empty()) attrs.set(key, std::move(value));
    return attrs;
}

ConvGeometry geometryOf(Builder &b, Node const &node)
{
    auto geometry = convGeometry(node, b.graph().value(node.inputs[0]).shape, b.graph().value(node.inputs[1]).shape);
    TW_CHECK(geometry.ok(), "gradient of an unfit convolution " + node.name);
    return *geometry;
}

std::vector<ValueId> convGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    if (!d.valid()) return {ValueId(), ValueId()};
    auto const g = geometryOf(b, node);
    auto const x = node.inputs[0], w = node.inputs[1];
    // The weights' gradient first: the schedule may start updating while the data gradient is computed.
    auto const dw = appendOp(b, "conv_weight_grad", {x, d}, gradientAttrs(node, "kernel", extents(g.axes(), &ConvGeometry::Axis::kernel)),
                             "Conv_WeightUpdate");
    auto const dx =
        appendOp(b, "conv_input_grad", {d, w}, gradientAttrs(node, "input", extents(g.axes(), &ConvGeometry::Axis::in)), "Conv_Backward");
    return {dx, dw};
}

/// x = conv_input_grad(y, w) is linear in both: its own gradient towards y is the convolution.
std::vector<ValueId> transposedGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const d = outputGradients[0];
    if (!d.valid()) return {ValueId(), ValueId()};
    auto const g = geometryOf(b, node);
    auto const y = node.inputs[0], w = node.inputs[1];
    auto const dw = appendOp(b, "conv_weight_grad", {d, y}, gradientAttrs(node, "kernel", extents(g.axes(), &ConvGeometry::Axis::kernel)),
                             "Conv_WeightUpdate");
    auto const dy = appendOp(b, "conv", {d, w}, gradientAttrs(node, {}, {}), "Conv_Backward");
    return {dy, dw};
}

std::int64_t flops(Graph const &graph, Node const &node)
{
    auto const g = convGeometry(node, graph.value(node.inputs[0]).shape, graph.value(node.inputs[1]).shape);
    return g.ok() ? 2 * g->multiplyAdds() : 0;
}

} // namespace

void addConvolutions(std::vector<OpDef> &all)
{
    std::vector<AttrSpec> const shared{{"strides", AttrType::Integers, "along each spatial axis"},
                                       {"dilations", AttrType::Integers, "steps from one element of the kernel to the next"},
                                       {"pad_before", AttrType::Integers, "zeros in front of each axis"},
                                       {"pad_after", AttrType::Integers, "zeros after it"},
                                       {"groups", AttrType::Integer, "into which channels and filters fall"},
                                       halfPartialsAttribute()};
    auto const add = [&](char const *name, auto gradient, std::vector<AttrSpec> own, char const *help) {
        OpDef def;
        def.name = name;
        def.spec = {.infer = infer, .gradient = gradient, .flops = flops, .attributes = shared, .work = Work::Product};
        def.spec.attributes.insert(def.spec.attributes.end(), own.begin(), own.end());
        def.lowering = {lowerConv, convTraits, planConvolutions};
        def.help = help;
        all.push_back(std::move(def));
    };
    using Gradient = decltype(OpDef().spec.gradient);
    add("conv", Gradient(convGradient), {}, "convolution of x [batch, axes…, channels] with w [kernel…, channels / groups, filters]");
    add("conv_input_grad", Gradient(transposedGradient), {{"input", AttrType::Integers, "spatial extents of x"}},
        "transposed convolution of y with w: a tensor in the shape of x");
    add("conv_weight_grad", Gradient(), {{"kernel", AttrType::Integers, "spatial extents of w"}},
        "weight gradient: sums of products of x and y, in the shape of w");
}

} // namespace tilewright::ops
