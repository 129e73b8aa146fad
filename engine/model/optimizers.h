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

/// How the loss is scaled for its gradients (section 10 of the guide: ALSOptimizer).
struct LossScaling {
    double factor = 1;      ///< fixed, or the first one
    bool automatic = false; ///< the device adapts it, and skips an update whose gradients are not finite
    std::int64_t updateFrequency = 8;
    double increaseFactor = 2, largest = 32768;
    bool accumulates = true; ///< statistics of all updates since the last change, not of the last one
    double threshold = 1e-5, alpha = 0, edge = 8192;
    bool any() const { return automatic || factor != 1; }
    bool operator==(LossScaling const &) const = default;
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
    /// Of the learning rate, with each update.
    double decay() const;
    Clipping clipping() const;
    /// `loss_scale_factor`; 1 by default.
    double lossScale() const { return isNull("loss_scale_factor") ? 1.0 : number("loss_scale_factor"); }
    LossScaling lossScaling() const;
};

/// A state of an optimizer: a tensor of the weight's shape beside each trainable weight, or a scalar.
struct SlotSpec {
    std::string name;        ///< Keras's name: "momentum", "m", "v", "vhat", "rms", "mg"
    double initial = 0.0;    ///< first value of each element
    std::string symbol = {}; ///< in OptimizerSpec::update; empty: the name
    std::string const &inFormula() const { return symbol.empty() ? name : symbol; }
    bool operator==(SlotSpec const &) const = default;
};

/// An optimizer class. Training builds the update of each weight from `update`; a few classes also have loops and codelets of their own
/// (training/special_updates.h).
struct OptimizerSpec {
    std::string className;
    std::vector<std::string> aliases = {}; ///< the lower-case name is always one
    std::vector<ParamInfo> params;         ///< in Keras's order
    std::string help;
    std::string formula; ///< for people
    /// States beside each weight with these arguments, in Keras's order.
    std::vector<SlotSpec> (*stateSlots)(Optimizer const &) = nullptr;
    /// States of the optimizer itself.
    std::vector<SlotSpec> stateScalars = {};
    /// The update of a weight ("dense/kernel") as steps of core/formula.h. They assign new values to w and to the states. Names: w, the
    /// gradient g, the states, the arguments, the learning rate lr of this update, and t, the number of the update from 1 on.
    std::string (*update)(Optimizer const &, std::string_view weight) = nullptr;
    Status (*check)(Optimizer const &) = nullptr; ///< of the arguments together; may be null
    bool decaysRate = true;                       ///< `decay` is of the learning rate
    bool takesSchedules = true;
};

std::vector<OptimizerSpec> const &optimizerSpecs();
OptimizerSpec const *findOptimizerSpec(std::string_view className);

/// Reads a name ("sgd", "RMSprop") or {"class_name", "config"}. `lr` is read as learning_rate. A LossScaleOptimizer or an ALSOptimizer is
/// read as its inner optimizer with that loss scale. Errors: model.unknown-optimizer, model.unsupported (other optimizers of
/// Keras, captured gradients), model.bad-argument, model.unknown-argument.
Result<Optimizer> parseOptimizer(Json const &value);
/// Error model.bad-argument: clipnorm and global_clipnorm are both set, which Keras refuses; float32 cannot represent the loss scale or
/// its inverse; an automatic scale that is no power of two; a schedule for an optimizer that takes none; or the class's own check.
Status checkOptimizer(Optimizer const &optimizer);
Json optimizerJson(Optimizer const &optimizer);
OrderedJson orderedOptimizer(Optimizer const &optimizer);

/// The slots of this optimizer with these arguments (SGD without momentum: none).
std::vector<SlotSpec> optimizerSlots(Optimizer const &optimizer);

} // namespace tilewright::model
