#include "engine/model/metrics.h"

#include "engine/model/losses.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

namespace {

/// Metrics of Keras that are no figure.
constexpr std::array kOtherMetrics{"MeanTensor"};

Metric wordMetric(std::string className, std::string word)
{
    Metric metric;
    metric.className = std::move(className);
    metric.displayName = std::move(word);
    return metric;
}

} // namespace

namespace {

/// Arguments of metrics; a row takes those that it names.
ParamInfo nameOf(std::string const &usual)
{
    return {.name = "name", .type = ParamType::Text, .defaultJson = "\"" + usual + "\"", .help = "name", .nullable = true};
}

ParamInfo logits()
{
    return {.name = "from_logits", .type = ParamType::Bool, .defaultJson = "false", .help = "the predictions are logits"};
}

ParamInfo smoothing()
{
    return {.name = "label_smoothing",
            .type = ParamType::Float,
            .defaultJson = "0.0",
            .min = 0,
            .max = 1,
            .help = "blends the labels with the uniform distribution"};
}

ParamInfo largest() { return {.name = "k", .type = ParamType::Int, .defaultJson = "5", .min = 1, .help = "number of largest predictions"}; }

ParamInfo share(char const *name, char const *help)
{
    return {.name = name, .type = ParamType::Float, .defaultJson = "0.5", .min = 0, .max = 1, .help = help};
}

ParamInfo thresholds(char const *help)
{
    return {.name = "thresholds", .type = ParamType::FloatList, .min = 0, .max = 1, .help = help, .nullable = true, .orInteger = true};
}

ParamInfo oneClass()
{
    return {.name = "class_id",
            .type = ParamType::Int,
            .min = 0,
            .max = 1e9,
            .help = "the only class that counts; null: all",
            .nullable = true};
}

ParamInfo numberOfThresholds(double least)
{
    return {.name = "num_thresholds",
            .type = ParamType::Int,
            .defaultJson = "200",
            .min = least,
            .max = 1e5,
            .help = "number of thresholds, at equal distances from 0 to 1"};
}

MetricSpec row(std::string className, std::vector<std::string> aliases, std::vector<ParamInfo> own, std::string help,
               std::string lossClass = {}, std::string name = {})
{
    std::vector<ParamInfo> params{
        nameOf(name.empty() ? snakeCase(className) : name),
        {.name = "dtype", .type = ParamType::DType, .defaultJson = "\"float32\"", .help = "type of the sums", .nullable = true}};
    params.insert(params.end(), own.begin(), own.end());
    MetricSpec spec{.className = std::move(className),
                    .aliases = std::move(aliases),
                    .params = std::move(params),
                    .help = std::move(help),
                    .lossClass = std::move(lossClass)};
    spec.name = std::move(name);
    return spec;
}

MetricSpec ofClassNumbers(MetricSpec spec)
{
    spec.labels = MetricLabels::ClassNumbers;
    return spec;
}

MetricSpec ofAnyLabels(MetricSpec spec)
{
    spec.labels = MetricLabels::Any;
    return spec;
}

MetricSpec error(MetricSpec spec)
{
    spec.isError = true;
    return spec;
}

std::vector<MetricSpec> accuracies()
{
    ParamInfo const threshold{
        .name = "threshold", .type = ParamType::Float, .defaultJson = "0.5", .help = "predictions above it count as 1"};
    return {
        row("BinaryAccuracy", {}, {threshold}, "Share of outputs on the correct side of the threshold."),
        row("CategoricalAccuracy", {}, {}, "Share of samples whose largest prediction is the labelled class (one-hot)."),
        ofClassNumbers(row("SparseCategoricalAccuracy", {}, {}, "Share of samples whose largest prediction is the labelled class.")),
        ofClassNumbers(row("SequenceAccuracy", {}, {},
                           "Share of sequences in which the largest prediction of every step is the labelled class. Not part of Keras.")),
    };
}

std::vector<MetricSpec> means()
{
    auto similarity = row("CosineSimilarity", {}, {cosineAxis()}, "Mean of the cosine between label and prediction.", "CosineSimilarity");
    similarity.negated = true;
    return {
        row("MeanSquaredError", {"mse", "MSE"}, {}, "Mean squared error.", "MeanSquaredError"),
        row("MeanAbsoluteError", {"mae", "MAE"}, {}, "Mean absolute error.", "MeanAbsoluteError"),
        row("BinaryCrossentropy", {}, {logits(), smoothing()}, "Mean crossentropy of binary outputs.", "BinaryCrossentropy"),
        row("CategoricalCrossentropy", {}, {logits(), smoothing()}, "Mean crossentropy, labels one-hot.", "CategoricalCrossentropy"),
        ofClassNumbers(row("SparseCategoricalCrossentropy", {}, {logits()}, "Mean crossentropy, labels as class numbers.",
                           "SparseCategoricalCrossentropy")),
        row("Accuracy", {}, {}, "Share of predictions that equal their label."),
        row("TopKCategoricalAccuracy", {}, {largest()},
            "Share of samples whose labelled class (one-hot) is among the k largest predictions."),
        ofClassNumbers(row("SparseTopKCategoricalAccuracy", {}, {largest()},
                           "Share of samples whose labelled class is among the k largest predictions.")),
        row("MeanAbsolutePercentageError", {"mape", "MAPE"}, {}, "Mean error in percent of the label.", "MeanAbsolutePercentageError"),
        row("MeanSquaredLogarithmicError", {"msle", "MSLE"}, {}, "Mean squared error of the logarithms.", "MeanSquaredLogarithmicError"),
        row("Hinge", {}, {}, "Mean hinge loss.", "Hinge"),
        row("SquaredHinge", {}, {}, "Mean squared hinge loss.", "SquaredHinge"),
        row("CategoricalHinge", {}, {}, "Mean hinge loss over classes.", "CategoricalHinge"),
        row("LogCoshError", {"log_cosh"}, {}, "Mean of log(cosh(p - y)).", "LogCosh", "logcosh"),
        row("Poisson", {}, {}, "Mean Poisson loss.", "Poisson"),
        row("KLDivergence", {"kld", "KLD"}, {}, "Mean divergence of the predicted distribution.", "KLDivergence",
            "kullback_leibler_divergence"),
        similarity,
        error(row("RootMeanSquaredError", {}, {}, "Square root of the mean squared error of all samples.")),
        error(
            row("MeanRelativeError", {},
                {{.name = "normalizer",
                  .type = ParamType::FloatList,
                  .defaultJson = "1.0",
                  .help = "what errors are divided by: a number, or one for each place of the last axis. An error divided by 0 counts as 0",
                  .orInteger = true}},
                "Mean of |p - y| / normalizer.")),
        ofAnyLabels(row("Mean", {}, {}, "Mean of the predictions. Reads no labels.")),
        ofAnyLabels(row("Sum", {}, {}, "Sum of the predictions of an epoch. Reads no labels.")),
    };
}

/// Of counts of decisions at thresholds.
std::vector<MetricSpec> counts()
{
    auto const decision = thresholds("predictions above it count as positive: a number, or a list that gives a figure for each; null: 0.5");
    ParamInfo const top{.name = "top_k",
                        .type = ParamType::Int,
                        .min = 1,
                        .max = 1e9,
                        .help = "only the so many largest predictions of a sample can count as positive; without thresholds they all do. "
                                "null: all can",
                        .nullable = true};
    auto const ofTop =
        thresholds("predictions above it count as positive: a number, or a list that gives a figure for each; null: 0.5, with top_k: any");
    std::vector<ParamInfo> const area{
        numberOfThresholds(2),
        {.name = "curve",
         .type = ParamType::Enum,
         .defaultJson = "\"ROC\"",
         .allowed = {"ROC", "PR"},
         .help = "the curve: true positive rate over false positive rate (ROC), or precision over recall (PR)"},
        {.name = "summation_method",
         .type = ParamType::Enum,
         .defaultJson = "\"interpolation\"",
         .allowed = {"interpolation", "minoring", "majoring"},
         .help = "height between two thresholds: interpolated, the lower or the upper one"},
        thresholds("thresholds between 0 and 1, which are added; null: num_thresholds at equal distances"),
        {.name = "multi_label",
         .type = ParamType::Bool,
         .defaultJson = "false",
         .help = "a curve for each place of the last axis, and the mean of their areas; false: one curve of all"},
        {.name = "num_labels",
         .type = ParamType::Int,
         .min = 1,
         .max = 1e9,
         .help = "extent of the last axis with multi_label; null: that of the predictions",
         .nullable = true},
        {.name = "label_weights",
         .type = ParamType::FloatList,
         .min = 0,
         .help = "weight of each place of the last axis; null: equal",
         .nullable = true},
        logits()};
    auto const at = [](std::string className, char const *bound, char const *help, std::string text) {
        return row(std::move(className), {}, {share(bound, help), numberOfThresholds(1), oneClass()}, std::move(text));
    };
    return {
        row("TruePositives", {}, {decision}, "Number of positive labels that are predicted as positive."),
        row("TrueNegatives", {}, {decision}, "Number of other labels that are not predicted as positive."),
        error(row("FalsePositives", {}, {decision}, "Number of other labels that are predicted as positive.")),
        error(row("FalseNegatives", {}, {decision}, "Number of positive labels that are not predicted as positive.")),
        row("Precision", {}, {ofTop, top, oneClass()}, "Share of the labels predicted as positive that are."),
        row("Recall", {}, {ofTop, top, oneClass()}, "Share of the positive labels that are predicted as positive."),
        at("SensitivityAtSpecificity", "specificity", "least share of the other labels that are not predicted as positive",
           "Best recall of a threshold with at least this specificity."),
        at("SpecificityAtSensitivity", "sensitivity", "least share of the positive labels that are predicted as positive",
           "Best specificity of a threshold with at least this recall."),
        at("PrecisionAtRecall", "recall", "least share of the positive labels that are predicted as positive",
           "Best precision of a threshold with at least this recall."),
        at("RecallAtPrecision", "precision", "least share of the labels predicted as positive that are",
           "Best recall of a threshold with at least this precision."),
        row("AUC", {}, area, "Area under the curve of two rates over all thresholds."),
        ofAnyLabels(
            row("MeanIoU", {},
                {{.name = "num_classes",
                  .type = ParamType::Int,
                  .min = 1,
                  .max = 1e4,
                  .help = "number of classes; null: those of the last axis",
                  .nullable = true}},
                "Mean over the classes of intersection / union of labels and predictions. Both are class numbers; with the labels of "
                "a sparse loss, the prediction is the largest of the last axis.")),
    };
}

} // namespace

