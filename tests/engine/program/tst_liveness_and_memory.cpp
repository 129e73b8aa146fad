#include "tests/engine/program/memory_invariants.h"
#include "tests/engine/program/random_layout.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <set>

using namespace tilewright;
using namespace tilewright::program;
using namespace tilewright::lowering;
using namespace tilewright::tests;

namespace {

/// A random control tree over compute sets that read, write and update a few variables.
class RandomProgram {
public:
    explicit RandomProgram(std::uint64_t seed, int tiles = 4) : m_random(seed), m_tiles(tiles) {}

    Program make()
    {
        m_p = emptyProgram(m_tiles, 1 + static_cast<int>(m_random.below(2)));
        m_p.codelets = {"Copy"};
        auto const count = 3 + m_random.below(10);
        for (std::uint64_t v = 0; v < count; ++v) {
            // Variables on all tiles of all IPUs would each need a layout, so the variables of a vertex share their tiles.
            Layout l = rowLayout(m_tiles, 1 + static_cast<std::int64_t>(m_random.below(300)), tilesOf(m_tiles, 0), 0);
            auto const id = addVariable(m_p, "v" + std::to_string(v), l, m_random.below(2) ? DType::F32 : DType::U8);
            auto &variable = m_p.variables[id.index];
            variable.alwaysLive = m_random.below(5) == 0;
            variable.interleaved = m_random.below(4) == 0;
            variable.category = static_cast<Category>(m_random.below(5));
        }
        block(m_p.main, 0);
        return std::move(m_p);
    }

private:
    void block(StepId parent, int depth)
    {
        for (auto n = 1 + m_random.below(5); n > 0; --n) {
            auto const kind = m_random.below(depth < 3 ? 6u : 3u);
            if (kind == 3 || kind == 4) {
                auto const loop = addStep(m_p, StepKind::Repeat, parent, "loop");
                m_p.steps[loop.index].count = 1 + static_cast<std::int64_t>(m_random.below(3));
                block(loop, depth + 1);
            } else if (kind == 5 && !m_bodies.empty() && m_random.below(2)) {
                // A second call of something that is complete.
                auto const call = addStep(m_p, StepKind::Call, parent, "call");
                m_p.steps[call.index].children = {m_bodies[m_random.below(m_bodies.size())]};
            } else if (kind == 5) {
                auto const sequence = addStep(m_p, StepKind::Sequence, parent, "sequence");
                block(sequence, depth + 1);
                m_bodies.push_back(sequence);
            } else {
                leaf(parent);
            }
        }
    }
    void leaf(StepId parent)
    {
        ComputeSet set;
        VertexFamily family;
        std::set<std::size_t> used;
        for (auto n = 1 + m_random.below(4); n > 0; --n) {
            auto const v = m_random.below(m_p.variables.size());
            if (used.insert(v).second) family.fields.push_back({VarId(v), static_cast<Access>(m_random.below(3)), -1});
        }
        set.families = {family};
        m_p.computeSets.push_back(set);
        auto const step = addStep(m_p, StepKind::Execute, parent, "execute");
        m_p.steps[step.index].computeSet = ComputeSetId(m_p.computeSets.size() - 1);
    }

    RandomStream m_random;
    int m_tiles;
    Program m_p;
    std::vector<StepId> m_bodies;
};

/// The executed steps in order, with repeating loops unrolled twice: positions in leafSteps().
void unroll(Program const &p, StepId id, int &next, std::vector<int> &trace)
{
    auto const &step = p.step(id);
    if (step.kind == StepKind::Execute) {
        trace.push_back(next++);
        return;
    }
    int const begin = next;
    for (std::int64_t round = 0; round < (step.kind == StepKind::Repeat ? std::min<std::int64_t>(2, step.count) : 1); ++round) {
        next = begin;
        for (auto child : step.children) unroll(p, child, next, trace);
    }
}

/// By variable and position: true if its bytes still hold needed data. By definition a step that uses a variable needs its bytes, and so
/// does the
/// time between a write and the last read of that data.
std::vector<std::vector<bool>> bruteForce(Program const &p, std::vector<StepId> const &leaves)
{
    std::vector<int> trace;
    int next = 0;
    unroll(p, p.main, next, trace);
    std::vector<std::vector<bool>> live(p.variables.size(), std::vector<bool>(leaves.size(), false));
    for (std::size_t v = 0; v < p.variables.size(); ++v) {
        bool wanted = p.variables[v].alwaysLive;
        for (std::size_t i = trace.size(); i-- > 0;) {
            auto const position = static_cast<std::size_t>(trace[i]);
            if (wanted) live[v][position] = true;
            for (auto const &access : accesses(p, p.step(leaves[position]))) {
                if (access.var.index != v) continue;
                live[v][position] = true;
                wanted = access.access != Access::Write;
            }
        }
    }
    return live;
}

target::Machine smallMachine(int tiles, Bytes bytes)
{
    auto machine = target::parseMachine("gc200").value();
    machine.chip.tiles = tiles;
    machine.chip.bytesPerTile = bytes;
    machine.chip.nonInterleavedBytes = bytes / 2;
    return machine;
}

} // namespace

