#include "engine/model/output_fields.h"

#include "engine/core/text.h"
#include "engine/model/resolve.h"
#include "engine/model/names.h"

#include <algorithm>
#include <cmath>

namespace tilewright::model {

namespace {

Diagnostic badField(std::string const &field, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, "model.bad-argument", "training." + field, std::move(message), std::move(remedy));
}

OrderedJson metricsJson(std::vector<Metric> const &metrics)
{
    OrderedJson list = OrderedJson::array();
    for (auto const &metric : metrics) list.push_back(OrderedJson(metricJson(metric)));
    return list;
}

/// One metric or a list of them; null: none.
Result<std::vector<Metric>> metricsFrom(Json const &value, std::string const &field)
{
    std::vector<Metric> metrics;
    auto const add = [&](Json const &item) -> Status {
        TW_ASSIGN(Metric metric, parseMetric(item));
        for (auto const &other : metrics)
            if (other.displayName == metric.displayName)
                return badField(field, Message::of("metric '%1' is listed twice", metric.displayName),
                                Message::of("list each metric once"));
        metrics.push_back(std::move(metric));
        return {};
    };
    if (value.is_array()) {
        for (auto const &item : value) TW_TRY(add(item));
    } else if (value.is_string()) { // "accuracy, mse" as typed
        for (auto const &part : splitText(value.get<std::string>(), ',')) {
            auto const begin = part.find_first_not_of(' ');
            if (begin == std::string::npos) continue;
            TW_TRY(add(part.substr(begin, part.find_last_not_of(' ') - begin + 1)));
        }
    } else if (!value.is_null()) {
        TW_TRY(add(value));
    }
    return metrics;
}

/// As Keras's compile takes them: a list for every output, a list of lists, or lists by name.
OrderedJson metricsJson(std::vector<Metric> const &all, std::vector<OutputMetrics> const &each)
{
    if (each.empty()) return metricsJson(all);
    bool const named = !each.front().output.empty();
    OrderedJson json = named ? OrderedJson::object() : OrderedJson::array();
    for (auto const &[output, metrics] : each)
        if (named) json[output] = metricsJson(metrics);
        else json.push_back(metricsJson(metrics));
    return json;
}

Result<MetricLists> metricListsFrom(Json const &value, std::string const &field)
{
    MetricLists lists;
    bool const byName = value.is_object() && !value.contains("class_name");
    bool const byPlace = value.is_array() && std::ranges::any_of(value, [](Json const &item) { return item.is_array(); });
    if (byName) {
        for (auto const &[name, list] : value.items()) {
            if (name.empty())
                return badField(field, Message::of("an output has no name"), Message::of("give each list the name of an output"));
            TW_ASSIGN(auto metrics, metricsFrom(list, field));
            lists.each.push_back({name, std::move(metrics)});
        }
    } else if (byPlace) {
        for (auto const &list : value) {
            TW_ASSIGN(auto metrics, metricsFrom(list, field));
            lists.each.push_back({"", std::move(metrics)});
        }
    } else {
        TW_ASSIGN(lists.all, metricsFrom(value, field));
    }
    return lists;
}

} // namespace

OrderedJson lossesJson(TrainingPlan const &plan)
{
    if (!plan.lossOutputs.empty()) {
        OrderedJson named = OrderedJson::object();
        for (std::size_t i = 0; i < plan.losses.size() && i < plan.lossOutputs.size(); ++i)
            named[plan.lossOutputs[i]] = orderedLoss(plan.losses[i]);
        return named;
    }
    if (plan.losses.size() == 1) return orderedLoss(plan.losses.front());
    OrderedJson list = OrderedJson::array();
    for (auto const &loss : plan.losses) list.push_back(orderedLoss(loss));
    return list;
}

