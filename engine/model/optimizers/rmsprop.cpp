// RMSprop. Formula: Keras 2.6 optimizer_v2/rmsprop.py. With momentum (TensorFlow's ApplyRMSProp and ApplyCenteredRMSProp) epsilon is inside
// the root.
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec rmspropOptimizer()
{
    return {.className = "RMSprop",
            .params =
                withCommonParams("RMSprop", "0.001",
                                 {realParam("rho", "0.9", "decay of the squared gradient's moving average", 0.0, 1.0), momentumParam(),
                                  epsilonParam(), flagParam("centered", "subtracts the squared mean of the gradient")}),
            .help = "Scales each step by a moving average of the squared gradient.",
            .formula = "s = rho s + (1-rho) g^2; w -= lr g / (sqrt(s) + eps); with momentum m: v = m v + lr g / sqrt(s + eps), w -= v; "
                       "centered: s - mean(g)^2 in place of s under the root",
            .stateSlots =
                [](Optimizer const &optimizer) {
                    std::vector<SlotSpec> slots{{.name = "rms"}};
                    if (optimizer.number("momentum") > 0.0) slots.push_back({.name = "momentum", .symbol = "v"});
                    if (optimizer.flag("centered")) slots.push_back({.name = "mg"});
                    return slots;
                },
            .update =
                [](Optimizer const &optimizer, std::string_view) {
                    std::string text = "rms = rho * rms + (1 - rho) * square(g); ";
                    text += optimizer.flag("centered") ? "mg = rho * mg + (1 - rho) * g; d = max(rms - square(mg), 0); " : "d = rms; ";
                    if (optimizer.number("momentum") > 0.0) return text + "v = momentum * v + lr * g / sqrt(d + epsilon); w = w - v";
                    return text + "w = w - lr * g / (sqrt(d) + epsilon)";
                }};
}

} // namespace tilewright::model
