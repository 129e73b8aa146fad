#include "views/plan/plan_specs.h"

#include "views/common/words.h"
#include "views/diagnostics/registry_text.h"
#include "views/properties/class_choice.h"

#include "engine/model/losses.h"

#include <algorithm>
#include <iterator>

namespace tilewright::views {

namespace {

QString text(std::string const &value) { return QString::fromStdString(value); }

/// A field by its name, with words for a label.
PropertySpec field(model::TrainingPlan const &plan, char const *name, QString const &label, QString const &group)
{
    auto spec = trainingSpec(plan, QString::fromLatin1(name));
    spec.label = label;
    spec.group = group;
    return spec;
}

/// Edited as JSON; the list of metrics beside it ticks those without weights.
void addWeightedMetrics(model::TrainingPlan const &plan, std::vector<PropertySpec> &specs)
{
    specs.push_back(field(plan, "weighted_metrics", Words::tr("Weighted metrics"), Words::tr("Loss")));
    specs.back().kind = EditorKind::Structure;
    specs.back().typeText = Words::tr("a list of metrics, or one by output");
}

void addLoss(model::TrainingPlan const &plan, std::vector<PropertySpec> &specs)
{
    QString const group = Words::tr("Loss");
    if (plan.losses.size() != 1) { // one per output: edited as JSON
        specs.push_back(field(plan, "loss", Words::tr("Losses"), group));
        specs.back().kind = EditorKind::Structure;
        specs.back().typeText = Words::tr("a list with one loss per output");
        specs.push_back(field(plan, "loss_weights", Words::tr("Weights of the losses"), group));
        addWeightedMetrics(plan, specs);
        return;
    }
    auto const *present = model::findLossSpec(plan.losses.front().className);
    auto loss = classChoice("loss", Words::tr("Loss"), group,
                            present ? registryText(present->help) + QLatin1Char(' ') + registryText(present->formula) : QString(),
                            QStringLiteral("MeanSquaredError"), [](model::TrainingPlan const &each) {
                                return each.losses.size() == 1 ? each.losses.front().className : std::string();
                            });
    for (auto const &spec : model::lossSpecs()) loss.choices.push_back({text(spec.className), text(spec.className)});
    loss.typeText = typeTextOf(loss);
    specs.push_back(loss);
    if (!present) return;
    for (auto const &param : present->params)
        if (param.name != "name") specs.push_back(specOf(param, QStringLiteral("training.loss.") + text(param.name), group));
    if (!plan.lossWeights.empty()) specs.push_back(field(plan, "loss_weights", Words::tr("Weight of the loss"), group));
    specs.push_back(field(plan, "class_weight", Words::tr("Weights of the classes"), group));
    addWeightedMetrics(plan, specs);
}

} // namespace

std::vector<PropertySpec> planSpecs(project::Project const &project)
{
    auto const &plan = project.training;
    std::vector<PropertySpec> specs;
    QString const batches = Words::tr("Batches and updates"), order = Words::tr("Order of the data");
    // Batch size and epochs are changed most: they come first.
    specs.push_back(field(plan, "batch_size", Words::tr("Batch size"), batches));
    specs.back().unit = Words::tr("samples");
    specs.push_back(field(plan, "epochs", Words::tr("Epochs"), batches));
    specs.push_back(field(plan, "steps_per_execution", Words::tr("Steps per execution"), batches));
    specs.push_back(field(plan, "prefetch_depth", Words::tr("Prefetch depth"), batches));
    specs.back().unit = Words::tr("micro-batches");
    specs.push_back(field(plan, "gradient_accumulation_steps", Words::tr("Accumulation steps"), batches));
    specs.push_back(field(plan, "gradient_accumulation_reduction", Words::tr("Accumulate by"), batches));
    specs.push_back(field(plan, "accumulate_outfeed", Words::tr("Accumulate outputs"), batches));
    specs.push_back(field(plan, "outfeed_mode", Words::tr("Outputs kept"), batches));
    specs.push_back(field(plan, "asynchronous_callbacks", Words::tr("Callbacks beside the run"), batches));
    specs.push_back(field(plan, "replicas", Words::tr("Replicas"), batches));
    specs.back().note = replicasNote(project);
    specs.push_back(field(plan, "validation_executable", Words::tr("Validation executable"), batches));
    specs.push_back(field(plan, "placement", Words::tr("Placement of the stages"), batches));
    specs.push_back(field(plan, "pipeline_schedule", Words::tr("Pipeline schedule"), batches));
    specs.push_back(field(plan, "device_mapping", Words::tr("IPUs of the stages"), batches));
    addLoss(plan, specs);
    std::ranges::copy(optimizerFields(plan), std::back_inserter(specs));
    QString const memory = Words::tr("Streaming memory");
    specs.push_back(field(plan, "offload_weight_update_variables", Words::tr("Optimizer state"), memory));
    specs.push_back(field(plan, "offload_gradient_accumulation_buffers", Words::tr("Sums of gradients"), memory));
    specs.push_back(field(plan, "offload_weights", Words::tr("Weights"), memory));
    specs.push_back(field(plan, "replicated_optimizer_state_sharding", Words::tr("Shards of the optimizer state"), memory));
    specs.push_back(field(plan, "replicated_weight_sharding", Words::tr("Shards of the weights"), memory));
    specs.push_back(field(plan, "offload_activations", Words::tr("Waiting activations"), memory));
    QString const recomputation = Words::tr("Recomputation");
    specs.push_back(field(plan, "recomputation_checkpoints", Words::tr("Checkpoints at layers"), recomputation));
    specs.back().kind = EditorKind::Structure;
    specs.back().typeText = Words::tr("a list of names of layers");
    specs.push_back(field(plan, "recurrent_checkpoints", Words::tr("Checkpoints along time"), recomputation));
    specs.push_back(field(plan, "recomputation_mode", Words::tr("In pipelines"), recomputation));
    specs.push_back(field(plan, "shuffle", Words::tr("Shuffle"), order));
    specs.push_back(field(plan, "seed", Words::tr("Seed"), order));
    specs.push_back(field(plan, "device_seed", Words::tr("Seed of the device"), order));
    specs.push_back(field(plan, "identical_replica_seeds", Words::tr("Replicas draw alike"), order));
    specs.push_back(field(plan, "validation_split", Words::tr("Validation split"), order));
    return specs;
}

} // namespace tilewright::views
