// Optimizer updates, in place on the weights and their slots, and the step size they use. `opt.update` computes any expression; the
// others are updates with codelets of their own.
#include "engine/core/formula.h"
#include "engine/graph/node_kind.h"
#include "engine/graph/update_expr.h"
#include "engine/kernels/optimizer_math.h"
#include "engine/kernels/update_math.h"
#include "engine/ops/lower_helpers.h"
#include "engine/ops/op_def.h"

#include <algorithm>
#include <array>

namespace tilewright::ops {

namespace {

using namespace graph;
using namespace program;

struct OptimizerOp {
    char const *name;
    int states;                        ///< leading inputs that are updated: the weights and the slots
    int flops;                         ///< per element
    std::array<char const *, 3> reals; ///< attributes, in the order the codelet takes them
    std::array<char const *, 2> flags; ///< bool attributes, after them
    char const *codelet;
    char const *help;
    bool momentum = false; ///< the last operand is a momentum; of an op with a flag "momentum", where it is set
};

constexpr std::array kOps{
    OptimizerOp{"opt.sgd", 1, 2, {}, {}, "ScaledSubtract", "w -= lr g"},
    OptimizerOp{"opt.momentum", 2, 4, {}, {"nesterov"}, "SgdMomentum", "SGD with momentum", true},
    OptimizerOp{"opt.rmsprop", 2, 7, {"rho", "epsilon"}, {}, "RmsProp", "RMSprop without momentum"},
    OptimizerOp{
        "opt.rmsprop_full", 4, 12, {"rho", "epsilon"}, {"momentum", "centered"}, "RmsPropFull", "RMSprop with momentum or centred", true},
    OptimizerOp{"opt.adam", 3, 10, {"beta1", "beta2", "epsilon"}, {}, "Adam", "Adam"},
    OptimizerOp{"opt.adam_amsgrad", 4, 11, {"beta1", "beta2", "epsilon"}, {}, "AdamAmsgrad", "Adam with AMSGrad"},
    OptimizerOp{"opt.adamax",
                3,
                10,
                {"beta1", "beta2", "epsilon"},
                {},
                "Adamax",
                "Adamax: Adam with the maximum of the gradients instead of their mean square"},
    OptimizerOp{"opt.adadelta", 3, 13, {"rho", "epsilon"}, {}, "Adadelta", "Adadelta: steps of the size of earlier steps"},
};

OptimizerOp const &opOf(std::string_view name)
{
    auto const it = std::ranges::find_if(kOps, [&](auto const &op) { return name == op.name; });
    TW_CHECK(it != kOps.end(), "not an optimizer op");
    return *it;
}

bool takesMomentum(OptimizerOp const &op, Node const &node)
{
    return op.momentum && (op.flags[0] != std::string_view("momentum") || node.attrs.flag("momentum"));
}

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    auto const &op = opOf(node.op);
    if (inputs.size() != static_cast<std::size_t>(op.states) + (takesMomentum(op, node) ? 3 : 2))
        return makeError(ErrorKind::Internal, "graph.shape", node.name, Message::of("wrong operand count"));
    std::vector<Builder::Out> outs;
    for (int i = 0; i < op.states; ++i)
        outs.push_back({inputs[static_cast<std::size_t>(i)]->shape, inputs[static_cast<std::size_t>(i)]->dtype});
    return outs;
}

std::int64_t flops(Graph const &graph, Node const &node) { return opOf(node.op).flops * elementCount(graph.value(node.inputs[0]).shape); }

/// States, gradient and scalars of an update, on the tiles of the weights. Binds the results. The slots may be shards: then each replica
/// updates its part of every block and receives the others' from them.
Status emitUpdate(lowering::LowerContext &ctx, Node const &node, std::string const &codelet, std::vector<double> scalars,
                  std::string const &expr = {})
{
    auto const states = node.outputs.size();
    int const replicas = ctx.b.program().replicas;
    // Weights in shards are loaded and stored as such; the others do not read them here.
    auto const &read = ctx.graph.node(ctx.graph.value(node.inputs[0]).producer);
    bool const weightShards = is(read, NodeKind::VariableRead) && ctx.b.var(ctx.variable(read.variable)).home == Home::Shards;
    auto const layout = ctx.b.var(weightShards ? ctx.variable(read.variable) : ctx.var(node.inputs[0])).layout;
    bool const sharded = weightShards || (states > 1 && ctx.b.var(ctx.var(node.inputs[1])).layout != layout);
    auto const part = sharded ? shardLayout(layout, replicas) : layout;
    std::vector<VarId> all; // states, then the gradient
    for (std::size_t i = 0; i < states; ++i) {
        VarId const state = ctx.var(node.inputs[i]);
        // Slots lie where their weights lie (variable placement); an update in place needs that.
        TW_CHECK(ctx.b.var(state).layout == (i == 0 && !weightShards ? layout : part),
                 "slot of " + node.name + " lies elsewhere than its weights");
        all.push_back(state);
        ctx.bind(node.outputs[i], state);
    }
    VarId const weights = all[0];
    all.push_back(ctx.b.gather(ctx.var(node.inputs[states]), layout, node.name + "/gradient"));
    if (sharded) {
        std::vector<VertexFamily> takes;
        for (auto *whole : {&all.front(), &all.back()}) {
            if (weightShards && whole == &all.front()) continue;
            auto const source = ctx.b.var(*whole);
            VarId const shard = ctx.b.addVar(source.name + "/shard", source.role, source.dtype, {part.indexElements()}, part);
            takes.push_back(ctx.b.family("TakeShard", {{shard, Access::Write}, {*whole, Access::Read}}, {double{kShardShift}}));
            *whole = shard;
        }
        ctx.b.execute(node.name + "/TakeShard", std::move(takes));
    }
    std::vector<Field> fields;
    for (std::size_t i = 0; i <= states; ++i) fields.push_back({all[i], i < states ? Access::Update : Access::Read});
    for (std::size_t i = states + 1; i < node.inputs.size(); ++i) {
        auto const name = node.name + (i == states + 1 ? "/rate" : "/scalar" + std::to_string(i - states - 1));
        fields.push_back({ctx.b.gather(ctx.var(node.inputs[i]), ctx.b.broadcastLayout(Broadcast::Scalar, layout), name), Access::Read});
    }
    ctx.b.execute(node.name + "/" + codelet, {ctx.b.family(codelet, std::move(fields), std::move(scalars), expr)});
    if (!sharded || weightShards) return {};
    ctx.b.execute(node.name + "/PutShard",
                  {ctx.b.family("PutShard", {{weights, Access::Update}, {all[0], Access::Read}}, {double{kShardShift}})});
    ctx.gatherOverReplicas(weights, kShardShift, node.name);
    return {};
}

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &op = opOf(node.op);
    std::vector<double> scalars;
    for (auto const *name : op.reals)
        if (name) scalars.push_back(node.attrs.real(name));
    for (auto const *name : op.flags)
        if (name) scalars.push_back(node.attrs.flag(name) ? 1.0 : 0.0);
    return emitUpdate(ctx, node, op.codelet, std::move(scalars));
}

