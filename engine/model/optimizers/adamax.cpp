// Adamax. Formula: Keras 2.6 optimizer_v2/adamax.py (Kingma and Ba, arXiv:1412.6980, section 7.1).
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec adamaxOptimizer()
{
    return {.className = "Adamax",
            .params = withCommonParams("Adamax", "0.001",
                                       {realParam("beta_1", "0.9", "decay of the gradient's moving average", 0.0, 1.0),
                                        realParam("beta_2", "0.999", "decay of the maximum", 0.0, 1.0), epsilonParam()}),
            .help = "Momentum, scaled by the decaying maximum of the gradient.",
            .formula = "m = b1 m + (1-b1) g; v = max(b2 v, |g|); w -= lr/(1-b1^t) m / (v + eps)",
            .stateSlots =
                [](Optimizer const &) {
                    return std::vector<SlotSpec>{{.name = "m"}, {.name = "v"}};
                },
            .update = [](Optimizer const &, std::string_view) -> std::string {
                return "m = beta_1 * m + (1 - beta_1) * g; v = max(beta_2 * v, abs(g)); w = w - lr / (1 - beta_1 ^ t) * m / (v + epsilon)";
            }};
}

} // namespace tilewright::model
