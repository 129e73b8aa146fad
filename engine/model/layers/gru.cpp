#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

LayerSpec gruLayer()
{
    return recurrentLayer(
        {.className = "GRU",
         .help = "Gated recurrent unit: an update gate mixes the old state with a new one, for which a reset gate scales the old.",
         .gates = 3,
         .ownParams = {recurrentActivationParam(),
                       implementationParam(),
                       {.name = "reset_after",
                        .type = ParamType::Bool,
                        .defaultJson = "true",
                        .help = "reset behind the recurrent product (with a bias of its own) instead of before it"}},
         .bias = [](Layer const &layer) -> Result<WeightSpec> {
             TW_ASSIGN(Initializer initializer, parseInitializer(layer.config["bias_initializer"], layer.name));
             std::int64_t const columns = 3 * layer.integer("units");
             return WeightSpec{"bias", layer.flag("reset_after") ? Shape{2, columns} : Shape{columns}, std::move(initializer)};
         }});
}

} // namespace tilewright::model
