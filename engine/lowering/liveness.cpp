#include "engine/lowering/liveness.h"

#include <algorithm>
#include <map>

namespace tilewright::lowering {

using namespace program;

namespace {

using Bits = std::vector<std::uint64_t>;

void set(Bits &bits, std::uint32_t i) { bits[i / 64] |= std::uint64_t{1} << (i % 64); }
void clear(Bits &bits, std::uint32_t i) { bits[i / 64] &= ~(std::uint64_t{1} << (i % 64)); }
bool test(Bits const &bits, std::uint32_t i) { return bits[i / 64] >> (i % 64) & 1; }
void merge(Bits &into, Bits const &from)
{
    for (std::size_t i = 0; i < into.size(); ++i) into[i] |= from[i];
}

/// Backward dataflow over the control tree.
struct Walker {
    Program const &program;
    std::vector<std::vector<VarAccess>> const &accesses;
    std::vector<Bits> &live; ///< by position
    std::vector<int> leaves; ///< by step: leaves below it

    int count(StepId id)
    {
        int &n = leaves[id.index];
        if (n >= 0) return n;
        auto const &step = program.step(id);
        if (step.kind == StepKind::Sequence || step.kind == StepKind::Repeat || step.kind == StepKind::Parallel
            || step.kind == StepKind::Call) {
            n = 0;
            for (auto child : step.children) n += count(child);
        } else {
            n = 1;
        }
        return n;
    }

    /// Live before the step, given live after it; `at` is the position of its first leaf.
    Bits walk(StepId id, int at, Bits after, bool record)
    {
        auto const &step = program.step(id);
        bool const inner = step.kind == StepKind::Sequence || step.kind == StepKind::Repeat || step.kind == StepKind::Parallel
            || step.kind == StepKind::Call;
        if (!inner) {
            auto const &touched = accesses[static_cast<std::size_t>(at)];
            if (record) {
                Bits &here = live[static_cast<std::size_t>(at)];
                here = after;
                for (auto const &a : touched) set(here, a.var.index);
            }
            for (auto const &a : touched)
                if (a.access == Access::Write) clear(after, a.var.index);
            for (auto const &a : touched)
                if (a.access != Access::Write) set(after, a.var.index);
            return after;
        }
        auto const body = [&](Bits out, bool rec) {
            int position = at + count(id);
            for (std::size_t i = step.children.size(); i-- > 0;) {
                position -= count(step.children[i]);
                out = walk(step.children[i], position, std::move(out), rec);
            }
            return out;
        };
        if (step.kind == StepKind::Repeat && step.count > 1) {
            // What the next iteration reads before writing it is live at the end of this one.
            Bits once = body(after, false);
            merge(after, once);
        }
        return body(std::move(after), record);
    }
};

} // namespace

bool intersects(std::vector<LiveInterval> const &a, std::vector<LiveInterval> const &b)
{
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (a[i].first < b[j].end && b[j].first < a[i].end) return true;
        if (a[i].end < b[j].end) ++i;
        else ++j;
    }
    return false;
}

Liveness analyseLiveness(Program const &program)
{
    Liveness result;
    result.steps = leafSteps(program);
    std::map<std::uint32_t, std::vector<VarAccess>> cache;
    for (auto id : result.steps) {
        auto it = cache.find(id.index);
        if (it == cache.end()) it = cache.emplace(id.index, accesses(program, program.step(id))).first;
        result.accesses.push_back(it->second);
    }
    std::size_t const words = program.variables.size() / 64 + 1;
    std::vector<Bits> live(result.steps.size(), Bits(words, 0));
    Bits atEnd(words, 0);
    for (std::uint32_t v = 0; v < program.variables.size(); ++v)
        if (program.variables[v].alwaysLive) set(atEnd, v);
    Walker walker{program, result.accesses, live, std::vector<int>(program.steps.size(), -1)};
    walker.walk(program.main, 0, atEnd, true);

    int const steps = static_cast<int>(result.steps.size());
    std::vector<LiveInterval> const always{{0, std::max(1, steps)}};
    result.classes.push_back(always);
    std::map<std::vector<std::pair<int, int>>, int> classIndex;
    for (std::uint32_t v = 0; v < program.variables.size(); ++v) {
        std::vector<LiveInterval> intervals;
        if (program.variables[v].alwaysLive) {
            intervals = always;
        } else {
            for (int s = 0; s < steps; ++s) {
                if (!test(live[static_cast<std::size_t>(s)], v)) continue;
                if (!intervals.empty() && intervals.back().end == s) ++intervals.back().end;
                else intervals.push_back({s, s + 1});
            }
        }
        std::vector<std::pair<int, int>> key;
        for (auto const &i : intervals) key.emplace_back(i.first, i.end);
        int index = 0;
        // A temporary that happens to be live at every step is always live in effect.
        if (intervals != always) {
            auto const [it, fresh] = classIndex.emplace(key, static_cast<int>(result.classes.size()));
            if (fresh) result.classes.push_back(intervals);
            index = it->second;
        }
        result.intervals.push_back(std::move(intervals));
        result.classOf.push_back(index);
    }
    return result;
}

} // namespace tilewright::lowering
