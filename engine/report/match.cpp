#include "engine/report/match.h"
#include "engine/report/rows.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>

namespace tilewright::report {

namespace {

constexpr int kMostLayers = 64; ///< of one operation; a greater number means a damaged file

/// Numbers for names, the same for both reports.
class Names {
public:
    int of(std::string const &name) { return m_numbers.try_emplace(name, static_cast<int>(m_numbers.size())).first->second; }

private:
    std::unordered_map<std::string, int> m_numbers;
};

/// A forest of items, each with a number for its name.
struct Forest {
    std::vector<int> parent, name;
    std::vector<char> moves; ///< may be matched below another parent

    std::vector<std::vector<int>> children() const ///< by item + 1; roots first
    {
        std::vector<std::vector<int>> below(parent.size() + 1);
        for (int i = 0; i < count(parent); ++i) at(below, has(parent, at(parent, i)) ? at(parent, i) + 1 : 0).push_back(i);
        return below;
    }
};

class Matcher {
public:
    Matcher(Forest const &before, Forest const &now) : m_sides{&before, &now}
    {
        ofBefore.assign(before.parent.size(), kNone);
        ofNow.assign(now.parent.size(), kNone);
    }

    void run()
    {
        auto const below = m_sides[0]->children(), belowNow = m_sides[1]->children();
        m_open.push_back({kNone, kNone});
        for (std::size_t next = 0; next < m_open.size(); ++next) {
            auto const [before, now] = m_open[next];
            siblings(at(below, before + 1), at(belowNow, now + 1));
        }
        std::array<std::vector<int>, 2> left;
        for (std::size_t side = 0; side < 2; ++side)
            for (int i = 0; i < count(m_sides[side]->parent); ++i)
                if (at(m_sides[side]->moves, i) && at(side == 0 ? ofBefore : ofNow, i) < 0) left[side].push_back(i);
        siblings(left[0], left[1]);
    }

    std::vector<int> ofBefore, ofNow; ///< partner of each item

private:
    void pair(int before, int now)
    {
        at(ofBefore, before) = now;
        at(ofNow, now) = before;
        m_open.push_back({before, now});
    }

    void siblings(std::vector<int> const &before, std::vector<int> const &now)
    {
        std::map<int, std::array<std::vector<int>, 2>> byName; // positions in the lists
        for (int i = 0; i < count(before); ++i) byName[at(m_sides[0]->name, at(before, i))][0].push_back(i);
        for (int i = 0; i < count(now); ++i) byName[at(m_sides[1]->name, at(now, i))][1].push_back(i);
        for (auto &[name, places] : byName) {
            auto &[a, b] = places;
            if (a.size() != b.size() && !a.empty() && !b.empty())
                for (auto const &[left, right] : {std::pair(true, true), std::pair(true, false), std::pair(false, true)})
                    withNeighbours(before, now, a, b, left, right);
            for (int i = 0; i < std::min(count(a), count(b)); ++i) pair(at(before, at(a, i)), at(now, at(b, i)));
        }
    }

    /// Pairs items with equal names and equal neighbours, and removes them from the lists.
    void withNeighbours(std::vector<int> const &before, std::vector<int> const &now, std::vector<int> &a, std::vector<int> &b, bool left,
                        bool right)
    {
        auto const around = [&](std::size_t side, std::vector<int> const &list, int place) {
            auto const nameAt = [&](int i) { return has(list, i) ? at(m_sides[side]->name, at(list, i)) : kNone; };
            return std::pair(left ? nameAt(place - 1) : kNone, right ? nameAt(place + 1) : kNone);
        };
        std::map<std::pair<int, int>, std::vector<int>> known;
        for (int const place : b) known[around(1, now, place)].push_back(place);
        std::map<std::pair<int, int>, std::size_t> used;
        std::set<int> partners;
        std::erase_if(a, [&](int place) {
            auto const key = around(0, before, place);
            auto const found = known.find(key);
            if (found == known.end() || used[key] >= found->second.size()) return false;
            int const partner = found->second[used[key]++];
            pair(at(before, place), at(now, partner));
            partners.insert(partner);
            return true;
        });
        std::erase_if(b, [&](int place) { return partners.contains(place); });
    }

