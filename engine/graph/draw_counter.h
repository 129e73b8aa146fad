#pragma once

#include "engine/graph/graph.h"

#include <string_view>

/// The variables that count draws: dropout and noise take the run's seed and such a counter.
namespace tilewright::graph {

/// Their name; those of later pipeline stages append the number of the stage.
inline constexpr std::string_view kDrawCounter = "dropout_counter";

/// No layer's variable: theirs have the name of the layer and '/' in front.
inline bool isDrawCounter(Variable const &variable)
{
    return variable.role == Role::Other && variable.dtype == DType::I32 && variable.shape.empty()
        && std::string_view(variable.name).starts_with(kDrawCounter);
}

} // namespace tilewright::graph
