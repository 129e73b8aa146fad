#pragma once

#include "engine/core/result.h"
#include "engine/model/callbacks.h"
#include "engine/model/losses.h"
#include "engine/model/metrics.h"
#include "engine/model/optimizers.h"
#include "engine/model/training_loop.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

struct ResolvedModel;

/// Training of a model: the arguments of Keras's compile and fit and of the IPU's setters.
struct TrainingPlan {
    std::vector<Loss> losses;                   ///< one per output, or one for all
    std::vector<std::string> lossOutputs;       ///< not empty: the output of each loss, by name
    std::vector<double> lossWeights;            ///< empty: all 1; else one per output
    std::vector<std::string> lossWeightOutputs; ///< not empty: the output of each weight, by name; others have 1
    std::vector<double> classWeights;           ///< of the samples of each class, in training; empty: all 1
    bool sampleWeights = false;                 ///< the data have sample weights; not a field of the plan: the caller sets it
    Optimizer optimizer;
    TrainingLoop loop;                        ///< a custom loop; empty: Keras's fit
    std::vector<Metric> metrics;              ///< of every output; samples count alike
    std::vector<OutputMetrics> outputMetrics; ///< not empty: replaces `metrics`, by name or one per output
    MetricLists weightedMetrics;              ///< samples count by their weights
    std::int64_t batchSize = 32;              ///< micro-batch: samples per step and replica
    std::int64_t epochs = 1;
    std::int64_t initialEpoch = 0;                     ///< finished epochs that a new training does not repeat
    std::int64_t stepsPerEpoch = 0;                    ///< micro-batches of an epoch over all replicas; 0: all samples
    std::int64_t stepsPerExecution = 1;                ///< micro-batches per start of the program, per replica
    std::int64_t prefetchDepth = 3;                    ///< micro-batches that the host prepares ahead; 0 means 3
    std::int64_t gradientAccumulationSteps = 1;        ///< micro-batches per weight update
    std::string gradientAccumulationReduction = "sum"; ///< sum, mean, running_mean
    std::int64_t replicas = 1;
    /// How the stages of the layers share a micro-batch. pipeline: in the slots of a schedule; sharded: one program, in which each IPU
    /// computes the layers of its stages when their operands have arrived.
    std::string placement = "pipeline";
    std::string pipelineSchedule = "grouped"; ///< grouped, interleaved, sequential
    std::vector<int> deviceMapping;           ///< IPU of the replica for each pipeline stage; empty: one IPU per stage
    // Variables in streaming memory instead of on the tiles (the offload_… options of Keras on the IPU).
    bool offloadWeightUpdateVariables = false;       ///< state of the optimizer
    bool offloadGradientAccumulationBuffers = false; ///< sums of gradients
    bool offloadWeights = false;
    bool replicatedOptimizerStateSharding = false; ///< each replica stores a part of the optimizer's state; needs its offload
    bool replicatedWeightSharding = false;         ///< each replica stores a part of each weight; needs offloadWeights
    bool offloadActivations = false;               ///< what waits in the stashes of a pipeline
    bool accumulateOutfeed = false;                ///< losses and metrics are summed on the device and sent once per weight update
    std::string outfeedMode = "all";               ///< all, last: the host keeps the outputs of every step, or of an execution's last one
    // Recomputation, in effect with ipu_config.allow_recompute.
    std::string recomputationMode = "auto";            ///< auto, recompute_then_backpropagate, recompute_and_backpropagate_interleaved
    std::vector<std::string> recomputationCheckpoints; ///< layers whose outputs are kept
    std::int64_t recurrentCheckpoints = 0;             ///< states kept inside the loop over time of each recurrent layer
    bool recomputes = false;                           ///< ipu_config.allow_recompute; not a field of the plan: the caller sets it
    std::int64_t seed = 42;
    std::optional<std::int64_t> deviceSeed; ///< of the device's draws (dropout, noise, stochastic rounding); none: `seed`
    bool identicalReplicaSeeds = false;     ///< all replicas draw the bits of the first
    bool shuffle = true;
    std::vector<Callback> callbacks;             ///< of the host, in this order, at the end of each epoch
    bool asynchronousCallbacks = false;          ///< within an epoch they see every step, while the device runs on
    std::vector<std::int64_t> validationFreq{1}; ///< one number: every so many epochs; several: these epochs, from 1
    double validationSplit = 0.0;                ///< last part of the data, taken before shuffling
    std::string validationExecutable = "own";    ///< own: loaded in between; shared: entries of the training executable

    TrainingPlan(); ///< MeanSquaredError, RMSprop (Keras's default), no metrics
    bool operator==(TrainingPlan const &) const = default;
    /// `name`: of the output. Requires: losses not empty.
    Loss const &lossOf(std::size_t output, std::string_view name = {}) const;
    double lossWeight(std::size_t output, std::string_view name = {}) const;
    /// `name`: of the output. Empty if outputs have separate metrics and this one has no entry.
    std::vector<Metric> const &metricsOf(std::size_t output, std::string_view name) const;
    std::vector<Metric> const &weightedMetricsOf(std::size_t output, std::string_view name) const;
    /// Whether the validation follows this epoch, from 1.
    bool validatesEpoch(std::int64_t epoch) const;
    bool isSharded() const { return placement == "sharded"; }
    std::int64_t elementsAhead() const { return prefetchDepth == 0 ? 3 : prefetchDepth; }
    /// Whether samples count differently in the loss that is trained and in the weighted metrics. Other metrics have no weights, as Keras's
    /// `metrics`; an evaluation has those of the samples, without those of the classes.
    bool weighsSamples() const { return sampleWeights || !classWeights.empty(); }
};

/// The fields without the prefix "training.": "batch_size", "loss", "optimizer", … `optimizer` and `loss` take a name or JSON; their
/// arguments are fields too, like "optimizer.learning_rate" and "loss.from_logits".
std::vector<ParamInfo> const &trainingFields();

/// A field as text. `path` with or without "training.". Error model.no-field names the nearest field.
Result<std::string> trainingField(TrainingPlan const &plan, std::string_view path);
/// A copy with one field set from text. Errors: model.no-field, model.bad-argument, those of the parsers.
Result<TrainingPlan> withTrainingField(TrainingPlan const &plan, std::string_view path, std::string_view text);

/// All fields; "loss" and "optimizer" as {"class_name", "config"} (several losses: a list).
OrderedJson trainingPlanJson(TrainingPlan const &plan);
/// Absent fields keep their defaults. Errors as withTrainingField.
Result<TrainingPlan> trainingPlanFromJson(Json const &json);

/// Checks that need no data. Errors: training.loss-count, training.loss-weights, training.metrics, training.steps-per-execution (not a
/// multiple of the accumulation steps), training.accumulation (a pipeline without it, or against the depth of its schedule),
/// training.no-weights, training.outfeed (accumulated outputs of one micro-batch, or with outfeed_mode last), training.optimizer,
/// training.loop, training.loss-shape, training.class-weight, training.device-mapping, and those of checkRecomputation. Rules: section 2
/// and 6.3 of the Keras-on-IPU guide.
Status checkTrainingPlan(TrainingPlan const &plan, ResolvedModel const &model);
/// The checks that evaluation also needs: losses, weights and metrics against the model's outputs.
Status checkOutputs(TrainingPlan const &plan, ResolvedModel const &model);

} // namespace tilewright::model
