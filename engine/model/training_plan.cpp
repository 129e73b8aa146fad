#include "engine/model/training_plan.h"

#include "engine/core/known_names.h"
#include "engine/model/plan_rules.h"

#include "engine/core/text.h"
#include "engine/model/output_fields.h"
#include "engine/model/recomputation.h"
#include "engine/model/names.h"
#include "engine/model/resolve.h"
#include "engine/model/stages.h"

#include <algorithm>
#include <functional>

namespace tilewright::model {

namespace {

struct Field {
    ParamInfo info;
    std::function<OrderedJson(TrainingPlan const &)> read;
    std::function<Status(TrainingPlan &, Json const &)> write;           ///< gets a value normalised by `info`, unless Text
    std::function<Status(TrainingPlan &, Json const &)> writeNamed = {}; ///< of a list: gets an object instead, as it is
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

Field flag(std::string name, bool TrainingPlan::*member, std::string help)
{
    TrainingPlan const defaults;
    return {{.name = std::move(name), .type = ParamType::Bool, .defaultJson = defaults.*member ? "true" : "false", .help = std::move(help)},
            [member](TrainingPlan const &plan) { return OrderedJson(plan.*member); },
            [member](TrainingPlan &plan, Json const &value) -> Status {
                plan.*member = value.get<bool>();
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

/// A list of numbers; empty: null.
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

Field lossWeightsField()
{
    auto field = factors("loss_weights", &TrainingPlan::lossWeights,
                         "weight of each output's loss: a list, or an object with output names; null: all 1");
    field.read = [list = field.read](TrainingPlan const &plan) {
        return plan.lossWeightOutputs.empty() ? list(plan) : namedLossWeightsJson(plan);
    };
    field.write = [list = field.write](TrainingPlan &plan, Json const &value) {
        plan.lossWeightOutputs.clear();
        return list(plan, value);
    };
    field.writeNamed = setNamedLossWeights;
    return field;
}

Field classWeightsField()
{
    auto field = factors("class_weight", &TrainingPlan::classWeights,
                         "weight of each class's samples in the loss: a list, or an object with class numbers; null: all 1");
    field.writeNamed = setNamedClassWeights;
    return field;
}

std::vector<Field> const &fields()
{
    static std::vector<Field> const all{
        {{.name = "loss",
          .type = ParamType::Text,
          .defaultJson = "\"mean_squared_error\"",
          .help = "loss; for outputs with different losses, a list with one per output or an object with output names"},
         lossesJson,
         setLosses},
        lossWeightsField(),
        classWeightsField(),
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
          .help = "blocks of a custom training loop, in order: gradients, accumulate, all_reduce, clip, apply, while; empty: fit"},
         [](TrainingPlan const &plan) { return trainingLoopJson(plan.loop); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             TW_ASSIGN(plan.loop, parseTrainingLoop(value));
             return {};
         }},
        {{.name = "metrics",
          .type = ParamType::Text,
          .defaultJson = "[]",
          .help = "metrics, such as accuracy; for several outputs, an object with output names or a list per output"},
         [](TrainingPlan const &plan) { return metricsJson(plan); },
         setMetrics},
        {{.name = "weighted_metrics",
          .type = ParamType::Text,
          .defaultJson = "[]",
          .help = "metrics in which samples count by their weights (data.sample_weight, and in training class_weight); in the form of "
                  "metrics"},
         weightedMetricsJson,
         setWeightedMetrics},
        integer("batch_size", &TrainingPlan::batchSize, 1, 1e6, "samples per step and replica (the micro-batch)"),
        integer("epochs", &TrainingPlan::epochs, 1, 1e9, "passes over the data"),
        integer("initial_epoch", &TrainingPlan::initialEpoch, 0, 1e9,
                "epochs that count as finished when a new training begins; a resumed one continues with the epoch of its checkpoint"),
        {{.name = "steps_per_epoch",
          .type = ParamType::Int,
          .min = 1,
          .max = 1e9,
          .help = "micro-batches of an epoch, over all replicas; each epoch begins with the first sample of its order; null: all samples",
          .nullable = true},
         [](TrainingPlan const &plan) { return plan.stepsPerEpoch == 0 ? OrderedJson() : OrderedJson(plan.stepsPerEpoch); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.stepsPerEpoch = value.is_null() ? 0 : value.get<std::int64_t>();
             return {};
         }},
        integer("steps_per_execution", &TrainingPlan::stepsPerExecution, 1, 1e9, "micro-batches per execution of the program"),
        integer("prefetch_depth", &TrainingPlan::prefetchDepth, 0, 255,
                "micro-batches that the host prepares ahead of the device (ipu_config.optimizations.prefetch_data_streams); 0: 3"),
        word(
            "outfeed_mode", &TrainingPlan::outfeedMode, {"all", "last"},
            "losses and metrics that the host keeps. all: those of every micro-batch. last: those of the last micro-batch of an execution, "
            "which then stand for all of it. The device sends all of them in both modes"),
        flag("accumulate_outfeed", &TrainingPlan::accumulateOutfeed,
             "the device computes the mean of the losses and metrics of an update's micro-batches and sends it once. The host sees this "
             "mean for each of these micro-batches"),
        integer("gradient_accumulation_steps", &TrainingPlan::gradientAccumulationSteps, 1, 1e6,
                "micro-batches whose gradients are combined into one weight update"),
        word("gradient_accumulation_reduction", &TrainingPlan::gradientAccumulationReduction, {"sum", "mean", "running_mean"},
             "how their gradients are combined"),
        integer("replicas", &TrainingPlan::replicas, 1, 65536,
                "copies of the model, each with its own data; 1: as many as the system's IPUs, or ipu_config.auto_select_ipus, allow"),
        word("placement", &TrainingPlan::placement, {"pipeline", "sharded"},
             "how IPUs share a model whose layers have stages. pipeline: they work on different micro-batches at the same time. sharded: "
             "they "
             "work on the same micro-batch, each on the layers of its stages. Stages may then follow each other in any order, and one "
             "micro-batch "
             "per update is enough"),
        word("pipeline_schedule", &TrainingPlan::pipelineSchedule, {"grouped", "interleaved", "sequential"},
             "schedule of the pipeline. grouped: each slot runs a forward and a backward pass. interleaved: slots alternate between "
             "forward and backward, and half as many micro-batches wait for their backward pass. sequential: one stage at a time"),
        {{.name = "device_mapping",
          .type = ParamType::IntList,
          .min = 0,
          .max = 63,
          .help = "IPU of each pipeline stage, by its number in the replica: [0, 1, 1, 0]. Stages on one IPU run one after the other; "
                  "training with the interleaved schedule does not support that. null: one IPU per stage",
          .nullable = true},
         [](TrainingPlan const &plan) { return plan.deviceMapping.empty() ? OrderedJson() : OrderedJson(plan.deviceMapping); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.deviceMapping.clear();
             if (value.is_array())
                 for (auto const &ipu : value) plan.deviceMapping.push_back(ipu.get<int>());
             return {};
         }},
        flag("offload_weight_update_variables", &TrainingPlan::offloadWeightUpdateVariables,
             "the state of the optimizer lives in streaming memory instead of on the tiles. Each update loads it and stores it again"),
        flag("offload_gradient_accumulation_buffers", &TrainingPlan::offloadGradientAccumulationBuffers,
             "the sums of gradients live in streaming memory instead of on the tiles. Each micro-batch loads them and stores them again"),
        flag("offload_weights", &TrainingPlan::offloadWeights,
             "the weights live in streaming memory instead of on the tiles. Each operation that reads them loads them, each update stores "
             "them"),
        flag("replicated_optimizer_state_sharding", &TrainingPlan::replicatedOptimizerStateSharding,
             "each replica stores only its part of the optimizer's state, updates that part of the weights, and receives the other parts "
             "from the other replicas. Needs offload_weight_update_variables"),
        flag("replicated_weight_sharding", &TrainingPlan::replicatedWeightSharding,
             "each replica stores only its part of each weight in streaming memory. An operation that reads a weight receives the other "
             "parts from the other replicas. Needs offload_weights"),
        flag("offload_activations", &TrainingPlan::offloadActivations,
             "the activations that wait in a pipeline for their backward pass live in streaming memory instead of on the tiles. Each slot "
             "stores those of one micro-batch and loads those of another"),
        word("recomputation_mode", &TrainingPlan::recomputationMode,
             {"auto", "recompute_then_backpropagate", "recompute_and_backpropagate_interleaved"},
             "how a pipeline recomputes (ipu_config.allow_recompute). recompute_then_backpropagate: a stage runs its forward pass again as "
             "a whole, then its backward pass; the last stage keeps its activations. recompute_and_backpropagate_interleaved: the parts "
             "between two recomputation checkpoints run again one by one, from the last. auto: the latter for the sequential schedule"),
        {{.name = "recomputation_checkpoints",
          .type = ParamType::Text,
          .defaultJson = "[]",
          .help = "names of layers whose outputs are recomputation checkpoints: with ipu_config.allow_recompute, only these are kept "
                  "for the backward pass, and what lies between two of them is computed again"},
         [](TrainingPlan const &plan) { return OrderedJson(plan.recomputationCheckpoints); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             TW_ASSIGN(plan.recomputationCheckpoints, parseCheckpoints(value));
             return {};
         }},
        integer("recurrent_checkpoints", &TrainingPlan::recurrentCheckpoints, 0, 1e6,
                "recomputation checkpoints along the time of each recurrent layer: its loop is cut into one more part than that, of equal "
                "lengths. With ipu_config.allow_recompute, only the states between two parts are kept for the backward pass"),
        integer("seed", &TrainingPlan::seed, 0, 9e15, "seed of initial weights, shuffling and, without device_seed, the device's draws"),
        {{.name = "device_seed",
          .type = ParamType::Int,
          .min = 0,
          .max = 9e15,
          .help = "seed of the device's draws, as reset_ipu_seed sets it: dropout, noise, stochastic rounding; null: seed",
          .nullable = true},
         [](TrainingPlan const &plan) { return plan.deviceSeed ? OrderedJson(*plan.deviceSeed) : OrderedJson(); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.deviceSeed = value.is_null() ? std::nullopt : std::optional(value.get<std::int64_t>());
             return {};
         }},
        flag("identical_replica_seeds", &TrainingPlan::identicalReplicaSeeds,
             "all replicas draw the same bits (experimental_identical_replicas of reset_ipu_seed); else each draws its own"),
        flag("shuffle", &TrainingPlan::shuffle, "shuffles the samples in each epoch"),
        {{.name = "callbacks",
          .type = ParamType::Text,
          .defaultJson = "[]",
          .help = "callbacks of the training, in order, by class_name and config: EarlyStopping, ReduceLROnPlateau, "
                  "LearningRateScheduler, ModelCheckpoint, CSVLogger, TerminateOnNaN"},
         [](TrainingPlan const &plan) { return callbacksJson(plan.callbacks); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             TW_ASSIGN(plan.callbacks, parseCallbacks(value));
             return {};
         }},
        flag("asynchronous_callbacks", &TrainingPlan::asynchronousCallbacks,
             "callbacks that act within an epoch see every step instead of every execution, on a thread of their own; the device does not "
             "wait for them (set_asynchronous_callbacks)"),
        {{.name = "validation_freq",
          .type = ParamType::IntList,
          .defaultJson = "1",
          .min = 1,
          .max = 1e9,
          .help = "validates after every so many epochs; a list: after these epochs, counted from 1",
          .orInteger = true},
         [](TrainingPlan const &plan) {
             return plan.validationFreq.size() == 1 ? OrderedJson(plan.validationFreq.front()) : OrderedJson(plan.validationFreq);
         },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.validationFreq.clear();
             if (!value.is_array()) plan.validationFreq.push_back(value.get<std::int64_t>());
             else plan.validationFreq = value.get<std::vector<std::int64_t>>();
             if (!plan.validationFreq.empty()) return {};
             return makeError(ErrorKind::Invalid, "model.bad-argument", "training.validation_freq", Message::of("the list is empty"),
                              Message::of("give a number, or the epochs to validate after"));
         }},
        {{.name = "validation_split",
          .type = ParamType::Float,
          .defaultJson = "0.0",
          .min = 0,
          .max = 0.999999,
          .help = "share of the data, from its end, used for validation"},
         [](TrainingPlan const &plan) { return OrderedJson(plan.validationSplit); },
         [](TrainingPlan &plan, Json const &value) -> Status {
             plan.validationSplit = value.get<double>();
             return {};
         }},
        word("validation_executable", &TrainingPlan::validationExecutable, {"own", "shared"},
             "executable of validation, evaluation and prediction. own: separate ones, loaded before each validation, and the training's "
             "after it. shared: entries of the training's executable over the same weights; nothing is compiled or loaded apart, and the "
             "tiles hold the code of all"),
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
    if (auto known = aboutKnownName("training." + path)) return *known;
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
    if (field.writeNamed && value.is_object()) return field.writeNamed(plan, value);
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
    int const stages = pipelineStages(model, plan);
    std::int64_t const depth = stages > 0 ? pipelineDepthMultiple(plan.pipelineSchedule, stages, true) : 1;
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

/// The weights of a layer lie on one IPU: that of all its calls.
Status checkSharedLayers(TrainingPlan const &plan, ResolvedModel const &model)
{
    auto const ipus = stageIpus(plan.deviceMapping, model.stages());
    auto const ipuOf = [&](std::size_t call) {
        auto const stage = model.calls[call].stage;
        return stage < 0 || static_cast<std::size_t>(stage) >= ipus.size() ? -1 : ipus[static_cast<std::size_t>(stage)];
    };
    for (auto const &layer : model.layers)
        for (auto const call : layer.calls)
            if (!layer.weights.empty() && ipuOf(call) != ipuOf(layer.calls.front()))
                return makeError(ErrorKind::Invalid, "model.stage", layer.layer.name,
                                 Message::of("the shared layer's weights would be needed on several IPUs"),
                                 Message::of("put all its calls into one stage, or their stages on one IPU (training.device_mapping)"));
    return {};
}

Status checkOutfeed(TrainingPlan const &plan, ResolvedModel const &model)
{
    if (!plan.accumulateOutfeed) return {};
    if (plan.outfeedMode == "last")
        return planError("training.outfeed", "accumulate_outfeed",
                         Message::of("what the device accumulates is for all micro-batches, but the host keeps only the last outputs"),
                         Message::of("set training.outfeed_mode to all"));
    if (plan.gradientAccumulationSteps > 1 || pipelineStages(model, plan) > 0) return {};
    return planError("training.outfeed", "accumulate_outfeed",
                     Message::of("each update has one micro-batch: there are no outputs to accumulate"),
                     Message::of("set it to false, or raise training.gradient_accumulation_steps"));
}

} // namespace

TrainingPlan::TrainingPlan()
{
    static Loss const loss = *parseLoss("mean_squared_error");
    static Optimizer const rmsprop = *parseOptimizer("rmsprop");
    losses = {loss};
    optimizer = rmsprop;
}

Loss const &TrainingPlan::lossOf(std::size_t output, std::string_view name) const
{
    TW_CHECK(!losses.empty(), "a plan without losses");
    auto const named = std::ranges::find(lossOutputs, name);
    if (named != lossOutputs.end()) output = static_cast<std::size_t>(named - lossOutputs.begin());
    return output < losses.size() ? losses[output] : losses.front();
}

namespace {
std::vector<Metric> const &listOf(std::vector<Metric> const &all, std::vector<OutputMetrics> const &each, std::size_t output,
                                  std::string_view name)
{
    static std::vector<Metric> const none;
    if (each.empty()) return all;
    for (std::size_t i = 0; i < each.size(); ++i)
        if (each[i].output.empty() ? i == output : each[i].output == name) return each[i].metrics;
    return none;
}
} // namespace

std::vector<Metric> const &TrainingPlan::metricsOf(std::size_t output, std::string_view name) const
{
    return listOf(metrics, outputMetrics, output, name);
}

std::vector<Metric> const &TrainingPlan::weightedMetricsOf(std::size_t output, std::string_view name) const
{
    return listOf(weightedMetrics.all, weightedMetrics.each, output, name);
}

double TrainingPlan::lossWeight(std::size_t output, std::string_view name) const
{
    if (lossWeightOutputs.empty()) return output < lossWeights.size() ? lossWeights[output] : 1.0;
    auto const named = std::ranges::find(lossWeightOutputs, name);
    return named == lossWeightOutputs.end() ? 1.0 : lossWeights[static_cast<std::size_t>(named - lossWeightOutputs.begin())];
}

bool TrainingPlan::validatesEpoch(std::int64_t epoch) const
{
    if (validationFreq.size() == 1) return epoch % std::max<std::int64_t>(1, validationFreq.front()) == 0;
    return std::ranges::find(validationFreq, epoch) != validationFreq.end();
}

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
    TW_TRY(checkNames(json));
    TrainingPlan plan;
    for (auto const &[key, value] : json.items()) {
        auto const &all = fields();
        auto const field = std::find_if(all.begin(), all.end(), [&name = key](Field const &each) { return each.info.name == name; });
        if (field == all.end()) return noField(plan, key);
        TW_TRY(writeField(plan, *field, value));
    }
    return plan;
}

std::vector<Diagnostic> trainingPlanProblems(TrainingPlan const &plan, ResolvedModel const &model)
{
    std::vector<Diagnostic> problems;
    auto const add = [&](auto const &status) {
        if (!status.ok()) problems.push_back(status.error());
    };
    // Values set in memory may be out of range; the fields know their ranges.
    for (auto const &field : fields())
        if (field.info.type != ParamType::Text) {
            OrderedJson const value = field.read(plan);
            auto copy = plan;
            if (field.writeNamed && value.is_object()) add(field.writeNamed(copy, Json(value)));
            else add(normalizeParam(field.info, Json(value), "training." + field.info.name));
        }
    if (!problems.empty()) return problems; // the rules below divide by them
    add(checkOutputs(plan, model));
    add(checkOptimizer(plan.optimizer));
    if (!findOptimizerSpec(plan.optimizer.className))
        problems.push_back(planError("training.optimizer", "optimizer", Message::of("no optimizer is set"),
                                     Message::of("set training.optimizer, for example to sgd")));
    if (model.trainableParameters() == 0)
        problems.push_back(planError("training.no-weights", "", Message::of("model %1 has no trainable weights", model.name),
                                     Message::of("add a layer with weights or unfreeze one")));
    add(checkDeviceMapping(plan.deviceMapping, model.stages(), plan.pipelineSchedule, !plan.isSharded()));
    add(checkAccumulation(plan, model));
    add(checkTrainingLoop(plan, model));
    add(checkRecomputation(plan, model));
    add(checkOutfeed(plan, model));
    if (model.pipelined()) add(plan.isSharded() ? checkShards(model) : checkStages(model));
    if (model.pipelined() && !plan.isSharded()) add(checkSharedLayers(plan, model));
    return problems;
}

Status checkTrainingPlan(TrainingPlan const &plan, ResolvedModel const &model)
{
    auto const problems = trainingPlanProblems(plan, model);
    return problems.empty() ? Status() : Status(problems.front());
}

} // namespace tilewright::model
