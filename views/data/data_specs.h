#pragma once

#include "views/properties/property_spec.h"

namespace tilewright::views {

/// The fields of the data source. `planSplits`: the plan's own validation split is set and overrides that of the data. `ownValidation`: the
/// data name validation samples of their own, which override every split.
std::vector<PropertySpec> dataSpecs(bool planSplits, bool ownValidation = false);

} // namespace tilewright::views
