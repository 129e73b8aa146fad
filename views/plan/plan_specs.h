#pragma once

#include "views/properties/property_spec.h"

namespace tilewright::views {

/// The plan's fields under headings: loss and its arguments, optimizer and its arguments, batches, order of the data. Metrics have a
/// separate list.
std::vector<PropertySpec> planSpecs(project::Project const &project);

} // namespace tilewright::views
