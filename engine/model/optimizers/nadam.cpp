// Nadam. Formula: Keras 2.6 optimizer_v2/nadam.py (Dozat, "Incorporating Nesterov Momentum into Adam"). `decay` is its schedule_decay: it
// changes the momentum, not the learning rate.
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec nadamOptimizer()
{
    return {.className = "Nadam",
            .params = withCommonParams("Nadam", "0.001",
                                       {realParam("decay", "0.004", "how fast the momentum grows towards beta_1, with each update", 0.0),
                                        realParam("beta_1", "0.9", "decay of the gradient's moving average", 0.0, 1.0),
                                        realParam("beta_2", "0.999", "decay of the squared gradient's moving average", 0.0, 1.0),
                                        epsilonParam()}),
            .help = "Adam that looks ahead along its momentum.",
            .formula = "u(t) = b1 (1 - 0.96^(decay t) / 2); c = u(1) u(2) ... u(t); m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; "
                       "w -= lr ((1-u(t)) g / (1-c) + u(t+1) m / (1 - c u(t+1))) / (sqrt(v / (1-b2^t)) + eps)",
            .stateSlots =
                [](Optimizer const &) {
                    return std::vector<SlotSpec>{{.name = "m"}, {.name = "v"}};
                },
            .stateScalars = {{.name = "momentum_cache", .initial = 1.0, .symbol = "c"}},
            .update = [](Optimizer const &, std::string_view) -> std::string {
                return "u = beta_1 * (1 - 0.5 * 0.96 ^ (decay * t)); n = beta_1 * (1 - 0.5 * 0.96 ^ (decay * (t + 1))); c = c * u; "
                       "m = beta_1 * m + (1 - beta_1) * g; v = beta_2 * v + (1 - beta_2) * square(g); "
                       "w = w - lr * ((1 - u) / (1 - c) * g + n / (1 - c * n) * m) / (sqrt(v / (1 - beta_2 ^ t)) + epsilon)";
            },
            .decaysRate = false,
            .takesSchedules = false};
}

} // namespace tilewright::model
