#pragma once

#include "views/modeledit/model_edits.h"

#include "engine/core/result.h"

#include <QString>

#include <functional>
#include <vector>

namespace tilewright::views {

/// One fix for a problem. Exactly one of `apply`, `view` and `phrase` is set.
struct ProblemFix {
    QString title; ///< of the menu entry, translated
    std::function<Result<ModelEdit>(model::Model const &)> apply;
    QString view;   ///< id of the view for a manual fix
    QString phrase; ///< content for the add box
};

/// Fixes for a problem of the model or its plan, most likely first; empty if none is known. `propose`: as for withProposedStages.
std::vector<ProblemFix> fixesFor(model::Model const &model, Diagnostic const &problem, StageProposer const &propose = {});

} // namespace tilewright::views
