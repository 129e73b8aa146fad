// The schedule that lists repetitions once, against a walk of all iterations and calls.
#include "engine/core/random.h"
#include "engine/lowering/builder.h"
#include "engine/lowering/schedule.h"
#include "tests/support/test_registry.h"

#include <QtTest>

#include <map>

using namespace tilewright;
using namespace tilewright::program;
using lowering::ProgramBuilder;

namespace {

/// Control trees of everything there is over compute sets, exchanges and streams that take some time on some of the IPUs.
class RandomCourse {
public:
    RandomCourse(std::uint64_t seed, target::Machine const &machine, int ipus) : m_random(seed), m_ipus(ipus), m_b(machine, ipus, 1, {})
    {
        for (int ipu = 0; ipu < ipus; ++ipu)
            for (int i = 0; i < 3; ++i) {
                auto const layout = m_b.linear(1 + below(40), 1 + below(60), DType::F32, ipu);
                Shape const shape{layout.rows(), layout.cols()};
                m_vars.push_back(m_b.addVar("v" + std::to_string(m_vars.size()), "activation", DType::F32, shape, layout));
            }
        for (int i = 0; i < 3; ++i) { // a body can call earlier ones
            auto const body = m_b.beginDetached(StepKind::Sequence, "body");
            steps(3, -1, false);
            m_b.endBlock();
            m_bodies.push_back(body);
        }
        for (int ipu = 0; ipu < ipus; ++ipu) {
            m_works.push_back(m_b.beginDetached(StepKind::Sequence, "work"));
            steps(2, ipu, false);
            m_b.endBlock();
        }
        bool const pattern = below(2);
        if (pattern) m_b.beginBlock(StepKind::Repeat, "updates", 5);
        steps(0, -1, true);
        if (pattern) m_b.endBlock();
    }

    Program const &program() const { return m_b.program(); }

private:
    int below(int n) { return static_cast<int>(m_random.below(static_cast<std::uint64_t>(n))); }
    VarId varOn(int ipu) { return m_vars[static_cast<std::size_t>((ipu < 0 ? below(m_ipus) : ipu) * 3 + below(3))]; }

    void leaf(int ipu)
    {
        switch (below(ipu < 0 ? 6 : 2)) {
        case 0:
        case 1: {
            std::vector<VertexFamily> families{m_b.family("Fill", {{varOn(ipu), Access::Write}}, {0.0})};
            m_b.execute("fill", std::move(families));
            return;
        }
        case 2: {
            auto const from = varOn(ipu), to = varOn(-1);
            if (from == to) return;
            bool const global = m_b.var(from).layout.on.ipu != m_b.var(to).layout.on.ipu;
            auto const n = std::min(m_b.var(from).layout.elements(), m_b.var(to).layout.elements());
            m_b.exchange("exchange", {{from, to, 0, 0, {{n, 1, 1}}}}, {}, global);
            return;
        }
        case 3: m_b.stream("stream", varOn(ipu), below(2), 0); return;
        case 4: m_b.syncExternal("sync"); return;
        default: return;
        }
    }

    void pipeline(std::int64_t rounds)
    {
        m_b.beginBlock(StepKind::Repeat, "steady", rounds);
        for (int slot = 0; slot < 1 + below(3); ++slot) {
            auto const id = m_b.beginBlock(StepKind::Parallel, "slot");
            m_b.step(id).slot = slot;
            for (int ipu = 0; ipu < m_ipus; ++ipu) {
                if (below(4) == 0) continue;
                auto const task = m_b.beginBlock(StepKind::Sequence, "task");
                auto &step = m_b.step(task);
                step.stage = step.ipu = ipu;
                step.microBatch = slot - ipu;
                step.pass = below(2) ? "forward" : "backward";
                m_b.call(m_works[static_cast<std::size_t>(ipu)], "work");
                m_b.endBlock();
            }
            m_b.endBlock();
            if (below(2)) leaf(-1);
        }
        m_b.endBlock();
    }

    void steps(int depth, int ipu, bool pipelines)
    {
        for (int n = 1 + below(4); n > 0; --n) {
            int const what = depth < 4 ? below(9) : 8;
            if (what < 2) {
                m_b.beginBlock(StepKind::Repeat, "loop",
                               std::array<std::int64_t, 6>{0, 1, 2, 3, 7, 40}[static_cast<std::size_t>(below(depth < 2 ? 6 : 5))]);
                steps(depth + 1, ipu, pipelines);
                m_b.endBlock();
            } else if (what == 2 && !m_bodies.empty() && ipu < 0) {
                m_b.call(m_bodies[static_cast<std::size_t>(below(static_cast<int>(m_bodies.size())))], "call");
            } else if (what == 3 || what == 4) {
                m_b.beginBlock(what == 3 ? StepKind::If : StepKind::While, "choice", 1 + below(5));
                for (int arm = 0; arm < 2; ++arm) {
                    m_b.beginBlock(StepKind::Sequence, "arm");
                    steps(depth + 1, ipu, false);
                    m_b.endBlock();
                }
                m_b.endBlock();
            } else if (what == 5 && pipelines) {
                pipeline(1 + below(9));
            } else if (what == 6 && pipelines && ipu < 0) {
                m_b.beginBlock(StepKind::Parallel, "lanes");
                for (int lane = 0; lane < 2; ++lane) {
                    m_b.step(m_b.beginBlock(StepKind::Sequence, "lane")).lane = {lane, 1, 0};
                    steps(depth + 1, ipu, false);
                    m_b.endBlock();
                }
                m_b.endBlock();
            } else {
                leaf(ipu);
            }
        }
    }

