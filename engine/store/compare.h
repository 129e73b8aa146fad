#pragma once

#include "engine/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <string>

namespace tilewright::store {

class ReportReader;

/// What differs between two reports: {"a": title, "b": title, "differences": [{"kind", "name", "field", "a",
/// "b", "delta" (numbers)}]}; a thing that only one has stands as {"kind", "name", "only": "a" or "b"}.
/// Kinds: value, option, memory, layer, operation, variable, run. Layers (the keras level) and operations are aligned as
/// report/match.h does, variables by name, equal names by their order. Host times are never compared: equal projects
/// give no differences.
Result<nlohmann::json> compareReports(ReportReader const &a, ReportReader const &b);
std::string compareText(nlohmann::json const &comparison);

} // namespace tilewright::store
