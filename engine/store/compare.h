#pragma once

#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::store {

class ReportReader;

/// The differences between two reports: {"a": title, "b": title, "differences": [{"kind", "name", "field", "a", "b", "delta" (numbers)}]}.
/// An item of only one report is {"kind", "name", "only": "a" or "b"}. Kinds: value, option, memory, layer, operation, variable, run.
/// report/match.h aligns layers (the keras level) and operations; variables are aligned by name, and equal names by their order. Host times
/// are not compared: equal projects give no differences.
Result<nlohmann::json> compareReports(ReportReader const &a, ReportReader const &b);
std::string compareText(nlohmann::json const &comparison);

} // namespace tilewright::store