std::vector<MetricSpec> const &metricSpecs()
{
    static std::vector<MetricSpec> const specs = [] {
        std::vector<MetricSpec> all;
        for (auto const &part : {accuracies(), means(), counts()}) all.insert(all.end(), part.begin(), part.end());
        return all;
    }();
    return specs;
}

MetricSpec const *findMetricSpec(std::string_view className)
{
    auto const it = std::ranges::find(metricSpecs(), className, &MetricSpec::className);
    return it == metricSpecs().end() ? nullptr : &*it;
}

Result<Metric> parseMetric(Json const &value)
{
    std::string name;
    Json config = Json::object();
    bool const word = value.is_string();
    if (word) {
        name = value.get<std::string>();
    } else if (value.is_object() && value.contains("class_name") && value["class_name"].is_string()) {
        name = value["class_name"].get<std::string>();
        if (value.contains("config")) config = value["config"];
    } else {
        return makeError(ErrorKind::Invalid, "model.bad-argument", "metrics",
                         Message::of("a metric is a name or an object with class_name and config"),
                         Message::of("for example \"accuracy\""));
    }
    if (word && (name == "accuracy" || name == "acc")) return wordMetric("accuracy", name);
    if (word && (name == "crossentropy" || name == "ce")) return wordMetric("crossentropy", name);
    if (word && name == "loss") return wordMetric("loss", name);
    std::vector<std::string> names{"accuracy", "crossentropy", "loss"};
    for (auto const &spec : metricSpecs()) {
        std::string const own = spec.defaultName();
        if (name == spec.className || name == own || name == snakeCase(spec.className)
            || std::find(spec.aliases.begin(), spec.aliases.end(), name) != spec.aliases.end()) {
            Metric metric;
            metric.className = spec.className;
            Json const tolerated{{"axis", -1}, {"ignore_class", nullptr}, {"fn", own}};
            TW_ASSIGN(metric.config, normalizeConfig(spec.params, config, "metric " + spec.className, tolerated));
            metric.displayName = metric.text("name").empty() ? own : metric.text("name");
            // Keras names a metric given by a function's name or alias after the word itself.
            if (word && name != spec.className) metric.displayName = name;
            return metric;
        }
        names.push_back(own);
        names.push_back(spec.className);
    }
    for (char const *other : kOtherMetrics)
        if (name == other || name == snakeCase(other))
            return makeError(ErrorKind::Invalid, "model.unsupported", "metrics",
                             Message::of("metric %1 is not supported: it is no single figure", name), Message::of("Use Mean."));
    return makeError(ErrorKind::Invalid, "model.unknown-metric", "metrics", Message::of("no metric is named '%1'", name),
                     suggestion(name, names));
}

Json metricJson(Metric const &metric)
{
    if (metric.config.empty()) return metric.displayName;
    Json json{{"class_name", metric.className}, {"config", metric.config}};
    if (metric.displayName != metric.text("name")) return metric.displayName; // was given as that word
    return json;
}

std::string resolveAccuracy(Shape const &labels, Shape const &prediction)
{
    std::int64_t const predicted = prediction.empty() ? 1 : prediction.back();
    std::int64_t const labelled = labels.empty() ? 1 : labels.back();
    if (predicted == 1) return "BinaryAccuracy";
    if (labels.size() < prediction.size() || (labelled == 1 && predicted > 1)) return "SparseCategoricalAccuracy";
    return "CategoricalAccuracy";
}

Metric resolveMetric(Metric const &metric, Shape const &labels, Shape const &prediction)
{
    if (!metric.needsShapes()) return metric;
    std::string className = resolveAccuracy(labels, prediction);
    if (metric.className == "crossentropy") className.replace(className.size() - 8, 8, "Crossentropy");
    auto resolved = parseMetric(Json{{"class_name", className}, {"config", Json::object()}});
    TW_CHECK(resolved.ok(), className);
    resolved->displayName = metric.displayName;
    return *resolved;
}

} // namespace tilewright::model
