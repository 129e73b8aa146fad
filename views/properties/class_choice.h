#pragma once

#include "views/properties/property_spec.h"

namespace tilewright::views {

/// A field of the plan that holds an object of a class. The class is chosen; its arguments are separate fields.
PropertySpec classChoice(char const *name, QString const &label, QString const &group, QString const &help, QString const &defaultClass,
                         std::function<std::string(model::TrainingPlan const &)> const &read);
/// The learning rate: "0.001", or "ExponentialDecay from 0.1".
QString rateText(model::Optimizer const &optimizer);
/// The optimizer: its class, then its arguments.
std::vector<PropertySpec> optimizerFields(model::TrainingPlan const &plan);

} // namespace tilewright::views
