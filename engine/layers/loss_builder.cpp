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

namespace {

/// The mask beside a loss or metric of every sample: axes of the prediction behind those of the mask repeat it.
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

/// Mean of what the mask counts; 0 where that is nothing.
ValueId countedMean(BuildContext &c, Prediction const &prediction, ValueId samples, std::string leaf)
{
    auto const mask = prediction.mask.valid() ? maskOf(c, prediction, samples) : ValueId();
    if (!mask.valid()) return c.mean(samples, std::move(leaf));
    auto const total = [&](ValueId v) { return c.op("reduce_sum", {v}, {}, leaf + "/Sum"); };
    auto const count = c.op("max_scalar", {total(mask)}, {{"p0", 1.0}}, leaf + "/Count");
    return c.op("div", {total(c.op("mul", {samples, mask}, {}, leaf + "/Mask")), count}, {}, leaf);
}

/// 1 where fewer than k predictions are above that of the label, else 0 (tf.math.in_top_k: ties are in).
ValueId amongTopK(BuildContext &c, ValueId p, ValueId labels, double k)
{
    Shape const shape = c.value(p).shape;
    Shape rows(shape.begin(), shape.end() - 1);
    auto const right = c.op("one_hot", {c.reshape(labels, rows)}, {{"depth", shape.back()}}, "Right");
    // Selected, not multiplied: the others may be infinite. A score that is no finite number is no hit.
    auto const score = sumOverLast(c, c.op("select", {c.cast(right, DType::F32), p, c.b.constant(0.0)}, {}, "Score"));
    auto const finite = c.op("equal", {c.op("sub", {score, score}, {}, "Difference"), c.b.constant(0.0)}, {}, "IsFinite");
    auto const above = c.op("greater", {p, columnOf(c, score)}, {}, "Above");
    auto const among = c.op("step", {c.op("neg", {sumOverLast(c, c.cast(above, DType::F32))}, {}, "Neg")}, {{"p0", 0.5 - k}}, "AmongTopK");
    return c.op("mul", {among, finite}, {}, "Hit");
}

/// Share of the samples without a miss: `hits` is 1 or 0 for each step.
ValueId wholeSequences(BuildContext &c, Prediction const &prediction, ValueId hits, std::string leaf)
{
    auto misses = c.op("add_scalar", {c.op("neg", {hits}, {}, leaf + "/Neg")}, {{"p0", 1.0}}, leaf + "/Misses");
    if (auto const mask = prediction.mask.valid() ? maskOf(c, prediction, hits) : ValueId(); mask.valid())
        misses = c.op("mul", {misses, mask}, {}, leaf + "/Mask");
    Shape const shape = c.value(misses).shape;
    std::int64_t const samples = shape.empty() ? 1 : shape[0];
    auto const count =
        c.op("reduce_sum", {c.reshape(misses, {samples, elementCount(shape) / samples})}, {{"axes", Shape{-1}}}, leaf + "/Count");
    auto const failed = c.op("step", {count}, {{"p0", 0.5}}, leaf + "/Failed");
    return c.mean(c.op("add_scalar", {c.op("neg", {failed}, {}, leaf + "/NotFailed")}, {{"p0", 1.0}}, leaf + "/Whole"), std::move(leaf));
}

} // namespace

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

Result<ValueId> buildMetric(BuildContext &context, model::Metric const &metric, Prediction &prediction)
{
    auto &c = context;
    auto const labelShape = c.value(prediction.labels).shape;
    auto const shape = c.value(prediction.value).shape;
    auto const resolved = model::resolveMetric(metric, labelShape, shape);
    auto const *spec = [&]() -> model::MetricSpec const * {
        for (auto const &each : model::metricSpecs())
            if (each.className == resolved.className) return &each;
        return nullptr;
    }();
    auto const mismatch = [&, place = "training.metrics, " + c.b.layer](std::string const &wanted) {
        return makeError(
            ErrorKind::Invalid, "layers.metric", place,
            Message::of("labels of shape %1 cannot be compared with predictions of shape %2", toText(labelShape), toText(shape)),
            Message::of("%1 requires %2", resolved.className, wanted));
    };
    bool const classLabels = c.value(prediction.labels).dtype == DType::I32;
    bool const sequences = resolved.className == "SequenceAccuracy";
    bool const sparse = sequences || resolved.className.starts_with("Sparse");
    if (classLabels != sparse) return mismatch(sparse ? "class numbers: use a sparse loss" : "labels of the predictions' shape");
    if (!spec) return mismatch("a metric that can be built");
    if (!spec->lossClass.empty()) {
        model::Json config = model::Json::object();
        for (auto const *key : {"from_logits", "label_smoothing", "axis"})
            if (resolved.config.contains(key)) config[key] = resolved.config[key];
        TW_ASSIGN(auto const loss, model::parseLoss(model::Json{{"class_name", spec->lossClass}, {"config", config}}));
        Prediction copy = prediction;
        auto samples = buildSampleLoss(c, loss, copy);
        if (spec->negated) samples = c.op("neg", {samples}, {}, "Neg");
        return countedMean(c, prediction, samples, metric.displayName);
    }
    auto const p = c.cast(prediction.forMetrics(), DType::F32);
    ValueId hits;
    if (resolved.className == "BinaryAccuracy") {
        auto const decided = c.op("step", {p}, {{"p0", resolved.number("threshold")}}, "Threshold");
        hits = c.op("equal", {decided, prediction.labels}, {}, "Equal");
    } else if (resolved.className == "Accuracy") {
        hits = c.op("equal", {p, prediction.labels}, {}, "Equal");
    } else if (resolved.className.ends_with("TopKCategoricalAccuracy")) {
        hits = amongTopK(c, p, sparse ? prediction.labels : c.op("argmax", {prediction.labels}, {}, "ArgMaxLabels"), resolved.number("k"));
    } else {
        auto const chosen = c.op("argmax", {p}, {}, "ArgMax");
        auto const wanted =
            sparse ? c.reshape(prediction.labels, c.value(chosen).shape) : c.op("argmax", {prediction.labels}, {}, "ArgMaxLabels");
        hits = c.cast(c.op("equal", {chosen, wanted}, {}, "Equal"), DType::F32);
    }
    if (sequences) return wholeSequences(c, prediction, hits, metric.displayName);
    return countedMean(c, prediction, hits, metric.displayName);
}

} // namespace tilewright::layers
