#include "engine/layers/metric_builder.h"

#include "engine/core/text.h"
#include "engine/graph/axes.h"
#include "engine/layers/loss_formulas.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace tilewright::layers {

using namespace graph;

namespace {

using Reading = Tally::Reading;

constexpr double kBelowAll = -3e38; ///< a threshold that all predictions are above
constexpr double kLeftOut = -1e10;  ///< what predictions below the largest k become (keras.utils.metrics_utils.NEG_INF)

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

/// The predictions with all but the k largest of each row left out; of equal ones the first is larger (tf.math.top_k).
ValueId largestOnly(BuildContext &c, ValueId p, std::int64_t k)
{
    auto const depth = c.value(p).shape.back();
    if (k >= depth) return p;
    auto rest = p;
    ValueId kept;
    for (std::int64_t i = 0; i < k; ++i) {
        auto const largest = c.op("argmax", {rest}, {}, "Largest");
        auto const here = c.cast(c.op("one_hot", {largest}, {{"depth", depth}}, "IsLargest"), DType::F32);
        kept = kept.valid() ? c.op("add", {kept, here}, {}, "Kept") : here;
        if (i + 1 < k) rest = c.op("select", {here, c.b.constant(kBelowAll), rest}, {}, "Others");
    }
    return c.op("select", {kept, p, c.b.constant(kLeftOut)}, {}, "LargestOnly");
}

/// Builds one metric of one output.
class MetricBuilder {
public:
    MetricBuilder(BuildContext &context, model::Metric const &metric, Prediction &prediction, bool weighted)
        : c(context), m_prediction(prediction), m_labelShape(c.value(prediction.labels).shape), m_shape(c.value(prediction.value).shape),
          m_metric(model::resolveMetric(metric, m_labelShape, m_shape)), m_name(metric.displayName),
          m_weights(weighted ? prediction.weights : ValueId())
    {
    }

    Result<std::vector<MetricFigure>> build()
    {
        auto const *spec = model::findMetricSpec(m_metric.className);
        TW_CHECK(spec, "metric " + m_metric.className + " has no builder");
        bool const numbers = hasClassNumbers();
        if (spec->labels == model::MetricLabels::ClassNumbers && !numbers) return mismatch("class numbers: use a sparse loss");
        if (spec->labels == model::MetricLabels::SameShape && numbers) return mismatch("labels of the predictions' shape");
        if (!spec->lossClass.empty()) return ofLoss(*spec);
        auto const &name = m_metric.className;
        if (name == "Sum" || name == "Mean") return ofElements(predicted(), name == "Sum" ? Reading::Sum : Reading::Ratio);
        if (name == "RootMeanSquaredError")
            return ofElements(c.op("square", {c.op("sub", {predicted(), m_prediction.labels}, {}, "Difference")}, {}, "Square"),
                              Reading::RootRatio);
        if (name == "MeanRelativeError") return relativeError();
        if (name == "MeanIoU") return intersection();
        if (auto const reading = countReading()) return counted(*reading);
        return accuracy();
    }

private:
    Diagnostic refuse(Message message, Message remedy) const
    {
        return makeError(ErrorKind::Invalid, "layers.metric", "training.metrics, " + c.b.layer, std::move(message), std::move(remedy));
    }
    Diagnostic mismatch(std::string const &wanted) const
    {
        return refuse(
            Message::of("labels of shape %1 cannot be compared with predictions of shape %2", toText(m_labelShape), toText(m_shape)),
            Message::of("%1 requires %2", m_metric.className, wanted));
    }

    bool hasClassNumbers() const { return c.value(m_prediction.labels).dtype == DType::I32; }
    ValueId predicted() const { return c.cast(m_prediction.forMetrics(), DType::F32); }
    std::string leaf(char const *part) const { return m_name + "/" + part; }
    ValueId total(ValueId value) { return c.op("reduce_sum", {value}, {}, leaf("Sum")); }
    ValueId two(ValueId one, ValueId other)
    {
        return c.op("concat", {c.reshape(one, {1}), c.reshape(other, {1})}, {{"axis", std::int64_t{0}}}, m_name);
    }

