#include "engine/model/layers/recurrent_rules.h"

namespace tilewright::model {

LayerSpec simple_rnnLayer()
{
    return recurrentLayer({.className = "SimpleRNN",
                           .help = "Fully connected recurrence: each step gives activation(input x kernel + state x recurrent kernel + bias).",
                           .gates = 1});
}

} // namespace tilewright::model
