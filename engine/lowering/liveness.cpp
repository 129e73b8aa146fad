#include "engine/lowering/liveness.h"

#include <algorithm>
#include <map>
#include <span>

namespace tilewright::lowering {

using namespace program;

namespace {

/// A stretch of steps that runs more than once, and the one around it.
struct Round {
    int begin = 0, end = 0, outer = -1;
};

/// The leaves in order, and which of them repeat.
struct Course {
    Program const &program;
    std::vector<StepId> steps;
    std::vector<Round> rounds;
    std::vector<int> roundOf; ///< by step: innermost round, -1 = none

    explicit Course(Program const &p) : program(p) { walk(program.main, -1); }

    void walk(StepId id, int round)
    {
        auto const &step = program.step(id);
        switch (step.kind) {
        case StepKind::Repeat:
            if (step.count > 1) {
                rounds.push_back({static_cast<int>(steps.size()), 0, round});
                round = static_cast<int>(rounds.size()) - 1;
            }
            for (auto child : step.children) walk(child, round);
            if (step.count > 1) rounds[static_cast<std::size_t>(round)].end = static_cast<int>(steps.size());
            return;
        case StepKind::Sequence:
        case StepKind::Parallel:
        case StepKind::Call:
            for (auto child : step.children) walk(child, round);
            return;
        case StepKind::Execute: case StepKind::Exchange: case StepKind::GlobalExchange: case StepKind::StreamCopy:
        case StepKind::SyncExternal: break;
        }
        steps.push_back(id);
        roundOf.push_back(round);
    }
};

/// A variable at a step.
struct Touch {
    int step = 0;
    bool reads = false; ///< what was there before
};

/// Backward through the touches of one variable.
class Tracer {
public:
    explicit Tracer(Course const &course) : m_course(course) {}

    std::vector<LiveInterval> intervals(std::span<Touch const> touches)
    {
        m_found.clear();
        stretch({0, static_cast<int>(m_course.steps.size()), -1}, -1, touches, false);
        // Found from the back; what meets is one.
        std::vector<LiveInterval> joined;
        for (std::size_t i = m_found.size(); i-- > 0;) {
            if (!joined.empty() && joined.back().end >= m_found[i].first) joined.back().end = std::max(joined.back().end, m_found[i].end);
            else joined.push_back(m_found[i]);
        }
        return joined;
    }

private:
    /// The round inside `outer` around a step; -1: it stands in `outer` itself.
    int roundWithin(int outer, int step) const
    {
        int inner = -1;
        for (int r = m_course.roundOf[static_cast<std::size_t>(step)]; r != outer; r = m_course.rounds[static_cast<std::size_t>(r)].outer) inner = r;
        return inner;
    }

    /// Notes where the variable is live in a stretch, given whether it is behind it; returns whether it is before it.
    bool stretch(Round const &range, int round, std::span<Touch const> touches, bool liveBehind)
    {
        int until = liveBehind ? range.end : -1; // live up to here; -1: not live
        while (!touches.empty()) {
            auto const &touch = touches.back();
            int const inner = roundWithin(round, touch.step);
            if (inner < 0) {
                int const end = until >= 0 ? until : touch.step + 1;
                until = touch.reads ? end : -1;
                if (!touch.reads) m_found.push_back({touch.step, end});
                touches = touches.first(touches.size() - 1);
                continue;
            }
            auto const &again = m_course.rounds[static_cast<std::size_t>(inner)];
            std::size_t first = touches.size();
            while (first > 0 && touches[first - 1].step >= again.begin) --first;
            bool const behind = until >= 0;
            if (behind && until > again.end) m_found.push_back({again.end, until});
            // What the next round reads before it writes it is live at the end of this one.
            bool const before = stretch(again, inner, touches.subspan(first), behind || touches[first].reads);
            until = before ? again.begin : -1;
            touches = touches.first(first);
        }
        if (until >= 0 && until > range.begin) m_found.push_back({range.begin, until});
        return until >= 0;
    }

    Course const &m_course;
    std::vector<LiveInterval> m_found;
};

} // namespace

bool intersects(std::vector<LiveInterval> const &a, std::vector<LiveInterval> const &b)
{
    if (a.size() > b.size()) return intersects(b, a);
    // Of the longer list, from the first interval that ends behind the shorter one's on.
    auto at = b.begin();
    for (auto const &one : a) {
        at = std::partition_point(at, b.end(), [&](LiveInterval const &other) { return other.end <= one.first; });
        if (at == b.end()) return false;
        if (at->first < one.end) return true;
    }
    return false;
}

Liveness analyseLiveness(Program const &program)
{
    Course course(program);
    Liveness result;
    std::vector<std::vector<Touch>> touches(program.variables.size());
    std::vector<std::int64_t> known(program.steps.size(), -1);
    for (std::size_t s = 0; s < course.steps.size(); ++s) {
        auto const id = course.steps[s];
        if (known[id.index] < 0) {
            known[id.index] = static_cast<std::int64_t>(result.touched.size());
            result.touched.push_back(accesses(program, program.step(id)));
        }
        result.touchedBy.push_back(static_cast<std::uint32_t>(known[id.index]));
        for (auto const &access : result.accesses(s)) {
            auto &list = touches[access.var.index];
            bool const reads = access.access != Access::Write;
            if (!list.empty() && list.back().step == static_cast<int>(s)) list.back().reads = list.back().reads || reads;
            else list.push_back({static_cast<int>(s), reads});
        }
    }

    int const steps = static_cast<int>(course.steps.size());
    std::vector<LiveInterval> const always{{0, std::max(1, steps)}};
    result.classes.push_back(always);
    std::map<std::vector<std::pair<int, int>>, int> classIndex;
    Tracer tracer(course);
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
        auto intervals = program.variables[v].alwaysLive ? always : tracer.intervals(touches[v]);
        int index = 0;
        // A temporary that happens to be live at every step is always live in effect.
        if (intervals != always) {
            std::vector<std::pair<int, int>> key;
            for (auto const &i : intervals) key.emplace_back(i.first, i.end);
            auto const [it, fresh] = classIndex.emplace(std::move(key), static_cast<int>(result.classes.size()));
            if (fresh) result.classes.push_back(intervals);
            index = it->second;
        }
        result.intervals.push_back(std::move(intervals));
        result.classOf.push_back(index);
    }
    result.steps = std::move(course.steps);
    return result;
}

} // namespace tilewright::lowering
