#include "engine/graph/node_kind.h"
#include "engine/model/constraints.h"
#include "engine/training/step_passes.h"

#include <algorithm>

namespace tilewright::training {

using namespace graph;
using layers::StepGraph;

namespace {

/// The f32 weight `w` under a constraint (formulas: model/constraints.h).
class ConstraintBuilder {
public:
    ConstraintBuilder(OpBuilder &builder, std::string name) : c(builder), m_name(std::move(name)) {}

    ValueId build(model::Constraint const &constraint, ValueId w)
    {
        auto const &kind = constraint.className;
        if (kind == "NonNeg") return c.op("relu", {w}, {}, leaf("NonNeg"));
        if (kind == "RadialConstraint") return radial(w);
        auto const norm = length(w, model::constraintAxes(constraint, c.value(w).shape.size()));
        auto const divisor = c.op("add_scalar", {norm}, {{"p0", model::kConstraintEpsilon}}, leaf("AddEpsilon"));
        if (kind == "UnitNorm") return c.op("div", {w, divisor}, {}, leaf(kind.c_str()));
        double const low = kind == "MinMaxNorm" ? constraint.number("min_value") : 0.0;
        double const high = std::max(low, constraint.number("max_value")); // as Keras's clip
        auto wanted = c.op("clip", {norm}, {{"p0", low}, {"p1", high}}, leaf("Clip"));
        if (double const rate = kind == "MinMaxNorm" ? constraint.number("rate") : 1.0; rate != 1.0)
            wanted = c.op("axpby", {wanted, norm}, {{"p0", rate}, {"p1", 1.0 - rate}}, leaf("Rate"));
        return c.op("mul", {w, c.op("div", {wanted, divisor}, {}, leaf("Factor"))}, {}, leaf(kind.c_str()));
    }

private:
    std::string leaf(char const *name) const { return m_name + "/Constraint/" + name; }

    ValueId length(ValueId w, std::vector<std::int64_t> const &axes)
    {
        auto const squares = c.op("square", {w}, {}, leaf("Square"));
        auto const sum = c.op("reduce_sum", {squares}, {{"axes", axes}, {"keepdims", true}}, leaf("SquareSum"));
        return c.op("sqrt", {sum}, {}, leaf("Length"));
    }

    ValueId part(ValueId value, std::int64_t axis, std::int64_t start)
    {
        return c.op("slice", {value}, {{"axis", axis}, {"start", start}, {"size", std::int64_t{1}}}, leaf("Diagonal"));
    }

    ValueId concat(std::vector<ValueId> parts, std::int64_t axis)
    {
        return c.op("concat", std::move(parts), {{"axis", axis}}, leaf("Ring"));
    }

    /// Keras 2.6, RadialConstraint._kernel_constraint: from the centre outwards, each ring of a kernel [n, n, …] has the value of one
    /// element of the diagonal. The centre is element n/2 - 1, of one element if n is odd and of 2 x 2 if it is even; the next rings are
    /// the elements from n/2 on for odd n, from n/2 + 1 on for even n.
    ValueId radial(ValueId w)
    {
        Shape const shape = c.value(w).shape;
        std::int64_t const half = shape[0] / 2, even = shape[0] % 2 == 0 ? 1 : 0;
        auto const element = [&](std::int64_t at) { return part(part(w, 0, at), 1, at); };
        auto const filled = [&](ValueId value, std::int64_t rows, std::int64_t columns) {
            return c.broadcast(value, {rows, columns, shape[2], shape[3]});
        };
        std::int64_t size = 1 + even;
        auto kernel = filled(element(half - 1), size, size);
        for (std::int64_t ring = even; ring < half; ++ring, size += 2) {
            auto const value = element(half + ring);
            auto const side = filled(value, size, 1), row = filled(value, 1, size + 2);
            kernel = concat({row, concat({side, kernel, side}, 1), row}, 0);
        }
        return kernel;
    }

    OpBuilder &c;
    std::string m_name;
};

/// The value that the optimizer has assigned to the weight. It stays assigned, so that the update is in place; the constrained value is
/// assigned after it.
ValueId updatedWeight(Graph const &graph, RegionId region, VariableId weight)
{
    auto const &nodes = graph.region(region).nodes;
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it)
        if (auto const &node = graph.node(*it); is(node, NodeKind::VariableAssign) && node.variable == weight) return node.inputs[0];
    return {};
}

} // namespace

StepPass constrainWeights(WeightFilter which)
{
    return {"constrain", "applies the constraints of the updated weights", [which](StepGraph &step, OpLookup const &ops) -> Status {
                OpBuilder c(step.graph, RegionId(0), ops);
                c.adoptReads();
                c.b.pass = Pass::Update;
                c.b.role = Role::Weight;
                for (auto const &[id, constraint] : step.constraints) {
                    Variable const weight = step.graph.variable(id);
                    if (which && !which(weight.name)) continue;
                    auto const updated = updatedWeight(step.graph, c.b.region(), id);
                    TW_CHECK(updated.valid(), "a constraint of " + weight.name + " without an update");
                    c.b.layer = weight.layer;
                    c.b.stage = weight.stage;
                    auto const name = weight.name.substr(weight.name.rfind('/') + 1);
                    auto const before = c.cast(updated, DType::F32);
                    auto kept = ConstraintBuilder(c, name).build(constraint, before);
                    // A skipped update leaves the weight as it is.
                    if (step.updates.valid()) kept = c.op("select", {step.updates, kept, before}, {}, name + "/Constraint/IfUpdated");
                    c.b.assign(id, c.cast(kept, weight.dtype));
                }
                return {};
            }};
}

} // namespace tilewright::training
