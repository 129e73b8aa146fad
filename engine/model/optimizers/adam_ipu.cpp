// Adam of the IPU addons (ipu_tensorflow_addons/keras/optimizers/adam_ipu_optimizer.py): both moments are corrected before epsilon is
// added, and each state may have a type of its own.
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec adam_ipuOptimizer()
{
    return {.className = "AdamIpuOptimizer",
            .params = withCommonParams("AdamIpuOptimizer", "0.001",
                                       {realParam("beta_1", "0.9", "decay of the gradient's moving average", 0.0, 1.0),
                                        realParam("beta_2", "0.999", "decay of the squared gradient's moving average", 0.0, 1.0),
                                        epsilonParam(), flagParam("amsgrad", "uses the maximum of the squared gradient's moving average"),
                                        stateTypeParam("m"), stateTypeParam("v"), stateTypeParam("vhat"), debiasingParam()}),
            .help = "Adam that corrects both moving averages before it divides, with states of a chosen type.",
            .formula = "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; w -= lr m/(1-b1^t) / (sqrt(v/(1-b2^t)) + eps)",
            .stateSlots =
                [](Optimizer const &optimizer) {
                    std::vector<SlotSpec> slots{{.name = "m"}, {.name = "v"}};
                    if (optimizer.flag("amsgrad")) slots.push_back({.name = "vhat"});
                    return slots;
                },
            .update = [](Optimizer const &optimizer, std::string_view) -> std::string {
                std::string text = "m = beta_1 * m + (1 - beta_1) * g; v = beta_2 * v + (1 - beta_2) * square(g); ";
                std::string const square = optimizer.flag("amsgrad") ? "vhat" : "v";
                if (optimizer.flag("amsgrad")) text += "vhat = max(vhat, v); ";
                if (!optimizer.flag("debiasing")) return text + "w = w - lr * m / (sqrt(" + square + ") + epsilon)";
                return text + "w = w - lr * (m / (1 - beta_1 ^ t)) / (sqrt(" + square + " / (1 - beta_2 ^ t)) + epsilon)";
            }};
}

} // namespace tilewright::model
