#pragma once

#include "app/python/errors.h"
#include "engine/project/project.h"
#include "engine/runtime/run.h"

#include <optional>
#include <string>
#include <vector>

namespace tilewright::python {

/// A project as Python holds it.
struct ProjectObject {
    project::Project project;
    DiagnosticSink warnings = {};
    std::size_t told = 0;
};

/// The model's weights with their initial values, at epoch and step 0. Errors: those of resolve.
Result<runtime::TrainingState> initialState(project::Project const &project);

void defineProject(py::module_ &module);

} // namespace tilewright::python
