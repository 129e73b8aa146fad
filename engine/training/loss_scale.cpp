// The scale of the loss: gradients of the scaled loss, their statistics, and the gradients without the scale.
#include "engine/graph/written.h"
#include "engine/model/optimizers.h"
#include "engine/passes/autodiff.h"
#include "engine/training/special_updates.h"
#include "engine/training/step_passes.h"
#include "engine/training/written_rates.h"

namespace tilewright::training {

using namespace graph;
using layers::StepGraph;

namespace {

constexpr char const *kLayer = "optimizer";

VariableId addScalar(OpBuilder &c, std::string const &name, double initial, int stage)
{
    auto const id = c.addState(name, {}, DType::F32, Role::OptimizerState, kLayer, stage);
    c.graph().variables[id.index].initializer = constantInitializer(initial);
    return id;
}

/// The rule of ALSOptimizer (section 10 of the guide), on scalars of the last stage. All values are float32; scales are powers of two and
/// therefore exact.
class ScaleRule {
public:
    ScaleRule(StepGraph &step, OpBuilder &builder, model::LossScaling const &scaling) : m_step(step), c(builder), m_scaling(scaling) {}

    ValueId scale() { return c.readOnce(m_step.lossScale); }

    /// Appends the statistics of the gradients, with their scale, and the next scale.
    void append()
    {
        auto const scale = this->scale();
        sumGradients();
        c.b.layer = kLayer;
        c.b.stage = m_step.graph.stages - 1;
        c.b.role = Role::OptimizerState;
        auto const over = addScalar(c, std::string(kLossScale) + "/over", 0, c.b.stage);
        auto const updates = addScalar(c, std::string(kLossScale) + "/updates", 0, c.b.stage);
        auto const share = addScalar(c, std::string(kLossScale) + "/share", 0, c.b.stage);
        auto const skipped = addScalar(c, std::string(kLossScale) + "/skipped", 0, c.b.stage);
        auto const zero = c.b.constant(0), one = c.b.constant(1);
        m_step.updates = c.op("equal", {m_notFinite, zero}, {}, name("Finite"));
        auto const finite = m_step.updates;
        auto const skips = c.op("sub", {one, finite}, {}, name("Skips"));
        c.b.assign(skipped, c.op("add", {c.b.read(skipped), skips}, {}, name("Skipped")));
        auto const count = c.op("add_scalar", {c.b.read(updates)}, {{"p0", 1.0}}, name("Updates"));
        auto const due = c.op("greater_equal", {count, c.b.constant(static_cast<double>(m_scaling.updateFrequency))}, {}, name("Due"));
        auto sum = m_over;
        if (m_scaling.accumulates) sum = c.op("add", {c.b.read(over), sum}, {}, name("Over"));
        double const periods = m_scaling.accumulates ? static_cast<double>(m_scaling.updateFrequency) : 1.0;
        auto now = c.scaled(sum, (1.0 - m_scaling.alpha) / (static_cast<double>(m_elements) * periods), name("Share"));
        auto const before = c.b.read(share);
        if (m_scaling.alpha > 0) now = c.op("add", {now, c.scaled(before, m_scaling.alpha)}, {}, name("FilteredShare"));
        auto const tooMany = c.op("greater", {now, c.b.constant(m_scaling.threshold)}, {}, name("TooMany"));
        auto const lower = c.op("max_scalar", {c.scaled(scale, 1.0 / m_scaling.increaseFactor)}, {{"p0", 1.0}}, name("Lower"));
        auto const higher = c.op("min", {c.scaled(scale, m_scaling.increaseFactor), c.b.constant(m_scaling.largest)}, {}, name("Higher"));
        auto const changed = c.op("select", {tooMany, lower, higher}, {}, name("Changed"));
        auto const afterPeriod = c.op("select", {due, changed, scale}, {}, name("AfterPeriod"));
        // A period ends with a change; an update that is skipped begins a new one.
        auto const goesOn = c.op("mul", {finite, c.op("sub", {one, due}, {}, name("NotDue"))}, {}, name("GoesOn"));
        c.b.assign(over, c.op("select", {goesOn, sum, zero}, {}, name("OverNext")));
        c.b.assign(updates, c.op("select", {goesOn, count, zero}, {}, name("UpdatesNext")));
        c.b.assign(share, c.op("select", {c.op("mul", {finite, due}, {}, name("DueFinite")), now, before}, {}, name("ShareNext")));
        c.b.assign(m_step.lossScale, c.op("select", {finite, afterPeriod, lower}, {}, name("Next")));
    }

private:
    static std::string name(char const *leaf) { return std::string("LossScale/") + leaf; }

