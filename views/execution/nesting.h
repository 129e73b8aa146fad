#pragma once

#include "engine/report/tables.h"

#include <vector>

namespace tilewright::views {

/// The program tree as a timeline needs it: chains of ancestors and the order of execution.
struct ProgramTree {
    std::vector<int> parent; ///< by program; a function's root hangs under its only call, if there is just one
    std::vector<int> rank;   ///< order of first visit
    /// From the outermost ancestor down to the program itself.
    std::vector<int> chain(int program) const;
};
ProgramTree programTree(report::ReportData const &data);

/// A stretch during which one program is being executed.
struct NestedSpan {
    std::int64_t begin = 0, end = 0;
    int program = 0;
    bool operator==(NestedSpan const &) const = default;
};
/// By depth, outermost first: neighbouring events under the same program become one span. A loop's body gives a
/// span per round: another round begins where the type of event comes again that the first one began with.
std::vector<std::vector<NestedSpan>> nestEvents(report::EventColumns const &events, std::vector<int> const &programOfType, ProgramTree const &tree,
                                                report::ReportData const &data);

} // namespace tilewright::views
