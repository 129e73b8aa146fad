#pragma once

#include "views/modeledit/model_edits.h"

#include "engine/core/result.h"

#include <QString>

#include <functional>
#include <vector>

namespace tilewright::views {

/// One way out of a problem. Exactly one of `apply`, `view` and `phrase` is set.
struct ProblemFix {
    QString title; ///< of the menu entry, translated
    std::function<Result<ModelEdit>(model::Model const &)> apply;
    QString view;   ///< id of the view where it is put right by hand
    QString phrase; ///< what the add box is to hold
};

/// What a person can do about a problem of the model or its plan, the likeliest first; empty: no way is clear. `propose`: as
/// withProposedStages takes it.
std::vector<ProblemFix> fixesFor(model::Model const &model, Diagnostic const &problem, StageProposer const &propose = {});

} // namespace tilewright::views
