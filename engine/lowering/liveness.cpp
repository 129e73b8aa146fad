#include "engine/lowering/liveness.h"

#include "engine/program/pieces.h"

#include <algorithm>
#include <map>
#include <span>

namespace tilewright::lowering {

using namespace program;

namespace {

/// A range of steps that is not simply sequential. Of a loop: its body, run repeatedly. Of a fork: one of its two arms runs; an arm can be
/// empty
/// (a loop that may run zero times).
struct Stretch {
    enum class Kind { Loop, Fork, Arm } kind = Kind::Loop;
    int begin = 0, end = 0, outer = -1;
    int arms[2] = {-1, -1}; ///< of a fork
    bool hasForks = false;  ///< of a loop: a fork is nested in it
};

/// The leaf steps in order, and the ranges that contain them.
struct Course {
    Program const &program;
    std::vector<StepId> steps;
    std::vector<Stretch> stretches;
    std::vector<int> innermost; ///< by step; -1: none

    explicit Course(Program const &p) : program(p) { walk(program.main, -1); }

    Stretch const &operator[](int index) const { return stretches[static_cast<std::size_t>(index)]; }

    int open(Stretch::Kind kind, int outer)
    {
        Stretch one;
        one.kind = kind;
        one.begin = one.end = static_cast<int>(steps.size());
        one.outer = outer;
        stretches.push_back(one);
        return static_cast<int>(stretches.size()) - 1;
    }
    void close(int index) { stretches[static_cast<std::size_t>(index)].end = static_cast<int>(steps.size()); }

    void fork(std::initializer_list<StepId> arms, int outer)
    {
        for (int around = outer; around >= 0; around = (*this)[around].outer) stretches[static_cast<std::size_t>(around)].hasForks = true;
        int const index = open(Stretch::Kind::Fork, outer);
        int number = 0;
        for (auto child : arms) {
            int const arm = open(Stretch::Kind::Arm, index);
            if (child.valid()) walk(child, arm);
            close(arm);
            stretches[static_cast<std::size_t>(index)].arms[number++] = arm;
        }
        close(index);
    }

    void walk(StepId id, int around)
    {
        auto const &step = program.step(id);
        if (!isControl(step.kind)) {
            steps.push_back(id);
            innermost.push_back(around);
        } else if (step.kind == StepKind::If) {
            fork({step.children[0], step.children[1]}, around);
        } else if (step.kind == StepKind::While) {
            int const loop = step.count > 1 ? open(Stretch::Kind::Loop, around) : -1;
            walk(step.children[0], loop >= 0 ? loop : around);
            fork({step.children[1], StepId()}, loop >= 0 ? loop : around);
            if (loop >= 0) close(loop);
        } else {
            int const loop = step.kind == StepKind::Repeat && step.count > 1 ? open(Stretch::Kind::Loop, around) : -1;
            for (auto child : step.children) walk(child, loop >= 0 ? loop : around);
            if (loop >= 0) close(loop);
        }
    }
};

/// A variable at a step.
struct Touch {
    int step = 0;
    bool reads = false; ///< reads the previous contents
    // The step only writes a part: the slice of its blocks, or the transfer.
    std::int32_t slice = -1;
    Transfer const *range = nullptr;
    bool isPart() const { return slice >= 0 || range; }
};

/// A step that updates a variable.
Touch updateOf(Program const &program, Step const &step, VarId var, int number)
{
    Touch touch{number, true};
    int times = 0;
    if (step.kind == StepKind::Execute) {
        for (auto const &family : program.computeSets[step.computeSet.index].families)
            for (auto const &field : family.fields) {
                if (field.var != var) continue;
                ++times;
                if (field.access == Access::Write) touch.slice = field.slice;
            }
    } else if (step.kind == StepKind::Exchange || step.kind == StepKind::GlobalExchange) {
        auto const &exchange = program.exchanges[step.exchange.index];
        for (auto const &t : exchange.transfers) {
            times += (t.src == var) + (t.dst == var);
            if (t.dst == var && !t.loops.empty() && t.dstPart < 0) touch.range = &t;
        }
        for (auto const &ring : exchange.ring) times += 2 * (ring.src == var || ring.dst == var);
    }
    return times == 1 ? touch : Touch{number, true};
}

/// Number of first uses of a variable that together overwrite it completely; 0: they do not.
std::size_t partsOfWhole(Program const &program, VarId var, std::span<Touch const> touches, std::vector<int> const &innermost)
{
    auto const &first = touches.front();
    auto const &layout = program.var(var).layout;
    std::int64_t count = 0, step = 0;
    if (first.slice == 0) {
        auto const &sliced = layout.dim(layout.order[0]);
        if (sliced.count == 1) count = sliced.extent;
    } else if (first.range && touches.size() > 1 && touches[1].range && !layout.has(DimKind::Addend) && !layout.has(DimKind::Slot)) {
        auto loops = first.range->loops;
        auto const elements = elementsOf(program, *first.range);
        count = layout.indexElements() / elements;
        step = touches[1].range->dst0 - first.range->dst0;
        loops.push_back({count, 0, step});
        if (count * elements != layout.indexElements() || first.range->dst0 != 0 || step <= 0 || writesTwice(loops)) return 0;
    }
    if (count < 2 || touches.size() < static_cast<std::size_t>(count)) return 0;
    for (std::int64_t i = 1; i < count; ++i) {
        auto const &next = touches[static_cast<std::size_t>(i)];
        auto const around = [&](Touch const &t) { return innermost[static_cast<std::size_t>(t.step)]; };
        auto const writesAlike = [](Loop const &a, Loop const &b) { return a.count == b.count && a.dst == b.dst; };
        bool const follows = first.range
            ? next.range && next.range->dst0 == i * step && std::ranges::equal(next.range->loops, first.range->loops, writesAlike)
            : next.slice == i;
        if (!follows || around(next) != around(first)) return 0;
    }
    return static_cast<std::size_t>(count);
}

/// Walks backward through the uses of one variable.
class Tracer {
public:
    explicit Tracer(Course const &course) : m_course(course) {}

