#include "engine/model/losses.h"

#include "engine/model/resolve.h"

#include <algorithm>

namespace tilewright::model {

namespace {

std::vector<ParamInfo> lossParams(std::string const &name, bool logits, bool smoothing)
{
    std::vector<ParamInfo> params{
        {.name = "reduction",
         .type = ParamType::Enum,
         .defaultJson = "\"auto\"",
         .allowed = {"auto", "sum_over_batch_size", "sum", "none"},
         .help = "reduction of the samples' losses to one number"},
        {.name = "name", .type = ParamType::Text, .defaultJson = "\"" + name + "\"", .help = "name", .nullable = true}};
    if (logits)
        params.push_back({.name = "from_logits",
                          .type = ParamType::Bool,
                          .defaultJson = "false",
                          .help = "the predictions are logits, not probabilities"});
    if (smoothing)
        params.push_back({.name = "label_smoothing",
                          .type = ParamType::Float,
                          .defaultJson = "0.0",
                          .min = 0,
                          .max = 1,
                          .help = "blends the labels with the uniform distribution"});
    return params;
}

} // namespace

ParamInfo cosineAxis()
{
    return {.name = "axis", .type = ParamType::Int, .defaultJson = "-1", .help = "axis of the vectors that are compared"};
}

Status checkComparedAxis(std::string const &className, Json const &config, Shape const &prediction, std::string const &output)
{
    auto const rank = static_cast<std::int64_t>(prediction.size());
    auto const axis = className == "CosineSimilarity" ? config.value("axis", std::int64_t{-1}) : std::int64_t{-1};
    auto const known = axis >= -rank && axis < rank && (axis + rank) % rank != 0;
    if (axis == -1 || known) return {};
    return makeError(ErrorKind::Invalid, "training.loss-shape", "training.loss",
                     Message::of("%1 compares vectors along axis %2, but output %3 of shape %4 has no such axis beside the batch",
                                 className, axis, output, toText(prediction)),
                     Message::of("set axis to a number from 1 to %1, or to -1 for the last", std::max<std::int64_t>(1, rank - 1)));
}

Reduction Loss::reduction() const
{
    auto const word = text("reduction");
    return word == "sum" ? Reduction::Sum : word == "none" ? Reduction::None : Reduction::SumOverBatchSize;
}

std::vector<LossSpec> const &lossSpecs()
{
    auto const row = [](std::string className, std::vector<std::string> aliases, bool logits, bool smoothing, LabelForm labels,
                        std::string help, std::string formula) {
        std::string const name = snakeCase(className);
        return LossSpec{std::move(className),
                        name,
                        std::move(aliases),
                        lossParams(name, logits, smoothing),
                        std::move(help),
                        std::move(formula),
                        logits,
                        labels};
    };
    auto const huber = [&] {
        auto spec =
            row("Huber", {"huber"}, false, false, LabelForm::SameShape, "Real numbers; squared for small errors, linear for large ones.",
                "e = p - y: e^2 / 2 where |e| <= delta, else delta |e| - delta^2 / 2");
        spec.name = "huber_loss";
        spec.params = lossParams(spec.name, false, false);
        spec.params.push_back(
            {.name = "delta", .type = ParamType::Float, .defaultJson = "1.0", .min = 0, .help = "error at which the loss becomes linear"});
        return spec;
    };
    auto const cosine = [&] {
        auto spec = row("CosineSimilarity", {}, false, false, LabelForm::SameShape, "Directions: -1 for equal directions.",
                        "-sum(y p) / (|y| |p|) over the axis");
        spec.params.push_back(cosineAxis());
        return spec;
    };
    static std::vector<LossSpec> const specs{
        row("SparseCategoricalCrossentropy", {}, true, false, LabelForm::ClassIndex, "Classes, labels as class numbers.",
            "-log(p[label]), one value per sample"),
        row("CategoricalCrossentropy", {}, true, true, LabelForm::SameShape, "Classes, labels one-hot.",
            "-sum(y log(p)), one value per sample"),
        row("BinaryCrossentropy", {}, true, true, LabelForm::SameShape, "Binary outputs, each independent.",
            "-(y log(p) + (1-y) log(1-p))"),
        row("MeanSquaredError", {"mse", "MSE"}, false, false, LabelForm::SameShape, "Real numbers; large errors count more.", "(y - p)^2"),
        row("MeanAbsoluteError", {"mae", "MAE"}, false, false, LabelForm::SameShape, "Real numbers; robust against outliers.", "|y - p|"),
        row("MeanAbsolutePercentageError", {"mape", "MAPE"}, false, false, LabelForm::SameShape,
            "Real numbers; errors in percent of the label.", "100 |y - p| / max(|y|, 1e-7)"),
        row("MeanSquaredLogarithmicError", {"msle", "MSLE"}, false, false, LabelForm::SameShape,
            "Positive numbers of very different magnitude.", "(log(1 + max(y, 1e-7)) - log(1 + max(p, 1e-7)))^2"),
        huber(),
        row("LogCosh", {"logcosh"}, false, false, LabelForm::SameShape, "Real numbers; a smooth form of Huber.", "log(cosh(p - y))"),
        row("Hinge", {}, false, false, LabelForm::SameShape, "Two classes, labels -1 and 1 (0 and 1 are converted).", "max(1 - y p, 0)"),
        row("SquaredHinge", {}, false, false, LabelForm::SameShape, "Squared hinge loss.", "max(1 - y p, 0)^2"),
        row("CategoricalHinge", {}, false, false, LabelForm::SameShape,
            "Classes, labels one-hot: the right class must lead by a margin of 1.",
            "max(max((1 - y) p) - sum(y p) + 1, 0), one value per sample"),
        row("Poisson", {}, false, false, LabelForm::SameShape, "Counts.", "p - y log(p + 1e-7)"),
        row("KLDivergence", {"kullback_leibler_divergence", "kld", "KLD"}, false, false, LabelForm::SameShape,
            "Distance of a distribution from the labels' distribution.", "sum(y log(y / p)), both within 1e-7 and 1, one value per sample"),
        cosine(),
    };
    return specs;
}

LossSpec const *findLossSpec(std::string_view className)
{
    for (auto const &spec : lossSpecs())
        if (spec.className == className) return &spec;
    return nullptr;
}

Result<Loss> parseLoss(Json const &value)
{
    std::string name;
    Json config = Json::object();
    if (value.is_string()) {
        name = value.get<std::string>();
    } else if (value.is_object() && value.contains("class_name") && value["class_name"].is_string()) {
        name = value["class_name"].get<std::string>();
        if (value.contains("config")) config = value["config"];
    } else {
        return makeError(ErrorKind::Invalid, "model.bad-argument", "loss",
                         Message::of("a loss is a name or an object with class_name and config"),
                         Message::of("for example \"mean_squared_error\", or a list of them, one for each output"));
    }
    std::vector<std::string> names;
    for (auto const &spec : lossSpecs()) {
        if (name == spec.className || name == spec.name
            || std::find(spec.aliases.begin(), spec.aliases.end(), name) != spec.aliases.end()) {
            Loss loss;
            loss.className = spec.className;
            // Keras from 2.7 on writes the axis of the classes; only the last one is built.
            Json const tolerated{{"axis", -1}, {"ignore_class", nullptr}, {"fn", spec.name}};
            TW_ASSIGN(loss.config, normalizeConfig(spec.params, config, "loss " + spec.className, tolerated));
            return loss;
        }
        names.push_back(spec.name);
        names.push_back(spec.className);
    }
    return makeError(ErrorKind::Invalid, "model.unknown-loss", "loss", Message::of("no loss is named '%1'", name), suggestion(name, names));
}

Json lossJson(Loss const &loss) { return Json{{"class_name", loss.className}, {"config", loss.config}}; }

OrderedJson orderedLoss(Loss const &loss)
{
    OrderedJson result = OrderedJson::object();
    result["class_name"] = loss.className;
    auto const *spec = findLossSpec(loss.className);
    result["config"] = spec ? orderedConfig(spec->params, loss.config) : OrderedJson(loss.config);
    return result;
}

Shape labelShape(Loss const &loss, Shape const &prediction)
{
    auto const *spec = findLossSpec(loss.className);
    Shape shape = prediction;
    if (spec && spec->labels == LabelForm::ClassIndex && shape.size() > 1) shape.pop_back();
    return shape;
}

Status checkLabels(Loss const &loss, Shape const &labels, Shape const &prediction)
{
    Shape const wanted = labelShape(loss, prediction);
    auto const same = [](Shape const &a, Shape const &b) {
        if (a.size() != b.size()) return false;
        for (std::size_t i = 0; i < a.size(); ++i)
            if (a[i] != b[i] && a[i] >= 0 && b[i] >= 0) return false;
        return true;
    };
    // Keras squeezes or adds a last axis of 1 where the ranks differ by one.
    Shape longer = wanted;
    longer.push_back(1);
    Shape shorter = wanted;
    if (shorter.size() > 1 && shorter.back() == 1) shorter.pop_back();
    if (same(labels, wanted) || same(labels, longer) || same(labels, shorter)) return {};
    return makeError(ErrorKind::Data, "data.label-shape", loss.className,
                     Message::of("labels of shape %1 do not fit predictions of shape %2", toText(labels), toText(prediction)),
                     Message::of("this loss requires labels of shape %1", toText(wanted)));
}

LogitsUse logitsUse(ResolvedModel const &model, Loss const &loss, std::size_t output)
{
    auto const *spec = findLossSpec(loss.className);
    if (!spec || !spec->crossentropy || output >= model.outputs.size()) return {};
    if (model.calls[model.outputs[output]].tensor > 0) return {loss.fromLogits(), false}; // a state, not what the activation gave
    ResolvedLayer const &last = model.layerOf(model.outputs[output]);
    Activation const activation = last.spec->activation ? last.spec->activation(last.layer) : Activation{};
    bool ends = activation.name == "softmax" || activation.name == "sigmoid";
    if (last.layer.className == "Softmax") {
        // No logits are remembered by the layer itself: Keras finds them by looking at the operation, which
        // it does only for the softmax losses, without from_logits, and when the axis is the last.
        auto const rank = static_cast<int>(model.calls[model.outputs[output]].shape.size());
        bool const lastAxis = activation.axes.empty() && (activation.axis == -1 || activation.axis == rank - 1);
        ends = lastAxis && !loss.fromLogits() && spec->className != "BinaryCrossentropy";
    }
    if (ends) return {true, true};
    return {loss.fromLogits(), false};
}

bool usesLogits(ResolvedModel const &model, Loss const &loss, std::size_t output) { return logitsUse(model, loss, output).skipActivation; }

} // namespace tilewright::model
