#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

CellKind simpleRnnKind()
{
    return {.cellClass = "SimpleRNNCell",
            .layerClass = "SimpleRNN",
            .help = "Fully connected recurrence: each step computes activation(input x kernel + state x recurrent kernel + bias).",
            .gates = 1};
}

LayerSpec simple_rnnLayer()
{
    auto spec = recurrentLayer(simpleRnnKind());
    spec.tolerated = {{"implementation", 0}}; // Keras 2.0 writes it
    return spec;
}

} // namespace tilewright::model