Status setLosses(TrainingPlan &plan, Json const &value)
{
    std::vector<Loss> losses;
    std::vector<std::string> outputs;
    if (value.is_object() && !value.contains("class_name")) {
        for (auto const &[output, item] : value.items()) {
            if (output.empty())
                return makeError(ErrorKind::Invalid, "model.bad-argument", "training.loss", Message::of("an output has no name"),
                                 Message::of("give each loss the name of an output"));
            TW_ASSIGN(Loss loss, parseLoss(item));
            losses.push_back(std::move(loss));
            outputs.push_back(output);
        }
    } else if (value.is_array()) {
        for (auto const &item : value) {
            TW_ASSIGN(Loss loss, parseLoss(item));
            losses.push_back(std::move(loss));
        }
    } else {
        TW_ASSIGN(Loss loss, parseLoss(value));
        losses.push_back(std::move(loss));
    }
    if (losses.empty())
        return makeError(ErrorKind::Invalid, "training.loss-count", "training.loss", Message::of("there is no loss"),
                         Message::of("give one loss, or one per output"));
    plan.losses = std::move(losses);
    plan.lossOutputs = std::move(outputs);
    return {};
}

OrderedJson metricsJson(TrainingPlan const &plan) { return metricsJson(plan.metrics, plan.outputMetrics); }

Status setMetrics(TrainingPlan &plan, Json const &value)
{
    TW_ASSIGN(auto lists, metricListsFrom(value, "metrics"));
    plan.metrics = std::move(lists.all);
    plan.outputMetrics = std::move(lists.each);
    return {};
}

OrderedJson weightedMetricsJson(TrainingPlan const &plan) { return metricsJson(plan.weightedMetrics.all, plan.weightedMetrics.each); }

Status setWeightedMetrics(TrainingPlan &plan, Json const &value)
{
    TW_ASSIGN(plan.weightedMetrics, metricListsFrom(value, "weighted_metrics"));
    return {};
}

OrderedJson namedLossWeightsJson(TrainingPlan const &plan)
{
    OrderedJson named = OrderedJson::object();
    for (std::size_t i = 0; i < plan.lossWeights.size() && i < plan.lossWeightOutputs.size(); ++i)
        named[plan.lossWeightOutputs[i]] = plan.lossWeights[i];
    return named;
}

Status setNamedLossWeights(TrainingPlan &plan, Json const &object)
{
    std::vector<double> weights;
    std::vector<std::string> outputs;
    for (auto const &[output, weight] : object.items()) {
        if (output.empty() || !weight.is_number() || !std::isfinite(weight.get<double>()))
            return badField("loss_weights", Message::of("the weight of output '%1' is not a number", output),
                            Message::of("give for example %1", std::string(R"({"output": 0.5})")));
        outputs.push_back(output);
        weights.push_back(weight.get<double>());
    }
    plan.lossWeights = std::move(weights);
    plan.lossWeightOutputs = std::move(outputs);
    return {};
}

Status setNamedClassWeights(TrainingPlan &plan, Json const &object)
{
    std::vector<double> weights(object.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        auto const it = object.find(std::to_string(i));
        if (it == object.end())
            return badField("class_weight", Message::of("class %1 has no weight", i),
                            Message::of("give a weight for each class from 0 to one less than their number"));
        if (!it->is_number() || !std::isfinite(it->get<double>()))
            return badField("class_weight", Message::of("the weight of class %1 is not a number", i),
                            Message::of("give for example %1", std::string(R"({"0": 1.0, "1": 3.0})")));
        weights[i] = it->get<double>();
    }
    plan.classWeights = std::move(weights);
    return {};
}

namespace {
Diagnostic outputsError(char const *code, char const *field, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, code, std::string("training.") + field, std::move(message), std::move(remedy));
}
} // namespace

