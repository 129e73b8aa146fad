// LAMB of the IPU addons (ipu_tensorflow_addons/keras/optimizers/lamb_ipu_optimizer.py): You et al., arXiv:1904.00962, with a limit of the
// weight's norm and states of a chosen type.
#include "engine/model/optimizers/optimizer_params.h"

#include "engine/core/text.h"

namespace tilewright::model {

OptimizerSpec lamb_ipuOptimizer()
{
    auto params =
        std::vector{realParam("beta_1", "0.9", "decay of the gradient's moving average", 0.0, 1.0),
                    realParam("beta_2", "0.999", "decay of the squared gradient's moving average", 0.0, 1.0), epsilonParam("1e-06"),
                    realParam("weight_decay_rate", "0.0", "share of a weight that is added to its step", 0.0)};
    for (auto const &exclusion : exclusionParams()) params.push_back(exclusion);
    params.push_back(stateTypeParam("m"));
    params.push_back(stateTypeParam("v"));
    params.push_back({.name = "weight_norm_clip",
                      .type = ParamType::Float,
                      .min = 0.0,
                      .help = "largest norm of a weight that its steps follow; null: no limit",
                      .nullable = true});
    params.push_back(debiasingParam());
    return {.className = "LAMBIpuOptimizer",
            .params = withCommonParams("LAMBIpuOptimizer", "0.001", std::move(params)),
            .help = "LAMB with a limit of the weights' norms and states of a chosen type.",
            .formula = "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; u = m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps) + decay w; "
                       "w -= lr min(|w|, clip) / |u| u, with norms over the whole weight (their ratio is 1 where one is 0)",
            .stateSlots =
                [](Optimizer const &) {
                    return std::vector<SlotSpec>{{.name = "m"}, {.name = "v"}};
                },
            .update =
                [](Optimizer const &optimizer, std::string_view weight) {
                    std::string text = "m = beta_1 * m + (1 - beta_1) * g; v = beta_2 * v + (1 - beta_2) * square(g); ";
                    text += optimizer.flag("debiasing") ? "u = m / (1 - beta_1 ^ t) / (sqrt(v / (1 - beta_2 ^ t)) + epsilon); "
                                                        : "u = m / (sqrt(v) + epsilon); ";
                    if (decaysWeight(optimizer, weight)) text += "u = u + weight_decay_rate * w; ";
                    if (!adaptsToLayer(optimizer, weight)) return text + "w = w - lr * u";
                    text += optimizer.isNull("weight_norm_clip")
                        ? "x = norm(w); "
                        : "x = min(norm(w), " + numberText(optimizer.number("weight_norm_clip")) + "); ";
                    return text + "y = norm(u); w = w - lr * select(greater(x, 0), select(greater(y, 0), x / y, 1), 1) * u";
                },
            .check = checkExclusions};
}

} // namespace tilewright::model
