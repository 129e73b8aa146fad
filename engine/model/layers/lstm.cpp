#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

CellKind lstmKind()
{
    return {.cellClass = "LSTMCell",
            .layerClass = "LSTM",
            .help = "Long short-term memory: a cell state with input, forget and output gates.",
            .gates = 4,
            .states = 2,
            .ownParams = {recurrentActivationParam(),
                          {.name = "unit_forget_bias",
                           .type = ParamType::Bool,
                           .defaultJson = "true",
                           .help = "initialises the bias of the forget gate with 1"},
                          implementationParam()},
            .bias = [](Layer const &layer) -> Result<WeightSpec> {
                TW_ASSIGN(Initializer initializer, parseInitializer(layer.config["bias_initializer"], layer.name));
                if (layer.flag("unit_forget_bias")) initializer = unitForgetBias(initializer);
                return WeightSpec{"bias", {4 * layer.integer("units")}, std::move(initializer)};
            }};
}

LayerSpec lstmLayer() { return recurrentLayer(lstmKind()); }

} // namespace tilewright::model