    /// Weight of each element of `values`: the mask times the weights of the samples, in their shape; invalid: all 1.
    ValueId weightsOf(ValueId values)
    {
        Shape const shape = c.value(values).shape;
        auto weights = m_prediction.mask.valid() ? maskOf(c, m_prediction, values) : ValueId();
        if (m_weights.valid() && !shape.empty()) {
            Shape column(shape.size(), 1);
            column[0] = c.value(m_weights).shape[0];
            auto const each = c.broadcast(c.reshape(m_weights, column), shape);
            weights = weights.valid() ? c.op("mul", {weights, each}, {}, leaf("Weights")) : each;
        }
        return weights;
    }

    static std::vector<MetricFigure> one(ValueId sums, Tally tally) { return {{"", sums, std::move(tally)}}; }

    /// The mean of values of samples, or of their steps.
    std::vector<MetricFigure> meanOf(ValueId samples)
    {
        auto const weights = weightsOf(samples);
        if (!weights.valid()) return one(c.mean(samples, m_name), {});
        return one(two(total(c.op("mul", {samples, weights}, {}, leaf("Weighted"))), total(weights)), {.reading = Reading::Ratio});
    }

    /// A sum of elements, or a reading of it and of their number.
    std::vector<MetricFigure> ofElements(ValueId values, Reading reading)
    {
        auto const weights = weightsOf(values);
        auto const sum = total(weights.valid() ? c.op("mul", {values, weights}, {}, leaf("Weighted")) : values);
        if (reading == Reading::Sum) return one(c.reshape(sum, {1}), {.reading = reading});
        auto const count =
            weights.valid() ? total(weights) : c.b.constant(static_cast<double>(elementCount(c.value(values).shape)), Shape{1});
        return one(two(sum, count), {.reading = reading});
    }

    Result<std::vector<MetricFigure>> ofLoss(model::MetricSpec const &spec)
    {
        model::Json config = model::Json::object();
        for (auto const *key : {"from_logits", "label_smoothing", "axis"})
            if (m_metric.config.contains(key)) config[key] = m_metric.config[key];
        TW_ASSIGN(auto const loss, model::parseLoss(model::Json{{"class_name", spec.lossClass}, {"config", config}}));
        Prediction copy = m_prediction;
        auto samples = buildSampleLoss(c, loss, copy);
        if (spec.negated) samples = c.op("neg", {samples}, {}, "Neg");
        return meanOf(samples);
    }

    Result<std::vector<MetricFigure>> relativeError()
    {
        auto const normalizer = m_metric.reals("normalizer");
        if (normalizer.size() != 1 && std::cmp_not_equal(normalizer.size(), m_shape.back()))
            return refuse(
                Message::of("there are %1 normalizers, but the last axis of the predictions is %2 long", normalizer.size(), m_shape.back()),
                Message::of("Give one number, or one for each place of that axis."));
        // tf.math.divide_no_nan: an error divided by 0 is 0.
        std::vector<double> inverse;
        for (double const number : normalizer) inverse.push_back(number == 0 ? 0.0 : 1.0 / number);
        auto const size = c.op("abs", {c.op("sub", {m_prediction.labels, predicted()}, {}, "Difference")}, {}, "Size");
        auto const relative = c.op("mul", {size, constants(inverse, {static_cast<std::int64_t>(inverse.size())})}, {}, "Relative");
        return ofElements(relative, Reading::Ratio);
    }

    ValueId constants(std::vector<double> values, Shape shape)
    {
        return c.b.one("constant", {}, std::move(shape), DType::F32, {{"values", std::move(values)}}, leaf("Constant"));
    }

