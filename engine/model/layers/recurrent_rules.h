#pragma once

#include "engine/model/layer_spec.h"

namespace tilewright::model {

/// What the recurrent layers have in common; they differ in the number of gates and a few arguments.
struct RecurrentKind {
    std::string className, help;
    std::int64_t gates = 1;                ///< column blocks of the kernels
    int states = 1;                        ///< what is carried from step to step; further inputs begin with it
    std::vector<ParamInfo> ownParams = {}; ///< behind the common ones
    /// The bias; by default [gates units] from bias_initializer.
    std::function<Result<WeightSpec>(Layer const &)> bias = {};
};
LayerSpec recurrentLayer(RecurrentKind kind);

ParamInfo recurrentActivationParam();
ParamInfo implementationParam();

} // namespace tilewright::model
