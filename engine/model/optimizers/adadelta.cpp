// Adadelta. Formula: TensorFlow's ApplyAdadelta, which Keras 2.6 optimizer_v2/adadelta.py calls (Zeiler, arXiv:1212.5701).
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec adadeltaOptimizer()
{
    return {.className = "Adadelta",
            .params =
                withCommonParams("Adadelta", "0.001", {realParam("rho", "0.95", "decay of the moving averages", 0.0, 1.0), epsilonParam()}),
            .help = "Scales each step by a moving average of previous steps; the original paper uses a learning rate of 1.",
            .formula = "a = rho a + (1-rho) g^2; x = g sqrt(d + eps) / sqrt(a + eps); d = rho d + (1-rho) x^2; w -= lr x",
            .stateSlots =
                [](Optimizer const &) {
                    return std::vector<SlotSpec>{{.name = "accum_grad", .symbol = "a"}, {.name = "accum_var", .symbol = "d"}};
                },
            .update = [](Optimizer const &, std::string_view) -> std::string {
                return "a = rho * a + (1 - rho) * square(g); x = g * sqrt(d + epsilon) / sqrt(a + epsilon); "
                       "d = rho * d + (1 - rho) * square(x); w = w - lr * x";
            }};
}

} // namespace tilewright::model
