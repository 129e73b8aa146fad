#include "engine/layers/loss_builder.h"

#include "engine/graph/axes.h"
#include "engine/layers/loss_formulas.h"

namespace tilewright::layers {

using namespace graph;

namespace {

/// Labels moved towards `centre`: y (1 - s) + s centre.
ValueId smoothed(BuildContext &c, ValueId labels, double smoothing, double centre)
{
    if (smoothing == 0.0) return labels;
    return c.op("add_scalar", {c.scaled(labels, 1.0 - smoothing)}, {{"p0", smoothing * centre}}, "LabelSmoothing");
}

/// max(x, 0) - x z + log(1 + e^-|x|). Written with leaky_relu, whose derivative at 0 is that of its right
/// side: together they give the true derivative 1/2 - z there (TensorFlow's where(x >= 0, …) does the same),
/// while relu and abs, with 0 at 0, would give -z.
ValueId binaryFromLogits(BuildContext &c, ValueId x, ValueId z)
{
    auto const positive = c.op("leaky_relu", {x}, {{"p0", 0.0}}, "Positive");
    auto const magnitude = c.op("leaky_relu", {x}, {{"p0", -1.0}}, "Magnitude");
    auto const tail = c.op("softplus", {c.op("neg", {magnitude}, {}, "Neg")}, {}, "Softplus");
    return c.op("add", {c.op("sub", {positive, c.op("mul", {x, z}, {}, "Mul")}, {}, "Sub"), tail}, {}, "LogisticLoss");
}

ValueId binaryFromProbabilities(BuildContext &c, ValueId p, ValueId y)
{
    auto const log = [&](ValueId v) { return c.op("log", {c.op("add_scalar", {v}, {{"p0", kLossEpsilon}}, "AddEpsilon")}, {}, "Log"); };
    auto const oneMinus = [&](ValueId v) { return c.op("add_scalar", {c.op("neg", {v}, {}, "Neg")}, {{"p0", 1.0}}, "OneMinus"); };
    p = clippedProbability(c, p);
    auto const yes = c.op("mul", {y, log(p)}, {}, "Mul");
    auto const no = c.op("mul", {oneMinus(y), log(oneMinus(p))}, {}, "Mul");
    return c.op("neg", {c.op("add", {yes, no}, {}, "Add")}, {}, "Neg");
}

ValueId categoricalFromProbabilities(BuildContext &c, ValueId p, ValueId y)
{
    auto const total = columnOf(c, sumOverLast(c, p));
    auto const normal = clippedProbability(c, c.op("div", {p, total}, {}, "Normalize"));
    auto const terms = c.op("mul", {y, c.op("log", {normal}, {}, "Log")}, {}, "Mul");
    return c.op("neg", {sumOverLast(c, terms)}, {}, "Neg");
}

/// Loss and probabilities of a cross-entropy op.
ValueId fused(BuildContext &c, char const *op, ValueId logits, ValueId labels, ValueId *probabilities)
{
    auto const outs = addInferred(c.b, c.ops, op, {logits, labels}, {}, "CrossEntropy");
    if (probabilities) *probabilities = outs[1];
    return outs[0];
}

} // namespace

LabelType labelType(model::Loss const &loss, Shape const &prediction)
{
    auto const *spec = model::findLossSpec(loss.className);
    bool const classes = spec && spec->labels == model::LabelForm::ClassIndex;
    return {model::labelShape(loss, prediction), classes ? DType::I32 : DType::F32};
}

ValueId buildSampleLoss(BuildContext &context, model::Loss const &loss, Prediction &prediction)
{
    auto &c = context;
    auto const use = model::logitsUse(c.resolved, loss, prediction.index);
    bool const fromLayer = use.skipActivation && prediction.logits.valid();
    ValueId const x = c.cast(fromLayer ? prediction.logits : prediction.value, DType::F32);
    bool const logits = use.logitsForm;
    ValueId const y = prediction.labels;
    double const smoothing = loss.labelSmoothing();
    auto const classes = static_cast<double>(alongLast(c.value(x).shape).n);
    if (loss.className == "SparseCategoricalCrossentropy" || loss.className == "CategoricalCrossentropy") {
        // The op's softmax equals the model's own only when that is what the output ends with.
        auto const &producer = c.graph().node(c.value(prediction.value).producer);
        bool const same = fromLayer && producer.op == "softmax" && c.value(prediction.value).dtype == DType::F32;
        ValueId *const probabilities = same ? &prediction.probabilities : nullptr;
        if (loss.className == "SparseCategoricalCrossentropy") {
            if (logits) return fused(c, "sparse_xent", x, y, probabilities);
            // Keras takes the clipped log-probabilities for logits: they are normalised once more.
            return fused(c, "sparse_xent", c.op("log", {clippedProbability(c, x)}, {}, "Log"), y, nullptr);
        }
        auto const targets = smoothed(c, y, smoothing, 1.0 / classes);
        if (logits) return fused(c, "cat_xent", x, targets, probabilities);
        return categoricalFromProbabilities(c, x, targets);
    }
    if (loss.className == "BinaryCrossentropy") {
        auto const targets = smoothed(c, y, smoothing, 0.5);
        return meanOverLast(c, logits ? binaryFromLogits(c, x, targets) : binaryFromProbabilities(c, x, targets));
    }
    auto const formula = findLossFormula(loss.className);
    TW_CHECK(formula, "loss " + loss.className + " has no builder");
    return formula(c, loss, x, y);
}

ValueId maskOf(BuildContext &c, Prediction const &prediction, ValueId samples)
{
    Shape const shape = c.value(samples).shape;
    Shape wide = c.value(prediction.mask).shape;
    while (wide.size() < shape.size()) wide.push_back(1);
    while (wide.size() > shape.size() && wide.back() == 1) wide.pop_back();
    // Of axes that the loss has summed.
    if (wide.size() > shape.size() || !broadcasts(wide, shape)) return {};
    return c.broadcast(c.reshape(prediction.mask, wide), shape);
}

LossValues buildLoss(BuildContext &context, model::Loss const &loss, Prediction &prediction)
{
    auto samples = buildSampleLoss(context, loss, prediction);
    if (auto const mask = prediction.mask.valid() ? maskOf(context, prediction, samples) : ValueId(); mask.valid())
        samples = context.op("mul", {samples, mask}, {}, "Mask");
    if (prediction.weights.valid()) {
        std::int64_t const batch = context.value(prediction.weights).shape[0], each = elementCount(context.value(samples).shape) / batch;
        samples = each == 1 ? context.op("mul", {context.reshape(samples, {batch}), prediction.weights}, {}, "SampleWeights")
                            : context.op("mul", {context.reshape(samples, {batch, each}), context.reshape(prediction.weights, {batch, 1})},
                                         {}, "SampleWeights");
    }
    bool const vector = elementCount(context.value(samples).shape) != 1 || !context.value(samples).shape.empty();
    auto const sum = [&] { return vector ? context.op("reduce_sum", {samples}, {}, "Sum") : samples; };
    switch (loss.reduction()) {
    case model::Reduction::SumOverBatchSize: {
        auto const mean = context.mean(samples);
        return {mean, mean};
    }
    case model::Reduction::Sum: {
        auto const total = sum();
        return {total, total};
    }
    case model::Reduction::None: return {sum(), context.mean(samples)};
    }
    return {};
}

} // namespace tilewright::layers
