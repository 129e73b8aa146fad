#pragma once

#include "engine/core/internal_error.h"
#include "engine/project/project.h"

namespace tilewright::project {

/// Writes the project of an internal error to a file that the user can attach to a bug report, and names the file in the error's
/// remedy. Equal errors of equal projects share one file, in folder "failures" of the user's state folder. Returns errors of other
/// kinds, and errors that already name a file, unchanged.
Diagnostic withReproducer(Project const &project, Diagnostic error);

/// Runs a job that works on a project inside guarded(), and passes its internal errors through withReproducer(). `kind`: the name of the
/// stage, such as "compile".
template <typename Work> std::invoke_result_t<Work const &> guardedWork(std::string_view kind, Project const &project, Work const &work)
{
    auto const &name = project.title.empty() ? project.model.name : project.title;
    auto result = guarded(name, Message::of("the %1 job", kind), [&] {
        WorkStage const stage(kind, name);
        return work();
    });
    if (result.ok()) return result;
    return withReproducer(project, result.error());
}

} // namespace tilewright::project
