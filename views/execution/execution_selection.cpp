#include "views/execution/execution_selection.h"

namespace tilewright::views {

Selected eventSelection(ExecutionBlocks const &blocks, int type)
{
    auto const &data = blocks.report->data();
    Selected selected;
    auto const pick = [&](SelectionKind kind, int id) {
        selected.kind = kind;
        selected.ids = {id};
    };
    if (auto const *nested = blocks.nestedOf(type)) {
        auto const &op = data.ops[static_cast<std::size_t>(nested->op)];
        pick(SelectionKind::Op, nested->op);
        if (op.level == "keras" && op.kind != report::kSyntheticKind) {
            selected.kind = SelectionKind::Layer;
            selected.name = QString::fromStdString(op.name);
            selected.ids.clear();
        }
        return selected;
    }
    if (type < 0 || type >= static_cast<int>(data.eventTypes.size())) return selected;
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

std::vector<char> highlightedTypes(Lineage const &lineage, ExecutionBlocks const &blocks)
{
    std::vector<char> flags = lineage.eventTypes;
    flags.resize(static_cast<std::size_t>(blocks.firstNested()));
    // A step belongs to its layer in one pass: the layer's bars of other passes do not contain it.
    std::vector<char> contains(blocks.nested.size(), 0);
    for (std::size_t type = 0; type < blocks.nestedAbove.size(); ++type)
        if (flags[type] != 0)
            for (int const row : blocks.nestedAbove[type])
                if (row >= 0) contains[static_cast<std::size_t>(row)] = 1;
    for (std::size_t row = 0; row < blocks.nested.size(); ++row)
        flags.push_back(contains[row] != 0 && Lineage::has(lineage.ops, blocks.nested[row].op));
    if (std::ranges::none_of(flags, [](char flag) { return flag != 0; })) flags.clear();
    return flags;
}

} // namespace tilewright::views