Result<std::vector<Builder::Out>> inferStateUpdate(Node const &node, std::span<Value const *const> inputs)
{
    TW_ASSIGN(auto const update, parseUpdateExpr(node.attrs.text("expr")));
    auto const states = static_cast<std::size_t>(update.states());
    auto const fail = [&](Message what) { return makeError(ErrorKind::Invalid, "graph.shape", node.name, std::move(what)); };
    if (inputs.size() != static_cast<std::size_t>(update.expr.operands))
        return fail(Message::of("needs %1 operands, has %2.", update.expr.operands, inputs.size()));
    std::vector<Builder::Out> outs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        auto const count = i <= states ? elementCount(inputs[0]->shape) : 1;
        if (!isFloating(inputs[i]->dtype) || elementCount(inputs[i]->shape) != count)
            return fail(
                Message::of("operand %1 of an update is %2 %3.", i, std::string(toText(inputs[i]->dtype)), toText(inputs[i]->shape)));
        if (i < states) outs.push_back({inputs[i]->shape, inputs[i]->dtype});
    }
    return outs;
}

std::int64_t updateFlops(Graph const &graph, Node const &node)
{
    auto const update = parseUpdateExpr(node.attrs.text("expr"));
    std::int64_t perElement = 0;
    if (update.ok())
        for (auto const &instr : update->expr.instrs) perElement += info(instr.prim).flops;
    return perElement * elementCount(graph.value(node.inputs[0]).shape);
}

Status lowerStateUpdate(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    return emitUpdate(ctx, node, "Update", {}, node.attrs.text("expr"));
}

Result<std::vector<Builder::Out>> inferStepSize(Node const &node, std::span<Value const *const> inputs)
{
    if (inputs.size() != 1 && inputs.size() != 3)
        return makeError(ErrorKind::Internal, "graph.shape", node.name, Message::of("wrong operand count"));
    return std::vector<Builder::Out>{{{}, DType::F32}};
}

