#include "engine/report/program_tree.h"
#include "engine/report/rows.h"

#include <algorithm>
#include <map>

namespace tilewright::report {

namespace {

class Builder {
public:
    Builder(ReportData const &reportData, int maxNodes) : d(reportData), m_max(maxNodes), m_children(reportData.programs.size())
    {
        for (int i = 0; i < count(d.programChildren); ++i) {
            auto const &row = at(d.programChildren, i);
            if (row.parent >= 0 && row.parent < count(d.programs) && row.child >= 0 && row.child < count(d.programs))
                at(m_children, row.parent).push_back(i);
        }
        for (auto &list : m_children) std::ranges::stable_sort(list, {}, [this](int row) { return at(d.programChildren, row).position; });
        findBarriers();
    }

    ProgramTree build()
    {
        tree.calls.assign(d.functions.size(), 0);
        for (auto const &program : d.programs)
            if (program.kind == "call" && program.callee >= 0 && program.callee < count(d.functions)) ++at(tree.calls, program.callee);
        // First each function gets its own entry, so that a large callee cannot displace others.
        for (int f = 0; f < count(d.functions); ++f) {
            auto const &function = at(d.functions, f);
            if (function.root < 0 || function.root >= count(d.programs) || f == m_barriers) continue;
            ProgramNode node;
            node.program = function.root;
            node.function = f;
            m_entry = function.entry;
            m_callees.assign(1, f);
            int const top = add(node);
            if (isControlKind(at(d.programs, function.root).kind)) below(top);
            else leaf(top);
        }
        return std::move(tree);
    }

private:
    /// The function that lists the barriers, one for each exchange and in their order. It has no place in the schedule: a barrier is shown
    /// before its exchange.
    void findBarriers()
    {
        std::vector<int> exchanges;
        for (int p = 0; p < count(d.programs); ++p)
            if (auto const &kind = at(d.programs, p).kind; kind == "exchange" || kind == "global_exchange") exchanges.push_back(p);
        for (int f = 0; f < count(d.functions); ++f) {
            auto const &function = at(d.functions, f);
            if (function.entry || function.root < 0 || function.root >= count(d.programs)) continue;
            auto const &rows = at(m_children, function.root);
            auto const matches = [&](int row, int exchange) {
                auto const &barrier = at(d.programs, at(d.programChildren, row).child);
                return phaseOfProgramKind(barrier.kind) == "sync" && barrier.op == at(d.programs, exchange).op;
            };
            if (rows.empty() || !std::ranges::equal(rows, exchanges, matches)) continue;
            m_barriers = f;
            m_barrierOf.assign(d.programs.size(), kNone);
            for (std::size_t i = 0; i < rows.size(); ++i) at(m_barrierOf, exchanges[i]) = rows[i];
            return;
        }
    }

    int add(ProgramNode const &node)
    {
        tree.nodes.push_back(node);
        return count(tree.nodes) - 1;
    }

    void leaf(int node)
    {
        if (!m_entry || m_step >= count(d.livenessSteps)) return;
        // Steps are numbered in this order; if a report disagrees, no live bytes are shown.
        if (at(d.livenessSteps, m_step).program == at(tree.nodes, node).program) at(tree.nodes, node).step = m_step++;
    }

    void below(int parent)
    {
        int const program = at(tree.nodes, parent).program;
        auto const &row = at(d.programs, program);
        int inner = program;
        if (row.kind == "call") {
            if (row.callee < 0 || row.callee >= count(d.functions)) return;
            if (std::ranges::find(m_callees, row.callee) != m_callees.end()) return; // recursive call
            inner = at(d.functions, row.callee).root;
            if (inner < 0 || inner >= count(d.programs)) return;
            if (count(tree.nodes) + count(at(m_children, inner)) > m_max) {
                tree.cut = true;
                return;
            }
            m_callees.push_back(row.callee);
        }
        // A callee with a single step has no children; the step is placed directly below the call.
        if (inner != program && !isControlKind(at(d.programs, inner).kind)) leaf(place(parent, inner, kNone, 1, true));
        std::int64_t times = 1;
        bool known = true;
        for (int const loop : {program, inner}) {
            auto const &kind = at(d.programs, loop).kind;
            if (kind == "repeat" && at(d.programs, loop).repeatCount >= 0) times *= at(d.programs, loop).repeatCount;
            else if (kind == "repeat" || kind == "repeat_while" || kind == "if" || kind == "switch" || kind == "switch_per_tile")
                known = false;
            if (inner == program) break;
        }
        for (int const childRow : at(m_children, inner)) {
            int const child = at(d.programChildren, childRow).child;
            if (int const barrier = m_barriers >= 0 ? at(m_barrierOf, child) : kNone; barrier >= 0)
                place(parent, at(d.programChildren, barrier).child, barrier, times, known);
            int const node = place(parent, child, childRow, times, known);
            if (isControlKind(at(d.programs, child).kind)) below(node);
            else leaf(node);
        }
        if (row.kind == "call") m_callees.pop_back();
    }

