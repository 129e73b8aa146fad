#pragma once

#include "engine/report/tables.h"

#include <span>
#include <string>
#include <vector>

namespace tilewright::report {

class InsightContext;

/// A rule that finds insights in a report. Rules read tables only, so they work on reports of any age. `version` increases with each change
/// of the condition or the numbers.
struct InsightRule {
    std::string name; ///< "memory.nearly-full": stable; views map it to a translated message
    int version = 1;
    std::string help; ///< the condition, for the list of rules
    void (*find)(InsightContext const &, std::vector<InsightRow> &) = nullptr;
};

/// The explicit list of all rules.
std::span<InsightRule const> builtinInsightRules();

/// At most this many insights of one rule are kept, by gain.
inline constexpr int kInsightsPerRule = 10;

/// The insights of all rules: errors, warnings, advice, notes; each group by gain. The rows have
///   subject_kind  "run", "ipu", "stage", "tile", "op", "compute_set", "variable", "option"; subject_id its number
///   numbers       a JSON object of figures for the message (cycles are of one pattern: one weight update;
///                 "tile" is the index in "ipu")
///   evidence      one SELECT over the report file that shows why
///   action        {"set": [{"path": "ipu_config…", "value": …}], "or": [{"set": […]}, …]}: changes of the project that may help, the
///                 likeliest first. They are not compiled yet; the view that offers one compiles it first
///   gain_cycles   of one pattern, gain_bytes on the worst tile; an upper bound
std::vector<InsightRow> findInsights(ReportData const &data);

} // namespace tilewright::report
