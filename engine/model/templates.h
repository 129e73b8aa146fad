#pragma once

#include "engine/model/model.h"
#include "engine/model/training_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// A built-in model with its training plan.
struct Template {
    std::string name; ///< on the command line: "mnist-mlp"
    std::string title;
    std::string description;
    std::string dataset; ///< data of the template: "mnist"
    int ipus = 1;        ///< minimum number of IPUs
    Model (*model)() = nullptr;
    TrainingPlan (*plan)() = nullptr;
};

/// The template without layers.
inline constexpr std::string_view kEmptyTemplate = "empty";

std::vector<Template> const &modelTemplates();
/// Error: model.unknown-template with the nearest name.
Result<Template> findTemplate(std::string_view name);

} // namespace tilewright::model