Status checkOutputs(TrainingPlan const &plan, ResolvedModel const &model)
{
    std::size_t const outputs = model.outputs.size();
    std::vector<std::string> names;
    for (std::size_t i = 0; i < outputs; ++i) names.push_back(outputName(model, i));
    auto const unknown = [&](std::vector<std::string> const &given) {
        return std::ranges::find_if(given, [&](std::string const &name) { return std::ranges::find(names, name) == names.end(); });
    };
    auto const noOutput = [&](char const *code, char const *field, std::string const &name) {
        return outputsError(code, field, Message::of("no output is named '%1'", name),
                            Message::of("the outputs are %1", joinText(names, ", ")));
    };
    if (auto const it = unknown(plan.lossOutputs); it != plan.lossOutputs.end()) return noOutput("training.loss-count", "loss", *it);
    if (!plan.lossOutputs.empty())
        for (auto const &name : names)
            if (std::ranges::find(plan.lossOutputs, name) == plan.lossOutputs.end())
                return outputsError("training.loss-count", "loss", Message::of("output '%1' has no loss", name),
                                    Message::of("give each output a loss by its name"));
    if (plan.losses.empty() || (plan.losses.size() != 1 && plan.losses.size() != outputs))
        return outputsError("training.loss-count", "loss", Message::of("there are %1 losses but %2 outputs", plan.losses.size(), outputs),
                            Message::of("give one loss, or one per output"));
    if (auto const it = unknown(plan.lossWeightOutputs); it != plan.lossWeightOutputs.end())
        return noOutput("training.loss-weights", "loss_weights", *it);
    if (!plan.lossWeights.empty() && plan.lossWeightOutputs.empty() && plan.lossWeights.size() != outputs)
        return outputsError("training.loss-weights", "loss_weights",
                            Message::of("there are %1 loss weights but %2 outputs", plan.lossWeights.size(), outputs),
                            Message::of("give one weight per output, or none"));
    for (auto const &[field, each] :
         {std::pair("metrics", &plan.outputMetrics), std::pair("weighted_metrics", &plan.weightedMetrics.each)}) {
        bool const byPlace = !each->empty() && each->front().output.empty();
        if (byPlace && each->size() != outputs)
            return outputsError("training.metrics", field,
                                Message::of("there are %1 lists of metrics but %2 outputs", each->size(), outputs),
                                Message::of("give one list for all outputs, one per output, or lists by the outputs' names"));
        if (byPlace) continue;
        for (auto const &[output, metrics] : *each)
            if (std::ranges::find(names, output) == names.end()) return noOutput("training.metrics", field, output);
    }
    if (!plan.classWeights.empty()) {
        if (outputs != 1)
            return outputsError("training.class-weight", "class_weight",
                                Message::of("class weights need a model with one output; this one has %1", outputs),
                                Message::of("weigh the samples (data.sample_weight), or the losses (loss_weights)"));
        auto const last = model.calls[model.outputs[0]].shape.empty() ? 1 : model.calls[model.outputs[0]].shape.back();
        auto const classes = static_cast<std::size_t>(std::max<std::int64_t>(2, last)); // one output tells two apart
        if (plan.classWeights.size() != classes)
            return outputsError("training.class-weight", "class_weight",
                                Message::of("there are %1 weights but %2 classes", plan.classWeights.size(), classes),
                                Message::of("give one weight per class, or none"));
    }
    for (std::size_t i = 0; i < outputs; ++i) {
        Loss const &loss = plan.lossOf(i, names[i]);
        auto const *spec = findLossSpec(loss.className);
        Shape const &shape = model.calls[model.outputs[i]].shape;
        TW_TRY(checkComparedAxis(loss.className, loss.config, shape, names[i]));
        for (auto const *metrics : {&plan.metricsOf(i, names[i]), &plan.weightedMetricsOf(i, names[i])})
            for (auto const &metric : *metrics) TW_TRY(checkComparedAxis(metric.className, metric.config, shape, names[i]));
        if (!spec || spec->labels != LabelForm::ClassIndex) continue;
        if (shape.size() < 2 || shape.back() < 2)
            return outputsError("training.loss-shape", "loss",
                                Message::of("%1 needs an axis of at least two classes, but output %2 has shape %3", loss.className,
                                            model.layerOf(model.outputs[i]).layer.name, toText(shape)),
                                Message::of("use a last layer with one output per class, or BinaryCrossentropy for a single one"));
    }
    return {};
}

} // namespace tilewright::model
