#pragma once

#include "views/modeledit/model_edits.h"

#include "engine/core/result.h"
#include "engine/project/project.h"

#include <QString>

#include <functional>
#include <vector>

namespace tilewright::views {

/// An edit that fixes a problem. Its title is the text of the button and of the undo step.
struct ProjectFix {
    QString title;
    std::function<Status(project::Project &)> apply;
};

/// The obvious edits for a problem of this project, best first; empty if the user must choose. Each was tried on a copy and removes the
/// problem. `propose`: as for withProposedStages.
std::vector<ProjectFix> projectFixes(project::Project const &project, Diagnostic const &problem, StageProposer const &propose = {});

} // namespace tilewright::views
