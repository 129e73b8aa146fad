#include "engine/report/check/check_parts.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace tilewright::report::check {

namespace {

int levelOf(std::string const &level)
{
    std::array<char const *, 4> const levels{"keras", "graph", "library", "compute_set"};
    for (int i = 0; i < 4; ++i)
        if (level == levels[static_cast<std::size_t>(i)]) return i;
    return kNone;
}

class ProgramCheck {
public:
    ProgramCheck(ReportData const &data, Violations &out) : d(data), m_out(out), m_children(data.programs.size())
    {
        for (auto const &child : d.programChildren) at(m_children, child.parent).push_back(child);
        for (auto &list : m_children)
            std::sort(list.begin(), list.end(), [](auto const &a, auto const &b) { return a.position < b.position; });
    }

    void run()
    {
        if (tree() && calls()) steps();
        owners();
        exchanges();
    }

private:
    std::string named(int program) const { return "program " + number(program) + " (" + at(d.programs, program).name + ")"; }

    /// 13: each program except the roots has exactly one parent; a walk from the roots visits nothing twice.
    bool tree()
    {
        bool right = true;
        std::vector<int> parents(d.programs.size(), 0);
        for (auto const &child : d.programChildren) ++at(parents, child.child);
        for (int p = 0; p < sizeOf(d.programs); ++p)
            if (at(parents, p) > 1) {
                m_out.add(13, named(p), "hangs in " + number(at(parents, p)) + " places");
                right = false;
            }
        std::vector<bool> met(d.programs.size(), false);
        for (auto const &function : d.functions) {
            if (at(parents, function.root) > 0) {
                m_out.add(13, "function " + function.name, "its root is a child of another program");
                right = false;
            }
            std::vector<int> open{function.root};
            while (!open.empty()) {
                int const p = open.back();
                open.pop_back();
                if (met[static_cast<std::size_t>(p)]) {
                    m_out.add(13, named(p), "is met twice");
                    return false;
                }
                met[static_cast<std::size_t>(p)] = true;
                for (auto const &child : at(m_children, p)) open.push_back(child.child);
            }
        }
        if (!d.functions.empty())
            for (int p = 0; p < sizeOf(d.programs); ++p)
                if (!met[static_cast<std::size_t>(p)]) {
                    m_out.add(13, named(p), "belongs to no function");
                    right = false;
                }
        return right;
    }

    bool calls()
    {
        // A function is settled when all its callees are. Functions that never settle are part of a cycle.
        std::vector<std::set<int>> callees(d.functions.size());
        for (int f = 0; f < sizeOf(d.functions); ++f) {
            std::vector<int> open{at(d.functions, f).root};
            while (!open.empty()) {
                int const p = open.back();
                open.pop_back();
                auto const &program = at(d.programs, p);
                if (program.kind == "call") {
                    if (program.callee < 0) m_out.add(13, named(p), "calls nothing");
                    else at(callees, f).insert(program.callee);
                }
                for (auto const &child : at(m_children, p)) open.push_back(child.child);
            }
        }
        std::set<int> settled;
        for (bool changed = true; changed;) {
            changed = false;
            for (int f = 0; f < sizeOf(d.functions); ++f)
                if (!settled.count(f) && std::includes(settled.begin(), settled.end(), at(callees, f).begin(), at(callees, f).end())) {
                    settled.insert(f);
                    changed = true;
                }
        }
        for (int f = 0; f < sizeOf(d.functions); ++f)
            if (!settled.count(f)) m_out.add(13, "function " + at(d.functions, f).name, "calls itself in the end");
        return settled.size() == d.functions.size();
    }

    /// Bounded in depth and work: a damaged tree may be deep or call the same empty functions again and again.
    void walk(int program, std::vector<int> &leaves, int depth, std::int64_t &budget) const
    {
        if (depth > 5000 || --budget < 0 || leaves.size() > d.livenessSteps.size()) return;
        auto const &row = at(d.programs, program);
        if (!isControlKind(row.kind)) {
            leaves.push_back(program);
            return;
        }
        if (row.kind == "call" && row.callee >= 0) walk(at(d.functions, row.callee).root, leaves, depth + 1, budget);
        for (auto const &child : at(m_children, program)) walk(child.child, leaves, depth + 1, budget);
    }

