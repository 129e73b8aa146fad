#pragma once

#include "engine/core/result.h"
#include "engine/model/param.h"

#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// An elementwise function (softmax: over one axis) with its parameters. The name determines which parameters apply. Layers that are
/// activations (ReLU, ELU, …) resolve to it as well.
struct Activation {
    std::string name = "linear";                               ///< a name of activationSpecs()
    double alpha = 0.0;                                        ///< slope (relu, leaky_relu) or scale (elu) below the threshold
    double maxValue = std::numeric_limits<double>::infinity(); ///< cap of relu
    double threshold = 0.0;                                    ///< of relu
    int axis = -1;                                             ///< of softmax and log_softmax, counted with the batch
    std::vector<int> axes = {};                                ///< of a softmax over several axes together; `axis` is the last of them
    bool approximate = false;                                  ///< gelu by tanh instead of erf
    bool operator==(Activation const &) const = default;
};

struct ActivationSpec {
    std::string name;
    std::vector<std::string> aliases;
    std::string formula;
    Activation defaults;
};

/// All activations known by name, in alphabetical order. Formulas: Keras 2.6's activations.
std::vector<ActivationSpec> const &activationSpecs();
std::vector<std::string> activationNames();

/// Finds an activation by name or alias ("silu" is "swish"). Error: model.unknown-activation with the nearest name.
Result<Activation> activationNamed(std::string_view name, std::string const &subject = "activation");

} // namespace tilewright::model
