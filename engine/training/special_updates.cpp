#include "engine/training/special_updates.h"

#include <algorithm>
#include <array>

namespace tilewright::training {

using namespace graph;
using layers::SlotVariable;

namespace {

/// Appends op(weight, slots…, gradient, step size, momentum if there is one) and stores its results.
void apply(OpBuilder &c, UpdateTarget const &target, std::string op, std::vector<VariableId> const &states, Attrs attrs)
{
    std::vector<ValueId> inputs{target.value};
    for (auto state : states) inputs.push_back(c.b.read(state));
    inputs.push_back(target.gradient);
    inputs.push_back(target.stepSize);
    if (target.momentum.valid()) inputs.push_back(target.momentum);
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
    auto const m = slotVariable(c, target.weight, "momentum");
    made.push_back({"momentum", target.weight, m});
    apply(c, target, "opt.momentum", {m}, {{"nesterov", optimizer.flag("nesterov")}});
}

void updateRmsprop(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    double const momentum = optimizer.number("momentum");
    bool const centered = optimizer.flag("centered");
    Attrs attrs{{"rho", optimizer.number("rho")}, {"epsilon", optimizer.number("epsilon")}};
    auto const s = slotVariable(c, target.weight, "rms");
    made.push_back({"rms", target.weight, s});
    if (momentum == 0.0 && !centered) return apply(c, target, "opt.rmsprop", {s}, std::move(attrs));
    attrs.set("momentum", momentum != 0.0);
    attrs.set("centered", centered);
    // The op has room for both; one of them may stay zero and then is no slot that Keras knows.
    auto const mg = slotVariable(c, target.weight, "mg");
    auto const m = slotVariable(c, target.weight, "momentum");
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
        states.push_back(slotVariable(c, target.weight, name));
        made.push_back({name, target.weight, states.back()});
    }
    apply(c, target, optimizer.flag("amsgrad") ? "opt.adam_amsgrad" : "opt.adam", states, std::move(attrs));
}

void updateAdamax(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    auto const m = slotVariable(c, target.weight, "m"), v = slotVariable(c, target.weight, "v");
    made.push_back({"m", target.weight, m});
    made.push_back({"v", target.weight, v});
    apply(c, target, "opt.adamax", {m, v},
          {{"beta1", optimizer.number("beta_1")}, {"beta2", optimizer.number("beta_2")}, {"epsilon", optimizer.number("epsilon")}});
}

void updateAdadelta(OpBuilder &c, model::Optimizer const &optimizer, UpdateTarget const &target, std::vector<SlotVariable> &made)
{
    auto const a = slotVariable(c, target.weight, "accum_grad"), d = slotVariable(c, target.weight, "accum_var");
    made.push_back({"accum_grad", target.weight, a});
    made.push_back({"accum_var", target.weight, d});
    apply(c, target, "opt.adadelta", {a, d}, {{"rho", optimizer.number("rho")}, {"epsilon", optimizer.number("epsilon")}});
}

constexpr std::array kSpecial{
    SpecialUpdate{"SGD", "constant", updateSgd},
    SpecialUpdate{"RMSprop", "constant", updateRmsprop},
    SpecialUpdate{"Adam", "adam", updateAdam},
    SpecialUpdate{"Adamax", "adamax", updateAdamax},
    SpecialUpdate{"Adadelta", "constant", updateAdadelta},
};

} // namespace

SpecialUpdate const *findSpecialUpdate(std::string_view className)
{
    auto const it = std::ranges::find(kSpecial, className, &SpecialUpdate::className);
    return it == kSpecial.end() ? nullptr : &*it;
}

VariableId slotVariable(OpBuilder &c, VariableId of, std::string const &slot, double initial, std::optional<DType> type)
{
    Variable const weight = c.graph().variable(of);
    auto const id =
        c.addState(weight.name + "/" + slot, weight.shape, type.value_or(weight.dtype), Role::OptimizerState, weight.layer, weight.stage);
    c.graph().variables[id.index].initializer = constantInitializer(initial);
    return id;
}

std::string constantInitializer(double value)
{
    if (value == 0.0) return {};
    return model::Json{{"class_name", "Constant"}, {"config", {{"value", value}}}}.dump();
}

} // namespace tilewright::training
