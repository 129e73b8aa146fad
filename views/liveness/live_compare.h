#pragma once

#include "views/liveness/live_facts.h"
#include "views/liveness/live_tables.h"

namespace tilewright::views {

/// One variable (or kind of compiler-made bytes) at the peaks of two reports. Matched by name and role, never by step or variable numbers,
/// which an inserted layer would shift.
struct LivePair {
    QString name;
    QString role;
    Bytes before = 0, after = 0;
    int variable = -1; ///< in the displayed report; -1: only in the other one, or none
    Bytes difference() const { return after - before; }
};

/// Two reports at their peaks.
struct LiveComparison {
    QString text;                ///< "Compared with X: peak 2.10 MiB, now 1.80 MiB (−300 KiB)"; empty: nothing to compare
    std::vector<LivePair> pairs; ///< by size of the difference, without equal ones
};
LiveComparison liveComparison(ReportSnapshot const &report, TileContents const &contents, ReportSnapshot const &before,
                              TileContents const &beforeContents, LiveScope const &scope);

LiveTable comparisonTable(std::vector<LivePair> pairs);

} // namespace tilewright::views
