// Adam and AMSGrad. Formula: Keras 2.6 optimizer_v2/adam.py (Kingma and Ba, arXiv:1412.6980, in the form before section 2.1: epsilon is not
// corrected; Reddi et al., "On the Convergence of Adam and Beyond").
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec adamOptimizer()
{
    return {.className = "Adam",
            .params = withCommonParams("Adam", "0.001",
                                       {realParam("beta_1", "0.9", "decay of the gradient's moving average", 0.0, 1.0),
                                        realParam("beta_2", "0.999", "decay of the squared gradient's moving average", 0.0, 1.0),
                                        epsilonParam(), flagParam("amsgrad", "uses the maximum of the squared gradient's moving average")}),
            .help = "Momentum and scaling by moving averages of the gradient, with bias correction.",
            .formula = "m = b1 m + (1-b1) g; v = b2 v + (1-b2) g^2; w -= lr sqrt(1-b2^t)/(1-b1^t) m / (sqrt(v) + eps)",
            .stateSlots =
                [](Optimizer const &optimizer) {
                    std::vector<SlotSpec> slots{{.name = "m"}, {.name = "v"}};
                    if (optimizer.flag("amsgrad")) slots.push_back({.name = "vhat"});
                    return slots;
                },
            .update = [](Optimizer const &optimizer, std::string_view) -> std::string {
                std::string const moments = "m = beta_1 * m + (1 - beta_1) * g; v = beta_2 * v + (1 - beta_2) * square(g); ";
                std::string const step = "w = w - lr * (sqrt(1 - beta_2 ^ t) / (1 - beta_1 ^ t)) * m / (sqrt(";
                return optimizer.flag("amsgrad") ? moments + "vhat = max(vhat, v); " + step + "vhat) + epsilon)"
                                                 : moments + step + "v) + epsilon)";
            }};
}

} // namespace tilewright::model
