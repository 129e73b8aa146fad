// Follow the regularized leader. Formula: TensorFlow's ApplyFtrl and ApplyFtrlV2, which Keras 2.6 optimizer_v2/ftrl.py calls with
// l2 + beta / (2 lr) (McMahan et al., "Ad Click Prediction: a View from the Trenches", 2013).
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec ftrlOptimizer()
{
    return {
        .className = "Ftrl",
        .params = withCommonParams(
            "Ftrl", "0.001",
            {realParam("learning_rate_power", "-0.5", "how the steps shrink with the sum of squared gradients; 0: not at all", -8.0, 0.0),
             realParam("initial_accumulator_value", "0.1", "first value of the sum of squared gradients", 0.0),
             realParam("l1_regularization_strength", "0.0", "penalty on the size of weights: makes many of them 0", 0.0),
             realParam("l2_regularization_strength", "0.0", "penalty on the squares of weights", 0.0),
             realParam("l2_shrinkage_regularization_strength", "0.0", "the same, added to the gradient", 0.0),
             realParam("beta", "0.0", "added to the root of the sum of squared gradients", 0.0)}),
        .help = "Follows the sum of all gradients; suits sparse, linear models.",
        .formula = "s = g + 2 shrinkage w; n = a + g^2; z += s - (n^-power - a^-power) w / lr; "
                   "w = (sign(z) l1 - z) / ((beta + n^-power) / lr + 2 l2) where |z| > l1, else 0; a = n",
        .stateSlots =
            [](Optimizer const &optimizer) {
                return std::vector<SlotSpec>{
                    {.name = "accumulator", .initial = optimizer.number("initial_accumulator_value"), .symbol = "a"},
                    {.name = "linear", .symbol = "z"}};
            },
        .update = [](Optimizer const &, std::string_view) -> std::string {
            return "s = g + 2 * l2_shrinkage_regularization_strength * w; n = a + square(g); p = -learning_rate_power; "
                   "z = z + s - (n ^ p - a ^ p) / lr * w; a = n; "
                   "q = n ^ p / lr + (2 * l2_regularization_strength + beta / lr); "
                   "w = select(greater(abs(z), l1_regularization_strength), (sign(z) * l1_regularization_strength - z) / q, 0)";
        },
        .check = [](Optimizer const &optimizer) -> Status {
            if (optimizer.learningRate() > 0.0) return {};
            return makeError(ErrorKind::Invalid, "model.bad-argument", "optimizer Ftrl",
                             Message::of("the learning rate is 0, but Ftrl divides by it"), Message::of("give a number above 0"));
        }};
}

} // namespace tilewright::model
