// Adagrad. Formula: TensorFlow's ApplyAdagradV2, which Keras 2.6 optimizer_v2/adagrad.py calls (Duchi et al., JMLR 12, 2011).
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec adagradOptimizer()
{
    return {.className = "Adagrad",
            .params = withCommonParams(
                "Adagrad", "0.001",
                {realParam("initial_accumulator_value", "0.1", "first value of the sum of squared gradients", 0.0), epsilonParam()}),
            .help = "Steps scaled by all gradients so far: weights that seldom have a gradient take larger steps.",
            .formula = "a += g^2; w -= lr g / (sqrt(a) + eps)",
            .stateSlots =
                [](Optimizer const &optimizer) {
                    return std::vector<SlotSpec>{
                        {.name = "accumulator", .initial = optimizer.number("initial_accumulator_value"), .symbol = "a"}};
                },
            .update = [](Optimizer const &, std::string_view) -> std::string {
                return "a = a + square(g); w = w - lr * g / (sqrt(a) + epsilon)";
            }};
}

} // namespace tilewright::model
