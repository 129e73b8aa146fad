// LAMB. Formula: TensorFlow Addons optimizers/lamb.py, which the IPU addons' LAMB follows (You et al., arXiv:1904.00962, algorithm 2).
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec lambOptimizer()
{
    auto params =
        std::vector{realParam("beta_1", "0.9", "decay of the gradient's moving average", 0.0, 1.0),
                    realParam("beta_2", "0.999", "decay of the squared gradient's moving average", 0.0, 1.0), epsilonParam("1e-06"),
                    realParam("weight_decay_rate", "0.0", "share of a weight that is added to its step", 0.0)};
    auto const exclusions = exclusionParams();
    params.insert(params.end(), exclusions.begin(), exclusions.end());
    return {.className = "LAMB",
            .params = withCommonParams("LAMB", "0.001", std::move(params)),
            .help = "Adam whose steps are as large as their weights: for large batches.",
            .formula = "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; u = m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps) + decay w; "
                       "w -= lr |w| / |u| u, with norms over the whole weight (their ratio is 1 where one is 0)",
            .stateSlots =
                [](Optimizer const &) {
                    return std::vector<SlotSpec>{{.name = "m"}, {.name = "v"}};
                },
            .update =
                [](Optimizer const &optimizer, std::string_view weight) {
                    std::string text = "m = beta_1 * m + (1 - beta_1) * g; v = beta_2 * v + (1 - beta_2) * square(g); "
                                       "u = m / (1 - beta_1 ^ t) / (sqrt(v / (1 - beta_2 ^ t)) + epsilon); ";
                    if (decaysWeight(optimizer, weight)) text += "u = u + weight_decay_rate * w; ";
                    if (!adaptsToLayer(optimizer, weight)) return text + "w = w - lr * u";
                    return text + "x = norm(w); y = norm(u); w = w - lr * select(greater(x, 0), select(greater(y, 0), x / y, 1), 1) * u";
                },
            .check = checkExclusions};
}

} // namespace tilewright::model
