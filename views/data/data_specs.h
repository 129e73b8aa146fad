#pragma once

#include "views/properties/property_spec.h"

namespace tilewright::project {
struct Project;
}

namespace tilewright::views {

/// The fields of the data source. `planSplits`: the plan's own validation split is set and overrides that of the data. `ownValidation`: the
/// data name validation samples of their own, which override every split.
std::vector<PropertySpec> dataSpecs(bool planSplits, bool ownValidation = false);
/// Those of them that matter for a project: fields for further inputs and outputs only if its model has some, or they are set.
std::vector<PropertySpec> dataSpecsOf(project::Project const &project);

} // namespace tilewright::views
