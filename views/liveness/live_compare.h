#pragma once

#include "views/liveness/live_facts.h"
#include "views/liveness/live_tables.h"

namespace tilewright::views {

/// One variable (or kind of compiler's bytes) at the peaks of two reports. Aligned by name and role, never by the
/// number of a step or a variable: an inserted layer shifts those.
struct LivePair {
    QString name;
    QString role;
    Bytes before = 0, after = 0;
    int variable = -1; ///< of the report on show; -1: only the other one has it, or none
    Bytes difference() const { return after - before; }
};

/// Two reports at their peaks.
struct LiveComparison {
    QString text;                ///< "Compared with X: peak 2.10 MiB, now 1.80 MiB (−300 KiB)"; empty: nothing to compare
    std::vector<LivePair> pairs; ///< by size of the difference; equal ones are left out
};
LiveComparison liveComparison(ReportSnapshot const &report, TileContents const &contents, ReportSnapshot const &before,
                              TileContents const &beforeContents, LiveScope const &scope);

LiveTable comparisonTable(std::vector<LivePair> pairs);

} // namespace tilewright::views