    Result<std::vector<MetricFigure>> accuracy()
    {
        auto const p = predicted();
        auto const &name = m_metric.className;
        bool const numbers = hasClassNumbers();
        ValueId hits;
        if (name == "BinaryAccuracy") {
            auto const decided = c.op("step", {p}, {{"p0", m_metric.number("threshold")}}, "Threshold");
            hits = c.op("equal", {decided, m_prediction.labels}, {}, "Equal");
        } else if (name == "Accuracy") {
            hits = c.op("equal", {p, m_prediction.labels}, {}, "Equal");
        } else if (name.ends_with("TopKCategoricalAccuracy")) {
            hits = amongTopK(c, p, numbers ? m_prediction.labels : c.op("argmax", {m_prediction.labels}, {}, "ArgMaxLabels"),
                             m_metric.number("k"));
        } else {
            auto const chosen = c.op("argmax", {p}, {}, "ArgMax");
            auto const wanted =
                numbers ? c.reshape(m_prediction.labels, c.value(chosen).shape) : c.op("argmax", {m_prediction.labels}, {}, "ArgMaxLabels");
            hits = c.cast(c.op("equal", {chosen, wanted}, {}, "Equal"), DType::F32);
        }
        return name == "SequenceAccuracy" ? wholeSequences(hits) : meanOf(hits);
    }

    /// Share of the samples without a miss: `hits` is 1 or 0 for each step.
    std::vector<MetricFigure> wholeSequences(ValueId hits)
    {
        auto misses = c.op("add_scalar", {c.op("neg", {hits}, {}, leaf("Neg"))}, {{"p0", 1.0}}, leaf("Misses"));
        if (auto const mask = m_prediction.mask.valid() ? maskOf(c, m_prediction, hits) : ValueId(); mask.valid())
            misses = c.op("mul", {misses, mask}, {}, leaf("Mask"));
        Shape const shape = c.value(misses).shape;
        std::int64_t const samples = shape.empty() ? 1 : shape[0];
        auto const count =
            c.op("reduce_sum", {c.reshape(misses, {samples, elementCount(shape) / samples})}, {{"axes", Shape{-1}}}, leaf("Count"));
        auto const failed = c.op("step", {count}, {{"p0", 0.5}}, leaf("Failed"));
        auto const whole = c.op("add_scalar", {c.op("neg", {failed}, {}, leaf("NotFailed"))}, {{"p0", 1.0}}, leaf("Whole"));
        if (!m_weights.valid()) return one(c.mean(whole, m_name), {});
        return one(two(total(c.op("mul", {whole, m_weights}, {}, leaf("Weighted"))), total(m_weights)), {.reading = Reading::Ratio});
    }

    /// The metric's reading if it counts decisions.
    std::optional<Reading> countReading() const
    {
        static constexpr std::array kReadings{
            std::pair{std::string_view("TruePositives"), Reading::TruePositives},
            std::pair{std::string_view("FalsePositives"), Reading::FalsePositives},
            std::pair{std::string_view("TrueNegatives"), Reading::TrueNegatives},
            std::pair{std::string_view("FalseNegatives"), Reading::FalseNegatives},
            std::pair{std::string_view("Precision"), Reading::Precision},
            std::pair{std::string_view("Recall"), Reading::Recall},
            std::pair{std::string_view("SensitivityAtSpecificity"), Reading::SensitivityAtSpecificity},
            std::pair{std::string_view("SpecificityAtSensitivity"), Reading::SpecificityAtSensitivity},
            std::pair{std::string_view("PrecisionAtRecall"), Reading::PrecisionAtRecall},
            std::pair{std::string_view("RecallAtPrecision"), Reading::RecallAtPrecision},
            std::pair{std::string_view("AUC"), Reading::RocArea},
        };
        for (auto const &[name, reading] : kReadings)
            if (name == m_metric.className)
                return reading == Reading::RocArea && m_metric.text("curve") == "PR" ? Reading::PrecisionRecallArea : reading;
        return std::nullopt;
    }

    /// Predictions, whether each label is positive, and weights of the decisions, in one shape. Invalid weights: all 1.
    struct Decisions {
        ValueId predictions, positive, weights;
    };