    /// How many elements are above the edge, and a sum that is 0 only if all are finite.
    void sumGradients()
    {
        c.b.role = Role::Temporary;
        auto const add = [&](ValueId &sum, ValueId own, char const *leaf) {
            c.b.layer = kLayer;
            sum = sum.valid() ? c.op("add", {sum, own}, {}, name(leaf)) : own;
        };
        for (std::size_t i = 0; i < m_step.gradients.size(); ++i) {
            auto const &weight = m_step.graph.variable(m_step.trainable[i]);
            std::string const leaf = weight.name.substr(weight.name.rfind('/') + 1) + "/";
            std::string const layer = weight.layer;
            c.b.stage = weight.stage;
            c.b.layer = layer;
            auto const size = c.op("abs", {c.cast(m_step.gradients[i], DType::F32)}, {}, leaf + "Size");
            m_elements += elementCount(weight.shape);
            auto const over = c.op("reduce_sum", {c.op("step", {size}, {{"p0", m_scaling.edge}}, leaf + "Over")}, {}, leaf + "OverSum");
            auto const notFinite = c.op("reduce_sum", {c.scaled(size, 0.0, leaf + "NotFinite")}, {}, leaf + "NotFiniteSum");
            add(m_over, over, "OverAdd");
            add(m_notFinite, notFinite, "NotFiniteAdd");
        }
    }

    StepGraph &m_step;
    OpBuilder &c;
    model::LossScaling const &m_scaling;
    ValueId m_over, m_notFinite;
    std::int64_t m_elements = 0;
};

} // namespace

StepPass differentiate(model::LossScaling scaling)
{
    return {"differentiate", "appends the gradient of the loss for every trained weight",
            [scaling](StepGraph &step, OpLookup const &ops) -> Status {
                OpBuilder c(step.graph, RegionId(0), ops);
                c.b.layer = "loss";
                c.b.stage = step.graph.stages - 1;
                auto const objective = step.graph.value(step.objective); // a copy: the list of values grows
                ValueId seed;
                if (!scaling.any()) {
                    seed = c.b.constant(1.0, objective.shape, objective.dtype);
                } else {
                    if (scaling.automatic) step.lossScale = addScalar(c, kLossScale, scaling.factor, c.b.stage);
                    auto const scale = scaling.automatic ? c.readOnce(step.lossScale) : writtenScalar(c, kLossScale, scaling.factor);
                    seed = c.broadcast(c.cast(scale, objective.dtype), objective.shape);
                }
                std::vector<passes::GradientSeed> const seeds{{step.objective, seed}};
                TW_ASSIGN(auto const found, passes::appendGradients(c.b, ops, {seeds, step.trainable, {}, true}));
                step.gradients.clear();
                for (auto weight : step.trainable) step.gradients.push_back(found.variables.at(weight));
                return {};
            }};
}

StepPass unscale(model::LossScaling scaling)
{
    return {"unscale", "divides the gradients by the scale of the loss", [scaling](StepGraph &step, OpLookup const &ops) -> Status {
                OpBuilder c(step.graph, RegionId(0), ops);
                c.adoptReads();
                c.b.pass = Pass::Update;
                std::map<int, ValueId> inverse; // by stage
                if (scaling.automatic) {
                    ScaleRule rule(step, c, scaling);
                    c.b.layer = kLayer;
                    c.b.stage = step.graph.stages - 1;
                    auto const one = c.op("reciprocal", {rule.scale()}, {}, "LossScale/Inverse");
                    for (int stage = 0; stage < step.graph.stages; ++stage) inverse[stage] = one;
                    rule.append();
                }
                c.b.role = Role::Gradient;
                for (std::size_t i = 0; i < step.gradients.size(); ++i) {
                    auto const weight = step.graph.variable(step.trainable[i]);
                    c.b.layer = weight.layer;
                    c.b.stage = weight.stage;
                    auto &factor = inverse[weight.stage];
                    if (!factor.valid()) factor = writtenScalar(c, std::string(kLossScale) + kWrittenInverse, 1.0 / scaling.factor);
                    std::string const name = weight.name.substr(weight.name.rfind('/') + 1) + "/Unscale";
                    step.gradients[i] = c.op("mul", {c.cast(step.gradients[i], DType::F32), factor}, {}, name);
                }
                return {};
            }};
}

} // namespace tilewright::training
