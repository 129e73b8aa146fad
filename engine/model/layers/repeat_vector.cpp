#include "engine/model/layer_spec.h"

namespace tilewright::model {

LayerSpec repeat_vectorLayer()
{
    return {
        .className = "RepeatVector",
        .category = "Core",
        .help = "Repeats each vector n times: [batch, features] becomes [batch, n, features].",
        .params = {{.name = "n", .type = ParamType::Int, .min = 1, .max = 1e9, .help = "number of repetitions", .required = true}},
        .keepsIntegers = true,
        .outputShape = [](Layer const &layer, std::span<Shape const> inputs) -> Result<Shape> {
            if (inputs[0].size() != 2)
                return layerError(layer, "model.shape", Message::of("input %1; RepeatVector needs [batch, features]", toText(inputs[0])),
                                  Message::of("put a Flatten before it"));
            return Shape{inputs[0][0], layer.integer("n"), inputs[0][1]};
        },
        .multiplyAdds = [](Layer const &, std::span<Shape const>, Shape const &) { return 0.0; },
    };
}

} // namespace tilewright::model
