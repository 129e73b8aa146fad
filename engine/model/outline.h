#pragma once

#include "engine/core/result.h"
#include "engine/model/resolve.h"

#include <vector>

namespace tilewright::model {

/// A model as far as it resolves. Calls of layers with a problem, and those that depend on them, have an empty shape; their layers have no
/// weights.
struct Outline {
    ResolvedModel model; ///< without layers if the graph is not sound
    std::vector<Diagnostic> problems;
};
Outline outlineOf(Model const &model);

/// As resolve, but the shapes that depend on a placeholder of unknown shape stay empty: for tables and for weights.
Result<ResolvedModel> resolveAround(Model const &model);

} // namespace tilewright::model
