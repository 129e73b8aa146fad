#pragma once

#include "views/modeledit/model_edits.h"

#include "engine/core/result.h"
#include "engine/project/project.h"

#include <QString>

#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tilewright::views {

/// An edit that fixes a problem. Its title is the text of the button and of the undo step.
struct ProjectFix {
    QString title;
    std::function<Status(project::Project &)> apply;
};

/// The obvious edits for a problem of this project, best first; empty where a person has to choose. Each has been tried on a copy: with it
/// this problem is gone, and the rules of a run find no other (completeEdit). `samples`: of an epoch, where they are counted. `propose`: as
/// withProposedStages takes it.
std::vector<ProjectFix> projectFixes(project::Project const &project, Diagnostic const &problem, std::optional<std::int64_t> samples = {},
                                     StageProposer const &propose = {});

} // namespace tilewright::views
