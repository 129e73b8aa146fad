#pragma once

#include "engine/core/result.h"
#include "engine/model/param.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// Bounds of gradients before the update.
struct Clipping {
    std::optional<double> value;      ///< `clipvalue`: of each element
    std::optional<double> norm;       ///< `clipnorm`: of each weight's gradient
    std::optional<double> globalNorm; ///< `global_clipnorm`: of all gradients together
    bool any() const { return value || norm || globalNorm; }
    bool operator==(Clipping const &) const = default;
};

/// An optimizer with all its arguments.
struct Optimizer : Configured {
    bool operator==(Optimizer const &) const = default;
    /// `learning_rate`: a number, or a schedule (schedules.h).
    Json const &rate() const { return config.at("learning_rate"); }
    bool hasSchedule() const { return rate().is_object(); }
    /// Rate of the first update.
    double learningRate() const { return learningRateAt(0); }
    /// Rate after `updates` updates: that of the schedule / (1 + decay * updates).
    double learningRateAt(std::int64_t updates) const;
    double decay() const { return number("decay"); }
    Clipping clipping() const;
    /// `loss_scale_factor`; 1 by default.
    double lossScale() const { return isNull("loss_scale_factor") ? 1.0 : number("loss_scale_factor"); }
};

/// A state tensor beside each trainable weight, with the weight's shape.
struct SlotSpec {
    std::string name; ///< Keras's name: "momentum", "m", "v", "vhat", "rms", "mg"
    double initial = 0.0;
};

struct OptimizerSpec {
    std::string className;
    std::vector<std::string> aliases; ///< the lower-case name is always one
    std::vector<ParamInfo> params;    ///< in Keras's order
    std::string help;
    std::string formula;
    std::vector<SlotSpec> (*stateSlots)(Optimizer const &) = nullptr;
};

std::vector<OptimizerSpec> const &optimizerSpecs();
OptimizerSpec const *findOptimizerSpec(std::string_view className);

/// Reads a name ("sgd", "RMSprop") or {"class_name", "config"}. `lr` is read as learning_rate. A LossScaleOptimizer with a constant scale
/// is read as its inner optimizer with that loss_scale_factor. Errors: model.unknown-optimizer, model.unsupported (other optimizers of
/// Keras, dynamic loss scales), model.bad-argument, model.unknown-argument.
Result<Optimizer> parseOptimizer(Json const &value);
/// Error model.bad-argument: clipnorm and global_clipnorm are both set, which Keras refuses; or float32 cannot represent the loss scale or
/// its inverse.
Status checkOptimizer(Optimizer const &optimizer);
Json optimizerJson(Optimizer const &optimizer);
OrderedJson orderedOptimizer(Optimizer const &optimizer);

/// The slots of this optimizer with these arguments (SGD without momentum: none).
std::vector<SlotSpec> optimizerSlots(Optimizer const &optimizer);

} // namespace tilewright::model
