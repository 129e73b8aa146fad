#include "engine/model/training_plan.h"

#include "engine/core/text.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"

#include <algorithm>
#include <functional>

namespace tilewright::model {

namespace {

struct Field {
    ParamInfo info;
    std::function<OrderedJson(TrainingPlan const &)> read;
    std::function<Status(TrainingPlan &, Json const &)> write; ///< gets a value normalised by `info`, unless Text
};

Field integer(std::string name, std::int64_t TrainingPlan::*member, double min, double max, std::string help)
{
    TrainingPlan const defaults;
    return {{.name = std::move(name),
             .type = ParamType::Int,
             .defaultJson = std::to_string(defaults.*member),
             .min = min,
             .max = max,
             .help = std::move(help)},
            [member](TrainingPlan const &plan) { return OrderedJson(plan.*member); },
            [member](TrainingPlan &plan, Json const &value) -> Status {
                plan.*member = value.get<std::int64_t>();
                return {};
            }};
}

Field word(std::string name, std::string TrainingPlan::*member, std::vector<std::string> allowed, std::string help)
{
    TrainingPlan const defaults;
    return {{.name = std::move(name),
             .type = ParamType::Enum,
             .defaultJson = "\"" + defaults.*member + "\"",
             .allowed = std::move(allowed),
             .help = std::move(help)},
            [member](TrainingPlan const &plan) { return OrderedJson(plan.*member); },
            [member](TrainingPlan &plan, Json const &value) -> Status {
                plan.*member = value.get<std::string>();
                return {};
            }};
}

OrderedJson lossesJson(TrainingPlan const &plan)
{
    if (plan.losses.size() == 1) return orderedLoss(plan.losses.front());
    OrderedJson list = OrderedJson::array();
    for (auto const &loss : plan.losses) list.push_back(orderedLoss(loss));
    return list;
}

Status setLosses(TrainingPlan &plan, Json const &value)
{
    std::vector<Loss> losses;
    if (value.is_array()) {
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
    return {};
}

OrderedJson metricsJson(std::vector<Metric> const &metrics)
{
    OrderedJson list = OrderedJson::array();
    for (auto const &metric : metrics) list.push_back(OrderedJson(metricJson(metric)));
    return list;
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

Status setMetrics(TrainingPlan &plan, Json const &value)
{
    std::vector<Metric> all;
    std::vector<OutputMetrics> each;
    bool const byName = value.is_object() && !value.contains("class_name");
    bool const byPlace = value.is_array() && std::ranges::any_of(value, [](Json const &item) { return item.is_array(); });
    if (byName) {
        for (auto const &[name, list] : value.items()) {
            if (name.empty())
                return makeError(ErrorKind::Invalid, "model.bad-argument", "training.metrics",
                                 Message::of("a list of metrics has no output name"), Message::of("give each list the name of an output"));
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

/// Empty: null.
Field factors(char const *name, std::vector<double> TrainingPlan::*member, char const *help)
{
    return {{.name = name, .type = ParamType::FloatList, .help = help, .nullable = true},
            [member](TrainingPlan const &plan) { return (plan.*member).empty() ? OrderedJson() : OrderedJson(plan.*member); },
            [member](TrainingPlan &plan, Json const &value) -> Status {
                (plan.*member).clear();
                if (value.is_array())
                    for (auto const &factor : value) (plan.*member).push_back(factor.get<double>());
                return {};
            }};
}

std::vector<Field> const &fields()
{
    static std::vector<Field> const all{
        {{.name = "loss", .type = ParamType::Text, .defaultJson = "\"mean_squared_error\"", .help = "loss, or a list with one per output"},
         lossesJson,
         setLosses},
        factors("loss_weights", &TrainingPlan::lossWeights, "factor of each output's loss; null: all 1"),
        factors("class_weight", &TrainingPlan::classWeights, "factor of the loss of each class's samples, by class number; null: all 1"),
        {{.name = "optimizer",
          .type = ParamType::Text,
          .defaultJson = "\"rmsprop\"",
          .help = "optimizer: a name, or class_name and config"},
         [](TrainingPlan const &plan) { return orderedOptimizer(plan.optimizer); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             TW_ASSIGN(plan.optimizer, parseOptimizer(value));
             return {};
         }},
        {{.name = "loop",
          .type = ParamType::Text,
          .defaultJson = "[]",
          .help = "blocks of a training loop of your own, in order: gradients, accumulate, all_reduce, clip, apply, while; empty: fit"},
         [](TrainingPlan const &plan) { return trainingLoopJson(plan.loop); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             TW_ASSIGN(plan.loop, parseTrainingLoop(value));
             return {};
         }},
        {{.name = "metrics",
          .type = ParamType::Text,
          .defaultJson = "[]",
          .help = "metrics, like accuracy; lists by output's name, or one for each output, where they differ"},
         [](TrainingPlan const &plan) { return metricsJson(plan); },
         setMetrics},
        integer("batch_size", &TrainingPlan::batchSize, 1, 1e6, "samples per step and replica (the micro-batch)"),
        integer("epochs", &TrainingPlan::epochs, 1, 1e9, "passes over the data"),
        integer("steps_per_execution", &TrainingPlan::stepsPerExecution, 1, 1e9, "micro-batches per start of the program"),
        integer("gradient_accumulation_steps", &TrainingPlan::gradientAccumulationSteps, 1, 1e6,
                "micro-batches whose gradients make one weight update"),
        word("gradient_accumulation_reduction", &TrainingPlan::gradientAccumulationReduction, {"sum", "mean", "running_mean"},
             "how their gradients are combined"),
        integer("replicas", &TrainingPlan::replicas, 1, 65536,
                "copies of the model, each with its own data; 1: as many as the system has IPUs for, or as ipu_config.auto_select_ipus "
                "asks for"),
        word("pipeline_schedule", &TrainingPlan::pipelineSchedule, {"grouped", "interleaved", "sequential"},
             "when the stages of a pipeline work: grouped, each forward and backward in every slot; interleaved, one of the two in turn, "
             "which keeps half the activations; sequential, one stage at a time"),
        {{.name = "device_mapping",
          .type = ParamType::IntList,
          .min = 0,
          .max = 63,
          .help = "IPU of each pipeline stage, by its number in the replica: [0, 1, 1, 0]; several stages of one IPU run one after the "
                  "other, which Interleaved does not take in training; null: an IPU of its own for each",
          .nullable = true},
         [](TrainingPlan const &plan) { return plan.deviceMapping.empty() ? OrderedJson() : OrderedJson(plan.deviceMapping); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.deviceMapping.clear();
             if (value.is_array())
                 for (auto const &ipu : value) plan.deviceMapping.push_back(ipu.get<int>());
             return {};
         }},
        integer("seed", &TrainingPlan::seed, 0, 9e15, "seed of initial weights, dropout and shuffling"),
        {{.name = "shuffle", .type = ParamType::Bool, .defaultJson = "true", .help = "new order of the samples in each epoch"},
         [](TrainingPlan const &plan) { return OrderedJson(plan.shuffle); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.shuffle = value.get<bool>();
             return {};
         }},
        {{.name = "validation_split",
          .type = ParamType::Float,
          .defaultJson = "0.0",
          .min = 0,
          .max = 0.999999,
          .help = "share of the data, from the end, kept for validation"},
         [](TrainingPlan const &plan) { return OrderedJson(plan.validationSplit); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.validationSplit = value.get<double>();
             return {};
         }},
        word("validation_executable", &TrainingPlan::validationExecutable, {"own", "shared"},
             "where a validation runs: own, in an executable of its own, which is loaded before it and the training's after it; shared, as "
             "an entry of the one that trains, over the same weights: nothing is loaded, and the tiles hold the code of both"),
    };
    return all;
}

/// "optimizer.learning_rate" -> "learning_rate" and what it belongs to; null when the path is none such.
struct Nested {
    std::vector<ParamInfo> const *params = nullptr;
    std::string key;
    bool loss = false;
};

Nested nestedField(TrainingPlan const &plan, std::string const &path)
{
    auto const dot = path.find('.');
    if (dot == std::string::npos) return {};
    std::string const head = path.substr(0, dot);
    Nested nested;
    nested.key = path.substr(dot + 1);
    if (head == "optimizer") {
        if (auto const *spec = findOptimizerSpec(plan.optimizer.className)) nested.params = &spec->params;
    } else if (head == "loss" && plan.losses.size() == 1) {
        nested.loss = true;
        if (auto const *spec = findLossSpec(plan.losses.front().className)) nested.params = &spec->params;
    }
    return nested;
}

std::string withoutPrefix(std::string_view path)
{
    if (path.starts_with("training.")) path.remove_prefix(9);
    return std::string(path);
}

Diagnostic noField(TrainingPlan const &plan, std::string const &path)
{
    std::vector<std::string> names;
    for (auto const &field : fields()) names.push_back(field.info.name);
    if (auto const *spec = findOptimizerSpec(plan.optimizer.className))
        for (auto const &param : spec->params) {
            names.push_back("optimizer." + param.name);
            if (param.name == path) // the person forgot whose argument it is
                return makeError(ErrorKind::Invalid, "model.no-field", "training." + path, Message::of("the plan has no such field"),
                                 Message::of("did you mean 'training.optimizer.%1'?", path));
        }
    if (plan.losses.size() == 1)
        if (auto const *spec = findLossSpec(plan.losses.front().className))
            for (auto const &param : spec->params) names.push_back("loss." + param.name);
    return makeError(ErrorKind::Invalid, "model.no-field", "training." + path, Message::of("the plan has no such field"),
                     suggestion(path, names));
}

std::string fieldText(OrderedJson const &value)
{
    if (value.is_string()) return value.get<std::string>();
    return pythonText(value);
}

Status writeField(TrainingPlan &plan, Field const &field, Json value)
{
    if (field.info.type != ParamType::Text) { TW_ASSIGN(value, normalizeParam(field.info, value, "training." + field.info.name)); }
    return field.write(plan, value);
}

Diagnostic planError(std::string code, std::string subject, Message message, Message remedy)
{
    return makeError(ErrorKind::Invalid, std::move(code), subject.empty() ? "training" : "training." + subject, std::move(message),
                     std::move(remedy));
}

Status checkAccumulation(TrainingPlan const &plan, ResolvedModel const &model)
{
    TW_TRY(checkDeviceMapping(plan.deviceMapping, model.stages(), plan.pipelineSchedule, true));
    // What the steps of an execution have to be a multiple of comes first.
    int const stages = model.pipelined() ? model.stages() : 1;
    std::int64_t const depth = model.pipelined() ? pipelineDepthMultiple(plan.pipelineSchedule, stages, true) : 1;
    if (plan.gradientAccumulationSteps % depth != 0)
        return planError(
            "training.accumulation", "gradient_accumulation_steps",
            Message::of("a pipeline of %1 stages under the %2 schedule needs a multiple of %3 gradient accumulation steps, not %4", stages,
                        plan.pipelineSchedule, depth, plan.gradientAccumulationSteps),
            Message::of("set gradient_accumulation_steps to %1 or a multiple of it", std::to_string(depth)));
    if (plan.stepsPerExecution % plan.gradientAccumulationSteps != 0)
        return planError("training.steps-per-execution", "steps_per_execution",
                         Message::of("steps_per_execution %1 of model %2 is not divisible by the %3 gradient accumulation steps",
                                     plan.stepsPerExecution, model.name, plan.gradientAccumulationSteps),
                         Message::of("set steps_per_execution to a multiple of %1", std::to_string(plan.gradientAccumulationSteps)));
    return {};
}

} // namespace

TrainingPlan::TrainingPlan()
{
    static Loss const loss = *parseLoss("mean_squared_error");
    static Optimizer const rmsprop = *parseOptimizer("rmsprop");
    losses = {loss};
    optimizer = rmsprop;
}

Loss const &TrainingPlan::lossOf(std::size_t output) const
{
    TW_CHECK(!losses.empty(), "a plan without losses");
    return output < losses.size() ? losses[output] : losses.front();
}

std::vector<Metric> const &TrainingPlan::metricsOf(std::size_t output, std::string_view name) const
{
    static std::vector<Metric> const none;
    if (outputMetrics.empty()) return metrics;
    for (std::size_t i = 0; i < outputMetrics.size(); ++i)
        if (outputMetrics[i].output.empty() ? i == output : outputMetrics[i].output == name) return outputMetrics[i].metrics;
    return none;
}

double TrainingPlan::lossWeight(std::size_t output) const { return output < lossWeights.size() ? lossWeights[output] : 1.0; }

std::vector<ParamInfo> const &trainingFields()
{
    static std::vector<ParamInfo> const infos = [] {
        std::vector<ParamInfo> list;
        for (auto const &field : fields()) list.push_back(field.info);
        return list;
    }();
    return infos;
}

Result<std::string> trainingField(TrainingPlan const &plan, std::string_view path)
{
    std::string const name = withoutPrefix(path);
    for (auto const &field : fields())
        if (field.info.name == name) return fieldText(field.read(plan));
    Nested const nested = nestedField(plan, name);
    if (nested.params) {
        Json const &config = nested.loss ? plan.losses.front().config : plan.optimizer.config;
        for (auto const &param : *nested.params)
            if (param.name == nested.key) return fieldText(config.contains(param.name) ? OrderedJson(config[param.name]) : OrderedJson());
    }
    return noField(plan, name);
}

Result<TrainingPlan> withTrainingField(TrainingPlan const &plan, std::string_view path, std::string_view text)
{
    std::string const name = withoutPrefix(path);
    TrainingPlan changed = plan;
    for (auto const &field : fields()) {
        if (field.info.name != name) continue;
        // Text fields take a name or JSON: let JSON through where it is an object or a list.
        ParamInfo loose = field.info;
        if (loose.type == ParamType::Text) loose.type = ParamType::Initializer;
        TW_TRY(writeField(changed, field, valueFromText(loose, text)));
        return changed;
    }
    Nested const nested = nestedField(plan, name);
    if (nested.params) {
        for (auto const &param : *nested.params) {
            if (param.name != nested.key) continue;
            TW_ASSIGN(Json value, normalizeParam(param, valueFromText(param, text), "training." + name));
            (nested.loss ? changed.losses.front().config : changed.optimizer.config)[param.name] = std::move(value);
            return changed;
        }
    }
    return noField(plan, name);
}

OrderedJson trainingPlanJson(TrainingPlan const &plan)
{
    OrderedJson json = OrderedJson::object();
    for (auto const &field : fields()) json[field.info.name] = field.read(plan);
    return json;
}

Result<TrainingPlan> trainingPlanFromJson(Json const &json)
{
    if (!json.is_object())
        return planError("model.format", "", Message::of("the training plan is not an object"),
                         Message::of("give {\"batch_size\": 32, ...}"));
    TrainingPlan plan;
    for (auto const &[key, value] : json.items()) {
        auto const &all = fields();
        auto const field = std::find_if(all.begin(), all.end(), [&name = key](Field const &each) { return each.info.name == name; });
        if (field == all.end()) return noField(plan, key);
        TW_TRY(writeField(plan, *field, value));
    }
    return plan;
}

Status checkOutputs(TrainingPlan const &plan, ResolvedModel const &model)
{
    std::size_t const outputs = model.outputs.size();
    if (plan.losses.empty() || (plan.losses.size() != 1 && plan.losses.size() != outputs))
        return planError("training.loss-count", "loss", Message::of("there are %1 losses but %2 outputs", plan.losses.size(), outputs),
                         Message::of("give one loss, or one per output"));
    if (!plan.lossWeights.empty() && plan.lossWeights.size() != outputs)
        return planError("training.loss-weights", "loss_weights",
                         Message::of("there are %1 loss weights but %2 outputs", plan.lossWeights.size(), outputs),
                         Message::of("give one weight per output, or none"));
    bool const byPlace = !plan.outputMetrics.empty() && plan.outputMetrics.front().output.empty();
    if (byPlace && plan.outputMetrics.size() != outputs)
        return planError("training.metrics", "metrics",
                         Message::of("there are %1 lists of metrics but %2 outputs", plan.outputMetrics.size(), outputs),
                         Message::of("give one list for all outputs, one per output, or lists by the outputs' names"));
    if (!byPlace) {
        std::vector<std::string> names;
        for (std::size_t i = 0; i < outputs; ++i) names.push_back(outputName(model, i));
        for (auto const &[output, metrics] : plan.outputMetrics)
            if (std::ranges::find(names, output) == names.end())
                return planError("training.metrics", "metrics", Message::of("no output is named '%1'", output),
                                 Message::of("the outputs are %1", joinText(names, ", ")));
    }
    if (!plan.classWeights.empty()) {
        if (outputs != 1)
            return planError("training.class-weight", "class_weight",
                             Message::of("class weights need a model with one output; this one has %1", outputs),
                             Message::of("weigh the samples (data.sample_weight), or the losses (loss_weights)"));
        auto const last = model.calls[model.outputs[0]].shape.empty() ? 1 : model.calls[model.outputs[0]].shape.back();
        auto const classes = static_cast<std::size_t>(std::max<std::int64_t>(2, last)); // one output tells two apart
        if (plan.classWeights.size() != classes)
            return planError("training.class-weight", "class_weight",
                             Message::of("there are %1 weights but %2 classes", plan.classWeights.size(), classes),
                             Message::of("give one weight per class, or none"));
    }
    for (std::size_t i = 0; i < outputs; ++i) {
        Loss const &loss = plan.lossOf(i);
        auto const *spec = findLossSpec(loss.className);
        Shape const &shape = model.calls[model.outputs[i]].shape;
        if (!spec || spec->labels != LabelForm::ClassIndex) continue;
        if (shape.size() < 2 || shape.back() < 2)
            return planError("training.loss-shape", "loss",
                             Message::of("%1 needs an axis of at least two classes, but output %2 has shape %3", loss.className,
                                         model.layerOf(model.outputs[i]).layer.name, toText(shape)),
                             Message::of("use a last layer with one output per class, or BinaryCrossentropy for a single one"));
    }
    return {};
}

Status checkTrainingPlan(TrainingPlan const &plan, ResolvedModel const &model)
{
    // Values set in memory may be out of range; the fields know their ranges.
    for (auto const &field : fields())
        if (field.info.type != ParamType::Text) {
            OrderedJson const value = field.read(plan);
            TW_ASSIGN(Json const checked, normalizeParam(field.info, Json(value), "training." + field.info.name));
            (void)checked;
        }
    TW_TRY(checkOutputs(plan, model));
    TW_TRY(checkOptimizer(plan.optimizer));
    if (!findOptimizerSpec(plan.optimizer.className))
        return planError("training.optimizer", "optimizer", Message::of("no optimizer is set"),
                         Message::of("set training.optimizer, for example to sgd"));
    if (model.trainableParameters() == 0)
        return planError("training.no-weights", "", Message::of("model %1 has no trainable weights", model.name),
                         Message::of("add a layer with weights or unfreeze one"));
    TW_TRY(checkAccumulation(plan, model));
    TW_TRY(checkTrainingLoop(plan, model));
    if (model.pipelined()) TW_TRY(checkStages(model));
    return {};
}

} // namespace tilewright::model