    std::array<Forest const *, 2> m_sides;
    std::vector<std::pair<int, int>> m_open; ///< pairs whose children must still be paired
};

Forest operationsOf(ReportData const &d, Names &names)
{
    Forest forest;
    for (auto const &op : d.ops) {
        forest.parent.push_back(op.parent);
        // The name of a layer identifies it; below it the pass counts too.
        forest.name.push_back(names.of(op.level + '\n' + (op.level == "keras" ? std::string() : op.pass) + '\n' + op.name));
        forest.moves.push_back(1);
    }
    return forest;
}

Forest stepsOf(ReportData const &d, ProgramTree const &tree, Names &names)
{
    Forest forest;
    for (auto const &node : tree.nodes) {
        auto const &program = at(d.programs, node.program);
        bool const function = node.function >= 0;
        std::string name = function ? "function\n" + at(d.functions, node.function).name : program.kind + '\n' + program.name;
        if (has(d.ops, program.op) && !function) name += '\n' + at(d.ops, program.op).pass;
        if (has(d.programChildren, node.child)) name += '\n' + at(d.programChildren, node.child).label;
        forest.parent.push_back(node.parent);
        forest.name.push_back(names.of(name));
        // Sequences and loops with a default name match any other.
        forest.moves.push_back(!function && (!isControlKind(program.kind) || (program.kind != "sequence" && program.name != program.kind)));
    }
    return forest;
}

/// Merges both trees of steps.
class Merged {
public:
    Merged(Forest const &before, Forest const &now, Matcher const &matcher)
        : m_matcher(matcher), m_forest(now), m_before(before.children()), m_now(now.children())
    {
        rows.reserve(now.parent.size());
    }
    void add(int before, int now, int parent)
    {
        // Children of a moved step are those of `now`. Steps only in `before` are put at their old position.
        std::vector<int> gone; // before the first step that both have here
        std::map<int, std::vector<int>> goneBehind;
        int last = kNone;
        if (before != kNoChildren)
            for (int const child : at(m_before, before + 1)) {
                int const partner = at(m_matcher.ofBefore, child);
                if (partner < 0) (last < 0 ? gone : goneBehind[last]).push_back(child);
                else if (at(m_forest.parent, partner) == now) last = partner;
            }
        auto const place = [&](int b, int n) {
            StepPair row;
            row.before = b;
            row.now = n;
            row.parent = parent;
            rows.push_back(row);
            add(b < 0 ? kNoChildren : b, n < 0 ? kNoChildren : n, count(rows) - 1);
        };
        for (int const child : gone) place(child, kNone);
        if (now == kNoChildren) return;
        for (int const child : at(m_now, now + 1)) {
            place(at(m_matcher.ofNow, child), child);
            if (auto const behind = goneBehind.find(child); behind != goneBehind.end())
                for (int const other : behind->second) place(other, kNone);
        }
    }
    std::vector<StepPair> rows;

private:
    static constexpr int kNoChildren = -2; ///< kNone is the parent of the roots
    Matcher const &m_matcher;
    Forest const &m_forest; ///< of `now`
    std::vector<std::vector<int>> m_before, m_now;
};

} // namespace

std::vector<RowPair> matchOperations(ReportData const &before, ReportData const &now)
{
    Names names;
    auto const a = operationsOf(before, names), b = operationsOf(now, names);
    Matcher matcher(a, b);
    matcher.run();
    std::vector<RowPair> pairs;
    for (int op = 0; op < count(now.ops); ++op) pairs.push_back({at(matcher.ofNow, op), op});
    for (int op = 0; op < count(before.ops); ++op)
        if (at(matcher.ofBefore, op) < 0) pairs.push_back({op, kNone});
    return pairs;
}

std::string layerPath(ReportData const &data, int op)
{
    std::string path;
    for (int depth = 0; has(data.ops, op) && depth < kMostLayers; ++depth) {
        auto const &row = at(data.ops, op);
        if (row.level == "keras" && row.kind != kSyntheticKind) path = path.empty() ? row.name : row.name + '/' + path;
        op = row.parent;
    }
    return path;
}

std::vector<StepPair> matchSteps(ReportData const &before, ProgramTree const &treeBefore, ReportData const &now, ProgramTree const &treeNow)
{
    Names names;
    auto const a = stepsOf(before, treeBefore, names), b = stepsOf(now, treeNow, names);
    Matcher matcher(a, b);
    matcher.run();
    Merged merged(a, b, matcher);
    merged.add(kNone, kNone, kNone);
    return std::move(merged.rows);
}

double samplesOfStep(ReportData const &data)
{
    auto const it = std::ranges::find(data.figures, "samples_per_step", &FigureRow::name);
    return it == data.figures.end() ? 0 : it->value;
}

bool sameSamples(ReportData const &before, ReportData const &now) { return samplesOfStep(before) == samplesOfStep(now); }

} // namespace tilewright::report
