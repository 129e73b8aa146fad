// Elementwise operations: every primitive of graph/expr.h as a node of its own, and `map`, their fusion.
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include "engine/graph/axes.h"
#include "engine/graph/expr.h"

#include <algorithm>

namespace tilewright::ops {

namespace {

using namespace graph;

Result<std::vector<Builder::Out>> inferElementwise(Node const &node, std::span<Value const *const> inputs)
{
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    auto const expr = node.op == "map" ? parseExpr(node.attrs.text("expr")) : Result<Expr>(exprOf(node));
    if (!expr.ok()) return expr.error();
    if (inputs.empty()) return fail(Message::of("has no operand."));
    if (static_cast<int>(inputs.size()) != expr->operands)
        return fail(Message::of("needs %1 operands, has %2.", expr->operands, inputs.size()));
    std::vector<Shape> shapes;
    for (auto const *input : inputs) {
        if (input->dtype != inputs[0]->dtype)
            return fail(Message::of("the operands have types %1 and %2.", std::string(toText(inputs[0]->dtype)),
                                    std::string(toText(input->dtype))));
        shapes.push_back(input->shape);
    }
    Misfit misfit;
    auto const shape = broadcastShape(shapes, &misfit);
    if (!shape) return fail(Message::of("shapes %1 and %2 do not broadcast.", toText(misfit.one), toText(misfit.other)));
    return std::vector<Builder::Out>{{*shape, inputs[0]->dtype}};
}

/// Sums a gradient of the output's shape down to an operand that was broadcast.
ValueId shrink(Builder &b, ValueId gradient, Shape const &operand, Shape const &output)
{
    if (operand == output) return gradient;
    if (auto const axes = repeatedAxes(operand, output); elementCount(operand) == 1) gradient = appendOp(b, "reduce_sum", {gradient});
    else if (!axes.empty()) gradient = appendOp(b, "reduce_sum", {gradient}, {{"axes", axes}});
    if (b.graph().value(gradient).shape == operand) return gradient;
    auto const &type = b.graph().value(gradient);
    return b.one("reshape", {gradient}, operand, type.dtype);
}

/// Gradients of a primitive's operands, as prims.def has them; d: that of its result. Not valid: there is none.
std::vector<ValueId> gradientsOf(Builder &b, PrimInfo const &prim, Node const &node, ValueId d)
{
    std::vector<ValueId> known(kGradientOperands);
    for (std::size_t i = 0; i < node.inputs.size(); ++i) known[i] = node.inputs[i];
    known[kGradientResult] = node.outputs[0];
    known[kGradientD] = d;
    std::vector<ValueId> gradients;
    for (int operand = 0; operand < prim.arity; ++operand) {
        auto const expr = gradientExpr(prim.prim, operand, node.attrs.real("p0"), node.attrs.real("p1"));
        auto values = known;
        for (auto const &instr : expr ? expr->instrs : std::vector<Instr>()) {
            auto const &step = info(instr.prim);
            std::vector<ValueId> in;
            for (int a = 0; a < step.arity; ++a) {
                auto const arg = static_cast<std::size_t>(instr.args[a]);
                if (arg == kGradientZero && !values[arg].valid()) values[arg] = known[arg] = b.constant(0.0, {}, b.graph().value(d).dtype);
                in.push_back(values[arg]);
            }
            Attrs attrs;
            if (step.parameters > 0) attrs.set("p0", instr.p0);
            if (step.parameters > 1) attrs.set("p1", instr.p1);
            values.push_back(appendOp(b, std::string(step.name), std::move(in), std::move(attrs)));
        }
        gradients.push_back(!expr ? ValueId() : expr->instrs.empty() ? d : values.back());
    }
    return gradients;
}

std::vector<ValueId> elementwiseGradient(Builder &b, Node const &node, std::span<ValueId const> outputGradients)
{
    auto const *prim = findPrimitive(node.op);
    if (!prim || !outputGradients[0].valid()) return std::vector<ValueId>(node.inputs.size());
    auto gradients = gradientsOf(b, *prim, node, outputGradients[0]);
    auto const output = b.graph().value(node.outputs[0]).shape;
    for (std::size_t i = 0; i < gradients.size(); ++i) {
        if (!gradients[i].valid()) continue;
        auto const operand = b.graph().value(node.inputs[i]).shape;
        gradients[i] = shrink(b, gradients[i], operand, output);
    }
    return gradients;
}

std::int64_t elementwiseFlops(Graph const &graph, Node const &node)
{
    std::int64_t perElement = 0;
    for (auto const &instr : exprOf(node).instrs) perElement += info(instr.prim).flops;
    return perElement * elementCount(graph.value(node.outputs[0]).shape);
}

Status lowerElementwise(lowering::LowerContext &ctx, NodeId id)
{
    using namespace program;
    auto const &node = ctx.graph.node(id);
    auto const &out = ctx.graph.value(node.outputs[0]);
    auto const rc = rowsCols(out.shape);
    int const ipu = ctx.ipu(node.stage);
    int const reuse = node.inPlace.empty() ? -1 : node.inPlace[0];
    bool anyBroadcast = false;
    std::vector<Broadcast> kinds;
    std::vector<VarId> given;
    for (std::size_t i = 0; i < node.inputs.size(); ++i) {
        auto const &shape = ctx.graph.value(node.inputs[i]).shape;
        auto const how = findBroadcast(shape, out.shape);
        kinds.push_back(how.value_or(Broadcast::Full));
        given.push_back(how ? ctx.var(node.inputs[i])
                            : repeated(ctx, ctx.var(node.inputs[i]), shape, out.shape, ipu, node.name + "/in" + std::to_string(i),
                                       node.name + "/Broadcast"));
        anyBroadcast = anyBroadcast || kinds.back() == Broadcast::Row || kinds.back() == Broadcast::Column;
    }
    // The result lies as the operand it replaces does, else as its first full operand.
    auto const usable = [&](std::size_t i) {
        if (kinds[i] != Broadcast::Full) return false;
        auto const &layout = ctx.b.var(given[i]).layout;
        if (layout.on.ipu != ipu) return false;
        if (!anyBroadcast) return true;
        return layout.isRowsOf(rc.cols) && layout.rows() == rc.rows;
    };
    int chosen = -1;
    if (reuse >= 0 && usable(static_cast<std::size_t>(reuse))) chosen = reuse;
    for (std::size_t i = 0; i < node.inputs.size() && chosen < 0; ++i)
        if (usable(i)) chosen = static_cast<int>(i);
    Layout layout;
    if (chosen >= 0) layout = ctx.b.var(given[static_cast<std::size_t>(chosen)]).layout;
    else layout = ctx.b.linear(rc.rows, rc.cols, out.dtype, ipu);
    std::vector<VarId> operands;
    for (std::size_t i = 0; i < node.inputs.size(); ++i)
        operands.push_back(ctx.b.gather(given[i], ctx.b.broadcastLayout(kinds[i], layout), node.name + "/in" + std::to_string(i)));
    bool const inPlace = reuse >= 0 && chosen == reuse;
    VarId const result = inPlace ? operands[static_cast<std::size_t>(reuse)]
                                 : ctx.b.addVar(out.name, std::string(toText(out.role)), out.dtype, out.shape, layout);
    std::vector<Field> fields{{result, inPlace ? Access::Update : Access::Write}};
    for (auto operand : operands) fields.push_back({operand, Access::Read});
    auto const expr = exprOf(node);
    ctx.b.execute(node.name + "/" + elementwiseSetName(expr), {ctx.b.family("Map", std::move(fields), {}, toText(expr))});
    ctx.bind(node.outputs[0], result);
    return {};
}

} // namespace

void addElementwise(std::vector<OpDef> &all)
{
    auto const add = [&](std::string name, int arity, std::vector<AttrSpec> attributes, std::string help) {
        OpDef def;
        def.name = std::move(name);
        def.spec.infer = inferElementwise;
        def.spec.elementwise = true;
        def.spec.gradient = elementwiseGradient;
        def.spec.flops = elementwiseFlops;
        def.spec.attributes = std::move(attributes);
        for (int i = 0; i < arity; ++i) def.spec.inPlaceCandidates.emplace_back(0, i);
        def.lowering.lower = lowerElementwise;
        def.help = std::move(help);
        all.push_back(std::move(def));
    };
    for (auto const &prim : primitives()) {
        std::vector<AttrSpec> parameters;
        for (int i = 0; i < prim.parameters; ++i)
            parameters.push_back({"p" + std::to_string(i), AttrType::Real, i == 0 ? "first parameter" : "second parameter"});
        add(std::string(prim.name), prim.arity, std::move(parameters),
            "elementwise, of " + std::to_string(prim.arity) + (prim.arity == 1 ? " operand" : " operands"));
    }
    add("map", 4, {{"expr", AttrType::Text, "number of operands, then the functions from first to last: 2: add a0 a1; tanh t0"}},
        "fused elementwise expression");
}

} // namespace tilewright::ops