class TstLivenessAndMemory : public QObject {
    Q_OBJECT
private slots:
    void livenessEqualsAnInterpretation()
    {
        int loops = 0, calls = 0, parts = 0;
        for (std::uint64_t seed = 1; seed <= 1500; ++seed) {
            auto const p = RandomProgram(seed).make();
            auto const ok = verify(p);
            QVERIFY2(ok.ok(), qPrintable(QString("seed %1: %2").arg(seed).arg(ok.ok() ? "" : QString::fromStdString(toText(ok.error())))));
            auto const liveness = analyseLiveness(p);
            QCOMPARE(liveness.steps, leafSteps(p));
            auto const expected = bruteForce(p, liveness.steps);
            for (std::size_t v = 0; v < p.variables.size(); ++v) {
                std::vector<bool> got(liveness.steps.size(), false);
                for (auto const &interval : liveness.intervals[v])
                    for (int s = interval.first; s < interval.end; ++s) got[static_cast<std::size_t>(s)] = true;
                auto const &want = expected[v];
                // Always-live variables hold their bytes throughout, read or not.
                if (p.variables[v].alwaysLive) QVERIFY(std::ranges::find(got, false) == got.end());
                else QVERIFY2(got == want, qPrintable(QString("seed %1, v%2").arg(seed).arg(v)));
                parts += liveness.intervals[v].size() > 1;
            }
            for (auto const &step : p.steps) {
                loops += step.kind == StepKind::Repeat && step.count > 1;
                calls += step.kind == StepKind::Call;
            }
        }
        QVERIFY(loops > 1000 && calls > 100 && parts > 500);
    }
    void equalIntervalsShareAClass()
    {
        for (std::uint64_t seed = 1; seed <= 200; ++seed) {
            auto const p = RandomProgram(seed).make();
            auto const liveness = analyseLiveness(p);
            int const steps = static_cast<int>(liveness.steps.size());
            for (std::size_t v = 0; v < p.variables.size(); ++v) {
                auto const c = static_cast<std::size_t>(liveness.classOf[v]);
                QVERIFY(liveness.classes[c] == liveness.intervals[v]);
                for (std::size_t w = 0; w < v; ++w)
                    QCOMPARE(liveness.classOf[v] == liveness.classOf[w], liveness.intervals[v] == liveness.intervals[w]);
                // Class 0 is that of variables live at all steps.
                QCOMPARE(c == 0, liveness.intervals[v] == (std::vector<LiveInterval>{{0, steps}}));
                int last = -1;
                for (auto const &i : liveness.intervals[v]) {
                    QVERIFY(i.first > last && i.first < i.end && i.end <= steps);
                    last = i.end; // apart by a step at least: else they were one
                }
            }
        }
    }
    void intervalsThatShareAStepIntersect()
    {
        RandomStream random(9);
        for (int round = 0; round < 2000; ++round) {
            std::vector<LiveInterval> a, b;
            std::set<int> inA, inB;
            for (auto *side : {&a, &b}) {
                int at = 0;
                for (auto n = random.below(4); n > 0; --n) {
                    int const first = at + static_cast<int>(random.below(4)), end = first + 1 + static_cast<int>(random.below(4));
                    side->push_back({first, end});
                    for (int s = first; s < end; ++s) (side == &a ? inA : inB).insert(s);
                    at = end + 1;
                }
            }
            bool const shared = std::ranges::any_of(inA, [&](int s) { return inB.contains(s); });
            QCOMPARE(intersects(a, b), shared);
            QCOMPARE(intersects(b, a), shared);
        }
    }
    void allocationsKeepTheInvariants()
    {
        int unplaced = 0, roomless = 0, overflowing = 0, overlapping = 0, interleaved = 0;
        for (std::uint64_t seed = 1; seed <= 600; ++seed) {
            RandomStream random(deriveSeed(seed, 1));
            auto const p = RandomProgram(seed).make();
            auto const machine = smallMachine(4, 4096 + 512 * static_cast<Bytes>(random.below(12)));
            auto const liveness = analyseLiveness(p);
            auto const memory = allocate(p, liveness, codeBytes(p, {}, machine, random.below(2) == 1), machine);
            auto const problem = memoryProblem(p, liveness, memory, machine);
            QVERIFY2(problem.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(QString::fromStdString(problem))));
            overflowing += !memory.fits;
            for (auto const &item : memory.layouts[0].items) interleaved += item.region == MemoryRegion::Interleaved;
            Bytes sum = 0;
            for (auto const &item : memory.layouts[0].items) sum += item.bytes;
            overlapping += sum > memory.withoutGaps[0];
            if (!memory.fits) {
                auto const error = outOfMemory(p, liveness, memory, machine);
                QVERIFY(error.kind == ErrorKind::DoesNotFit);
                QVERIFY(error.message.find("largest there") == std::string::npos
                        && error.message.find("Largest there") != std::string::npos);
            }
            // For a program that needs too much at once, the check without placement agrees with the allocation.
            auto const code = codeBytes(p, {}, machine, random.below(2) == 1);
            auto const placed = allocate(p, liveness, code, machine);
            auto const refused = unplaceable(p, liveness, code, machine);
            QCOMPARE(refused.has_value(), *std::ranges::max_element(placed.need) > machine.chip.bytesPerTile);
            roomless += !refused && !placed.fits;
            if (refused) {
                ++unplaced;
                QVERIFY(!refused->fits && !placed.fits);
                QVERIFY(refused->need == placed.need && refused->alwaysLive == placed.alwaysLive && refused->peakStep == placed.peakStep);
                for (std::size_t i = 0; i < placed.ipus.size(); ++i) {
                    auto const begin = placed.need.begin() + static_cast<std::ptrdiff_t>(i) * p.tilesPerIpu;
                    QCOMPARE(refused->ipus[i].worstBytes, *std::max_element(begin, begin + p.tilesPerIpu));
                    QVERIFY(placed.ipus[i].fits || !refused->ipus[i].fits || placed.ipus[i].cause != "total");
                }
            }
            // The same input gives the same bytes.
            auto const again = allocate(p, liveness, codeBytes(p, {}, machine, true), machine);
            auto const twice = allocate(p, liveness, codeBytes(p, {}, machine, true), machine);
            QVERIFY(again.layouts == twice.layouts && again.layoutOf == twice.layoutOf);
        }
        QVERIFY2(unplaced > 20 && roomless > 0, qPrintable(QStringLiteral("%1, %2").arg(unplaced).arg(roomless)));
        QVERIFY(overflowing > 50 && overflowing < 550);
        QVERIFY2(overlapping > 20, qPrintable(QString::number(overlapping)));
        QVERIFY(interleaved > 100);
    }
    void theCheckNoticesADamagedAllocation()
    {
        // The oracle of the test above can fail: each damage is found in some program.
        std::vector<std::function<void(Memory &)>> const damages{
            [](Memory &m) { m.layouts[0].items[1].offset = m.layouts[0].items[0].offset; },
            [](Memory &m) { m.layouts[0].items.back().offset += 4; },
            [](Memory &m) { m.layouts[0].items.pop_back(); },
            [](Memory &m) { m.withGaps[0] += 1; },
            [](Memory &m) { m.need[0] -= 1; },
            [](Memory &m) { m.fits = !m.fits; },
            [](Memory &m) { m.byKind[0] += 4; },
        };
        auto const machine = smallMachine(4, 65536);
        auto const p = RandomProgram(3).make();
        auto const liveness = analyseLiveness(p);
        auto const memory = allocate(p, liveness, codeBytes(p, {}, machine, true), machine);
        QCOMPARE(memoryProblem(p, liveness, memory, machine), std::string());
        for (std::size_t i = 0; i < damages.size(); ++i) {
            auto damaged = memory;
            damages[i](damaged);
            QVERIFY2(!memoryProblem(p, liveness, damaged, machine).empty(), qPrintable(QString::number(i)));
        }
    }
};

TW_REGISTER_TEST(TstLivenessAndMemory);
#include "tst_liveness_and_memory.moc"