    Result<std::vector<MetricFigure>> counted(Reading reading)
    {
        Decisions decisions{predicted(), {}, {}};
        if (m_metric.flag("from_logits")) decisions.predictions = c.op("sigmoid", {decisions.predictions}, {}, leaf("Sigmoid"));
        if (!m_metric.isNull("top_k")) decisions.predictions = largestOnly(c, decisions.predictions, m_metric.integer("top_k"));
        auto const isZero = c.op("equal", {m_prediction.labels, c.b.constant(0.0)}, {}, leaf("IsZero"));
        decisions.positive = c.op("add_scalar", {c.op("neg", {isZero}, {}, leaf("Neg"))}, {{"p0", 1.0}}, leaf("IsPositive"));
        decisions.weights = weightsOf(decisions.predictions);
        TW_TRY(chooseClass(decisions));
        Tally tally{.reading = reading};
        if (reading == Reading::RocArea || reading == Reading::PrecisionRecallArea) return area(decisions, std::move(tally));
        for (auto const *key : {"specificity", "sensitivity", "recall", "precision"})
            if (m_metric.config.contains(key)) {
                tally.bound = m_metric.number(key);
                return one(counts(decisions, 1, evenThresholds(0)), tally);
            }
        auto thresholds = m_metric.reals("thresholds");
        if (thresholds.empty()) thresholds = {m_metric.isNull("top_k") ? 0.5 : kLeftOut};
        std::vector<MetricFigure> figures;
        for (double const threshold : thresholds)
            figures.push_back(
                {thresholds.size() == 1 ? std::string() : "_" + numberText(threshold), counts(decisions, 1, {threshold}), tally});
        return figures;
    }

    Status chooseClass(Decisions &decisions)
    {
        if (m_metric.isNull("class_id")) return {};
        auto const chosen = m_metric.integer("class_id");
        if (chosen >= m_shape.back())
            return refuse(Message::of("class_id is %1, but the last axis of the predictions is %2 long", chosen, m_shape.back()),
                          Message::of("Give a number from 0 to %1.", m_shape.back() - 1));
        for (auto *value : {&decisions.predictions, &decisions.positive, &decisions.weights})
            if (value->valid())
                *value = c.op("slice", {*value},
                              {{"axis", static_cast<std::int64_t>(m_shape.size()) - 1}, {"start", chosen}, {"size", std::int64_t{1}}},
                              leaf("Class"));
        return {};
    }

    /// num_thresholds at equal distances from 0 to 1, the ends moved outwards; one alone: 0, 0.5 and 1.
    std::vector<double> evenThresholds(double outwards) const
    {
        auto const count = m_metric.integer("num_thresholds");
        std::vector<double> thresholds{-outwards};
        if (count == 1) thresholds.push_back(0.5);
        for (std::int64_t i = 1; i + 1 < count; ++i) thresholds.push_back(static_cast<double>(i) / static_cast<double>(count - 1));
        thresholds.push_back(1 + outwards);
        return thresholds;
    }

    Result<std::vector<MetricFigure>> area(Decisions &decisions, Tally tally)
    {
        auto thresholds = m_metric.reals("thresholds");
        if (thresholds.empty()) {
            thresholds = evenThresholds(kLossEpsilon);
        } else {
            std::ranges::sort(thresholds);
            thresholds.insert(thresholds.begin(), -kLossEpsilon);
            thresholds.push_back(1 + kLossEpsilon);
        }
        auto const method = m_metric.text("summation_method");
        tally.heights = method == "minoring" ? Tally::Heights::Lower
            : method == "majoring"           ? Tally::Heights::Upper
                                             : Tally::Heights::Between;
        auto const places = m_shape.back();
        auto const weights = m_metric.reals("label_weights");
        bool const each = m_metric.flag("multi_label");
        if (each && !m_metric.isNull("num_labels") && m_metric.integer("num_labels") != places)
            return refuse(
                Message::of("num_labels is %1, but the last axis of the predictions is %2 long", m_metric.integer("num_labels"), places),
                Message::of("Leave it out."));
        if (!weights.empty() && std::cmp_not_equal(weights.size(), places))
            return refuse(
                Message::of("there are %1 label_weights, but the last axis of the predictions is %2 long", weights.size(), places),
                Message::of("Give one for each place of that axis, or none."));
        if (each) {
            tally.labels = places;
            tally.labelWeights = weights;
        } else if (!weights.empty()) {
            auto const factors = c.broadcast(constants(weights, {places}), m_shape);
            decisions.weights = decisions.weights.valid() ? c.op("mul", {decisions.weights, factors}, {}, leaf("LabelWeights")) : factors;
        }
        return one(counts(decisions, tally.labels, thresholds), tally);
    }

