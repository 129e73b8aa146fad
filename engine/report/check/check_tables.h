#pragma once

#include "engine/report/tables.h"

#include <string>
#include <vector>

namespace tilewright::report {

/// A violated invariant: its number in the report format's list (1 to 24), the figures, and the place.
struct Violation {
    int invariant = 0;
    std::string what, subject;
    bool operator==(Violation const &) const = default;
};

/// At most this many violations of one invariant are listed, plus one that gives the number of the others.
inline constexpr int kViolationsListed = 20;

/// Recomputes everything from layouts, intervals, trees and events in the simplest way. Missing tables are not checked. If ids are dangling
/// (invariant 24), only that is reported.
std::vector<Violation> checkTables(ReportData const &data);

} // namespace tilewright::report