    int place(int parent, int program, int childRow, std::int64_t times, bool known)
    {
        ProgramNode node;
        node.program = program;
        node.parent = parent;
        node.child = childRow;
        node.times = at(tree.nodes, parent).times * times;
        node.timesKnown = at(tree.nodes, parent).timesKnown && known;
        return add(node);
    }

    ReportData const &d;
    int m_max;
    std::vector<std::vector<int>> m_children; ///< rows of programChildren by program
    std::vector<int> m_callees;               ///< functions on the current path
    int m_barriers = kNone;                   ///< function of the barriers
    std::vector<int> m_barrierOf;             ///< by exchange: the barrier's row of programChildren
    int m_step = 0;
    bool m_entry = false;
    ProgramTree tree;
};

/// The share of `amount` for the weights [before, before + own) of `all`. All shares add up to `amount`.
std::int64_t shareOf(std::int64_t amount, std::int64_t before, std::int64_t own, std::int64_t all)
{
    if (all <= 0) return 0;
    // In two parts, to avoid overflow.
    auto const upTo = [&](std::int64_t weight) { return amount / all * weight + amount % all * weight / all; };
    return upTo(before + own) - upTo(before);
}

} // namespace

std::vector<int> ProgramTree::parents() const
{
    std::vector<int> all;
    all.reserve(nodes.size());
    for (auto const &node : nodes) all.push_back(node.parent);
    return all;
}

ProgramTree programTree(ReportData const &data, int maxNodes) { return Builder(data, maxNodes).build(); }

std::vector<NodeCost> nodeCosts(ReportData const &data, ProgramTree const &tree, std::vector<RunCost> const &byProgram,
                                std::vector<Bytes> const &liveBytes)
{
    int const n = count(tree.nodes);
    std::vector<NodeCost> costs(tree.nodes.size());
    // Functions without a caller divide their programs' cycles among them. A called function also appears at the top level with the cost of
    // all its
    // calls.
    std::vector<int> groupOf(tree.nodes.size(), -1);
    std::map<std::pair<int, int>, std::int64_t> weights, given; // by group and program
    for (int i = 0; i < n; ++i) {
        auto const &node = at(tree.nodes, i);
        at(groupOf, i) = node.parent >= 0 ? at(groupOf, node.parent) : at(tree.calls, node.function) > 0 ? node.function : -1;
        weights[{at(groupOf, i), node.program}] += std::max<std::int64_t>(1, node.times);
    }
    for (int i = 0; i < n; ++i) {
        auto const &node = at(tree.nodes, i);
        auto &cost = at(costs, i);
        std::pair const key{at(groupOf, i), node.program};
        std::int64_t const own = std::max<std::int64_t>(1, node.times), all = weights[key];
        auto &before = given[key];
        if (node.program < count(byProgram)) {
            auto const &whole = at(byProgram, node.program);
            cost.executions = shareOf(whole.executions, before, own, all);
            cost.self = shareOf(whole.cycles, before, own, all);
            cost.moved = shareOf(whole.bytesMoved, before, own, all);
        }
        before += own;
        cost.total = cost.self;
        cost.code = at(data.programs, node.program).codeBytes;
        if (node.step >= 0 && node.step < count(liveBytes)) cost.live = at(liveBytes, node.step);
    }
    for (int i = n; i-- > 0;) {
        int const parent = at(tree.nodes, i).parent;
        if (parent < 0) continue;
        auto const &cost = at(costs, i);
        auto &above = at(costs, parent);
        above.total += cost.total;
        above.moved += cost.moved;
        above.code += cost.code;
        above.live = std::max(above.live, cost.live);
    }
    return costs;
}

} // namespace tilewright::report
