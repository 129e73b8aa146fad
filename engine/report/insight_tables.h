#pragma once

#include "engine/report/table_basics.h"

#include <cstdint>
#include <optional>
#include <string>

// Results of the rules.
namespace tilewright::report {

struct InsightRow {
    std::string rule;
    int ruleVersion = 1;
    std::string severity = "note"; ///< error, warning, advice, note
    std::string subjectKind;
    int subjectId = kNone;
    std::string numbers = "{}"; ///< JSON that fills the translated message
    std::string evidence;       ///< SELECT that shows the evidence
    std::string action;         ///< JSON edit of model or config; empty = none
    std::optional<std::int64_t> gainBytes, gainCycles;
    bool operator==(InsightRow const &) const = default;
};

} // namespace tilewright::report
