#pragma once

#include "engine/core/internal_error.h"
#include "engine/project/project.h"

namespace tilewright::project {

/// Keeps the project of an internal error as a file to be sent with the report, and names the file in the error's remedy. Equal errors of
/// equal projects share one file. The folder is the user's state folder, "failures". Returns other errors, and those that name a
/// file already, as they are.
Diagnostic withReproducer(Project const &project, Diagnostic error);

/// The boundary of a job that works on a project: guarded(), and an internal error names its reproducer. `kind` is the stage's
/// name: "compile".
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