    RandomStream m_random;
    int m_ipus;
    ProgramBuilder m_b;
    std::vector<VarId> m_vars;
    std::vector<StepId> m_bodies, m_works;
};

} // namespace

class TstProgramSchedule : public QObject {
    Q_OBJECT
private slots:
    void repetitionsEqualAWalkOfAllIterations()
    {
        std::size_t listed = 0, walked = 0, folds = 0, tasks = 0, overlapped = 0;
        for (std::uint64_t seed = 0; seed < 400; ++seed) {
            int const ipus = static_cast<int>(1 + seed % 3);
            auto const machine = target::parseMachine("pod4:tiles=3,ipus=4").value();
            RandomCourse const course(deriveSeed(19, seed), machine, ipus);
            auto const folded = lowering::makeSchedule(course.program(), machine, false);
            auto const unrolled = lowering::makeSchedule(course.program(), machine, false, {}, lowering::Walk::Unrolled);
            QVERIFY(unrolled.again.empty());
            auto const one = lowering::timelineOf(folded), other = lowering::timelineOf(unrolled);
            auto const place = "seed " + std::to_string(seed);
            QVERIFY2(folded.patternCycles == unrolled.patternCycles, place.c_str());
            QCOMPARE(one.patternCycles, folded.patternCycles);
            QVERIFY2(one.events == other.events, place.c_str());
            QVERIFY2(one.tasks == other.tasks, place.c_str());
            using Key = std::tuple<std::uint32_t, int, lowering::Phase, Cycles>;
            std::map<Key, std::int64_t> counted;
            auto const times = lowering::timesOf(folded);
            for (std::size_t i = 0; i < times.size(); ++i) {
                auto const &event = folded.events[i];
                counted[{event.step.index, event.ipu, event.phase, event.duration}] += times[i];
            }
            for (auto const &event : other.events) {
                overlapped += event.overlapped > 0;
                QVERIFY(event.overlapped <= event.duration && (event.overlapped == 0 || event.lane > 0));
            }
            for (auto const &event : other.events) --counted[{event.step.index, event.ipu, event.phase, event.duration}];
            for (auto const &[key, left] : counted) QVERIFY2(left == 0, place.c_str());
            listed += folded.events.size();
            walked += other.events.size();
            folds += folded.again.size();
            tasks += one.tasks.size() > folded.tasks.size();
        }
        qInfo("%zu of %zu events listed, %zu times again; tasks in %zu programs", listed, walked, folds, tasks);
        QVERIFY(folds > 1000 && tasks > 20 && listed * 3 < walked && overlapped > 100);
    }

    /// However often a loop runs, and a body is called.
    void listsDoNotGrowWithTheIterations()
    {
        auto const machine = target::parseMachine("gc200:tiles=4").value();
        std::vector<std::size_t> sizes;
        for (std::int64_t const rounds : {std::int64_t{3}, std::int64_t{1'000'000'000}}) {
            ProgramBuilder b(machine, 1, 1, {});
            auto const layout = b.linear(30, 30, DType::F32, 0);
            auto const v = b.addVar("v", "activation", DType::F32, {30, 30}, layout);
            auto const body = b.beginDetached(StepKind::Sequence, "body");
            b.execute("fill", {b.family("Fill", {{v, Access::Write}}, {0.0})});
            b.endBlock();
            b.beginBlock(StepKind::Sequence, "all");
            b.beginBlock(StepKind::Repeat, "outer", rounds);
            b.beginBlock(StepKind::Repeat, "inner", 7);
            b.call(body, "call");
            b.endBlock();
            b.call(body, "call");
            b.endBlock();
            b.endBlock();
            auto const schedule = lowering::makeSchedule(b.program(), machine, false);
            sizes.push_back(schedule.events.size() + schedule.again.size());
            Cycles const once = schedule.events.front().duration;
            QVERIFY(once > 0);
            QCOMPARE(schedule.patternCycles, rounds * 8 * once);
            QCOMPARE(lowering::timesOf(schedule), std::vector<std::int64_t>{rounds * 8});
        }
        QCOMPARE(sizes[0], sizes[1]);
    }
};

TW_REGISTER_TEST(TstProgramSchedule);
#include "tst_program_schedule.moc"
