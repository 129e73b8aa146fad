#include "engine/compiler/entry_graph.h"

#include "engine/compiler/tensor_limit.h"
#include "engine/core/text.h"
#include "engine/model/stages.h"
#include "engine/ops/op_def.h"
#include "engine/passes/decisions.h"
#include "engine/training/step_passes.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace tilewright::compiler {

std::int64_t stepsOfPipeline(project::Project const &p, model::ResolvedModel const &model)
{
    int const stages = model::pipelineStages(model, p.training);
    return stages > 1 ? model::pipelineDepthMultiple(p.training.pipelineSchedule, stages, false) : 1;
}

Result<EntryShape> shapeFor(RunKind kind, project::Project const &p, model::ResolvedModel const &model, Distribution const &distribution,
                            std::int64_t samples)
{
    std::int64_t const steps = stepsOfPipeline(p, model), each = distribution.replicas * steps;
    std::int64_t batch = std::min(p.training.batchSize, samples / each);
    while (batch > 0 && samples % (batch * each) != 0) --batch;
    if (batch > 0) return EntryShape{kind, batch, steps};
    return notInTurns(samples, each);
}

Result<EntriesBeside> entriesBeside(project::Project const &p, model::ResolvedModel const &model, Distribution const &distribution,
                                    CompileRequest const &request)
{
    EntriesBeside beside;
    if (p.training.validationExecutable != "shared") return beside;
    if (request.validationSamples > 0) {
        TW_ASSIGN(auto validation, shapeFor(RunKind::Evaluate, p, model, distribution, request.validationSamples));
        beside.shapes.push_back(std::move(validation));
        beside.validates = true;
    }
    if (request.inferenceSamples <= 0) return beside;
    auto const evaluation = shapeFor(RunKind::Evaluate, p, model, distribution, request.inferenceSamples);
    if (!evaluation.ok()) {
        beside.apart =
            makeWarning("training.shared-inference", "training.validation_executable",
                        Message::of("evaluation and prediction have executables of their own: the %1 samples are not a multiple of %2.",
                                    request.inferenceSamples, distribution.replicas * stepsOfPipeline(p, model)),
                        Message::of("Give a multiple of this number of samples (data.limit)."));
        beside.apart->severity = Severity::Note;
        return beside;
    }
    if (beside.shapes.empty() || !(beside.shapes.front() == *evaluation)) {
        if (beside.validates) beside.shapes.front().name = "validate";
        beside.shapes.push_back(*evaluation);
    }
    beside.shapes.push_back({RunKind::Predict, evaluation->batch, evaluation->steps});
    return beside;
}

Diagnostic notInTurns(std::int64_t samples, std::int64_t each)
{
    return makeError(
        ErrorKind::Invalid, "training.validation-executable", "training.validation_executable",
        Message::of("the %1 validation samples are not a multiple of %2, the smallest number that fills the pipelines of all replicas.",
                    samples, each),
        Message::of("Validate with a multiple of this number (training.validation_split, data.validation_path, data.limit), or set "
                    "training.validation_executable to own."));
}

void noteSmallBatch(std::int64_t batch, std::int64_t wanted, std::int64_t samples, JobContext const &job)
{
    if (batch * 2 > std::min(wanted, samples)) return;
    auto note = makeWarning(
        "data.validation-batch", "data",
        Message::of("the %1 samples are evaluated in batches of %2, the size nearest to the batch size %3 that divides them.", samples,
                    batch, wanted),
        Message::of("Give or hold out a multiple of the batch size (training.validation_split, data.validation_path, data.limit)."));
    note.severity = Severity::Note;
    job.warn(std::move(note));
}

namespace {

/// Replicas whose batch statistics are one; 1 without emulated replicas.
int normReplicas(config::IpuConfig const &config, Distribution const &distribution)
{
    auto const group = config.integer("norms.experimental.distributed_batch_norm_replica_group_size");
    return static_cast<int>(std::min<std::int64_t>(group, distribution.replicas));
}

/// training.recomputation_mode, as section 6.5 of the Keras-on-IPU guide resolves auto.
bool recomputesInterleaved(model::TrainingPlan const &plan)
{
    if (plan.recomputationMode == "auto") return plan.pipelineSchedule == "sequential";
    return plan.recomputationMode == "recompute_and_backpropagate_interleaved";
}

/// The options of the plan that put variables into streaming memory. Error: Invalid "training.offload" without such memory.
Status chooseOffload(model::TrainingPlan const &plan, target::Machine const &machine, passes::PassOptions &options)
{
    options.offloadOptimizerState = plan.offloadWeightUpdateVariables;
    options.offloadAccumulators = plan.offloadGradientAccumulationBuffers;
    options.offloadWeights = plan.offloadWeights;
    options.shardOptimizerState = plan.replicatedOptimizerStateSharding;
    options.shardWeights = plan.replicatedWeightSharding;
    options.offloadActivations = plan.offloadActivations;
    if (plan.replicatedWeightSharding && !plan.offloadWeights)
        return makeError(ErrorKind::Invalid, "training.offload", "training.replicated_weight_sharding",
                         Message::of("shards of the weights are in streaming memory, but the weights are on the tiles"),
                         Message::of("Set training.offload_weights to true."));
    if (plan.replicatedOptimizerStateSharding && !plan.offloadWeightUpdateVariables)
        return makeError(ErrorKind::Invalid, "training.offload", "training.replicated_optimizer_state_sharding",
                         Message::of("shards of the optimizer's state are in streaming memory, but its state is on the tiles"),
                         Message::of("Set training.offload_weight_update_variables to true."));
    char const *const field = plan.offloadWeightUpdateVariables ? "training.offload_weight_update_variables"
        : plan.offloadGradientAccumulationBuffers               ? "training.offload_gradient_accumulation_buffers"
        : plan.offloadWeights                                   ? "training.offload_weights"
        : plan.offloadActivations                               ? "training.offload_activations"
                                                                : nullptr;
    if (!field || !machine.isEmulated() || machine.streamingBytes > 0) return {};
    return makeError(ErrorKind::Invalid, "training.offload", field, Message::of("the target %1 has no streaming memory", machine.name),
                     Message::of("Set it to false, or choose a target with streaming memory (system.target): `tilewright targets`."));
}

} // namespace

