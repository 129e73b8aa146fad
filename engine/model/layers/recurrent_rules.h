#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// Common rules of the recurrent layers. They differ in the number of gates and a few arguments.
struct RecurrentKind {
    std::string className, help;
    std::int64_t gates = 1;                ///< column blocks of the kernels
    int states = 1;                        ///< states carried from step to step; the initial states are the first further inputs
    std::vector<ParamInfo> ownParams = {}; ///< after the common ones
    /// The bias. Default: [gates units] from bias_initializer.
    std::function<Result<WeightSpec>(Layer const &)> bias = {};
};
LayerSpec recurrentLayer(RecurrentKind kind);

ParamInfo recurrentActivationParam();
ParamInfo implementationParam();

} // namespace tilewright::model
