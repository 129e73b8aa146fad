#include "engine/model/metrics.h"

#include "engine/model/losses.h"

#include <algorithm>
#include <array>

namespace tilewright::model {

namespace {

constexpr std::array kOtherMetrics{"Sum",
                                   "Mean",
                                   "MeanTensor",
                                   "MeanRelativeError",
                                   "TruePositives",
                                   "TrueNegatives",
                                   "FalsePositives",
                                   "FalseNegatives",
                                   "Precision",
                                   "Recall",
                                   "SensitivityAtSpecificity",
                                   "SpecificityAtSensitivity",
                                   "PrecisionAtRecall",
                                   "RecallAtPrecision",
                                   "AUC",
                                   "RootMeanSquaredError",
                                   "MeanIoU"};

Metric wordMetric(std::string className, std::string word)
{
    Metric metric;
    metric.className = std::move(className);
    metric.displayName = std::move(word);
    return metric;
}

} // namespace

std::vector<MetricSpec> const &metricSpecs()
{
    static std::vector<MetricSpec> const specs = [] {
        ParamInfo const dtype{
            .name = "dtype", .type = ParamType::DType, .defaultJson = "\"float32\"", .help = "type of the sums", .nullable = true};
        ParamInfo const logits{
            .name = "from_logits", .type = ParamType::Bool, .defaultJson = "false", .help = "the predictions are logits"};
        ParamInfo const smoothing{.name = "label_smoothing",
                                  .type = ParamType::Float,
                                  .defaultJson = "0.0",
                                  .min = 0,
                                  .max = 1,
                                  .help = "blends the labels with the uniform distribution"};
        ParamInfo const threshold{
            .name = "threshold", .type = ParamType::Float, .defaultJson = "0.5", .help = "predictions above it count as 1"};
        auto const row = [&](std::string className, std::vector<std::string> aliases, std::vector<ParamInfo> own, std::string help,
                             std::string lossClass) {
            std::vector<ParamInfo> params{{.name = "name",
                                           .type = ParamType::Text,
                                           .defaultJson = "\"" + snakeCase(className) + "\"",
                                           .help = "name",
                                           .nullable = true},
                                          dtype};
            params.insert(params.end(), own.begin(), own.end());
            return MetricSpec{
                std::move(className), std::move(aliases), std::move(params), std::move(help), std::move(lossClass), false, ""};
        };
        ParamInfo const k{.name = "k", .type = ParamType::Int, .defaultJson = "5", .min = 1, .help = "number of largest predictions"};
        auto similarity =
            row("CosineSimilarity", {}, {cosineAxis()}, "Mean of the cosine between label and prediction.", "CosineSimilarity");
        similarity.negated = true;
        auto logCosh = row("LogCoshError", {"log_cosh"}, {}, "Mean of log(cosh(p - y)).", "LogCosh");
        logCosh.name = "logcosh";
        auto divergence = row("KLDivergence", {"kld", "KLD"}, {}, "Mean divergence of the predicted distribution.", "KLDivergence");
        divergence.name = "kullback_leibler_divergence";
        for (auto *renamed : {&logCosh, &divergence})
            for (auto &param : renamed->params)
                if (param.name == "name") param.defaultJson = "\"" + renamed->name + "\"";
        return std::vector<MetricSpec>{
            row("BinaryAccuracy", {}, {threshold}, "Share of outputs on the correct side of the threshold.", ""),
            row("CategoricalAccuracy", {}, {}, "Share of samples whose largest prediction is the labelled class (one-hot).", ""),
            row("SparseCategoricalAccuracy", {}, {}, "Share of samples whose largest prediction is the labelled class.", ""),
            row("SequenceAccuracy", {}, {},
                "Share of sequences in which the largest prediction of every step is the labelled class. Not part of Keras.", ""),
            row("MeanSquaredError", {"mse", "MSE"}, {}, "Mean squared error.", "MeanSquaredError"),
            row("MeanAbsoluteError", {"mae", "MAE"}, {}, "Mean absolute error.", "MeanAbsoluteError"),
            row("BinaryCrossentropy", {}, {logits, smoothing}, "Mean crossentropy of binary outputs.", "BinaryCrossentropy"),
            row("CategoricalCrossentropy", {}, {logits, smoothing}, "Mean crossentropy, labels one-hot.", "CategoricalCrossentropy"),
            row("SparseCategoricalCrossentropy", {}, {logits}, "Mean crossentropy, labels as class numbers.",
                "SparseCategoricalCrossentropy"),
            row("Accuracy", {}, {}, "Share of predictions that equal their label.", ""),
            row("TopKCategoricalAccuracy", {}, {k}, "Share of samples whose labelled class (one-hot) is among the k largest predictions.",
                ""),
            row("SparseTopKCategoricalAccuracy", {}, {k}, "Share of samples whose labelled class is among the k largest predictions.", ""),
            row("MeanAbsolutePercentageError", {"mape", "MAPE"}, {}, "Mean error in percent of the label.", "MeanAbsolutePercentageError"),
            row("MeanSquaredLogarithmicError", {"msle", "MSLE"}, {}, "Mean squared error of the logarithms.",
                "MeanSquaredLogarithmicError"),
            row("Hinge", {}, {}, "Mean hinge loss.", "Hinge"),
            row("SquaredHinge", {}, {}, "Mean squared hinge loss.", "SquaredHinge"),
            row("CategoricalHinge", {}, {}, "Mean hinge loss over classes.", "CategoricalHinge"),
            logCosh,
            row("Poisson", {}, {}, "Mean Poisson loss.", "Poisson"),
            divergence,
            similarity,
        };
    }();
    return specs;
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
            return makeError(ErrorKind::Invalid, "model.unsupported", "metrics", Message::of("metric %1 is not supported yet", name),
                             suggestion("", names));
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
