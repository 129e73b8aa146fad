// Stochastic gradient descent. Formula: Keras 2.6 optimizer_v2/gradient_descent.py, with the Nesterov form of its docstring.
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec sgdOptimizer()
{
    return {.className = "SGD",
            .params = withCommonParams("SGD", "0.01", {momentumParam(), nesterovParam()}),
            .help = "Stochastic gradient descent, optionally with momentum.",
            .formula = "w -= lr g; with momentum v = m v - lr g, w += v (nesterov: w += m v - lr g)",
            .stateSlots = [](Optimizer const &optimizer) -> std::vector<SlotSpec> {
                if (optimizer.number("momentum") > 0.0) return {{.name = "momentum", .symbol = "v"}};
                return {};
            },
            .update = [](Optimizer const &optimizer, std::string_view) -> std::string {
                if (optimizer.number("momentum") == 0.0) return "w = w - lr * g";
                std::string const velocity = "v = momentum * v - lr * g; ";
                return velocity + (optimizer.flag("nesterov") ? "w = w + momentum * v - lr * g" : "w = w + v");
            }};
}

} // namespace tilewright::model
