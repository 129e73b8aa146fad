// Optimizer updates, in place on the weights and their slots, and the step size they use.
#include "engine/kernels/optimizer_math.h"
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
    std::array<char const *, 4> reals; ///< attributes, in the order the codelet takes them
    char const *flag;                  ///< a bool attribute, or ""
    char const *codelet;
    char const *help;
};

constexpr std::array kOps{
    OptimizerOp{"opt.sgd", 1, 2, {nullptr, nullptr, nullptr, nullptr}, "", "ScaledSubtract", "w -= lr g"},
    OptimizerOp{"opt.momentum", 2, 4, {"momentum", nullptr, nullptr, nullptr}, "nesterov", "SgdMomentum", "SGD with momentum"},
    OptimizerOp{"opt.rmsprop", 2, 7, {"rho", "epsilon", nullptr, nullptr}, "", "RmsProp", "RMSprop without momentum"},
    OptimizerOp{
        "opt.rmsprop_full", 4, 12, {"rho", "epsilon", "momentum", nullptr}, "centered", "RmsPropFull", "RMSprop with momentum or centred"},
    OptimizerOp{"opt.adam", 3, 10, {"beta1", "beta2", "epsilon", nullptr}, "", "Adam", "Adam"},
    OptimizerOp{"opt.adam_amsgrad", 4, 11, {"beta1", "beta2", "epsilon", nullptr}, "", "AdamAmsgrad", "Adam with AMSGrad"},
    OptimizerOp{"opt.adamax",
                3,
                10,
                {"beta1", "beta2", "epsilon", nullptr},
                "",
                "Adamax",
                "Adamax: the largest gradient in the place of Adam's root"},
    OptimizerOp{
        "opt.adadelta", 3, 13, {"rho", "epsilon", nullptr, nullptr}, "", "Adadelta", "Adadelta: steps of the size of earlier steps"},
};

OptimizerOp const &opOf(std::string_view name)
{
    auto const it = std::ranges::find_if(kOps, [&](auto const &op) { return name == op.name; });
    TW_CHECK(it != kOps.end(), "not an optimizer op");
    return *it;
}

Result<std::vector<Builder::Out>> infer(Node const &node, std::span<Value const *const> inputs)
{
    auto const &op = opOf(node.op);
    if (inputs.size() != static_cast<std::size_t>(op.states) + 2)
        return makeError(ErrorKind::Internal, "graph.shape", node.name, Message::of("wrong operand count"));
    std::vector<Builder::Out> outs;
    for (int i = 0; i < op.states; ++i)
        outs.push_back({inputs[static_cast<std::size_t>(i)]->shape, inputs[static_cast<std::size_t>(i)]->dtype});
    return outs;
}

std::int64_t flops(Graph const &graph, Node const &node) { return opOf(node.op).flops * elementCount(graph.value(node.inputs[0]).shape); }

Status lower(lowering::LowerContext &ctx, NodeId id)
{
    auto const &node = ctx.graph.node(id);
    auto const &op = opOf(node.op);
    auto const layout = ctx.b.var(ctx.var(node.inputs[0])).layout;
    std::vector<Field> fields;
    for (std::size_t i = 0; i < static_cast<std::size_t>(op.states); ++i) {
        VarId const state = ctx.var(node.inputs[i]);
        // Slots lie where their weights lie (variable placement); an update in place needs that.
        TW_CHECK(ctx.b.var(state).layout == layout, "slot of " + node.name + " lies elsewhere than its weights");
        fields.push_back({state, Access::Update});
        ctx.bind(node.outputs[i], state);
    }
    auto const states = static_cast<std::size_t>(op.states);
    fields.push_back({ctx.b.gather(ctx.var(node.inputs[states]), layout, node.name + "/gradient"), Access::Read});
    fields.push_back({ctx.b.gather(ctx.var(node.inputs[states + 1]), ctx.b.broadcastLayout(Broadcast::Scalar, layout), node.name + "/rate"),
                      Access::Read});
    std::vector<double> scalars;
    for (auto const *name : op.reals)
        if (name) scalars.push_back(node.attrs.real(name));
    if (op.flag[0]) scalars.push_back(node.attrs.flag(op.flag) ? 1.0 : 0.0);
    ctx.b.execute(node.name + "/" + op.codelet, {ctx.b.family(op.codelet, std::move(fields), std::move(scalars))});
    return {};
}

Result<std::vector<Builder::Out>> inferScalar(Node const &, std::span<Value const *const>)
{
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
    ctx.b.execute(node.name + "/StepSize",
                  {ctx.b.family("StepSize", {{out, Access::Write}, {iterations, Access::Read}}, std::move(scalars))});
    ctx.bind(node.outputs[0], out);
    return {};
}

} // namespace

void addOptimizers(std::vector<OpDef> &all)
{
    for (auto const &op : kOps) {
        OpDef def;
        def.name = op.name;
        def.spec.infer = infer;
        def.spec.flops = flops;
        def.spec.updates = true;
        for (auto const *name : op.reals)
            if (name) def.spec.attributes.push_back({name, AttrType::Real, "of the optimizer"});
        if (op.flag[0]) def.spec.attributes.push_back({op.flag, AttrType::Flag, "of the optimizer"});
        for (int i = 0; i < op.states; ++i) def.spec.inPlaceCandidates.emplace_back(i, i);
        def.lowering.lower = lower;
        def.lowering.updatesWeights = true;
        def.help = op.help;
        all.push_back(std::move(def));
    }
    OpDef step;
    step.name = "opt.step_size";
    step.spec.infer = inferScalar;
    step.spec.operands = 1;
    step.spec.attributes = {{"kind", AttrType::Text, "constant, adam or adamax: the correction for the start"},
                            optionalAttr("learning_rate", AttrType::Real, "without a schedule"),
                            optionalAttr("schedule", AttrType::Reals, "the numbers of core/rate_schedule"),
                            optionalAttr("decay", AttrType::Real, "of the rate, with each update"),
                            optionalAttr("beta1", AttrType::Real, "of Adam and Adamax"),
                            optionalAttr("beta2", AttrType::Real, "of Adam and Adamax")};
    step.lowering.lower = lowerStepSize;
    step.help = "learning rate after its schedule, decay and Adam's correction for the start (Adam, Adamax)";
    all.push_back(std::move(step));
}

} // namespace tilewright::ops
