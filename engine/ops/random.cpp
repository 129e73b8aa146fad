// Dropout and noise. The mask of a dropout is never stored: forward and backward draw the same bits from the counter.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

/// Numbers of streams: below 2^32 as layers are met, above it those that a layer's own seed names. What a caller adds stays below.
constexpr StreamNumber kStream{"node_seed", 2};

/// Behind the first operand: a counter, and where the node is in a body that several call, what each adds to its stream.
bool drawsByNumbers(std::span<Value const *const> inputs)
{
    if (inputs.size() != 2 && inputs.size() != 3) return false;
    for (auto const *number : inputs.subspan(1))
        if (number->dtype != DType::I32 || elementCount(number->shape) != 1) return false;
    return true;
}

/// Both numbers, on every tile of a layout.
std::vector<Field> numberFields(lowering::LowerContext &ctx, Node const &node, Layout const &layout)
{
    std::vector<Field> fields;
    for (std::size_t i = 1; i < node.inputs.size(); ++i)
        fields.push_back({ctx.b.gather(ctx.var(node.inputs[i]), ctx.b.broadcastLayout(Broadcast::Scalar, layout),
                                       node.name + (i == 1 ? "/counter" : "/stream")),
                          Access::Read});
    return fields;
}

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    double const rate = node.attrs.real("rate");
    if (rate < 0 || rate >= 1)
        return makeError(ErrorKind::Invalid, "graph.dropout", node.name, Message::of("rate must be at least 0 and below 1."));
    if (!drawsByNumbers(inputs))
        return makeError(ErrorKind::Invalid, "graph.random", node.name, Message::of("a dropout takes an operand and a counter."));
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

std::vector<ValueId> gradient(Builder &b, Node const &node, std::span<ValueId const> d)
{
    std::vector<ValueId> gradients(node.inputs.size());
    if (!d[0].valid()) return gradients;
    auto operands = node.inputs;
    operands[0] = d[0];
    gradients[0] = appendOp(b, "dropout", operands, node.attrs, "DropoutGrad");
    return gradients;
}

std::int64_t flops(Graph const &graph, Node const &node) { return elementCount(graph.value(node.inputs[0]).shape); }

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const x = plainOperand(ctx, node.inputs[0], ctx.ipu(node.stage), node.name + "/in");
    auto const layout = ctx.b.var(x).layout;
    auto const numbers = numberFields(ctx, node, layout);
    VarId const out = outputVar(ctx, node, 0, layout);
    std::vector<Field> fields{{out, Access::Write}, {x, Access::Read}};
    fields.insert(fields.end(), numbers.begin(), numbers.end());
    ctx.b.execute(node.name + "/Dropout",
                  {ctx.b.family("Dropout", std::move(fields),
                                {node.attrs.real("rate"), static_cast<double>(node.attrs.integer("node_seed")),
                                 static_cast<double>(layout.cols())})});
    ctx.bind(node.outputs[0], out);
    return {};
}

Result<std::vector<Builder::Out>> inferNormal(Node const &node, std::span<Value const *const> inputs)
{
    if (!drawsByNumbers(inputs) || !isFloating(inputs[0]->dtype))
        return makeError(ErrorKind::Invalid, "graph.random", node.name,
                         Message::of("noise takes an operand that gives its shape, and a counter."));
    if (!(node.attrs.real("stddev") >= 0))
        return makeError(ErrorKind::Invalid, "graph.random", node.name, Message::of("stddev must be at least 0."));
    return std::vector<Builder::Out>{{inputs[0]->shape, inputs[0]->dtype}};
}

/// Lies as what it is like, so that nothing moves to meet it.
Status lowerNormal(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &value = ctx.graph.value(node.outputs[0]);
    int const ipu = ctx.ipu(node.stage);
    Layout layout = ctx.b.var(ctx.var(node.inputs[0])).layout;
    bool known = layout.on.ipu == ipu && layout.isRowMajor();
    for (int d = 0; d < layout.rank; ++d) known = known && layout.dim(d).kind == DimKind::Index && !layout.dim(d).overlaps();
    if (!known) {
        auto const rc = rowsCols(value.shape);
        layout = ctx.b.linear(rc.rows, rc.cols, value.dtype, ipu);
    }
    auto const numbers = numberFields(ctx, node, layout);
    VarId const out = outputVar(ctx, node, 0, layout);
    std::vector<Field> fields{{out, Access::Write}};
    fields.insert(fields.end(), numbers.begin(), numbers.end());
    ctx.b.execute(
        node.name + "/Normal",
        {ctx.b.family("Normal", std::move(fields),
                      {node.attrs.real("mean"), node.attrs.real("stddev"), static_cast<double>(node.attrs.integer("node_seed"))})});
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addRandom(std::vector<OpDef> &all)
{
    OpDef def;
    def.name = "dropout";
    AttrSpec const seed{std::string(kStream.attribute), AttrType::Integer, "by which it draws, with the run's seed and the counter"};
    def.spec = {.infer = infer,
                .gradient = gradient,
                .flops = flops,
                .attributes = {{"rate", AttrType::Real, "share that becomes zero"}, seed},
                .stream = kStream};
    def.lowering.lower = lower;
    def.help = "zeroes a share of the elements, scales the rest by 1/(1-rate)";
    all.push_back(std::move(def));
    OpDef normal;
    normal.name = "random.normal";
    normal.spec = {
        .infer = inferNormal,
        .flops = flops,
        .attributes = {optionalAttr("mean", AttrType::Real, "of the noise"), {"stddev", AttrType::Real, "its standard deviation"}, seed},
        .stream = kStream};
    normal.lowering.lower = lowerNormal;
    normal.help = "normally distributed noise in the operand's shape, from a counter";
    all.push_back(std::move(normal));
}

} // namespace tilewright::ops
