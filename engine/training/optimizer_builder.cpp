#include "engine/training/optimizer_builder.h"
#include "engine/graph/written.h"
#include "engine/model/schedules.h"
#include "engine/training/formula_update.h"
#include "engine/training/special_updates.h"
#include "engine/training/step_passes.h"
#include "engine/training/written_rates.h"

#include <map>

namespace tilewright::training {

using namespace graph;

namespace {

/// Step size of the coming update on the present stage. The host writes a rate that is a number: as it is used, or as operands of what is
/// computed from it in double.
ValueId stepSize(OpBuilder &c, model::Optimizer const &optimizer, std::string const &label, std::string const &kind, ValueId iterations)
{
    bool const scheduled = optimizer.hasSchedule();
    double const rate = scheduled ? 0.0 : optimizer.number("learning_rate");
    if (kind == "constant" && !scheduled && optimizer.decay() == 0.0) return writtenScalar(c, writtenName(label, kLearningRate), rate);
    Attrs attrs{{"kind", kind}, {"decay", optimizer.decay()}};
    std::vector<ValueId> operands{iterations};
    if (scheduled) attrs.set("schedule", model::scheduleNumbers(optimizer.rate()));
    else
        for (auto const &[name, part] : writtenParts(writtenName(label, kLearningRate), rate))
            operands.push_back(writtenScalar(c, name, part));
    if (kind != "constant") {
        attrs.set("beta1", optimizer.number("beta_1"));
        attrs.set("beta2", optimizer.number("beta_2"));
    }
    return c.op("opt.step_size", std::move(operands), std::move(attrs), "StepSize");
}

/// "iterations", "iterations_1" (of stage 1), "optimizer_1/iterations": a state of an optimizer on a stage.
std::string stateName(std::string const &label, std::string const &name, bool first, int stage)
{
    return (label == "optimizer" ? name : label + "/" + name) + (first ? std::string() : "_" + std::to_string(stage));
}

} // namespace

Result<OptimizerState> buildOptimizer(OpBuilder &context, model::Optimizer const &optimizer, std::string const &label,
                                      std::span<VariableId const> weights, std::span<ValueId const> gradients, Updates updates,
                                      ValueId gate)
{
    auto const *spec = model::findOptimizerSpec(optimizer.className);
    if (!spec)
        return makeError(ErrorKind::Invalid, "layers.optimizer", "optimizer", Message::of("no optimizer is set"),
                         Message::of("set training.optimizer, for example to sgd"));
    // Only a formula can leave a state as it is.
    auto const *special = updates == Updates::Fastest && !gate.valid() ? findSpecialUpdate(optimizer.className) : nullptr;
    auto &c = context;
    OptimizerState state;
    std::map<int, UpdateStage> stages;
    for (auto weight : weights) stages[c.graph().variable(weight).stage];
    c.b.pass = Pass::Update;
    c.b.role = Role::Other;
    c.b.layer = label;
    for (auto &[number, stage] : stages) {
        c.b.stage = number;
        bool const first = state.iterations.empty();
        auto const iterations =
            c.addState(stateName(label, "iterations", first, number), {}, DType::I32, Role::OptimizerState, label, number);
        state.iterations.push_back(iterations);
        stage.label = label;
        stage.iterations = c.b.read(iterations);
        if (writesMomentum(optimizer)) stage.momentum = writtenScalar(c, writtenName(label, kMomentum), optimizer.number("momentum"));
        stage.gate = gate;
        stage.stepSize = stepSize(c, optimizer, label, special ? special->stepKind : "constant", stage.iterations);
        for (auto const &scalar : spec->stateScalars) {
            auto const id = c.addState(stateName(label, scalar.name, first, number), {}, DType::F32, Role::OptimizerState, label, number);
            c.graph().variables[id.index].initializer = constantInitializer(scalar.initial);
            stage.scalars.push_back({scalar.inFormula(), id, c.b.read(id), {}});
        }
    }
    for (std::size_t i = 0; i < weights.size(); ++i) {
        Variable const weight = c.graph().variable(weights[i]);
        c.b.layer = weight.layer;
        c.b.stage = weight.stage;
        c.b.role = Role::Weight;
        auto &stage = stages[weight.stage];
        UpdateTarget const target{weights[i], c.readOnce(weights[i]), gradients[i], stage.stepSize, stage.momentum};
        if (special) special->update(c, optimizer, target, state.optimizerSlots);
        else TW_TRY(updateByFormula(c, optimizer, target, stage, state.optimizerSlots));
    }
    c.b.layer = label;
    c.b.role = Role::OptimizerState;
    for (auto const &[number, stage] : stages) {
        c.b.stage = number;
        for (auto const &scalar : stage.scalars)
            if (scalar.next.valid()) c.b.assign(scalar.variable, scalar.next);
        auto const iterations = c.graph().node(c.value(stage.iterations).producer).variable;
        if (gate.valid()) c.b.assign(iterations, c.op("add", {stage.iterations, c.cast(gate, DType::I32)}, {}, "Iterations"));
        else c.b.assign(iterations, c.op("increment", {stage.iterations}, {{"by", std::int64_t{1}}}, "Iterations"));
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
                TW_ASSIGN(auto state, buildOptimizer(builder, optimizer, label, weights, gradients, Updates::Fastest, step.updates));
                step.iterations.insert(step.iterations.end(), state.iterations.begin(), state.iterations.end());
                step.optimizerSlots.insert(step.optimizerSlots.end(), state.optimizerSlots.begin(), state.optimizerSlots.end());
                return {};
            }};
}

} // namespace tilewright::training
