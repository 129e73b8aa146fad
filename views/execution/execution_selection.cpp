#include "views/execution/execution_selection.h"

namespace tilewright::views {

Selected eventSelection(report::ReportData const &data, int type)
{
    Selected selected;
    int const types = static_cast<int>(data.eventTypes.size());
    auto const pick = [&](SelectionKind kind, int id) {
        selected.kind = kind;
        selected.ids = {id};
    };
    if (type >= types) {
        if (type - types < static_cast<int>(data.programs.size())) pick(SelectionKind::Program, type - types);
        return selected;
    }
    if (type < 0) return selected;
    auto const &row = data.eventTypes[static_cast<std::size_t>(type)];
    if (row.program >= 0) pick(SelectionKind::Program, row.program);
    else if (row.stage >= 0) pick(SelectionKind::Stage, row.stage);
    else if (row.op >= 0) pick(SelectionKind::Op, row.op);
    return selected;
}

Selected rangeSelection(RunPlaces const &run, TimeSpan range)
{
    Selected selected;
    selected.kind = SelectionKind::TimeRange;
    std::int64_t const period = run.places.empty() ? run.extent.length() : run.places.front().period;
    if (range.length() >= period) {
        selected.end = period;
        return selected;
    }
    selected.begin = run.inPattern(range.begin);
    selected.end = selected.begin + range.length();
    return selected;
}

std::vector<char> highlightedTypes(Lineage const &lineage, report::ReportData const &data)
{
    std::vector<char> flags = lineage.eventTypes;
    flags.resize(data.eventTypes.size());
    for (int program = 0; program < static_cast<int>(data.programs.size()); ++program) flags.push_back(Lineage::has(lineage.programs, program));
    if (std::ranges::none_of(flags, [](char flag) { return flag != 0; })) flags.clear();
    return flags;
}

} // namespace tilewright::views
