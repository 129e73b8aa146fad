#include "views/execution/nesting.h"

#include <algorithm>

namespace tilewright::views {

Nesting::Nesting(report::ReportData const &data) : m_data(data)
{
    auto const add = [this](int op, std::string const &pass) {
        if (op >= 0 && m_rows.try_emplace({op, pass}, static_cast<int>(m_types.size())).second) m_types.push_back({op, pass});
    };
    for (int op = 0; op < static_cast<int>(data.ops.size()); ++op) {
        auto const &row = data.ops[static_cast<std::size_t>(op)];
        add(climb(op, "keras"), row.pass);
        if (row.level == "graph") add(op, row.pass);
    }
}

int Nesting::climb(int op, std::string_view level) const
{
    auto const &ops = m_data.ops;
    for (std::size_t guard = 0; op >= 0 && op < static_cast<int>(ops.size()) && guard <= ops.size(); ++guard) {
        if (ops[static_cast<std::size_t>(op)].level == level) return op;
        op = ops[static_cast<std::size_t>(op)].parent;
    }
    return report::kNone;
}

int Nesting::typeOf(int op, std::string const &pass) const
{
    auto const it = m_rows.find({op, pass});
    return it == m_rows.end() ? report::kNone : it->second;
}

std::array<int, Nesting::Levels> Nesting::above(int op) const
{
    if (op < 0 || op >= static_cast<int>(m_data.ops.size())) return {report::kNone, report::kNone};
    int const graph = climb(op, "graph");
    std::string const &pass = m_data.ops[static_cast<std::size_t>(graph >= 0 ? graph : op)].pass;
    return {typeOf(climb(op, "keras"), pass), typeOf(graph, pass)};
}

std::vector<std::vector<NestedSpan>> Nesting::spans(report::EventColumns const &events, std::vector<int> const &opOfType) const
{
    std::vector<std::vector<NestedSpan>> levels(Levels);
    std::array<int, Levels> open{-1, -1};
    for (std::size_t e = 0; e < events.size(); ++e) {
        std::int64_t const begin = events.start[e], end = begin + events.duration[e];
        auto const type = static_cast<std::size_t>(events.type[e]);
        auto const now = above(type < opOfType.size() ? opOfType[type] : report::kNone);
        for (int level = Layer; level < Levels; ++level) {
            auto const l = static_cast<std::size_t>(level);
            // A child ends with its parent.
            bool const goesOn = open[l] == now[l] && (level == Layer || open[l - 1] == now[l - 1]) && !levels[l].empty();
            if (now[l] < 0) continue;
            if (goesOn) levels[l].back().end = std::max(levels[l].back().end, end);
            else levels[l].push_back({begin, end, now[l]});
        }
        for (std::size_t l = 0; l < Levels; ++l)
            if (now[l] >= 0) open[l] = now[l];
    }
    return levels;
}

} // namespace tilewright::views