    std::vector<LiveInterval> intervals(std::span<Touch const> touches)
    {
        m_found.clear();
        stretch(0, static_cast<int>(m_course.steps.size()), -1, touches, false);
        // Intervals in reverse order; adjacent ones are merged.
        std::vector<LiveInterval> joined;
        for (std::size_t i = m_found.size(); i-- > 0;) {
            if (!joined.empty() && joined.back().end >= m_found[i].first) joined.back().end = std::max(joined.back().end, m_found[i].end);
            else joined.push_back(m_found[i]);
        }
        return joined;
    }

private:
    /// The range directly inside `outer` that contains a step; -1: the step is in `outer` itself.
    int stretchWithin(int outer, int step) const
    {
        int inner = -1;
        for (int s = m_course.innermost[static_cast<std::size_t>(step)]; s != outer; s = m_course[s].outer) inner = s;
        return inner;
    }

    /// Records where the variable is live in [begin, end), given the steps of `index` that use it and whether it is live after them.
    /// Returns whether
    /// it is live before them.
    bool stretch(int begin, int end, int index, std::span<Touch const> touches, bool liveBehind)
    {
        int until = liveBehind ? end : -1; // live until here; -1: not live
        while (!touches.empty()) {
            auto const &touch = touches.back();
            int const inner = stretchWithin(index, touch.step);
            if (inner < 0) {
                int const last = until >= 0 ? until : touch.step + 1;
                until = touch.reads ? last : -1;
                if (!touch.reads) m_found.push_back({touch.step, last});
                touches = touches.first(touches.size() - 1);
                continue;
            }
            auto const &part = m_course[inner];
            std::size_t const first = firstFrom(touches, part.begin);
            bool const behind = until >= 0;
            if (behind && until > part.end) m_found.push_back({part.end, until});
            auto const within = touches.subspan(first);
            bool const before = part.kind == Stretch::Kind::Fork ? fork(part, within, behind) : loop(part, inner, within, behind);
            until = before ? part.begin : -1;
            touches = touches.first(first);
        }
        if (until >= 0 && until > begin) m_found.push_back({begin, until});
        return until >= 0;
    }

    bool loop(Stretch const &part, int index, std::span<Touch const> touches, bool behind)
    {
        // A value that the next iteration reads before writing is live at the end of this one.
        bool again = touches.front().reads;
        if (!behind && part.hasForks) {
            auto const found = m_found.size();
            again = stretch(part.begin, part.end, index, touches, false);
            m_found.resize(found);
        }
        return stretch(part.begin, part.end, index, touches, behind || again);
    }

    /// Live before the fork if either arm needs it. Live after the fork means live at the end of both arms.
    bool fork(Stretch const &part, std::span<Touch const> touches, bool behind)
    {
        bool before = false;
        for (int number = 1; number >= 0; --number) {
            int const index = part.arms[number];
            auto const &arm = m_course[index];
            std::size_t const first = firstFrom(touches, arm.begin);
            before = stretch(arm.begin, arm.end, index, touches.subspan(first), behind) || before;
            touches = touches.first(first);
        }
        return before;
    }

    static std::size_t firstFrom(std::span<Touch const> touches, int step)
    {
        std::size_t first = touches.size();
        while (first > 0 && touches[first - 1].step >= step) --first;
        return first;
    }

    Course const &m_course;
    std::vector<LiveInterval> m_found;
};

} // namespace

bool intersects(std::vector<LiveInterval> const &a, std::vector<LiveInterval> const &b)
{
    if (a.size() > b.size()) return intersects(b, a);
    // In the longer list, start from the first interval that ends after the beginning of the shorter one.
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
            int const number = static_cast<int>(s);
            list.push_back(access.access == Access::Update ? updateOf(program, program.step(id), access.var, number)
                                                           : Touch{number, access.access != Access::Write});
        }
    }
    // Several parts written before any read: the first part starts a new live range.
    for (std::size_t v = 0; v < touches.size(); ++v) {
        auto &list = touches[v];
        for (std::size_t i = 0; i < list.size(); ++i) {
            if (!list[i].isPart()) continue;
            auto const parts = partsOfWhole(program, VarId(v), std::span(list).subspan(i), course.innermost);
            if (parts == 0) continue;
            list[i].reads = false;
            i += parts - 1;
        }
    }

    int const steps = static_cast<int>(course.steps.size());
    std::vector<LiveInterval> const always{{0, std::max(1, steps)}};
    result.classes.push_back(always);
    std::map<std::vector<std::pair<int, int>>, int> classIndex;
    Tracer tracer(course);
    for (std::size_t v = 0; v < program.variables.size(); ++v) {
        std::vector<LiveInterval> intervals; // of bytes on tiles
        if (program.variables[v].home == Home::Tiles) intervals = program.variables[v].alwaysLive ? always : tracer.intervals(touches[v]);
        int index = 0;
        // A temporary that is live at all steps counts as always live.
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
