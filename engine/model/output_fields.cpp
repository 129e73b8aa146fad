#include "engine/model/output_fields.h"

#include "engine/core/text.h"

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
Result<std::vector<Metric>> metricsFrom(Json const &value)
{
    std::vector<Metric> metrics;
    auto const add = [&](Json const &item) -> Status {
        TW_ASSIGN(Metric metric, parseMetric(item));
        for (auto const &other : metrics)
            if (other.displayName == metric.displayName)
                return makeError(ErrorKind::Invalid, "model.bad-argument", "training.metrics",
                                 Message::of("metric '%1' is listed twice", metric.displayName), Message::of("list each metric once"));
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

/// As Keras's compile takes them: a list for every output, a list of lists, or lists by name.
OrderedJson metricsJson(TrainingPlan const &plan)
{
    if (plan.outputMetrics.empty()) return metricsJson(plan.metrics);
    bool const named = !plan.outputMetrics.front().output.empty();
    OrderedJson all = named ? OrderedJson::object() : OrderedJson::array();
    for (auto const &[output, metrics] : plan.outputMetrics)
        if (named) all[output] = metricsJson(metrics);
        else all.push_back(metricsJson(metrics));
    return all;
}

Status setMetrics(TrainingPlan &plan, Json const &value)
{
    std::vector<Metric> all;
    std::vector<OutputMetrics> each;
    bool const byName = value.is_object() && !value.contains("class_name");
    bool const byPlace = value.is_array() && std::ranges::any_of(value, [](Json const &item) { return item.is_array(); });
    if (byName) {
        for (auto const &[name, list] : value.items()) {
            if (name.empty())
                return makeError(ErrorKind::Invalid, "model.bad-argument", "training.metrics", Message::of("an output has no name"),
                                 Message::of("give each list the name of an output"));
            TW_ASSIGN(auto metrics, metricsFrom(list));
            each.push_back({name, std::move(metrics)});
        }
    } else if (byPlace) {
        for (auto const &list : value) {
            TW_ASSIGN(auto metrics, metricsFrom(list));
            each.push_back({"", std::move(metrics)});
        }
    } else {
        TW_ASSIGN(all, metricsFrom(value));
    }
    plan.metrics = std::move(all);
    plan.outputMetrics = std::move(each);
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

} // namespace tilewright::model
