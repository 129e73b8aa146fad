#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec recomputation_checkpointLayer()
{
    return {
        .className = "RecomputationCheckpoint",
        .category = "Core",
        .help = "Returns its input. With ipu_config.allow_recompute, the input is kept for the backward pass, and what lies between two "
                "checkpoints is computed again.",
        .keepsIntegers = true,
        .masks = MaskUse::Passes,
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
