#include "engine/training/optimizer_builder.h"
#include "engine/model/schedules.h"
#include "engine/training/step_passes.h"

#include <map>

namespace tilewright::training {

using namespace graph;
using layers::SlotVariable;

namespace {

/// "dense/kernel/rms": zeros beside the weight.
VariableId slotVariable(OpBuilder &c, UpdateTarget const &target, std::string const &slot)
{
    Variable const weight = c.graph().variable(target.weight);
    return c.addState(weight.name + "/" + slot, weight.shape, weight.dtype, Role::OptimizerState, weight.layer, weight.stage);
}

/// Appends op(weight, slots…, gradient, step size) and stores its results.
void apply(OpBuilder &c, UpdateTarget const &target, std::string op, std::vector<VariableId> const &states, Attrs attrs)
{
    std::vector<ValueId> inputs{target.value};
    for (auto state : states) inputs.push_back(c.b.read(state));
    inputs.push_back(target.gradient);
    inputs.push_back(target.stepSize);
    std::string const name = c.graph().variable(target.weight).name;
    auto const leaf = name.substr(name.rfind('/') + 1) + "/" + op.substr(op.find('.') + 1);
    auto const outs = addInferred(c.b, c.ops, std::move(op), std::move(inputs), std::move(attrs), leaf);
    for (std::size_t i = 1; i < outs.size(); ++i) c.graph().value(outs[i]).role = Role::OptimizerState;
    c.b.assign(target.weight, outs[0]);
    for (std::size_t i = 0; i < states.size(); ++i) c.b.assign(states[i], outs[i + 1]);
}

void updateSgd(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    double const momentum = optimizer.number("momentum");
    if (momentum == 0.0) return apply(c, target, "opt.sgd", {}, {});
    auto const m = slotVariable(c, target, "momentum");
    made.push_back({"momentum", target.weight, m});
    apply(c, target, "opt.momentum", {m}, {{"momentum", momentum}, {"nesterov", optimizer.flag("nesterov")}});
}

void updateRmsprop(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    double const momentum = optimizer.number("momentum");
    bool const centered = optimizer.flag("centered");
    Attrs attrs{{"rho", optimizer.number("rho")}, {"epsilon", optimizer.number("epsilon")}};
    auto const s = slotVariable(c, target, "rms");
    made.push_back({"rms", target.weight, s});
    if (momentum == 0.0 && !centered) return apply(c, target, "opt.rmsprop", {s}, std::move(attrs));
    attrs.set("momentum", momentum);
    attrs.set("centered", centered);
    // The op has room for both; one of them may stay zero and then is no slot that Keras knows.
    auto const mg = slotVariable(c, target, "mg");
    auto const m = slotVariable(c, target, "momentum");
    if (momentum != 0.0) made.push_back({"momentum", target.weight, m});
    if (centered) made.push_back({"mg", target.weight, mg});
    apply(c, target, "opt.rmsprop_full", {s, mg, m}, std::move(attrs));
}

void updateAdam(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    Attrs attrs{{"beta1", optimizer.number("beta_1")}, {"beta2", optimizer.number("beta_2")}, {"epsilon", optimizer.number("epsilon")}};
    std::vector<VariableId> states;
    std::vector<std::string> names{"m", "v"};
    if (optimizer.flag("amsgrad")) names.push_back("vhat");
    for (auto const &name : names) {
        states.push_back(slotVariable(c, target, name));
        made.push_back({name, target.weight, states.back()});
    }
    apply(c, target, optimizer.flag("amsgrad") ? "opt.adam_amsgrad" : "opt.adam", states, std::move(attrs));
}

void updateAdamax(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    auto const m = slotVariable(c, target, "m"), v = slotVariable(c, target, "v");
    made.push_back({"m", target.weight, m});
    made.push_back({"v", target.weight, v});
    apply(c, target, "opt.adamax", {m, v},
          {{"beta1", optimizer.number("beta_1")}, {"beta2", optimizer.number("beta_2")}, {"epsilon", optimizer.number("epsilon")}});
}

void updateAdadelta(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    auto const a = slotVariable(c, target, "accum_grad"), d = slotVariable(c, target, "accum_var");
    made.push_back({"accum_grad", target.weight, a});
    made.push_back({"accum_var", target.weight, d});
    apply(c, target, "opt.adadelta", {a, d}, {{"rho", optimizer.number("rho")}, {"epsilon", optimizer.number("epsilon")}});
}

/// Step size of the coming update on the present stage.
ValueId stepSize(OpBuilder &c, model::Optimizer const &optimizer, std::string const &kind, ValueId iterations)
{
    bool const scheduled = optimizer.hasSchedule();
    double const rate = scheduled ? 0.0 : optimizer.number("learning_rate");
    if (kind == "constant" && !scheduled && optimizer.decay() == 0.0) return c.b.constant(rate);
    Attrs attrs{{"kind", kind}, {"decay", optimizer.decay()}};
    if (scheduled) attrs.set("schedule", model::scheduleNumbers(optimizer.rate()));
    else attrs.set("learning_rate", rate);
    if (kind != "constant") {
        attrs.set("beta1", optimizer.number("beta_1"));
        attrs.set("beta2", optimizer.number("beta_2"));
    }
    return c.op("opt.step_size", {iterations}, std::move(attrs), "StepSize");
}

} // namespace

std::span<OptimizerBuilder const> builtinOptimizerBuilders()
{
    static std::vector<OptimizerBuilder> const kBuilders{
        {"SGD", "constant", updateSgd},     {"RMSprop", "constant", updateRmsprop},   {"Adam", "adam", updateAdam},
        {"Adamax", "adamax", updateAdamax}, {"Adadelta", "constant", updateAdadelta},
    };
    return kBuilders;
}

Result<OptimizerState> buildOptimizer(OpBuilder &context, model::Optimizer const &optimizer, std::string const &label,
                                      std::span<VariableId const> weights, std::span<ValueId const> gradients)
{
    OptimizerBuilder const *builder = nullptr;
    for (auto const &each : builtinOptimizerBuilders())
        if (each.className == optimizer.className) builder = &each;
    if (!builder)
        return makeError(ErrorKind::Invalid, "layers.optimizer", "optimizer",
                         Message::of("optimizer %1 cannot be built yet", optimizer.className),
                         Message::of("use SGD, RMSprop, Adam, Adamax or Adadelta"));
    auto &c = context;
    OptimizerState state;
    struct Stage {
        VariableId iterations;
        ValueId read, step;
    };
    std::map<int, Stage> stages;
    for (auto weight : weights) stages[c.graph().variable(weight).stage];
    c.b.pass = Pass::Update;
    c.b.role = Role::Other;
    c.b.layer = label;
    for (auto &[number, stage] : stages) {
        c.b.stage = number;
        std::string const name = (label == "optimizer" ? "iterations" : label + "/iterations")
            + (state.iterations.empty() ? std::string() : "_" + std::to_string(number));
        stage.iterations = c.addState(name, {}, DType::I32, Role::OptimizerState, label, number);
        state.iterations.push_back(stage.iterations);
        stage.read = c.b.read(stage.iterations);
        stage.step = stepSize(c, optimizer, builder->stepKind, stage.read);
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        Variable const weight = c.graph().variable(weights[i]);
        c.b.layer = weight.layer;
        c.b.stage = weight.stage;
        c.b.role = Role::Weight;
        UpdateTarget const target{weights[i], c.readOnce(weights[i]), gradients[i], stages[weight.stage].step};
        builder->update(c, optimizer, target, state.optimizerSlots);
    }
    c.b.layer = label;
    c.b.role = Role::OptimizerState;
    for (auto const &[number, stage] : stages) {
        c.b.stage = number;
        c.b.assign(stage.iterations, c.op("increment", {stage.read}, {{"by", std::int64_t{1}}}, "Iterations"));
    }
    return state;
}

StepPass applyOptimizer(model::Optimizer optimizer, WeightFilter which)
{
    return {"apply", "appends the optimizer's update of its weights",
            [optimizer, which](layers::StepGraph &step, OpLookup const &ops) -> Status {
                TW_CHECK(step.gradients.size() == step.trainable.size(), "an update without gradients");
                OpBuilder builder(step.graph, RegionId(0), ops);
                builder.adoptReads();
                std::vector<VariableId> weights;
                std::vector<ValueId> gradients;
                for (std::size_t i = 0; i < step.trainable.size(); ++i) {
                    if (which && !which(step.graph.variable(step.trainable[i]).name)) continue;
                    weights.push_back(step.trainable[i]);
                    gradients.push_back(step.gradients[i]);
                }
                // The first has the names that Keras gives an optimizer, others a number behind them.
                std::string const label = "optimizer" + (step.optimizers == 0 ? std::string() : "_" + std::to_string(step.optimizers));
                ++step.optimizers;
                TW_ASSIGN(auto state, buildOptimizer(builder, optimizer, label, weights, gradients));
                step.iterations.insert(step.iterations.end(), state.iterations.begin(), state.iterations.end());
                step.optimizerSlots.insert(step.optimizerSlots.end(), state.optimizerSlots.begin(), state.optimizerSlots.end());
                return {};
            }};
}

} // namespace tilewright::training
