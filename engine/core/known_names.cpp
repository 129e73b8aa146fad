#include "engine/core/known_names.h"

#include <algorithm>
#include <string>
#include <vector>

namespace tilewright {

namespace {

struct KnownName {
    std::string_view name;
    bool here; ///< another field does the same
    Message remedy;
};

constexpr bool kNotYet = false, kHere = true;

std::vector<KnownName> knownNames()
{
    auto const split =
        Message::of("Hold samples out with training.validation_split; `tilewright evaluate` reads data.test_x and data.test_y.");
    auto const partials = Message::of("Leave it out: accumulators have the type of their gradients.");
    return {
        // compile() and fit()
        KnownName{"validation_data", kNotYet, split},
        KnownName{"validation_steps", kNotYet,
                  Message::of("Leave it out: a validation reads all held-out samples. data.limit bounds them.")},
        KnownName{"validation_batch_size", kNotYet,
                  Message::of("Leave it out: a validation takes the largest batch that divides its samples.")},
        KnownName{"run_eagerly", kNotYet, Message::of("Leave it out: every run is compiled.")},
        KnownName{"sample_weight", kHere, Message::of("Use data.sample_weight.")},
        // set_gradient_accumulation_options, set_pipelining_options
        KnownName{"gradient_accumulation_steps_per_replica", kHere, Message::of("Use training.gradient_accumulation_steps.")},
        KnownName{"gradient_accumulation_count", kHere, Message::of("Use training.gradient_accumulation_steps.")},
        KnownName{"gradient_accumulation_reduction_method", kHere, Message::of("Use training.gradient_accumulation_reduction.")},
        KnownName{"gradient_accumulation_dtype", kNotYet, partials},
        KnownName{"gradient_accumulation_for_captured_grads", kNotYet,
                  Message::of("Leave it out: gradients that a layer captures do not exist here.")},
        KnownName{"batch_serialization_iterations", kNotYet,
                  Message::of("Lower training.batch_size and raise training.gradient_accumulation_steps.")},
        KnownName{
            "forward_propagation_stages_poplar_options", kNotYet,
            Message::of("Set ipu_config.matmuls.poplar_options and ipu_config.convolutions.poplar_options, which are for all stages.")},
        KnownName{
            "backward_propagation_stages_poplar_options", kNotYet,
            Message::of("Set ipu_config.matmuls.poplar_options and ipu_config.convolutions.poplar_options, which are for all stages.")},
        KnownName{"weight_update_poplar_options", kNotYet,
                  Message::of("Set ipu_config.matmuls.poplar_options, which are for the whole program.")},
        // Feeds
        KnownName{"buffer_depth", kNotYet, Message::of("Leave it out: it changes no result.")},
        KnownName{"optimise_latency", kNotYet, Message::of("Leave it out: it changes no result.")},
        KnownName{"accumulate_outfeed_dtype", kNotYet, Message::of("Leave it out: losses and metrics are float32.")},
        KnownName{"asynchronous_callbacks", kHere, Message::of("Use training.asynchronous_callbacks.")},
        KnownName{"steps_per_run", kHere, Message::of("Use training.steps_per_execution.")},
        // Memory beside the tiles
        KnownName{"offload_activations", kHere, Message::of("Use training.offload_activations.")},
        KnownName{"offload_gradient_accumulation_buffers", kHere, Message::of("Use training.offload_gradient_accumulation_buffers.")},
        KnownName{"offload_weight_update_variables", kHere, Message::of("Use training.offload_weight_update_variables.")},
        KnownName{"offload_weights", kHere, Message::of("Use training.offload_weights.")},
        KnownName{"replicated_optimizer_state_sharding", kHere, Message::of("Use training.replicated_optimizer_state_sharding.")},
        KnownName{"replicated_weight_sharding", kHere, Message::of("Use training.replicated_weight_sharding.")},
        KnownName{"replicated_metric_reduction_method", kNotYet,
                  Message::of("Leave it out: losses and metrics are means over the replicas.")},
        // Numbers
        KnownName{"initial_loss_scaling_factor", kHere,
                  Message::of("Use training.optimizer.loss_scale_factor, with training.optimizer.automatic_loss_scaling.")},
    };
}

} // namespace

std::optional<Diagnostic> aboutKnownName(std::string_view path)
{
    auto const name = path.substr(path.rfind('.') + 1); // npos + 1: all of it
    static std::vector<KnownName> const known = knownNames();
    auto const row = std::ranges::find(known, name, &KnownName::name);
    if (row == known.end()) return {};
    return row->here ? makeError(ErrorKind::Invalid, "field.other-name", std::string(path),
                                 Message::of("this setting has another name here."), row->remedy)
                     : makeError(ErrorKind::Invalid, "field.not-yet", std::string(path),
                                 Message::of("this setting of Keras on IPUs is not supported yet."), row->remedy);
}

} // namespace tilewright