    /// Counts as Tally describes them. A product sums over the decisions: rows of weights times columns of comparisons.
    ValueId counts(Decisions const &decisions, std::int64_t labels, std::vector<double> thresholds)
    {
        auto const all = elementCount(c.value(decisions.predictions).shape) / labels;
        auto const columns = static_cast<std::int64_t>(thresholds.size()) + 1;
        auto const byLabel = [&](ValueId value, Shape shape) {
            if (labels > 1) value = c.op("transpose", {c.reshape(value, {all, labels})}, {{"perm", Shape{1, 0}}}, leaf("ByLabel"));
            return c.reshape(value, std::move(shape));
        };
        auto const weights = decisions.weights.valid() ? decisions.weights : c.b.constant(1.0, c.value(decisions.predictions).shape);
        auto const positive =
            decisions.weights.valid() ? c.op("mul", {decisions.positive, weights}, {}, leaf("Positive")) : decisions.positive;
        auto const rows = c.op("concat", {byLabel(positive, {labels, 1, all}), byLabel(weights, {labels, 1, all})},
                               {{"axis", std::int64_t{1}}}, leaf("Rows"));
        thresholds.push_back(kBelowAll);
        auto const above =
            c.op("greater", {byLabel(decisions.predictions, {labels, all, 1}), constants(std::move(thresholds), {1, 1, columns})}, {},
                 leaf("Above"));
        if (labels == 1)
            return c.reshape(c.op("matmul", {c.reshape(rows, {2, all}), c.reshape(above, {all, columns})}, {}, m_name), {1, 2, columns});
        return c.op("batch_matmul", {rows, above}, {}, m_name);
    }

    /// The confusion matrix, as a product of one-hot rows.
    Result<std::vector<MetricFigure>> intersection()
    {
        bool const numbers = hasClassNumbers();
        auto const places = m_shape.back();
        auto const depth = m_metric.isNull("num_classes") ? places : m_metric.integer("num_classes");
        if (depth < 2 && m_metric.isNull("num_classes"))
            return refuse(Message::of("num_classes is not given, and the predictions have a single place"),
                          Message::of("Set num_classes."));
        if (numbers && depth < places)
            return refuse(Message::of("num_classes is %1, but the last axis of the predictions is %2 long", depth, places),
                          Message::of("Set it to that length."));
        auto const chosen = numbers ? c.op("argmax", {predicted()}, {}, leaf("ArgMax")) : c.cast(predicted(), DType::I32);
        auto const wanted = numbers ? c.reshape(m_prediction.labels, c.value(chosen).shape) : c.cast(m_prediction.labels, DType::I32);
        auto const all = elementCount(c.value(chosen).shape);
        auto const hot = [&](ValueId classes) {
            return c.cast(c.op("one_hot", {c.reshape(classes, {all})}, {{"depth", depth}}, leaf("OneHot")), DType::F32);
        };
        auto right = hot(wanted);
        if (auto const weights = weightsOf(chosen); weights.valid())
            right = c.op("mul", {right, c.reshape(weights, {all, 1})}, {}, leaf("Weighted"));
        auto const matrix = c.op("matmul", {right, hot(chosen)}, {{"transpose_a", true}}, m_name);
        return one(matrix, {.reading = Reading::MeanIntersection});
    }

    BuildContext &c;
    Prediction &m_prediction;
    Shape m_labelShape, m_shape;
    model::Metric m_metric;
    std::string m_name;
    ValueId m_weights;
};

} // namespace

Result<std::vector<MetricFigure>> buildMetric(BuildContext &context, model::Metric const &metric, Prediction &prediction, bool weighted)
{
    return MetricBuilder(context, metric, prediction, weighted).build();
}

} // namespace tilewright::layers