layers::InputFeeds inputFeeds(project::Project const &p)
{
    if (p.data.convert != "device") return {};
    // In float32, as the host multiplies.
    return {static_cast<double>(static_cast<float>(p.data.scale.value_or(1.0 / 255)))};
}

Result<EntryGraph> makeEntryGraph(project::Project const &p, model::ResolvedModel const &model, target::Machine const &machine,
                                  Distribution const &distribution, EntryShape const &shape, passes::RunOptions const &options,
                                  std::function<void()> const &built, JobContext const &job)
{
    bool const trains = shape.kind == RunKind::Train;
    auto plan = p.training;
    plan.batchSize = shape.batch;
    plan.replicas = distribution.replicas;
    plan.sampleWeights = !p.data.sampleWeight.empty();
    plan.recomputes = machine.isEmulated() && p.config.boolean("allow_recompute");
    auto micro = shape.kind == RunKind::Predict
        ? layers::buildOutputs(model, shape.batch, ops::opLookup(), inputFeeds(p), plan.recurrentCheckpoints)
        : layers::buildJudged(model, plan, trains, ops::opLookup(), inputFeeds(p), normReplicas(p.config, distribution));
    if (!micro.ok()) return micro.error();
    auto const made = std::make_shared<layers::StepGraph>(std::move(micro).value());
    auto &step = *made;
    if (!step.keptStates.empty() && distribution.replicas > 1)
        return makeError(ErrorKind::Invalid, "compile.kept-state-replicas", step.graph.variable(step.keptStates.front()).name,
                         Message::of("a stateful layer on %1 replicas is not supported yet: each replica would have a state of its own, "
                                     "and a checkpoint holds one.",
                                     distribution.replicas),
                         Message::of("Set stateful to false, or use as many IPUs as the model needs (system.target, training.replicas)."));
    TW_TRY(requireTensorsInReach(step.graph, machine));
    if (built) built();
    int const stages = step.graph.stages;
    bool const means = shape.kind == RunKind::Evaluate && plan.accumulateOutfeed && shape.steps > 1;
    auto planPasses = training::inferencePasses(shape.steps, training::scheduleOf(plan, stages), means);
    if (trains) { TW_ASSIGN(planPasses, training::trainingPasses(plan, step)); }
    auto allPasses = training::asGraphPasses(std::move(planPasses), made);
    auto const graphPasses = passes::graphPasses();
    allPasses.insert(allPasses.end(), graphPasses.begin(), graphPasses.end());
    auto chosen = passes::passOptions(p.config, machine.isEmulated() ? machine.chip.tiles : 0, distribution.replicas);
    TW_TRY(chooseOffload(p.training, machine, chosen));
    chosen.recomputeInterleaved = recomputesInterleaved(p.training);
    passes::PassContext const context{ops::opLookup(), std::move(chosen), job};
    TW_ASSIGN(auto passed, passes::runPasses(allPasses, std::move(step.graph), context, options));
    if (distribution.replicas > 1) TW_TRY(passes::verifyDecisions(passed.graph, ops::opLookup()));
    EntryGraph result;
    result.passes = passed.stats;
    result.stopped = passed.stopped;
    auto &entry = result.entry;
    entry.kind = std::string(toText(shape.kind));
    entry.name = shape.name.empty() ? entry.kind : shape.name;
    entry.graph = graph::compact(passed.graph);
    entry.graph.name = model.name;
    for (auto const &spec : step.infeed) entry.infeed.push_back({spec.name, spec.shape, spec.dtype});
    entry.outfeed = step.outfeed;
    entry.weights = step.weights;
    entry.trainable = step.trainable;
    entry.iterations = step.iterations;
    entry.reached = step.reached;
    entry.stageIpus = distribution.stageIpus;
    entry.batchSize = shape.batch;
    entry.stepsPerExecution = trains ? plan.stepsPerExecution : shape.steps;
    entry.microBatchesPerUpdate = trains ? plan.gradientAccumulationSteps : 1;
    entry.stepsPerOutput = means ? shape.steps : trains && plan.accumulateOutfeed ? plan.gradientAccumulationSteps : 1;
    entry.lastOutputOnly = trains && plan.outfeedMode == "last";
    return result;
}

} // namespace tilewright::compiler
