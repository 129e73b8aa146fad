#include "engine/core/known_names.h"

#include <algorithm>
#include <array>
#include <string>

namespace tilewright {

namespace {

struct KnownName {
    std::string_view name;
    bool here; ///< another field does the same
    std::string_view remedy;
};

constexpr bool kNotYet = false, kHere = true;

constexpr std::string_view kOnChip =
    "Leave it out: everything lies in the memory of the tiles. More IPUs (system.target, stages) give more of it.";
constexpr std::string_view kRecompute = "Use ipu_config.allow_recompute, which recomputes in pipelines and elsewhere.";
constexpr std::string_view kSplit =
    "Hold samples out with training.validation_split; `tilewright evaluate` reads data.test_x and data.test_y.";
constexpr std::string_view kWholeEpoch =
    "Leave it out: an epoch reads all samples. data.limit bounds them, and `train --steps N` ends a run.";
constexpr std::string_view kPartials = "Leave it out: accumulators have the type of their gradients.";

constexpr std::array kNames{
    // compile() and fit()
    KnownName{"steps_per_epoch", kNotYet, kWholeEpoch},
    KnownName{"validation_data", kNotYet, kSplit},
    KnownName{"validation_steps", kNotYet, "Leave it out: a validation reads all held-out samples. data.limit bounds them."},
    KnownName{"validation_batch_size", kNotYet, "Leave it out: a validation takes the largest batch that divides its samples."},
    KnownName{"validation_freq", kNotYet, "Leave it out: each epoch is validated."},
    KnownName{"initial_epoch", kNotYet, "Continue a run with `train --resume FILE`."},
    KnownName{"callbacks", kNotYet, "Use `train --every N` to hear of steps and --checkpoint FILE to keep weights."},
    KnownName{"run_eagerly", kNotYet, "Leave it out: every run is compiled."},
    KnownName{"weighted_metrics", kNotYet, "Use training.metrics, which count every sample once."},
    KnownName{"sample_weight", kHere, "Use data.sample_weight."},
    // set_gradient_accumulation_options, set_pipelining_options
    KnownName{"gradient_accumulation_steps_per_replica", kHere, "Use training.gradient_accumulation_steps."},
    KnownName{"gradient_accumulation_count", kHere, "Use training.gradient_accumulation_steps."},
    KnownName{"gradient_accumulation_reduction_method", kHere, "Use training.gradient_accumulation_reduction."},
    KnownName{"gradient_accumulation_dtype", kNotYet, kPartials},
    KnownName{"gradient_accumulation_for_captured_grads", kNotYet, "Leave it out: gradients that a layer captures do not exist here."},
    KnownName{"recomputation_mode", kNotYet, kRecompute},
    KnownName{"batch_serialization_iterations", kNotYet, "Lower training.batch_size and raise training.gradient_accumulation_steps."},
    KnownName{"forward_propagation_stages_poplar_options", kNotYet,
              "Set ipu_config.matmuls.poplar_options and ipu_config.convolutions.poplar_options, which are for all stages."},
    KnownName{"backward_propagation_stages_poplar_options", kNotYet,
              "Set ipu_config.matmuls.poplar_options and ipu_config.convolutions.poplar_options, which are for all stages."},
    KnownName{"weight_update_poplar_options", kNotYet, "Set ipu_config.matmuls.poplar_options, which are for the whole program."},
    // Feeds
    KnownName{"prefetch_depth", kNotYet, "Use ipu_config.optimizations.prefetch_data_streams: three elements are prefetched, or none."},
    KnownName{"buffer_depth", kNotYet, "Leave it out: it changes no result."},
    KnownName{"optimise_latency", kNotYet, "Leave it out: it changes no result."},
    KnownName{"outfeed_mode", kNotYet, "Leave it out: every loss and metric is kept."},
    KnownName{"accumulate_outfeed", kNotYet,
              "Leave it out: losses and metrics of every micro-batch are sent, and the epoch's mean is the same."},
    KnownName{"accumulate_outfeed_dtype", kNotYet, "Leave it out: losses and metrics are float32."},
    KnownName{"asynchronous_callbacks", kNotYet, "Use `train --every N`, which tells of steps while the device runs."},
    KnownName{"steps_per_run", kHere, "Use training.steps_per_execution."},
    // Memory beside the tiles
    KnownName{"offload_activations", kNotYet, kOnChip},
    KnownName{"offload_gradient_accumulation_buffers", kNotYet, kOnChip},
    KnownName{"offload_weight_update_variables", kNotYet, kOnChip},
    KnownName{"offload_weights", kNotYet, kOnChip},
    KnownName{"replicated_optimizer_state_sharding", kNotYet, kOnChip},
    KnownName{"replicated_weight_sharding", kNotYet, kOnChip},
    KnownName{"replicated_metric_reduction_method", kNotYet, "Leave it out: losses and metrics are means over the replicas."},
    // Numbers
    KnownName{"initial_loss_scaling_factor", kNotYet, "Use training.optimizer.loss_scale_factor, which stays as it is."},
};

} // namespace

std::optional<Diagnostic> aboutKnownName(std::string_view path)
{
    auto const name = path.substr(path.rfind('.') + 1); // npos + 1: all of it
    auto const row = std::ranges::find(kNames, name, &KnownName::name);
    if (row == kNames.end()) return {};
    if (row->here)
        return makeError(ErrorKind::Invalid, "field.other-name", std::string(path), "this setting has another name here.",
                         std::string(row->remedy));
    return makeError(ErrorKind::Invalid, "field.not-yet", std::string(path), "this setting of Keras on IPUs is not supported yet.",
                     std::string(row->remedy));
}

} // namespace tilewright
