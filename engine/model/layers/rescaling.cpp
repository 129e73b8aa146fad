#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec rescalingLayer()
{
    return {
        .className = "Rescaling",
        .category = "Core",
        .help = "scale x + offset, the same for all elements.",
        .params = {{.name = "scale", .type = ParamType::Float, .help = "factor", .required = true},
                   {.name = "offset", .type = ParamType::Float, .defaultJson = "0.0", .help = "addend"}},
        .outputShape = [](Layer const &, std::span<Shape const> inputs) -> Result<Shape> { return inputs[0]; },
    };
}

} // namespace tilewright::model
