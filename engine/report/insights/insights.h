#pragma once

#include "engine/report/tables.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::report {

class InsightContext;

/// One thing worth telling about a report. Rules read tables only, so they work on reports of any age.
/// `version` goes up when a rule's condition or numbers change.
struct InsightRule {
    std::string name; ///< "memory.nearly-full": stable; views map it to a translated message
    int version = 1;
    std::string help; ///< when it fires, for the list of rules
    void (*find)(InsightContext const &, std::vector<InsightRow> &) = nullptr;
};

/// The explicit list of all rules.
std::span<InsightRule const> builtinInsightRules();

/// At most this many insights of one rule are kept, those with the largest gain first.
inline constexpr int kInsightsPerRule = 10;

/// What all rules find: errors, warnings, advice, notes; inside each by gain. The rows carry
///   subject_kind  "run", "ipu", "stage", "tile", "op", "compute_set", "variable", "option"; subject_id its number
///   numbers       a JSON object of plain figures for the message (cycles are of one pattern: one weight update;
///                 "tile" is the index in "ipu")
///   evidence      one SELECT over the report file that shows why
///   action        {"set": [{"path": "ipu_config…", "value": …}], "or": [{"set": […]}, …]}: changes of the project that may help, the
///                 likeliest first. Nobody has compiled them: who offers one does
///   gain_cycles   of one pattern, gain_bytes on the worst tile; an upper bound
std::vector<InsightRow> findInsights(ReportData const &data);

} // namespace tilewright::report
