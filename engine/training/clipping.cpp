#include "engine/training/step_passes.h"

namespace tilewright::training {

using namespace graph;
using layers::StepGraph;

namespace {

/// Gradients in float32 whatever their stored type: squares of float16 overflow quickly.
class Clipper {
public:
    Clipper(StepGraph &step, OpLookup const &ops, WeightFilter const &which) : m_step(step), c(step.graph, RegionId(0), ops)
    {
        for (std::size_t i = 0; i < step.gradients.size(); ++i)
            if (!which || which(step.graph.variable(step.trainable[i]).name)) m_which.push_back(i);
        c.b.pass = Pass::Update;
        c.b.role = Role::Gradient;
    }

    /// min(max(g, -limit), limit)
    void byValue(double limit)
    {
        each([&](ValueId g) { return c.op("clip", {g}, {{"p0", -limit}, {"p1", limit}}, name("ClipValue")); });
    }

    /// g c / max(|g|, c) for each weight separately (tf.clip_by_norm).
    void byNorm(double limit)
    {
        each([&](ValueId g) {
            auto const norm = c.op("sqrt", {squares(g)}, {}, name("Norm"));
            auto const divisor = c.op("max_scalar", {norm}, {{"p0", limit}}, name("Norm/Limit"));
            return c.op("div", {c.scaled(g, limit, name("ClipNorm/Scale")), divisor}, {}, name("ClipNorm"));
        });
    }

    /// g c min(1 / n, 1 / c) with the norm n over all weights (tf.clip_by_global_norm); NaN if n is not finite.
    void byGlobalNorm(double limit)
    {
        ValueId sum;
        for (auto i : m_which) {
            stamp(i);
            auto const own = squares(c.cast(m_step.gradients[i], DType::F32));
            if (sum.valid()) c.b.layer = "optimizer";
            sum = sum.valid() ? c.op("add", {sum, own}, {}, "GlobalNorm/Add") : own;
        }
        if (!sum.valid()) return;
        c.b.layer = "optimizer";
        auto const norm = c.op("sqrt", {sum}, {}, "GlobalNorm");
        auto const inverse =
            c.op("min", {c.op("reciprocal", {norm}, {}, "GlobalNorm/Inverse"), c.b.constant(1.0 / limit)}, {}, "GlobalNorm/Limit");
        auto const finite = c.op("sub", {norm, norm}, {}, "GlobalNorm/Finite"); // 0, or NaN
        auto const scale = c.op("add", {c.scaled(inverse, limit, "GlobalNorm/Scale"), finite}, {}, "GlobalNorm/Factor");
        each([&](ValueId g) { return c.op("mul", {g, scale}, {}, name("ClipGlobalNorm")); });
    }

private:
    void stamp(std::size_t i)
    {
        m_weight = &m_step.graph.variable(m_step.trainable[i]);
        c.b.layer = m_weight->layer;
        c.b.stage = m_weight->stage;
    }
    std::string name(std::string const &leaf) const { return m_weight->name.substr(m_weight->name.rfind('/') + 1) + "/" + leaf; }
    ValueId squares(ValueId g) { return c.op("reduce_sum", {c.op("square", {g}, {}, name("Square"))}, {}, name("SquareSum")); }
    template <typename Function> void each(Function const &clipped)
    {
        for (auto i : m_which) {
            stamp(i);
            auto const type = c.value(m_step.gradients[i]).dtype;
            m_step.gradients[i] = c.cast(clipped(c.cast(m_step.gradients[i], DType::F32)), type);
        }
    }

    StepGraph &m_step;
    OpBuilder c;
    std::vector<std::size_t> m_which; ///< of the gradients
    Variable const *m_weight = nullptr;
};

} // namespace

StepPass clipGradients(model::Clipping clipping, WeightFilter which)
{
    return {"clip", "bounds gradients by value or norm", [clipping, which](StepGraph &step, OpLookup const &ops) -> Status {
                Clipper clipper(step, ops, which);
                if (clipping.value) clipper.byValue(*clipping.value);
                if (clipping.norm) clipper.byNorm(*clipping.norm);
                if (clipping.globalNorm) clipper.byGlobalNorm(*clipping.globalNorm);
                return {};
            }};
}

} // namespace tilewright::training
