#pragma once

#include "views/properties/property_spec.h"

namespace tilewright::views {

/// Every option of IpuConfig, in the order of the reference, under its category.
std::vector<PropertySpec> ipuConfigSpecs();
/// Replication, accumulation, pipelining and feeds: fields of the plan and related options.
std::vector<PropertySpec> parallelSpecs(project::Project const &project);
std::vector<PropertySpec> engineOptionSpecs();
/// The target's machine, number of IPUs and tiles, and the rules of the software model, as fields.
std::vector<PropertySpec> targetSpecs(project::Project const &project);

/// "gc200 · 1 IPU, 1,472 tiles · 3 options changed".
QString configHeadline(project::Project const &project, std::vector<Diagnostic> const &problems);
/// The problems about configuration, system or parallelism.
std::vector<Diagnostic> configProblems(project::Project const &project, std::vector<Diagnostic> const &problems);

} // namespace tilewright::views
