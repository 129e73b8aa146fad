#include "engine/layers/penalties.h"

#include "engine/model/layer_spec.h"

#include <map>

namespace tilewright::layers {

using namespace graph;

namespace {

/// factor Σ|x| or factor Σx².
ValueId sumOf(BuildContext &c, ValueId x, double factor, char const *primitive, std::string const &leaf)
{
    auto const sum = c.op("reduce_sum", {c.op(primitive, {x}, {}, leaf + "/Size")}, {}, leaf + "/Sum");
    return c.scaled(sum, factor, leaf);
}

/// factor Σ|cos| / pairs over all pairs of different rows, or columns (Keras 2.6's OrthogonalRegularizer): the rows get the length 1 as in
/// tf.math.l2_normalize, whose square is at least 1e-12.
ValueId orthogonalPenalty(BuildContext &c, model::Regularizer const &regularizer, ValueId x, std::string const &leaf)
{
    bool const rows = regularizer.text("mode") == "rows";
    auto const &shape = c.value(x).shape;
    std::int64_t const along = rows ? 1 : 0, count = shape[rows ? 0 : 1];
    if (count < 2) return c.b.constant(0.0);
    auto const squares = c.op("square", {x}, {}, leaf + "/Square");
    auto const length = c.op("reduce_sum", {squares}, {{"axes", Shape{along}}, {"keepdims", true}}, leaf + "/SquareSum");
    auto const inverse = c.op("rsqrt", {c.op("max_scalar", {length}, {{"p0", 1e-12}}, leaf + "/Maximum")}, {}, leaf + "/Rsqrt");
    auto const unit = c.op("mul", {x, inverse}, {}, leaf + "/Normalize");
    auto const turned = c.op("transpose", {unit}, {{"perm", std::vector<std::int64_t>{1, 0}}}, leaf + "/Transpose");
    auto const cosines = c.op("matmul", {rows ? unit : turned, rows ? turned : unit}, {}, leaf + "/Cosines");
    std::vector<double> numbers(static_cast<std::size_t>(count));
    for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i);
    auto const diagonal = c.b.one("constant", {}, {count}, DType::I32, {{"values", numbers}}, leaf + "/Numbers");
    auto const same = c.cast(c.op("one_hot", {diagonal}, {{"depth", count}}, leaf + "/Diagonal"), DType::F32);
    auto const others = c.op("select", {same, c.b.constant(0.0), cosines}, {}, leaf + "/Others");
    auto const pairs = static_cast<double>(count) * static_cast<double>(count - 1) / 2;
    return sumOf(c, others, regularizer.number("factor") * 0.5 / pairs, "abs", leaf);
}

void add(BuildContext &c, ValueId penalty) { c.penalties.push_back({c.b.stage, penalty}); }

} // namespace

ValueId buildPenalty(BuildContext &context, model::Regularizer const &regularizer, ValueId tensor, std::string const &leaf)
{
    auto &c = context;
    auto const x = c.cast(tensor, DType::F32);
    if (regularizer.className == "OrthogonalRegularizer") return orthogonalPenalty(c, regularizer, x, leaf);
    double const l1 = regularizer.number("l1"), l2 = regularizer.number("l2");
    ValueId sum;
    if (l1 != 0) sum = sumOf(c, x, l1, "abs", leaf + "/L1");
    if (l2 == 0) return sum;
    auto const squares = sumOf(c, x, l2, "square", leaf + "/L2");
    return sum.valid() ? c.op("add", {sum, squares}, {}, leaf) : squares;
}

void penalizeWeights(BuildContext &context, model::ResolvedCall const &call)
{
    if (!context.penalizes) return;
    auto const &weights = context.resolved.layers[call.layer].weights;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        if (!weights[i].regularizer) continue;
        auto const value = context.readOnce(context.variableOf(call.layer, i));
        add(context, buildPenalty(context, *weights[i].regularizer, value, weights[i].name + "/Penalty"));
    }
}

void penalizeOutputs(BuildContext &context, model::Layer const &layer, std::span<ValueId const> outputs)
{
    if (!context.penalizes) return;
    auto const regularizer = model::activityRegularizer(layer);
    if (!regularizer) return;
    for (auto const output : outputs) {
        auto const whole = buildPenalty(context, *regularizer, output, "Activity/Penalty");
        add(context, context.divided(whole, static_cast<double>(context.batch), "Activity/PerSample"));
    }
}

ValueId totalPenalty(BuildContext &context)
{
    auto &c = context;
    std::map<int, ValueId> stages;
    c.b.layer = kPenaltyName;
    for (auto const &penalty : c.penalties) {
        c.b.stage = penalty.stage;
        auto &sum = stages[penalty.stage];
        sum = sum.valid() ? c.op("add", {sum, penalty.value}, {}, "Stage") : penalty.value;
    }
    c.b.stage = c.graph().stages - 1;
    ValueId total;
    for (auto const &[stage, sum] : stages) total = total.valid() ? c.op("add", {total, sum}, {}, "Total") : sum;
    return total;
}

} // namespace tilewright::layers
