// LARS. Formula: TensorFlow Model Garden official/modeling/optimization/lars_optimizer.py (You et al., arXiv:1708.03888).
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec larsOptimizer()
{
    auto params =
        std::vector{momentumParam("0.9"), realParam("weight_decay_rate", "0.0", "share of a weight that is added to its gradient", 0.0),
                    realParam("eeta", "0.001", "size of a step relative to its weight", 0.0), nesterovParam(),
                    flagParam("classic_momentum", "the learning rate scales what goes into the momentum, not what comes out", true)};
    auto const exclusions = exclusionParams();
    params.insert(params.end(), exclusions.begin(), exclusions.end());
    return {
        .className = "LARS",
        .params = withCommonParams("LARS", "0.01", std::move(params)),
        .help = "Momentum with steps relative to the size of each weight: for large batches.",
        .formula = "g += decay w; r = lr eeta |w| / |g|, with norms over the whole weight (lr where one is 0); v = m v + r g; w -= v "
                   "(nesterov: w -= m v + r g); without classic_momentum: v = m v + g, u = v (nesterov: m v + g), w -= lr eeta |w| / |u| u",
        .stateSlots = [](Optimizer const &) { return std::vector<SlotSpec>{{.name = "momentum", .symbol = "v"}}; },
        .update =
            [](Optimizer const &optimizer, std::string_view weight) {
                std::string const decayed = decaysWeight(optimizer, weight) ? "d = g + weight_decay_rate * w; " : "d = g; ";
                bool const adapts = adaptsToLayer(optimizer, weight), nesterov = optimizer.flag("nesterov");
                auto const rate = [&](std::string const &of) {
                    if (!adapts) return std::string("r = lr; ");
                    return "x = norm(w); y = norm(" + of + "); r = lr * select(greater(x, 0), select(greater(y, 0), eeta * x / y, 1), 1); ";
                };
                if (optimizer.flag("classic_momentum"))
                    return decayed + rate("d") + "v = momentum * v + r * d; w = w - " + (nesterov ? "(momentum * v + r * d)" : "v");
                return decayed + "v = momentum * v + d; u = " + (nesterov ? "momentum * v + d; " : "v; ") + rate("u") + "w = w - r * u";
            },
        .check = checkExclusions};
}

} // namespace tilewright::model
