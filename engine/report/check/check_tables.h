#pragma once

#include "engine/report/tables.h"

#include <string>
#include <vector>

namespace tilewright::report {

/// A broken invariant: its number in the report format's list (1 to 24), what is wrong with which figures,
/// and where.
struct Violation {
    int invariant = 0;
    std::string what, subject;
    bool operator==(Violation const &) const = default;
};

/// At most this many violations of one invariant are listed; one more says how many others there are.
inline constexpr int kViolationsListed = 20;

/// Everything is computed anew from layouts, intervals, trees and events by the plainest way there is. A table that is not
/// there is not checked. Where ids point nowhere (invariant 24), only that is told.
std::vector<Violation> checkTables(ReportData const &data);

} // namespace tilewright::report
