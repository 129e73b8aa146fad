#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

LayerSpec lstmLayer()
{
    return recurrentLayer(
        {.className = "LSTM",
         .help = "Long short-term memory: input, forget and output gates and a cell that they write, keep and read.",
         .gates = 4,
         .states = 2,
         .ownParams =
             {recurrentActivationParam(),
              {.name = "unit_forget_bias", .type = ParamType::Bool, .defaultJson = "true", .help = "the forget gate's bias begins with 1"},
              implementationParam()},
         .bias = [](Layer const &layer) -> Result<WeightSpec> {
             TW_ASSIGN(Initializer initializer, parseInitializer(layer.config["bias_initializer"], layer.name));
             if (layer.flag("unit_forget_bias")) initializer = unitForgetBias(initializer);
             return WeightSpec{"bias", {4 * layer.integer("units")}, std::move(initializer)};
         }});
}

} // namespace tilewright::model