    void steps() // 13
    {
        if (d.livenessSteps.empty() || d.functions.empty()) return;
        std::vector<int> leaves;
        std::int64_t budget = 20'000'000;
        for (auto const &function : d.functions)
            if (function.entry) walk(function.root, leaves, 0, budget);
        if (leaves.size() != d.livenessSteps.size())
            m_out.add(13, "liveness steps",
                      "there are " + number(sizeOf(d.livenessSteps)) + ", walking the tree gives "
                          + (leaves.size() > d.livenessSteps.size() ? "more" : number(sizeOf(leaves))));
        for (int s = 0; s < std::min(sizeOf(leaves), sizeOf(d.livenessSteps)); ++s)
            if (at(leaves, s) != at(d.livenessSteps, s).program) {
                m_out.add(13, "step " + number(s),
                          "is program " + number(at(d.livenessSteps, s).program) + ", walking the tree gives " + number(at(leaves, s)));
                break;
            }
    }

    void owners() // 14
    {
        for (int p = 0; p < sizeOf(d.programs); ++p)
            if (at(d.programs, p).op < 0) m_out.add(14, named(p), "belongs to no operation");
        for (int o = 0; o < sizeOf(d.ops); ++o) {
            auto const &op = at(d.ops, o);
            std::string const subject = "op " + number(o) + " (" + op.name + ")";
            int const level = levelOf(op.level);
            if (op.parent < 0) {
                if (level > 0 && op.kind != kSyntheticKind)
                    m_out.add(14, subject, "has level " + op.level + " but no parent, and is not synthetic");
                continue;
            }
            int const above = levelOf(at(d.ops, op.parent).level);
            if (above != level - 1 && !(level == 0 && above == 0))
                m_out.add(14, subject, "has level " + op.level + ", its parent has " + at(d.ops, op.parent).level);
        }
        // A chain of parents longer than the number of ops is a cycle.
        for (int o = 0; o < sizeOf(d.ops); ++o) {
            int at_ = o, length = 0;
            while (at_ >= 0 && length <= sizeOf(d.ops)) {
                at_ = at(d.ops, at_).parent;
                ++length;
            }
            if (length > sizeOf(d.ops)) {
                m_out.add(14, "op " + number(o), "is its own ancestor");
                break;
            }
        }
    }

    void exchanges() // 15
    {
        for (auto const &e : d.exchanges) {
            std::string const subject = named(e.program);
            if (e.bytesSent <= 0) m_out.add(15, subject, "sends nothing");
            if (e.kind == "internal" ? e.bytesReceived < e.bytesSent : e.bytesReceived != e.bytesSent)
                m_out.add(15, subject, "sends " + number(e.bytesSent) + " bytes and receives " + number(e.bytesReceived));
            if (e.sentVec >= 0 && d.tileVecs.head(e.sentVec).sum != e.bytesSent)
                m_out.add(15, subject,
                          "tiles send " + number(d.tileVecs.head(e.sentVec).sum) + " bytes, the exchange " + number(e.bytesSent));
            if (e.receivedVec >= 0 && d.tileVecs.head(e.receivedVec).sum != e.bytesReceived)
                m_out.add(15, subject,
                          "tiles receive " + number(d.tileVecs.head(e.receivedVec).sum) + " bytes, the exchange "
                              + number(e.bytesReceived));
            if (!e.pairs.empty()) {
                Bytes const sum =
                    std::accumulate(e.pairs.begin(), e.pairs.end(), Bytes{0}, [](Bytes s, auto const &p) { return s + p.bytes; });
                if (sum != e.bytesReceived)
                    m_out.add(15, subject, "its pairs sum to " + number(sum) + " bytes, it receives " + number(e.bytesReceived));
            }
        }
        for (int c = 0; c < sizeOf(d.computeSets); ++c) {
            // Not a check of its own: the header of a compute set's row must agree with its vector.
            auto const &set = at(d.computeSets, c);
            auto const &head = d.tileVecs.head(set.cyclesVec);
            if (set.cyclesMax != head.max || set.activeTiles != head.nonzero)
                m_out.add(4, "compute set " + number(c) + " (" + set.name + ")",
                          "says " + number(set.cyclesMax) + " cycles on " + number(set.activeTiles) + " tiles, its vector "
                              + number(head.max) + " on " + number(head.nonzero));
        }
    }

    ReportData const &d;
    Violations &m_out;
    std::vector<std::vector<ProgramChildRow>> m_children;
};

} // namespace

void checkProgram(ReportData const &data, Violations &out) { ProgramCheck(data, out).run(); }

} // namespace tilewright::report::check