Status lowerStepSize(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const iterations = ctx.var(node.inputs[0]);
    // Computed beside the counter (on one tile), then broadcast to whoever uses it.
    VarId const out = outputVar(ctx, node, 0, ctx.b.var(iterations).layout);
    auto const kind = kernels::parseStepKind(node.attrs.text("kind"));
    TW_CHECK(kind, "there is no step size '" + node.attrs.text("kind") + "'");
    // Behind the fixed ones the numbers of the schedule, where there is one.
    std::vector<double> scalars{static_cast<double>(*kind), node.attrs.real("learning_rate"), node.attrs.real("decay"),
                                node.attrs.real("beta1"), node.attrs.real("beta2")};
    for (double number : node.attrs.reals("schedule")) scalars.push_back(number);
    std::vector<Field> fields{{out, Access::Write}, {iterations, Access::Read}};
    for (std::size_t i = 1; i < node.inputs.size(); ++i) { // a rate that the host writes, and its rest
        auto const layout = ctx.b.broadcastLayout(Broadcast::Scalar, ctx.b.var(iterations).layout);
        fields.push_back({ctx.b.gather(ctx.var(node.inputs[i]), layout, node.name + "/rate"), Access::Read});
    }
    ctx.b.execute(node.name + "/StepSize", {ctx.b.family("StepSize", std::move(fields), std::move(scalars))});
    ctx.bind(node.outputs[0], out);
    return {};
}

Result<std::vector<Builder::Out>> inferCoefficient(Node const &node, std::span<Value const *const> inputs)
{
    TW_ASSIGN(auto const formula, parseFormula(node.attrs.text("formula")));
    if (!kernels::coefficientAt(formula, 0) || inputs[0]->dtype != DType::I32 || elementCount(inputs[0]->shape) != 1)
        return makeError(ErrorKind::Invalid, "graph.shape", node.name, Message::of("a coefficient needs a counter, and a formula of t."));
    return std::vector<Builder::Out>{{{}, DType::F32}};
}

Status lowerCoefficient(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    VarId const iterations = ctx.var(node.inputs[0]);
    VarId const out = outputVar(ctx, node, 0, ctx.b.var(iterations).layout);
    ctx.b.execute(node.name + "/Coefficient",
                  {ctx.b.family("Coefficient", {{out, Access::Write}, {iterations, Access::Read}}, {}, node.attrs.text("formula"))});
    ctx.bind(node.outputs[0], out);
    return {};
}

constexpr int kMostStates = 8; ///< of an update by an expression

} // namespace

void addOptimizers(std::vector<OpDef> &all)
{
    OpDef update;
    update.name = "opt.update";
    update.spec.infer = inferStateUpdate;
    update.spec.flops = updateFlops;
    update.spec.updates = true;
    update.spec.attributes = {{"expr", AttrType::Text, "result of each state, then the functions: t1 t0 | 4: mul a2 a3; sub a0 t0"}};
    for (int i = 0; i < kMostStates; ++i) update.spec.inPlaceCandidates.emplace_back(i, i);
    update.lowering.lower = lowerStateUpdate;
    update.lowering.updatesWeights = true;
    update.help = "an optimizer's update by an expression of its states, the gradient and scalars";
    all.push_back(std::move(update));
    for (auto const &op : kOps) {
        OpDef def;
        def.name = op.name;
        def.spec.infer = infer;
        def.spec.flops = flops;
        def.spec.updates = true;
        for (auto const *name : op.reals)
            if (name) def.spec.attributes.push_back({name, AttrType::Real, "of the optimizer"});
        for (auto const *name : op.flags)
            if (name) def.spec.attributes.push_back({name, AttrType::Flag, "of the optimizer"});
        for (int i = 0; i < op.states; ++i) def.spec.inPlaceCandidates.emplace_back(i, i);
        def.lowering.lower = lower;
        def.lowering.updatesWeights = true;
        def.help = op.help;
        all.push_back(std::move(def));
    }
    OpDef step;
    step.name = "opt.step_size";
    step.spec.infer = inferStepSize;
    step.spec.attributes = {
        {"kind", AttrType::Text, "constant, adam or adamax: the correction for the start"},
        optionalAttr("learning_rate", AttrType::Real,
                     "without a schedule; as operands, the rate and what float32 does not hold of it, where the host writes it"),
        optionalAttr("schedule", AttrType::Reals, "the numbers of core/rate_schedule"),
        optionalAttr("decay", AttrType::Real, "of the rate, with each update"),
        optionalAttr("beta1", AttrType::Real, "of Adam and Adamax"),
        optionalAttr("beta2", AttrType::Real, "of Adam and Adamax")};
    step.lowering.lower = lowerStepSize;
    step.help = "learning rate after its schedule, decay and Adam's correction for the start (Adam, Adamax)";
    all.push_back(std::move(step));
    OpDef coefficient;
    coefficient.name = "opt.coefficient";
    coefficient.spec.infer = inferCoefficient;
    coefficient.spec.operands = 1;
    coefficient.spec.attributes = {{"formula", AttrType::Text, "of t, the number of the update from 1 on: 1 - 0.9 ^ t"}};
    coefficient.lowering.lower = lowerCoefficient;
    coefficient.help = "a number of an optimizer's update that depends on how many there were";
    all.push_back(std::move(coefficient));
}

} // namespace tilewright::ops
