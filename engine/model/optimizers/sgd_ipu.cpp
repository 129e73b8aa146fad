// SGD of the IPU addons (ipu_tensorflow_addons/keras/optimizers/sgd_ipu_optimizer.py): that of Keras, with a momentum of a chosen type.
#include "engine/model/optimizers/optimizer_params.h"

namespace tilewright::model {

OptimizerSpec sgdOptimizer();

OptimizerSpec sgd_ipuOptimizer()
{
    auto const sgd = sgdOptimizer();
    return {.className = "SGDIpuOptimizer",
            .params = withCommonParams("SGDIpuOptimizer", "0.01", {momentumParam(), nesterovParam(), stateTypeParam("momentum")}),
            .help = "Stochastic gradient descent whose momentum may have a type of its own.",
            .formula = sgd.formula,
            .stateSlots = sgd.stateSlots,
            .update = sgd.update};
}

} // namespace tilewright::model
