#pragma once

#include "engine/model/model.h"
#include "engine/model/training_plan.h"

#include <string>
#include <string_view>
#include <vector>

namespace tilewright::model {

/// A built-in model with the plan it is trained by.
struct Template {
    std::string name; ///< of the command line: "mnist-mlp"
    std::string title;
    std::string description;
    std::string dataset; ///< the data it is made for: "mnist"
    int ipus = 1;        ///< how many it uses at least
    Model (*model)() = nullptr;
    TrainingPlan (*plan)() = nullptr;
};

/// The one without a layer, to build on.
inline constexpr std::string_view kEmptyTemplate = "empty";

std::vector<Template> const &modelTemplates();
/// Error: model.unknown-template with the nearest name.
Result<Template> findTemplate(std::string_view name);

} // namespace tilewright::model
