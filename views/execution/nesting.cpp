#include "views/execution/nesting.h"

#include <algorithm>
#include <functional>
#include <map>

namespace tilewright::views {

namespace {

constexpr std::size_t kMostDepth = 16;

bool isLoop(std::string const &kind) { return kind == "repeat" || kind == "repeat_while"; }

} // namespace

std::vector<int> ProgramTree::chain(int program) const
{
    std::vector<int> chain;
    for (int p = program; p >= 0 && chain.size() < parent.size(); p = parent[static_cast<std::size_t>(p)]) chain.push_back(p);
    std::ranges::reverse(chain);
    return chain;
}

ProgramTree programTree(report::ReportData const &data)
{
    std::size_t const n = data.programs.size();
    ProgramTree tree{std::vector<int>(n, -1), std::vector<int>(n, 0)};
    std::vector<std::vector<std::pair<int, int>>> children(n); // position, child
    auto const known = [n](int program) { return program >= 0 && program < static_cast<int>(n); };
    for (auto const &row : data.programChildren) {
        if (!known(row.parent) || !known(row.child)) continue;
        tree.parent[static_cast<std::size_t>(row.child)] = row.parent;
        children[static_cast<std::size_t>(row.parent)].emplace_back(row.position, row.child);
    }
    std::map<int, std::vector<int>> callers; // of a function
    for (std::size_t p = 0; p < n; ++p)
        if (data.programs[p].callee >= 0) callers[data.programs[p].callee].push_back(static_cast<int>(p));
    for (auto const &[function, calls] : callers) {
        if (calls.size() != 1 || function >= static_cast<int>(data.functions.size())) continue;
        int const root = data.functions[static_cast<std::size_t>(function)].root;
        if (!known(root) || tree.parent[static_cast<std::size_t>(root)] >= 0) continue;
        tree.parent[static_cast<std::size_t>(root)] = calls.front();
        children[static_cast<std::size_t>(calls.front())].emplace_back(0, root);
    }
    for (auto &list : children) std::ranges::sort(list);
    int next = 0;
    std::vector<char> seen(n, 0);
    std::vector<int> stack;
    for (int root = 0; root < static_cast<int>(n); ++root) {
        if (tree.parent[static_cast<std::size_t>(root)] >= 0) continue;
        stack.push_back(root);
        while (!stack.empty()) {
            auto const program = static_cast<std::size_t>(stack.back());
            stack.pop_back();
            if (std::exchange(seen[program], 1)) continue;
            tree.rank[program] = next++;
            for (auto it = children[program].rbegin(); it != children[program].rend(); ++it) stack.push_back(it->second);
        }
    }
    return tree;
}

std::vector<std::vector<NestedSpan>> nestEvents(report::EventColumns const &events, std::vector<int> const &programOfType, ProgramTree const &tree,
                                                report::ReportData const &data)
{
    std::vector<std::vector<NestedSpan>> depths;
    std::map<int, std::vector<int>> chains; // ancestors without the program itself
    std::vector<int> open;                  // by depth
    std::vector<std::int64_t> firstType;    // by depth: of the event that opened the span
    for (std::size_t e = 0; e < events.size(); ++e) {
        auto const type = static_cast<std::size_t>(events.type[e]);
        int const program = type < programOfType.size() ? programOfType[type] : -1;
        if (program < 0 || program >= static_cast<int>(tree.parent.size())) continue;
        auto const [it, fresh] = chains.try_emplace(program);
        if (fresh) {
            it->second = tree.chain(program);
            it->second.pop_back();
            if (it->second.size() > kMostDepth) it->second.resize(kMostDepth);
        }
        auto const &chain = it->second;
        std::size_t same = 0;
        while (same < chain.size() && same < open.size() && chain[same] == open[same]) ++same;
        // The innermost common loop whose round began with an event of this type begins another round.
        for (std::size_t depth = same; depth-- > 0;) {
            if (!isLoop(data.programs[static_cast<std::size_t>(chain[depth])].kind) || firstType[depth] != events.type[e]) continue;
            same = depth + 1;
            break;
        }
        firstType.resize(std::max(firstType.size(), chain.size()), -1);
        for (std::size_t depth = same; depth < chain.size(); ++depth) firstType[depth] = events.type[e];
        std::int64_t const begin = events.start[e], end = begin + events.duration[e];
        if (depths.size() < chain.size()) depths.resize(chain.size());
        for (std::size_t depth = 0; depth < chain.size(); ++depth) {
            if (depth < same) depths[depth].back().end = end;
            else depths[depth].push_back({begin, end, chain[depth]});
        }
        open = chain;
    }
    return depths;
}

} // namespace tilewright::views
