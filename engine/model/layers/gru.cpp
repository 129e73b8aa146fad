#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

CellKind gruKind()
{
    return {.cellClass = "GRUCell",
            .layerClass = "GRU",
            .help = "Gated recurrent unit: an update gate blends the old state with a new one; a reset gate scales the old state.",
            .gates = 3,
            .ownParams = {recurrentActivationParam(),
                          implementationParam(),
                          {.name = "reset_after",
                           .type = ParamType::Bool,
                           .defaultJson = "true",
                           .help = "applies the reset gate after the recurrent product (with a bias of its own) instead of before it"}},
            .bias = [](Layer const &layer) -> Result<WeightSpec> {
                TW_ASSIGN(Initializer initializer, parseInitializer(layer.config["bias_initializer"], layer.name));
                std::int64_t const columns = 3 * layer.integer("units");
                return WeightSpec{"bias", layer.flag("reset_after") ? Shape{2, columns} : Shape{columns}, std::move(initializer)};
            }};
}

LayerSpec gruLayer() { return recurrentLayer(gruKind()); }

} // namespace tilewright::model
